package holdfast.preparation;

import holdfast.Check;
import holdfast.math.ExactMean;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The mean weights of rows, by worker and by the group of workers whose statistics are taken together. Only quotients
 * of weights matter: a row counts by its weight divided by the mean of its group where something is learnt from the
 * group, and by the mean of its worker where the worker trains. So a row of weight 2 counts like two rows, and no
 * source gains by heavy rows.
 *
 * @param workers the mean weight of each worker's rows; empty if rows have no weights
 * @param groups the mean weight of each group's rows; empty if rows have no weights
 * @param groupOf the group of each worker
 */
public record WorkerWeights(double[] workers, double[] groups, int[] groupOf) {
    /** Rows have no weights. */
    public static final WorkerWeights NONE = new WorkerWeights(new double[0], new double[0], new int[0]);

    public WorkerWeights {
        Check.that(
                workers.length == groupOf.length && (workers.length == 0) == (groups.length == 0),
                "there must be a group for each of %d workers, got %d",
                workers.length,
                groupOf.length);
    }

    /**
     * Combines the weights of workers.
     *
     * @param weights the mean of each worker's weights
     * @param groupOf the group of each worker
     */
    public static WorkerWeights of(List<ExactMean> weights, int[] groupOf) {
        ExactMean[] groups = IntStream.rangeClosed(
                        0, Arrays.stream(groupOf).max().orElseThrow())
                .mapToObj(g -> new ExactMean())
                .toArray(ExactMean[]::new);
        for (int w = 0; w < groupOf.length; w++) {
            groups[groupOf[w]].addAll(weights.get(w));
        }
        return new WorkerWeights(
                weights.stream().mapToDouble(ExactMean::value).toArray(),
                Arrays.stream(groups).mapToDouble(ExactMean::value).toArray(),
                groupOf.clone());
    }

    boolean isNone() {
        return workers.length == 0;
    }

    /** Returns what the rows of a worker weigh together, in rows of weight 1. */
    double total(int worker, long rows) {
        return isNone() ? rows : workers[worker] * rows;
    }

    /** Returns by how much more the rows of a worker count when it trains than when its group is measured. */
    double gain(int worker) {
        return isNone() ? 1 : groups[groupOf[worker]] / workers[worker];
    }
}
