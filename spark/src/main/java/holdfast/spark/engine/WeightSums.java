package holdfast.spark.engine;

import com.esotericsoftware.kryo.DefaultSerializer;
import com.esotericsoftware.kryo.serializers.JavaSerializer;
import holdfast.math.ExactMean;
import java.io.Serializable;
import java.util.Iterator;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Row;

/**
 * The weights of a partition's rows, added up by worker.
 *
 * @param byWorker only workers with rows there
 */
@DefaultSerializer(JavaSerializer.class)
record WeightSums(TreeMap<Integer, ExactMean> byWorker) implements Serializable {
    /** Returns the mean weight of each worker's rows. */
    static List<ExactMean> means(JavaRDD<Row> rows, RowOrder order, RowAssignment assignment) {
        JavaRDD<WeightSums> sums = rows.zipPartitions(
                order.dealers(assignment),
                (part, dealer) -> List.of(of(part, dealer.next())).iterator());
        long[] sizes = assignment.sizes;
        List<ExactMean> means =
                Stream.generate(ExactMean::new).limit(sizes.length).toList();
        SparkJobs.run(rows.context(), "add up weights", () -> MergingCollect.of(sums, WeightSums::merged))
                .forEach(found -> found.byWorker.forEach(
                        (worker, mean) -> means.get(worker).addAll(mean)));
        return means;
    }

    private static WeightSums merged(WeightSums before, WeightSums next) {
        next.byWorker.forEach((worker, mean) ->
                before.byWorker.computeIfAbsent(worker, w -> new ExactMean()).addAll(mean));
        return before;
    }

    private static WeightSums of(Iterator<Row> rows, RowOrder.Dealer dealer) {
        TreeMap<Integer, ExactMean> sums = new TreeMap<>();
        while (rows.hasNext()) {
            Row row = rows.next();
            int worker = dealer.worker(row);
            if (worker >= 0) {
                sums.computeIfAbsent(worker, w -> new ExactMean()).add(row.getDouble(2));
            }
        }
        dealer.requireAll();
        return new WeightSums(sums);
    }
}
