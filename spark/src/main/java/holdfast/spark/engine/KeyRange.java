package holdfast.spark.engine;

import com.esotericsoftware.kryo.DefaultSerializer;
import com.esotericsoftware.kryo.serializers.JavaSerializer;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import scala.Tuple2;

/** The keys of consecutive rows, sorted. */
final class KeyRange {
    private final int[] partitions;
    /** Where the keys of each partition begin, and the number of all keys at the end. */
    private final int[] starts;

    private final int[] source;
    private final long[] high;
    private final long[] low;
    /** The keys in their order. */
    private int[] order;

    /** Keys of one partition. */
    @DefaultSerializer(JavaSerializer.class)
    record Batch(int partition, int[] source, long[] high, long[] low) implements Serializable {
        Batch(int partition, int size) {
            this(partition, new int[size], new long[size], new long[size]);
        }

        void set(int k, int itsSource, long itsHigh, long itsLow) {
            source[k] = itsSource;
            high[k] = itsHigh;
            low[k] = itsLow;
        }
    }

    private KeyRange(List<Batch> batches) {
        partitions = batches.stream().mapToInt(Batch::partition).toArray();
        starts = new int[partitions.length + 1];
        for (int b = 0; b < partitions.length; b++) {
            starts[b + 1] = Math.addExact(starts[b], batches.get(b).source.length);
        }
        int keys = starts[partitions.length];
        source = new int[keys];
        high = new long[keys];
        low = new long[keys];
        for (int b = 0; b < partitions.length; b++) {
            Batch batch = batches.get(b);
            System.arraycopy(batch.source, 0, source, starts[b], batch.source.length);
            System.arraycopy(batch.high, 0, high, starts[b], batch.source.length);
            System.arraycopy(batch.low, 0, low, starts[b], batch.source.length);
        }
    }

    /**
     * Sorts keys that arrive in any order. Equal keys are sorted by their partition, so that a task that is repeated
     * gives each partition the same numbers.
     */
    static KeyRange sorted(HashOrder.Ranges ranges, Iterator<Batch> arriving) {
        List<Batch> batches = new ArrayList<>();
        arriving.forEachRemaining(batches::add);
        batches.sort(Comparator.comparingInt(Batch::partition));
        KeyRange range = new KeyRange(batches);
        range.sort(ranges);
        return range;
    }

    /** Sorts by about where keys are, which puts nearly all in their place, and then the few that are too close. */
    private void sort(HashOrder.Ranges ranges) {
        long[] words = new long[source.length];
        long first = IntStream.range(0, words.length)
                .mapToLong(k -> ranges.position(source[k], high[k]))
                .min()
                .orElse(0);
        for (int k = 0; k < words.length; k++) {
            words[k] = ranges.position(source[k], high[k]) - first << 32 | k;
        }
        Arrays.sort(words);
        order = new int[words.length];
        for (int i = 0; i < order.length; i++) {
            int key = (int) words[i];
            int at = i;
            // Keys at one position are of one source, because a source has at least one row.
            while (at > 0 && words[at - 1] >>> 32 == words[i] >>> 32 && isBefore(key, order[at - 1])) {
                order[at] = order[--at];
            }
            order[at] = key;
        }
    }

    private boolean isBefore(int a, int b) {
        int byHigh = Long.compareUnsigned(high[a], high[b]);
        return byHigh != 0 ? byHigh < 0 : Long.compareUnsigned(low[a], low[b]) < 0;
    }

    /** Receives a key. */
    interface Keys {
        void accept(int source, long high, long low);
    }

    /** Passes on all keys in their order. */
    void forEach(Keys keys) {
        for (int key : order) {
            keys.accept(source[key], high[key], low[key]);
        }
    }

    /** How many keys of each source there are, by the source's number. */
    @DefaultSerializer(JavaSerializer.class)
    record Counts(int[] sources, long[] rows) implements Serializable {
        RowOrder.Stretch named(String[] names) {
            Map<String, Long> named = new LinkedHashMap<>();
            for (int i = 0; i < sources.length; i++) {
                named.put(names[sources[i]], rows[i]);
            }
            return new RowOrder.Stretch(Arrays.stream(rows).sum(), named);
        }
    }

    Counts counts() {
        Map<Integer, Long> counts = new LinkedHashMap<>();
        forEach((own, itsHigh, itsLow) -> counts.merge(own, 1L, Long::sum));
        return new Counts(
                counts.keySet().stream().mapToInt(Integer::intValue).toArray(),
                counts.values().stream().mapToLong(Long::longValue).toArray());
    }

    /** Returns, for each partition that has rows here, where they go. */
    Iterator<Tuple2<Integer, Tickets.Batch>> tickets(HashOrder.Share share) {
        int[] worker = new int[order.length];
        long[] place = new long[order.length];
        RowAssignment.Places places = share.part().fromFirst();
        int last = -1;
        String name = "";
        for (int i = 0; i < order.length; i++) {
            int key = order[i];
            if (source[key] != last) {
                last = source[key];
                // Only which rows have the same source matters.
                name = Integer.toString(last);
            }
            worker[key] = places.worker(share.first() + i, name);
            place[key] = places.place();
        }
        return IntStream.range(0, partitions.length)
                .mapToObj(b -> new Tuple2<>(
                        partitions[b],
                        new Tickets.Batch(
                                Arrays.copyOfRange(high, starts[b], starts[b + 1]),
                                Arrays.copyOfRange(low, starts[b], starts[b + 1]),
                                Arrays.copyOfRange(worker, starts[b], starts[b + 1]),
                                Arrays.copyOfRange(place, starts[b], starts[b + 1]))))
                .iterator();
    }
}
