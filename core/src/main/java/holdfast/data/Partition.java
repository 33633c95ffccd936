package holdfast.data;

import holdfast.Check;
import holdfast.InputException;
import holdfast.Randomness;
import holdfast.Seed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Which worker holds which rows. Shards may differ in size. The rows of a shard ascend, so that the shard has the same
 * blocks wherever it is.
 */
public record Partition(List<String> workers, List<int[]> rows) {
    private static final int MAX_DRAWS = 100;

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

    /** Assigns rows at random; shard sizes differ by at most one. */
    public static Partition iid(Dataset data, int workers, Seed seed) {
        return cut(shuffled(data, seed), workers, false);
    }

    /** Assigns rows in turn: row i to worker i mod m. */
    public static Partition inTurn(Dataset data, int workers, Seed seed) {
        requireEnoughRows(data.rows(), workers);
        return named(IntStream.range(0, workers)
                .mapToObj(w -> IntStream.range(0, (data.rows() - w - 1) / workers + 1)
                        .map(i -> w + i * workers)
                        .toArray())
                .toList());
    }

    private static int[] shuffled(Dataset data, Seed seed) {
        int[] order = IntStream.range(0, data.rows()).toArray();
        seed.child("partition").random().shuffle(order);
        return order;
    }

    /**
     * Sorts rows by class, the last class first and each class in random order, and divides them into equal blocks, so
     * that most workers see few classes. If labels are numbers, the largest come first. The remainder of the division,
     * fewer rows than there are workers, is assigned to no worker. Our protocol for the paper's experiments assigns
     * rows in this way.
     */
    public static Partition byClass(Dataset data, int workers, Seed seed) {
        int[] sorted = sorted(shuffled(data, seed), Comparator.comparingDouble(r -> -data.label(r)));
        return cut(sorted, workers, true);
    }

    /**
     * Sorts rows by class, each class in random order, and divides them into blocks with sizes that differ by at most
     * one.
     */
    public static Partition extreme(Dataset data, int workers, Seed seed) {
        return cut(sorted(data, shuffled(data, seed)), workers, false);
    }

    /**
     * Assigns the share {@code similarity} of the rows at random; sorts the others by class and divides them into
     * blocks: 1 is {@link #iid}, 0 is {@link #extreme} (Hsieh et al. 2020).
     */
    public static Partition gammaSimilar(Dataset data, int workers, double similarity, Seed seed) {
        int[] order = shuffled(data, seed);
        int alike = (int) Math.rint(similarity * order.length);
        int[] first = Arrays.copyOf(order, alike);
        int[] rest = sorted(data, Arrays.copyOfRange(order, alike, order.length));
        requireEnoughRows(order.length, workers);
        return named(IntStream.range(0, workers)
                .mapToObj(w -> IntStream.concat(
                                Arrays.stream(piece(first, w, workers)), Arrays.stream(piece(rest, w, workers)))
                        .toArray())
                .toList());
    }

    /**
     * Assigns each class separately, in shares drawn from the symmetric Dirichlet distribution (Hsu, Qi, Brown 2019).
     * Draws again, up to a hundred times, while a worker would hold nothing.
     */
    public static Partition dirichlet(Dataset data, int workers, double alpha, Seed seed) {
        Check.that(
                !data.schema().classes().isEmpty(),
                "--partition dirichlet deals classes, but %s has numbers; use extreme or gamma, which sort by them",
                data.schema().label());
        int[] order = shuffled(data, seed);
        requireEnoughRows(order.length, workers);
        for (int attempt = 0; attempt < MAX_DRAWS; attempt++) {
            Randomness random = seed.child("dirichlet", attempt).random();
            int[] owner = new int[data.rows()];
            int[] held = new int[workers];
            for (int c = 0; c < data.schema().classes().size(); c++) {
                int label = c;
                int[] rows =
                        Arrays.stream(order).filter(r -> data.label(r) == label).toArray();
                double[] shares = random.dirichlet(alpha, workers);
                double upTo = 0;
                int from = 0;
                for (int w = 0; w < workers; w++) {
                    upTo += shares[w];
                    int to =
                            w == workers - 1 ? rows.length : (int) Math.min(rows.length, Math.rint(upTo * rows.length));
                    for (int i = from; i < to; i++) {
                        owner[rows[i]] = w;
                    }
                    held[w] += to - from;
                    from = to;
                }
            }
            if (Arrays.stream(held).allMatch(h -> h > 0)) {
                return named(IntStream.range(0, workers)
                        .mapToObj(w -> IntStream.range(0, owner.length)
                                .filter(r -> owner[r] == w)
                                .toArray())
                        .toList());
            }
        }
        throw new InputException("--partition dirichlet: with alpha = " + alpha + " some of " + workers
                + " workers hold nothing in " + MAX_DRAWS + " draws; use a larger alpha or fewer --workers");
    }

    /**
     * Sorts rows by class, divides them into {@code count} pieces per worker and assigns these at random (McMahan et
     * al. 2017).
     */
    public static Partition shards(Dataset data, int workers, int count, Seed seed) {
        int[] sorted = sorted(data, shuffled(data, seed));
        int pieces = Math.multiplyExact(workers, count);
        requireEnoughRows(sorted.length, pieces);
        int[] deal = IntStream.range(0, pieces).toArray();
        seed.child("shards").random().shuffle(deal);
        return named(IntStream.range(0, workers)
                .mapToObj(w -> IntStream.range(w * count, (w + 1) * count)
                        .flatMap(i -> Arrays.stream(piece(sorted, deal[i], pieces)))
                        .toArray())
                .toList());
    }

    private static int[] sorted(Dataset data, int[] order) {
        return sorted(order, Comparator.comparingDouble(data::label));
    }

    /** Sorts stably: rows of the same class stay in order. */
    private static int[] sorted(int[] order, Comparator<Integer> by) {
        return Arrays.stream(order)
                .boxed()
                .sorted(by)
                .mapToInt(Integer::intValue)
                .toArray();
    }

    /** Creates one worker per source that has rows. */
    public static Partition bySource(Dataset data) {
        List<String> names = new ArrayList<>();
        List<int[]> rows = new ArrayList<>();
        List<int[]> bySource = data.rowsBySource();
        for (int s = 0; s < bySource.size(); s++) {
            if (bySource.get(s).length > 0) {
                names.add(data.schema().groups().get(s));
                rows.add(bySource.get(s));
            }
        }
        return new Partition(names, rows);
    }

    /** Gives every shard to this many workers with consecutive numbers: hospital#1, hospital#2, ... */
    public Partition replicated(int replicas) {
        return new Partition(
                replicated(workers, replicas),
                rows.stream()
                        .flatMap(shard -> Collections.nCopies(replicas, shard).stream())
                        .toList());
    }

    /** Returns the names of the replicated workers. */
    public static List<String> replicated(List<String> holders, int replicas) {
        return replicas == 1
                ? holders
                : holders.stream()
                        .flatMap(name -> IntStream.rangeClosed(1, replicas).mapToObj(i -> name + "#" + i))
                        .toList();
    }

    private static Partition cut(int[] order, int workers, boolean equal) {
        requireEnoughRows(order.length, workers);
        int[] usable = Arrays.copyOf(order, equal ? order.length - order.length % workers : order.length);
        return named(IntStream.range(0, workers)
                .mapToObj(w -> piece(usable, w, workers))
                .toList());
    }

    private static void requireEnoughRows(int rows, int pieces) {
        Check.that(pieces >= 1, "--workers must be at least 1, got %d", pieces);
        Check.that(
                rows >= pieces,
                "there must be at least one training row per worker, got %d rows for %d workers",
                rows,
                pieces);
    }

    /** Returns the i-th of this many pieces; their lengths differ by at most one. */
    private static int[] piece(int[] order, int i, int pieces) {
        return Arrays.copyOfRange(
                order, (int) ((long) order.length * i / pieces), (int) ((long) order.length * (i + 1) / pieces));
    }

    private static Partition named(List<int[]> shards) {
        shards.forEach(Arrays::sort);
        return new Partition(
                IntStream.range(0, shards.size()).mapToObj(Integer::toString).toList(), shards);
    }
}
