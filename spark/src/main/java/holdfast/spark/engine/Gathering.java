package holdfast.spark.engine;

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
    private final RowOrder.Dealer dealer;
    private final BlockLayout cut;
    private final boolean sparse;
    private Iterator<Tuple2<Integer, RowBatch>> ready = Collections.emptyIterator();

    Gathering(Iterator<Row> rows, RowOrder.Dealer dealer, BlockLayout cut, boolean sparse) {
        this.rows = rows;
        this.dealer = dealer;
        this.cut = cut;
        this.sparse = sparse;
        if (!rows.hasNext()) {
            dealer.requireAll();
        }
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
            int worker = dealer.worker(row);
            if (worker >= 0) {
                if (dealer.place() >= cut.sizes[worker]) {
                    throw SparkTable.changed();
                }
                Vector features = row.getAs(0);
                RowBatch batch =
                        batches.computeIfAbsent(cut.partition(worker, dealer.place()), p -> new RowBatch(sparse));
                int were = batch.stored();
                batch.add(worker, dealer.place(), features, row.getDouble(1), row.getDouble(2));
                stored += 8 + batch.stored() - were;
            }
        }
        if (!rows.hasNext()) {
            dealer.requireAll();
        }
        return batches.entrySet().stream()
                .map(e -> new Tuple2<>(e.getKey(), e.getValue()))
                .iterator();
    }

    @Override
    public Tuple2<Integer, RowBatch> next() {
        return ready.next();
    }
}
