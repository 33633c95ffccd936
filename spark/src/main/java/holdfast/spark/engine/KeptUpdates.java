package holdfast.spark.engine;

import com.esotericsoftware.kryo.DefaultSerializer;
import com.esotericsoftware.kryo.serializers.JavaSerializer;
import holdfast.math.Tree;
import holdfast.math.Vectors;
import holdfast.rounds.TwoPhasePool;
import holdfast.rounds.WorkerReply;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.storage.StorageLevel;

/** A round's updates that stay on the executors, with the parameters from which they can be recomputed. */
final class KeptUpdates {
    private final JavaRDD<Answer> updates;
    private final Broadcast<double[]> theta;

    /** @param updates one for each worker; no worker may be cut into pieces */
    KeptUpdates(JavaRDD<Answer> updates, Broadcast<double[]> theta) {
        this.updates = updates.persist(StorageLevel.MEMORY_AND_DISK());
        this.theta = theta;
    }

    /** What comes back from an update that stays, as numbers and text that can be serialised. */
    @DefaultSerializer(JavaSerializer.class)
    private record Norm(Answer rest, double norm, int size, boolean finite) implements Serializable {
        private static final double[] ELSEWHERE = {};

        static Norm of(Answer a) {
            return a.fault() != null
                    ? new Norm(a, 0, 0, false)
                    : new Norm(
                            Answer.of(a.worker(), a.reply(a.worker()).with(ELSEWHERE)),
                            Vectors.norm(a.vector()),
                            a.vector().length,
                            Vectors.finite(a.vector()));
        }

        TwoPhasePool.Measured measured() {
            WorkerReply reply = rest.fault() == null
                    ? rest.reply(rest.worker())
                    : new WorkerReply.Fault(rest.worker(), rest.fault());
            return new TwoPhasePool.Measured(reply, norm, size, finite);
        }
    }

    List<TwoPhasePool.Measured> measured() {
        return updates.map(Norm::of).collect().stream().map(Norm::measured).toList();
    }

    /**
     * Returns the sum of these workers' updates times their factors. Every executor adds up its own, as far as the tree
     * of their places allows.
     */
    double[] sum(int[] workers, double[] factors) {
        int n = workers.length;
        Map<Tree.Node, double[]> known = new HashMap<>();
        updates.mapPartitions(answers -> {
                    TreeMap<Integer, double[]> byPlace = new TreeMap<>();
                    while (answers.hasNext()) {
                        Answer answer = answers.next();
                        int place = Arrays.binarySearch(workers, answer.worker());
                        if (place >= 0) {
                            byPlace.put(place, answer.vector());
                        }
                    }
                    return Sum.of(factors, byPlace).iterator();
                })
                .collect()
                .forEach(sum -> known.put(new Tree.Node(sum.from, sum.to), sum.vector));
        return Tree.complete(n, (from, to) -> known.get(new Tree.Node(from, to)), Vectors::add);
    }

    /** The sum of the updates under a node. */
    @DefaultSerializer(JavaSerializer.class)
    private record Sum(int from, int to, double[] vector) implements Serializable {
        static List<Sum> of(double[] factors, TreeMap<Integer, double[]> byPlace) {
            List<Sum> sums = new ArrayList<>();
            for (Integer first = byPlace.isEmpty() ? null : byPlace.firstKey(); first != null; ) {
                int end = first;
                while (byPlace.containsKey(end)) {
                    end++;
                }
                for (Tree.Node node : Tree.nodes(factors.length, first, end)) {
                    // Sums are computed in place and the updates must stay unchanged, so each leaf is a copy.
                    double[] sum = Tree.reduce(
                            node, place -> Vectors.scaled(factors[place], byPlace.get(place)), Vectors::add);
                    sums.add(new Sum(node.from(), node.to(), sum));
                }
                first = byPlace.ceilingKey(end);
            }
            return sums;
        }
    }

    void drop() {
        updates.unpersist(false);
        theta.destroy(false);
    }
}
