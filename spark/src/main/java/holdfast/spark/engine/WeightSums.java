package holdfast.spark.engine;

import com.esotericsoftware.kryo.DefaultSerializer;
import com.esotericsoftware.kryo.serializers.JavaSerializer;
import holdfast.math.ExactMean;
import java.io.Serializable;
import java.util.Arrays;
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
    /**
     * Returns the mean weight of each worker's rows.
     *
     * @param facts about the partitions of the rows, which must not have changed since
     */
    static double[] means(JavaRDD<Row> rows, List<PartitionStatistics> facts, RowAssignment deal) {
        long[] sizes = deal.sizes;
        JavaRDD<WeightSums> sums = rows.zipPartitions(
                Pieces.shares(rows, facts, deal),
                (part, share) -> List.of(of(part, new Gathering.Counted(share.next(), sizes)))
                        .iterator());
        ExactMean[] means = Stream.generate(ExactMean::new).limit(sizes.length).toArray(ExactMean[]::new);
        SparkJobs.run(rows.context(), "add up weights", sums::collect)
                .forEach(found -> found.byWorker.forEach((worker, mean) -> means[worker].addAll(mean)));
        return Arrays.stream(means).mapToDouble(ExactMean::value).toArray();
    }

    private static WeightSums of(Iterator<Row> rows, Gathering.Counted counted) {
        TreeMap<Integer, ExactMean> sums = new TreeMap<>();
        while (rows.hasNext()) {
            Row row = rows.next();
            int worker = counted.worker(row);
            if (worker >= 0) {
                sums.computeIfAbsent(worker, w -> new ExactMean()).add(row.getDouble(2));
            }
        }
        counted.requireBeAll();
        return new WeightSums(sums);
    }
}
