package holdfast.preparation;

import holdfast.Check;
import holdfast.Seed;
import holdfast.data.Dataset;
import holdfast.data.Partition;
import java.util.Arrays;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * What the rows of a table are for, decided from their labels, sources and weights alone, so that every engine decides alike
 * before it touches a value.
 *
 * @param learning numbers of the rows from which a preparation is learnt, ascending: those of the workers and the root rows
 * @param heldOut numbers of the rows held out, ascending
 * @param root places among {@code learning} of the rows that the server keeps for itself, ascending
 * @param training places among {@code learning} of the other rows, ascending
 * @param partition of {@code training}, by the places there
 */
public record RowRoles(int[] learning, int[] heldOut, int[] root, int[] training, Partition partition) {

    /**
     * @param outline labels and sources of all rows, see {@link Dataset#outline}
     * @param testShare of the rows, held out
     * @param root how many training rows the server keeps
     * @param dealer deals an outline of the other training rows to workers
     */
    public static RowRoles of(
            Dataset outline, double testShare, int root, Function<Dataset, Partition> dealer, Seed seed) {
        Split split = Split.stratified(outline, testShare, seed);
        int[] learning = split.training();
        Check.that(root < learning.length, "root must be below the %d training rows, got %d", learning.length, root);
        int[] kept = seed.child("root").random().choose(root, learning.length);
        int[] training = IntStream.range(0, learning.length)
                .filter(r -> root == 0 || Arrays.binarySearch(kept, r) < 0)
                .toArray();
        Dataset dealt =
                outline.select(Arrays.stream(training).map(r -> learning[r]).toArray());
        return new RowRoles(learning, split.heldOut(), kept, training, dealer.apply(dealt));
    }
}
