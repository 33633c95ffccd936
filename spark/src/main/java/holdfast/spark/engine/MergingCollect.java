package holdfast.spark.engine;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.function.Function;
import org.apache.spark.api.java.function.Function2;
import scala.Tuple2;

/** Brings results to the driver, one of each partition, merged on the executors first if there are many. */
final class MergingCollect {
    /** With at most this many partitions, a second stage would take longer than the driver does. */
    static final int MAX_PARTS = 32;

    private MergingCollect() {}

    /**
     * Returns the results of groups of consecutive partitions, in their order.
     *
     * @param results one for each partition
     * @param merge adds a result to that of the partitions before
     */
    static <T> List<T> of(JavaRDD<T> results, Function2<T, T, T> merge) {
        int partitions = results.getNumPartitions();
        return partitions <= MAX_PARTS ? results.collect() : inGroups(results, merge, group(partitions));
    }

    /**
     * Returns results of which each partition has a list.
     *
     * @param merge merges what can be merged of the results of consecutive partitions
     */
    static <P> List<P> lists(JavaRDD<P> results, Function<List<P>, ArrayList<P>> merge) {
        JavaRDD<ArrayList<P>> lists = results.mapPartitions(own -> {
            ArrayList<P> all = new ArrayList<>();
            own.forEachRemaining(all::add);
            return List.of(all).iterator();
        });
        return inGroups(
                        lists,
                        (before, next) -> {
                            before.addAll(next);
                            return merge.call(before);
                        },
                        group(results.getNumPartitions()))
                .stream()
                .flatMap(List::stream)
                .toList();
    }

    /** Returns how many partitions make a group, such that there are about as many groups. */
    static int group(int partitions) {
        return (int) Math.ceil(Math.sqrt(partitions));
    }

    /** @param group how many partitions are merged at a time */
    static <T> List<T> inGroups(JavaRDD<T> results, Function2<T, T, T> merge, int group) {
        int groups = (results.getNumPartitions() - 1) / group + 1;
        return results.mapPartitionsWithIndex(
                        (p, own) -> List.of(new Tuple2<>(p / group, new Tuple2<>(p, own.next())))
                                .iterator(),
                        false)
                .mapToPair(pair -> pair)
                .partitionBy(new ToPartition(groups))
                .values()
                .mapPartitions(arriving -> {
                    Runs<T> runs = new Runs<>(merge);
                    while (arriving.hasNext()) {
                        Tuple2<Integer, T> next = arriving.next();
                        runs.add(next._1(), next._2());
                    }
                    return runs.merged();
                })
                .collect();
    }

    /** Merges results that arrive in any order as soon as their neighbours are there, so that few wait. */
    private static final class Runs<T> {
        private final Function2<T, T, T> merge;
        /** The first partition of each run, with its last one and the result. */
        private final TreeMap<Integer, Tuple2<Integer, T>> runs = new TreeMap<>();

        Runs(Function2<T, T, T> merge) {
            this.merge = merge;
        }

        void add(int partition, T result) throws Exception {
            int first = partition;
            int last = partition;
            T merged = result;
            Map.Entry<Integer, Tuple2<Integer, T>> before = runs.lowerEntry(partition);
            if (before != null && before.getValue()._1() == partition - 1) {
                first = before.getKey();
                merged = merge.call(before.getValue()._2(), merged);
            }
            Tuple2<Integer, T> after = runs.remove(partition + 1);
            if (after != null) {
                last = after._1();
                merged = merge.call(merged, after._2());
            }
            runs.put(first, new Tuple2<>(last, merged));
        }

        /** Returns the one run that all partitions make, if any came. */
        Iterator<T> merged() {
            return runs.values().stream().map(Tuple2::_2).iterator();
        }
    }
}
