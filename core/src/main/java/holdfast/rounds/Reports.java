package holdfast.rounds;

import holdfast.aggregate.LostRoundException;
import holdfast.aggregate.ReplicaAgreement;
import holdfast.aggregate.WorkerUpdate;
import holdfast.math.Vectors;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * Combines the numbers that workers report besides their updates: takes the mean coordinate by coordinate, after
 * dropping the f largest and the f smallest, which liars might have sent. Replicas of a shard agree first. So f liars
 * among more than 2f leave every combined number within the range of the honest ones.
 *
 * @param workers m, replicas included
 */
record Reports(ReplicaAgreement replicas, int workers) {

    /** The loss that each shard agrees on, by shard; NaN if it reports none. */
    double[] losses(List<WorkerReply.Update> updates) {
        double[] losses = new double[workers / replicas.replicas()];
        Arrays.fill(losses, Double.NaN);
        List<WorkerReply.Update> reporting =
                updates.stream().filter(update -> !Double.isNaN(update.loss())).toList();
        agreed(reporting, update -> new double[] {update.loss()})
                .forEach(shard -> losses[shard.worker()] = shard.vector()[0]);
        return losses;
    }

    /** The objective from the losses of shards; NaN if none reports one. */
    double objective(double[] losses) {
        return middle(Arrays.stream(losses));
    }

    /**
     * Returns by how much losses rose from one check to another: combines each shard's own difference. Liars who report
     * one loss now and another later move a difference of combined losses anywhere within the spread between honest
     * shards, which is often much more than a loss changes. Of the shards' own differences f liars cannot even change the
     * sign if all honest shards agree on it. NaN if no shard reports both.
     */
    double rise(double[] before, double[] after) {
        return middle(IntStream.range(0, Math.min(before.length, after.length)).mapToDouble(s -> after[s] - before[s]));
    }

    /**
     * The gradient in the objective's own variables.
     *
     * @param count how many variables there are
     * @throws LostRoundException if there are some, but no shard agrees on a gradient
     */
    double[] dualGradient(List<WorkerReply.Update> updates, int count) {
        if (count == 0) {
            return new double[0];
        }
        List<WorkerUpdate> agreed = agreed(updates, WorkerReply.Update::duals);
        if (agreed.isEmpty()) {
            throw new LostRoundException("in no shard do more than half of the replicas agree on the dual gradient");
        }
        double[] combined = new double[count];
        Arrays.setAll(combined, k -> middle(agreed.stream().mapToDouble(report -> report.vector()[k])));
        return combined;
    }

    private List<WorkerUpdate> agreed(List<WorkerReply.Update> updates, Function<WorkerReply.Update, double[]> report) {
        return replicas.agreed(updates.stream()
                .map(update -> new WorkerUpdate(update.worker(), report.apply(update)))
                .toList());
    }

    /** Returns the trimmed mean of the numbers among the values; at least one is left, however many may be lies. */
    private double middle(DoubleStream values) {
        double[] sorted = values.filter(value -> !Double.isNaN(value)).sorted().toArray();
        if (sorted.length == 0) {
            return Double.NaN;
        }
        int drop = Math.min(replicas.toleratedShards(), (sorted.length - 1) / 2);
        double[] middle = Arrays.copyOfRange(sorted, drop, sorted.length - drop);
        double mean = Vectors.sum(middle, middle.length) / middle.length;
        // Rounding must not take the mean of nearly equal values out of their range.
        return Math.max(middle[0], Math.min(middle[middle.length - 1], mean));
    }
}
