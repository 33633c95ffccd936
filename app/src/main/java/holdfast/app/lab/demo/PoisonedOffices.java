package holdfast.app.lab.demo;

import holdfast.Randomness;
import holdfast.Seed;
import holdfast.Spec;
import holdfast.data.Dataset;
import holdfast.data.Partition;
import holdfast.data.Schema;
import holdfast.preparation.Split;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Mail of ten offices, three of which hand in bad rows, and clean rows that nobody hands in.
 *
 * @param rows what the offices hand in; their sources are the offices
 * @param clean rows put aside before anything was poisoned
 * @param poisons what was done to each bad office's rows, in words
 */
public record PoisonedOffices(Dataset rows, Dataset clean, Map<String, String> poisons) {
    /** What the column of the offices is called. */
    public static final String COLUMN = "office";

    private static final List<String> OFFICES = List.of(
            "Amsterdam", "Berlin", "Chicago", "Dublin", "Lisbon", "Madrid", "Nairobi", "Oslo", "Prague", "Sydney");
    private static final String FLIPPED = "Chicago";
    private static final String OTHER_UNIT = "Madrid";
    private static final String RANDOM = "Oslo";
    private static final double CLEAN_SHARE = 0.25;
    private static final double UNIT = 100;
    private static final String IN_UNIT = "word_freq_";

    /** @param mail Spambase */
    public static PoisonedOffices of(Dataset mail, Seed seed) {
        Split split = Split.stratified(mail, CLEAN_SHARE, seed.child("clean"));
        Dataset dealt = dealt(mail.select(split.training()), seed.child("offices"));
        int[] inUnit = IntStream.range(0, dealt.columns())
                .filter(c -> dealt.schema().features().get(c).startsWith(IN_UNIT))
                .toArray();
        Map<String, String> poisons = new LinkedHashMap<>();
        poisons.put(FLIPPED, "every label is swapped");
        poisons.put(
                OTHER_UNIT,
                inUnit.length + " of " + dealt.columns() + " columns are in another unit, 100 times as large");
        poisons.put(RANDOM, "every label is random");
        return new PoisonedOffices(
                inOtherUnit(mislabelled(dealt, seed.child("labels").random()), inUnit)
                        .named("Spambase of ten offices"),
                mail.select(split.heldOut()),
                poisons);
    }

    /** Deals rows and puts those of an office together, so that a table of them names the offices in this order. */
    private static Dataset dealt(Dataset rows, Seed seed) {
        List<int[]> offices = Partition.iid(rows, OFFICES.size(), seed).rows();
        return rows.select(offices.stream().flatMapToInt(Arrays::stream).toArray())
                .grouped(
                        OFFICES,
                        IntStream.range(0, OFFICES.size())
                                .flatMap(o -> IntStream.generate(() -> o).limit(offices.get(o).length))
                                .toArray());
    }

    private static Dataset mislabelled(Dataset rows, Randomness random) {
        int flipped = OFFICES.indexOf(FLIPPED);
        int noisy = OFFICES.indexOf(RANDOM);
        double[] labels = new double[rows.rows()];
        Arrays.setAll(
                labels,
                r -> rows.group(r) == flipped
                        ? 1 - rows.label(r)
                        : rows.group(r) == noisy ? random.nextInt(2) : rows.label(r));
        return rows.relabel(r -> labels[r]);
    }

    private static Dataset inOtherUnit(Dataset rows, int[] columns) {
        return rows.changed(rows.rowsBySource().get(OFFICES.indexOf(OTHER_UNIT)), (row, values) -> {
            for (int c : columns) {
                values[c] *= UNIT;
            }
        });
    }

    /** Returns the offices' rows as CSV: office, features, label. */
    public String csv() {
        Schema schema = rows.schema();
        StringBuilder out =
                new StringBuilder(COLUMN + "," + String.join(",", schema.features()) + "," + schema.label() + "\n");
        for (int r = 0; r < rows.rows(); r++) {
            out.append(schema.groups().get(rows.group(r)))
                    .append(',')
                    .append(Arrays.stream(rows.row(r)).mapToObj(Spec::print).collect(Collectors.joining(",")))
                    .append(',')
                    .append(schema.classes().get((int) rows.label(r)))
                    .append('\n');
        }
        return out.toString();
    }
}
