package holdfast.preparation;

import holdfast.Check;
import holdfast.Randomness;
import holdfast.Seed;
import holdfast.data.Dataset;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** Which rows are for training and which are held out, each ascending. */
public record Split(int[] training, int[] heldOut) {

    /**
     * Holds out the same share of every stratum, rounded to the nearest row and chosen at random. A stratum is a source
     * and, if labels are classes, a class. If the share is positive, a stratum of two or more rows keeps at least one
     * row on either side.
     */
    public static Split stratified(Dataset data, double share, Seed seed) {
        Check.that(share >= 0 && share < 1, "--test-share must be at least 0 and below 1, got %s", share);
        Map<Integer, IntStream.Builder> strata = new TreeMap<>();
        int classes = data.schema().classes().size();
        for (int r = 0; r < data.rows(); r++) {
            int key = classes == 0 ? data.group(r) : classes * data.group(r) + (int) data.label(r);
            strata.computeIfAbsent(key, k -> IntStream.builder()).add(r);
        }
        boolean[] out = new boolean[data.rows()];
        strata.forEach((k, members) -> {
            int[] rows = members.build().toArray();
            Randomness random = seed.child("split", k).random();
            random.shuffle(rows);
            int count = (int) Math.rint(share * rows.length);
            if (rows.length > 1 && share > 0) {
                count = Math.max(1, Math.min(rows.length - 1, count));
            }
            for (int i = 0; i < count; i++) {
                out[rows[i]] = true;
            }
        });
        return new Split(
                IntStream.range(0, out.length).filter(r -> !out[r]).toArray(),
                IntStream.range(0, out.length).filter(r -> out[r]).toArray());
    }
}
