package holdfast.rounds;

import holdfast.Check;
import holdfast.aggregate.ReplicaAgreement;
import holdfast.aggregate.WorkerUpdate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Averages each worker's updates over the rounds: m_i = beta m_i + (1 - beta) g_i replaces every valid update g_i. The
 * server keeps the m_i on every engine, so they are part of a checkpoint, and a worker that restarts loses nothing.
 *
 * @param beta from 0, which changes no update, to below 1
 */
public record WorkerMomentum(double beta) {
    /** Leaves updates as they are. */
    public static final WorkerMomentum NONE = new WorkerMomentum(0);

    public WorkerMomentum {
        Check.that(beta >= 0 && beta < 1, "worker momentum must be at least 0 and below 1, got %s", beta);
    }

    /** Whether updates change. */
    boolean isActive() {
        return beta > 0;
    }

    /**
     * Replies with averages instead of the valid updates, and the averages of all workers, worker after worker.
     *
     * @param replies those that are not valid stay as they are
     */
    record Averaged(List<WorkerReply> replies, double[] momenta) {}

    /**
     * @param replies one per worker, in worker order
     * @param momenta those of the round before; empty before the first round
     */
    Averaged average(List<WorkerReply> replies, RoundRequest request, double[] momenta, ReplicaAgreement replicas) {
        if (!isActive()) {
            return new Averaged(replies, momenta);
        }
        int d = request.theta().length;
        double[] next = Arrays.copyOf(momenta, d * replies.size());
        List<WorkerReply> averaged = new ArrayList<>(replies);
        for (WorkerReply.Update update :
                ValidatedReplies.of(replies, request.withoutLoss(), false).valid()) {
            int from = update.worker() * d;
            for (int i = 0; i < d; i++) {
                next[from + i] = beta * next[from + i] + (1 - beta) * update.vector()[i];
            }
            averaged.set(update.worker(), update.with(Arrays.copyOfRange(next, from, from + d)));
        }
        agree(next, d, replicas);
        return new Averaged(averaged, next);
    }

    /**
     * Gives all replicas of a shard the average that most of them have; a replica that failed once would differ ever
     * after.
     */
    private static void agree(double[] momenta, int d, ReplicaAgreement replicas) {
        int r = replicas.replicas();
        if (r == 1) {
            return;
        }
        List<WorkerUpdate> gathered = IntStream.range(0, momenta.length / d)
                .mapToObj(w -> new WorkerUpdate(w, Arrays.copyOfRange(momenta, w * d, (w + 1) * d)))
                .toList();
        for (WorkerUpdate shard : replicas.agreed(gathered)) {
            for (int w = shard.worker() * r; w < (shard.worker() + 1) * r; w++) {
                System.arraycopy(shard.vector(), 0, momenta, w * d, d);
            }
        }
    }
}
