package holdfast.spark.engine;

import com.esotericsoftware.kryo.DefaultSerializer;
import com.esotericsoftware.kryo.serializers.JavaSerializer;
import holdfast.rounds.WorkerReply;
import java.io.Serializable;

/**
 * What comes back from an executor.
 *
 * @param worker who answers
 * @param from the first block that it speaks for
 * @param to after the last one; the same as {@code from} if this is the whole worker's reply
 * @param vector the reply's, or the sum of gradients of the blocks; null if the worker failed
 * @param loss the reply's, or the sum of losses
 * @param rows in these blocks
 * @param precision the bound on ||z - z*||
 * @param fault why it failed; null if it did not
 */
@DefaultSerializer(JavaSerializer.class)
record Answer(int worker, int from, int to, double[] vector, double loss, long rows, double precision, String fault)
        implements Serializable {

    /** What a worker says for all its rows. */
    static Answer of(int worker, WorkerReply reply) {
        if (reply instanceof WorkerReply.Update update) {
            return new Answer(worker, 0, 0, update.vector(), update.loss(), 0, update.precision(), null);
        }
        return fault(worker, ((WorkerReply.Fault) reply).reason());
    }

    static Answer fault(int worker, String reason) {
        return new Answer(worker, 0, 0, null, Double.NaN, 0, Double.NaN, reason);
    }

    boolean whole() {
        return from == to;
    }
}
