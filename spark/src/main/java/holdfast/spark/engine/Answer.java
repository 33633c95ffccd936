package holdfast.spark.engine;

import com.esotericsoftware.kryo.DefaultSerializer;
import com.esotericsoftware.kryo.serializers.JavaSerializer;
import holdfast.math.Tree;
import holdfast.objective.ShardSums;
import holdfast.rounds.WorkerReply;
import java.io.Serializable;

/**
 * What comes back from an executor.
 *
 * @param worker who answers
 * @param from the first block that it speaks for
 * @param to after the last one; the same as {@code from} if this is the whole worker's reply
 * @param vector the reply's, or the sum of gradients of the blocks; null if the worker failed
 * @param duals the same for the objective's own variables; empty if it has none
 * @param loss the reply's, or the sum of losses
 * @param rows in these blocks
 * @param precision the bound on ||z - z*||
 * @param fault why it failed; null if it did not
 */
@DefaultSerializer(JavaSerializer.class)
record Answer(
        int worker,
        int from,
        int to,
        double[] vector,
        double[] duals,
        double loss,
        long rows,
        double precision,
        String fault)
        implements Serializable {

    /** What a worker says for all its rows. */
    static Answer of(int worker, WorkerReply reply) {
        if (reply instanceof WorkerReply.Update update) {
            return new Answer(
                    worker, 0, 0, update.vector(), update.duals(), update.loss(), 0, update.precision(), null);
        }
        return fault(worker, ((WorkerReply.Fault) reply).reason());
    }

    /** What a worker says for some of its blocks. */
    static Answer of(int worker, Tree.Node blocks, ShardSums sums) {
        return new Answer(
                worker,
                blocks.from(),
                blocks.to(),
                sums.gradient(),
                sums.duals(),
                sums.loss(),
                sums.rows(),
                sums.precision(),
                null);
    }

    static Answer fault(int worker, String reason) {
        return new Answer(worker, 0, 0, null, null, Double.NaN, 0, Double.NaN, reason);
    }

    boolean whole() {
        return from == to;
    }

    /** The sums over the blocks that it speaks for. */
    ShardSums sums() {
        return new ShardSums(vector, duals, loss, rows, precision);
    }

    /** The reply of a worker, which must be whole and must not have failed. */
    WorkerReply.Update reply(int as) {
        return new WorkerReply.Update(as, vector, duals, loss, precision);
    }
}
