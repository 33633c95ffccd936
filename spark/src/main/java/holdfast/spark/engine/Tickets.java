package holdfast.spark.engine;

import com.esotericsoftware.kryo.DefaultSerializer;
import com.esotericsoftware.kryo.serializers.JavaSerializer;
import holdfast.data.RowHash;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.sql.Row;

/**
 * Says where the rows of a partition go, which are known by their hash and may come in any order. Rows with the same
 * hash are interchangeable, so each takes one of the places that wait for it.
 */
final class Tickets implements RowOrder.Dealer {
    private final long[] high;
    private final long[] low;
    private final int[] worker;
    private final long[] place;
    /** Open addressing: the first ticket with each hash, or -1. */
    private final int[] table;
    /** The unused ticket of the same hash that comes next, or -1; for a first ticket, after {@link #unused}. */
    private final int[] next;
    /** For the first ticket of each hash, one that is not used yet, or -1. */
    private final int[] unused;

    private final RowHash hash = new RowHash();
    private int used;
    private int last = -1;

    /** Where rows of a partition go, by their hashes. */
    @DefaultSerializer(JavaSerializer.class)
    record Batch(long[] high, long[] low, int[] worker, long[] place) implements Serializable {}

    private Tickets(int count) {
        high = new long[count];
        low = new long[count];
        worker = new int[count];
        place = new long[count];
        next = new int[count];
        unused = new int[count];
        // At most half full, so that searches are short.
        table = new int[Integer.highestOneBit(Math.max(1, Math.min(count, 1 << 28))) << 2];
        Arrays.fill(table, -1);
    }

    static Tickets of(Iterator<Batch> arriving) {
        List<Batch> batches = new ArrayList<>();
        arriving.forEachRemaining(batches::add);
        Tickets tickets = new Tickets(
                batches.stream().mapToInt(batch -> batch.high.length).reduce(0, Math::addExact));
        int ticket = 0;
        for (Batch batch : batches) {
            for (int k = 0; k < batch.high.length; k++) {
                tickets.put(ticket++, batch, k);
            }
        }
        return tickets;
    }

    private void put(int ticket, Batch batch, int k) {
        high[ticket] = batch.high[k];
        low[ticket] = batch.low[k];
        worker[ticket] = batch.worker[k];
        place[ticket] = batch.place[k];
        int slot = slot(high[ticket], low[ticket]);
        int first = table[slot];
        if (first < 0) {
            table[slot] = ticket;
            next[ticket] = -1;
            unused[ticket] = ticket;
        } else {
            next[ticket] = unused[first];
            unused[first] = ticket;
        }
    }

    /** Returns the slot of a hash, or the free one where it would be. */
    private int slot(long itsHigh, long itsLow) {
        int slot = (int) itsLow & table.length - 1;
        while (table[slot] >= 0 && (high[table[slot]] != itsHigh || low[table[slot]] != itsLow)) {
            slot = slot + 1 & table.length - 1;
        }
        return slot;
    }

    @Override
    public int worker(Row row) {
        RowKeys.hash(row, hash);
        int first = table[slot(hash.high(), hash.low())];
        if (first < 0 || unused[first] < 0) {
            throw SparkTable.changed();
        }
        last = unused[first];
        unused[first] = next[last];
        used++;
        return worker[last];
    }

    @Override
    public long place() {
        return place[last];
    }

    @Override
    public void requireAll() {
        if (used != high.length) {
            throw SparkTable.changed();
        }
    }
}
