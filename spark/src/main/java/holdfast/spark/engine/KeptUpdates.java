package holdfast.spark.engine;

import com.esotericsoftware.kryo.DefaultSerializer;
import com.esotericsoftware.kryo.serializers.JavaSerializer;
import holdfast.math.Tree;
import holdfast.math.Vectors;
import holdfast.rounds.TwoPhasePool;
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

/** The updates of a round that stay on the executors, with the parameters they may have to be computed from again. */
final class KeptUpdates {
    private final JavaRDD<Answer> updates;
    private final Broadcast<double[]> theta;

    /** @param updates of whole workers */
    KeptUpdates(JavaRDD<Answer> updates, Broadcast<double[]> theta) {
        this.updates = updates.persist(StorageLevel.MEMORY_AND_DISK());
        this.theta = theta;
    }

    /** What comes back of an update that stays. */
    @DefaultSerializer(JavaSerializer.class)
    private record Norm(int worker, double norm, boolean finite, double loss, double precision, String fault)
            implements Serializable {
        static Norm of(Answer a) {
            return a.fault() != null
                    ? new Norm(a.worker(), Double.NaN, false, Double.NaN, Double.NaN, a.fault())
                    : new Norm(
                            a.worker(),
                            Vectors.norm(a.vector()),
                            Vectors.finite(a.vector()),
                            a.loss(),
                            a.precision(),
                            null);
        }
    }

    List<TwoPhasePool.Measured> measured() {
        return updates.map(Norm::of).collect().stream()
                .map(n -> new TwoPhasePool.Measured(n.worker, n.norm, n.finite, n.loss, n.precision, n.fault))
                .toList();
    }

    /** The sum of these workers' updates; every executor adds up its own as far as the tree of their places allows. */
    double[] sum(int[] workers) {
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
                    return Sum.of(n, byPlace).iterator();
                })
                .collect()
                .forEach(sum -> known.put(new Tree.Node(sum.from, sum.to), sum.vector));
        return Tree.complete(n, (from, to) -> known.get(new Tree.Node(from, to)), Vectors::add);
    }

    /** The sum of the updates under a node. */
    @DefaultSerializer(JavaSerializer.class)
    private record Sum(int from, int to, double[] vector) implements Serializable {
        static List<Sum> of(int n, TreeMap<Integer, double[]> byPlace) {
            List<Sum> sums = new ArrayList<>();
            for (Integer first = byPlace.isEmpty() ? null : byPlace.firstKey(); first != null; ) {
                int end = first;
                while (byPlace.containsKey(end)) {
                    end++;
                }
                for (Tree.Node node : Tree.nodes(n, first, end)) {
                    // Sums are made in place, and the updates must stay.
                    double[] sum = Tree.reduce(node, place -> byPlace.get(place).clone(), Vectors::add);
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
