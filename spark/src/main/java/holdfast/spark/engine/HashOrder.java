package holdfast.spark.engine;

import com.esotericsoftware.kryo.DefaultSerializer;
import com.esotericsoftware.kryo.serializers.JavaSerializer;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.SortedMap;
import java.util.stream.IntStream;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import scala.Tuple2;

/**
 * The order of {@link holdfast.data.ContentOrder}: by source, then by hash. Rows that a task reads again, in another
 * order or after an executor was lost, are known by their hash; rows in other partitions get the same places.
 *
 * <p>Only keys are sorted. Each goes to one of several ranges that follow one another, each a {@link KeyRange}, which
 * knows the numbers of its keys. To deal rows, every range sends the partitions of its keys where their rows go
 * ({@link Tickets}).
 */
final class HashOrder implements RowOrder {
    /** With fewer keys than this in each, more ranges take longer. */
    private static final int KEYS = 1 << 16;

    private final JavaRDD<KeyRange> ranges;
    private final int partitions;
    private final List<Stretch> stretches;

    private HashOrder(JavaRDD<KeyRange> ranges, int partitions, List<Stretch> stretches) {
        this.ranges = ranges;
        this.partitions = partitions;
        this.stretches = stretches;
    }

    /**
     * Sorts keys, which takes one job.
     *
     * @param keys of each partition
     * @param sources the number of rows of each source
     */
    static HashOrder of(JavaRDD<RowKeys> keys, SortedMap<String, Long> sources) {
        return of(keys, sources, KEYS);
    }

    /** @param perRange see {@link Ranges#of} */
    static HashOrder of(JavaRDD<RowKeys> keys, SortedMap<String, Long> sources, int perRange) {
        SparkContext spark = keys.context();
        int partitions = keys.getNumPartitions();
        Broadcast<Ranges> divided =
                JavaSparkContext.fromSparkContext(spark).broadcast(Ranges.of(sources, partitions, perRange));
        JavaRDD<KeyRange> ranges = keys.mapPartitionsWithIndex(
                        (p, own) -> divided.value().divided(p, own.next()), false)
                .mapToPair(pair -> pair)
                .partitionBy(new ToPartition(divided.value().count()))
                .values()
                .mapPartitions(batches ->
                        List.of(KeyRange.sorted(divided.value(), batches)).iterator());
        String[] names = divided.value().names;
        List<Stretch> stretches =
                SparkJobs.run(spark, "put the rows in order", ranges.map(KeyRange::counts)::collect).stream()
                        .map(counts -> counts.named(names))
                        .toList();
        return new HashOrder(ranges, partitions, stretches);
    }

    @Override
    public List<Stretch> stretches() {
        return stretches;
    }

    @Override
    public JavaRDD<Dealer> dealers(RowAssignment assignment) {
        List<Share> shares = new ArrayList<>();
        long first = 0;
        for (int r = 0; r < stretches.size(); r++) {
            long rows = stretches.get(r).rows();
            shares.add(new Share(assignment.stretch(r, first, rows), first));
            first += rows;
        }
        return ranges.zipPartitions(
                        JavaSparkContext.fromSparkContext(ranges.context()).parallelize(shares, shares.size()),
                        (range, share) -> range.next().tickets(share.next()))
                .mapToPair(pair -> pair)
                .partitionBy(new ToPartition(partitions))
                .values()
                .mapPartitions(batches -> List.<Dealer>of(Tickets.of(batches)).iterator());
    }

    /**
     * What a range needs to deal its rows.
     *
     * @param first the number of its first row
     */
    @DefaultSerializer(JavaSerializer.class)
    record Share(RowAssignment.Part part, long first) implements Serializable {}

    /**
     * Divides keys into ranges of about the same size. Hashes are spread evenly, so a key's source and hash tell about
     * where it is among all keys.
     *
     * @param names of the sources, ascending
     * @param starts the number of the first row of each source, and of all rows at the end
     * @param count how many ranges there are
     */
    @DefaultSerializer(JavaSerializer.class)
    record Ranges(String[] names, long[] starts, int count) implements Serializable {
        /** @param keys about how many a range has, unless there are more ranges than partitions then */
        static Ranges of(SortedMap<String, Long> sources, int partitions, int keys) {
            long[] starts = new long[sources.size() + 1];
            int s = 0;
            for (long rows : sources.values()) {
                starts[s + 1] = starts[s] + rows;
                s++;
            }
            int count = (int) Math.min(partitions, starts[s] / keys + 1);
            return new Ranges(sources.keySet().toArray(String[]::new), starts, count);
        }

        /** Returns about which number a key has; never less for a key that comes later. */
        long position(int source, long high) {
            long rows = starts[source + 1] - starts[source];
            // The upper half of the unsigned product.
            return starts[source] + Math.multiplyHigh(high, rows) + (high < 0 ? rows : 0);
        }

        int range(long position) {
            return (int) (position * count / starts[starts.length - 1]);
        }

        /** Returns for each range the keys of a partition that belong to it. */
        Iterator<Tuple2<Integer, KeyRange.Batch>> divided(int partition, RowKeys keys) {
            int[] sourceOf = keys.names().stream()
                    .mapToInt(name -> Arrays.binarySearch(names, name))
                    .toArray();
            int[] range = new int[keys.rows()];
            int[] sizes = new int[count];
            for (int k = 0; k < range.length; k++) {
                range[k] = range(position(sourceOf[keys.source(k)], keys.high(k)));
                sizes[range[k]]++;
            }
            KeyRange.Batch[] batches = Arrays.stream(sizes)
                    .mapToObj(size -> new KeyRange.Batch(partition, size))
                    .toArray(KeyRange.Batch[]::new);
            Arrays.fill(sizes, 0);
            for (int k = 0; k < range.length; k++) {
                batches[range[k]].set(sizes[range[k]]++, sourceOf[keys.source(k)], keys.high(k), keys.low(k));
            }
            return IntStream.range(0, count)
                    .filter(r -> sizes[r] > 0)
                    .mapToObj(r -> new Tuple2<>(r, batches[r]))
                    .iterator();
        }
    }
}
