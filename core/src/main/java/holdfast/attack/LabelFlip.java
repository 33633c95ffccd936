package holdfast.attack;

import holdfast.Check;
import holdfast.Seed;
import holdfast.data.Dataset;
import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.stream.IntStream;

/**
 * Flips the labels of a random share of the rows (Biggio, Nelson, Laskov 2011): with k classes y becomes k-1-y; with
 * numbers, min + max - y over the worker's own rows, so that a count stays a count.
 */
public record LabelFlip(double share) implements RowAttack {
    public LabelFlip {
        Check.that(share >= 0 && share <= 1, "label-flip: share must be from 0 to 1, got %s", share);
    }

    @Override
    public Dataset poison(Dataset shard, Seed seed) {
        int[] flipped = RowAttack.choose(share, shard, seed);
        double ends = ends(shard);
        return shard.relabel(r -> Arrays.binarySearch(flipped, r) >= 0 ? ends - shard.label(r) : shard.label(r));
    }

    /** Returns the sum of the smallest and the largest label. */
    private static double ends(Dataset shard) {
        int classes = shard.schema().classes().size();
        if (classes > 0) {
            return classes - 1;
        }
        DoubleSummaryStatistics labels =
                IntStream.range(0, shard.rows()).mapToDouble(shard::label).summaryStatistics();
        return labels.getMin() + labels.getMax();
    }
}
