package holdfast.spark.engine;

import com.esotericsoftware.kryo.DefaultSerializer;
import com.esotericsoftware.kryo.serializers.JavaSerializer;
import java.io.Serializable;
import java.util.Collections;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.sql.Row;
import scala.Tuple2;

/** Collects rows until there are enough, then passes on a batch for every partition they go to. */
final class Gathering implements Iterator<Tuple2<Integer, RowBatch>> {
    /** How many values a task collects before it passes rows on. */
    private static final int MAX_GATHERED = 1 << 22;

    private final Iterator<Row> rows;
    private final Counted counted;
    private final BlockLayout cut;
    private final boolean sparse;
    private Iterator<Tuple2<Integer, RowBatch>> ready = Collections.emptyIterator();

    Gathering(Iterator<Row> rows, Counted counted, BlockLayout cut, boolean sparse) {
        this.rows = rows;
        this.counted = counted;
        this.cut = cut;
        this.sparse = sparse;
    }

    @Override
    public boolean hasNext() {
        while (!ready.hasNext() && rows.hasNext()) {
            ready = gather();
        }
        return ready.hasNext();
    }

    private Iterator<Tuple2<Integer, RowBatch>> gather() {
        Map<Integer, RowBatch> batches = new TreeMap<>();
        for (long stored = 0; stored < MAX_GATHERED && rows.hasNext(); ) {
            Row row = rows.next();
            int worker = counted.worker(row);
            if (worker >= 0) {
                Vector features = row.getAs(0);
                RowBatch batch =
                        batches.computeIfAbsent(cut.partition(worker, counted.place()), p -> new RowBatch(sparse));
                int were = batch.stored();
                batch.add(worker, counted.place(), features, row.getDouble(1), row.getDouble(2));
                stored += 8 + batch.stored() - were;
            }
        }
        if (!rows.hasNext()) {
            counted.requireBeAll();
        }
        return batches.entrySet().stream()
                .map(e -> new Tuple2<>(e.getKey(), e.getValue().trimmed()))
                .iterator();
    }

    @Override
    public Tuple2<Integer, RowBatch> next() {
        return ready.next();
    }

    /**
     * What a task needs to know about its partition.
     *
     * @param first the number of its first row
     * @param digest of its rows when they were first read
     */
    @DefaultSerializer(JavaSerializer.class)
    record Share(RowAssignment.Part part, long first, long digest) implements Serializable {}

    /** Deals the rows of a partition, and checks that they are the rows that were first read. */
    static final class Counted {
        private final RowAssignment.Dealer dealer;
        private final long[] sizes;
        private final long expected;
        private long number;
        private long digest;

        /** @param sizes how many rows each worker holds */
        Counted(Share share, long[] sizes) {
            this.dealer = share.part.dealer();
            this.sizes = sizes;
            this.number = share.first;
            this.expected = share.digest;
        }

        /** Returns who holds the next row; -1 if nobody does. */
        int worker(Row row) {
            digest = PartitionStatistics.digest(digest, row);
            int worker = dealer.worker(number++, row.getString(3));
            if (worker >= 0 && dealer.place() >= sizes[worker]) {
                throw SparkTable.changed();
            }
            return worker;
        }

        long place() {
            return dealer.place();
        }

        void requireBeAll() {
            if (digest != expected) {
                throw SparkTable.changed();
            }
        }
    }
}
