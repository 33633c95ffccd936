package holdfast.spark.engine;

import com.esotericsoftware.kryo.DefaultSerializer;
import com.esotericsoftware.kryo.serializers.JavaSerializer;
import holdfast.math.Tree;
import holdfast.objective.ShardSums;
import holdfast.rounds.WorkerReply;

/**
 * An executor's answer.
 *
 * @param worker who answers
 * @param from the first block that the answer covers
 * @param to one past the last block; equal to {@code from} if this is the whole worker's reply
 * @param vector the reply's vector, or the sum of gradients over the blocks; null if the worker failed
 * @param duals the same for the objective's own variables; empty if it has none
 * @param loss the reply's loss, or the sum of losses
 * @param rows number of rows in these blocks
 * @param precision the bound on ||z - z*||
 * @param fault why the worker failed; null if it did not
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
        implements TreePart {

    /** Makes the answer of a worker for all its rows. */
    static Answer of(int worker, WorkerReply reply) {
        if (reply instanceof WorkerReply.Update update) {
            return new Answer(
                    worker, 0, 0, update.vector(), update.duals(), update.loss(), 0, update.precision(), null);
        }
        return fault(worker, ((WorkerReply.Fault) reply).reason());
    }

    /** Makes the answer of a worker for some of its blocks. */
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

    /** Returns the answer for these blocks and those of the next one, whose vectors must not be used again. */
    Answer merge(Answer next) {
        return of(worker, new Tree.Node(from, next.to), sums().merge(next.sums()));
    }

    boolean whole() {
        return from == to;
    }

    /** Returns the sums over the blocks that the answer covers. */
    ShardSums sums() {
        return new ShardSums(vector, duals, loss, rows, precision);
    }

    /** Returns the reply of a worker. The answer must cover the whole worker, which must not have failed. */
    WorkerReply.Update reply(int as) {
        return new WorkerReply.Update(as, vector, duals, loss, precision);
    }
}
