package holdfast.spark.engine;

import com.esotericsoftware.kryo.DefaultSerializer;
import com.esotericsoftware.kryo.serializers.JavaSerializer;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Row;

/**
 * The order in which rows are read, which must be the same every time: that of the lines of a file. A stretch is a
 * partition.
 *
 * @param partitions what the first look at each of them told
 */
record ReadOrder(SparkContext spark, List<PartitionStatistics> partitions) implements RowOrder {
    @Override
    public List<Stretch> stretches() {
        return partitions.stream()
                .map(facts -> new Stretch(facts.rows, facts.sources.byName()))
                .toList();
    }

    /** Sends each task its own share only, not the shares of all partitions. */
    @Override
    public JavaRDD<Dealer> dealers(RowAssignment assignment) {
        return JavaSparkContext.fromSparkContext(spark)
                .parallelize(shares(assignment), partitions.size())
                .map(InOrder::new);
    }

    /** Returns the share of each partition. */
    List<Share> shares(RowAssignment assignment) {
        List<Share> shares = new ArrayList<>();
        long first = 0;
        for (int p = 0; p < partitions.size(); p++) {
            PartitionStatistics here = partitions.get(p);
            shares.add(new Share(assignment.stretch(p, first, here.rows), first, here.rows, here.digest));
            first += here.rows;
        }
        return shares;
    }

    /**
     * What a task needs to know about its partition.
     *
     * @param first the number of its first row
     * @param digest of its rows when they were first read
     */
    @DefaultSerializer(JavaSerializer.class)
    record Share(RowAssignment.Part part, long first, long rows, long digest) implements Serializable {}

    /** Deals rows that come in their order, and checks that they are the rows that were first read. */
    private static final class InOrder implements Dealer {
        private final RowAssignment.Places places;
        private final Share share;
        private long read;
        private long digest;

        InOrder(Share share) {
            this.share = share;
            this.places = share.part.fromFirst();
        }

        @Override
        public int worker(Row row) {
            if (read == share.rows) {
                throw SparkTable.changed();
            }
            digest = PartitionStatistics.digest(digest, row);
            return places.worker(share.first + read++, row.getString(3));
        }

        @Override
        public long place() {
            return places.place();
        }

        @Override
        public void requireAll() {
            if (read != share.rows || digest != share.digest) {
                throw SparkTable.changed();
            }
        }
    }
}
