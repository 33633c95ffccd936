package holdfast.preparation;

import holdfast.Check;
import holdfast.Seed;
import holdfast.data.Dataset;
import holdfast.data.Partition;
import java.util.Arrays;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * What each row of a table is used for. This is decided from labels, sources and weights alone, so that every engine
 * decides the same before it reads a value.
 *
 * @param learning numbers of the rows from which a preparation is learnt, ascending: the workers' rows and the root
 *     rows
 * @param heldOut numbers of the held-out rows, ascending
 * @param root positions in {@code learning} of the rows that the server keeps for itself, ascending
 * @param training positions in {@code learning} of the other rows, ascending
 * @param partition divides {@code training} among the workers, by positions in it
 */
public record RowRoles(int[] learning, int[] heldOut, int[] root, int[] training, Partition partition) {

    /**
     * Decides the roles of all rows.
     *
     * @param outline labels and sources of all rows, see {@link Dataset#outline}
     * @param holdOut decides which rows are held out
     * @param root how many training rows the server keeps
     * @param dealer assigns an outline of the other training rows to workers
     */
    public static RowRoles of(
            Dataset outline, HoldOut holdOut, int root, Function<Dataset, Partition> dealer, Seed seed) {
        Split split = holdOut.of(outline, seed);
        int[] learning = split.training();
        Check.that(root < learning.length, "--root must be below the %d training rows, got %d", learning.length, root);
        int[] kept = seed.child("root").random().choose(root, learning.length);
        int[] training = IntStream.range(0, learning.length)
                .filter(r -> root == 0 || Arrays.binarySearch(kept, r) < 0)
                .toArray();
        Dataset dealt =
                outline.select(Arrays.stream(training).map(r -> learning[r]).toArray());
        return new RowRoles(learning, split.heldOut(), kept, training, dealer.apply(dealt));
    }
}
