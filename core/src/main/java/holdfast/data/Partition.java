package holdfast.data;

import holdfast.Check;
import holdfast.Seed;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Which worker holds which rows. Shards may be uneven; a shard's rows ascend, so that it is cut into the same blocks
 * wherever it is held.
 */
public record Partition(List<String> workers, List<int[]> rows) {
    public Partition {
        workers = List.copyOf(workers);
        rows = List.copyOf(rows);
        Check.that(workers.size() == rows.size(), "%d workers for %d shards", workers.size(), rows.size());
        for (int i = 0; i < rows.size(); i++) {
            Check.that(rows.get(i).length > 0, "worker %s has no rows", workers.get(i));
        }
    }

    public int size() {
        return workers.size();
    }

    /** Rows dealt at random; shard sizes differ by one at most. */
    public static Partition iid(Dataset data, int workers, Seed seed) {
        return cut(shuffled(data, seed), workers, false);
    }

    private static int[] shuffled(Dataset data, Seed seed) {
        int[] order = IntStream.range(0, data.rows()).toArray();
        seed.child("partition").random().shuffle(order);
        return order;
    }

    /**
     * Rows sorted by class, the positive class first and each class in random order, and cut into equal blocks, so that
     * most workers see one class only. The remainder of the division, fewer rows than workers, belongs to nobody: the
     * protocol of the paper's experiments.
     */
    public static Partition byClass(Dataset data, int workers, Seed seed) {
        int[] order = shuffled(data, seed);
        int[] sorted = IntStream.concat(
                        Arrays.stream(order).filter(r -> data.label(r) == 1),
                        Arrays.stream(order).filter(r -> data.label(r) == 0))
                .toArray();
        return cut(sorted, workers, true);
    }

    /** One worker per source named in the data. */
    public static Partition bySource(Dataset data) {
        List<String> names = data.schema().groups();
        return new Partition(
                names,
                IntStream.range(0, names.size())
                        .mapToObj(g -> IntStream.range(0, data.rows())
                                .filter(r -> data.group(r) == g)
                                .toArray())
                        .toList());
    }

    private static Partition cut(int[] order, int workers, boolean equal) {
        Check.that(workers >= 1, "workers must be at least 1, got %d", workers);
        Check.that(
                order.length >= workers,
                "there must be at least one training row per worker, got %d rows for %d workers",
                order.length,
                workers);
        int usable = equal ? order.length - order.length % workers : order.length;
        return new Partition(
                IntStream.range(0, workers).mapToObj(Integer::toString).toList(),
                IntStream.range(0, workers)
                        .mapToObj(w -> {
                            int from = (int) ((long) usable * w / workers);
                            int to = (int) ((long) usable * (w + 1) / workers);
                            int[] shard = Arrays.copyOfRange(order, from, to);
                            Arrays.sort(shard);
                            return shard;
                        })
                        .toList());
    }
}
