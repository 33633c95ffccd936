package holdfast.rounds;

import holdfast.aggregate.LostRoundException;
import holdfast.aggregate.ReplicaAgreement;
import holdfast.aggregate.WorkerUpdate;
import holdfast.math.Vectors;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/**
 * Combines the numbers that workers report besides their updates: takes the mean coordinate by coordinate, after
 * dropping the f largest and the f smallest, which liars might have sent. Replicas of a shard agree first.
 */
record Reports(ReplicaAgreement replicas) {

    /** The objective from the reported losses; NaN if no shard agrees on one. */
    double objective(List<WorkerReply.Update> updates) {
        List<WorkerUpdate> agreed = agreed(updates, update -> new double[] {update.loss()});
        return agreed.isEmpty() ? Double.NaN : middle(agreed, 0);
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
        Arrays.setAll(combined, k -> middle(agreed, k));
        return combined;
    }

    private List<WorkerUpdate> agreed(List<WorkerReply.Update> updates, Function<WorkerReply.Update, double[]> report) {
        return replicas.agreed(updates.stream()
                .map(update -> new WorkerUpdate(update.worker(), report.apply(update)))
                .toList());
    }

    /** Returns the trimmed mean of one coordinate. At least one value is left, however many may be lies. */
    private double middle(List<WorkerUpdate> reports, int coordinate) {
        double[] sorted = reports.stream()
                .mapToDouble(report -> report.vector()[coordinate])
                .sorted()
                .toArray();
        int drop = Math.min(replicas.toleratedShards(), (sorted.length - 1) / 2);
        double[] middle = Arrays.copyOfRange(sorted, drop, sorted.length - drop);
        return Vectors.sum(middle, middle.length) / middle.length;
    }
}
