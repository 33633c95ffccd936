package holdfast.preparation;

import holdfast.Check;
import holdfast.Randomness;
import holdfast.Seed;
import holdfast.data.Dataset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Which rows to hold out of training: all rows of some sources, and a share of the rows of every other source.
 *
 * <p>The share is taken of every class, if labels are classes: share times its n rows, rounded to h, but not its last
 * row. The h rows are divided among its sources s = 1, 2, ... in random order by systematic sampling: with one u drawn
 * uniformly from [0, 1), source s gives floor(u + h N_s/n) - floor(u + h N_(s-1)/n) rows, chosen at random, where N_s is
 * the number of rows of the first s sources. So a source of n_s rows gives h n_s/n up to one row, and every row has the
 * same chance, h/n, however small its source is. (To take at least one row of every class and source, as
 * {@link Rounding#AT_LEAST_ONE} does, holds out too many rows of small sources and too few rows of rare
 * classes.)
 *
 * <p>Every source keeps a row for training. A source of one row is therefore never held out, and its row does not count
 * in n. A source of which all rows were drawn, which needs few rows and several classes or a large share, takes one of
 * them back, at random; that makes the chance of its rows a little smaller.
 *
 * @param share of the rows, from 0 to below 1
 * @param rounding how the share of a small source becomes whole rows
 * @param sources names of the sources to hold out whole; of these no row is for training
 * @param order for each row a number by which rows are ordered; then the rows of each source with the largest numbers are
 *     held out, of equal ones the last, instead of rows drawn at random, and classes play no part
 */
public record HoldOut(double share, Rounding rounding, Set<String> sources, Optional<double[]> order) {
    /** How the share of a small source becomes a whole number of rows. */
    public enum Rounding {
        /** Up or down at random, such that every row has the same chance to be held out. */
        FAIR,
        /**
         * To the nearest number, but at least one row on either side if a source has two rows of a class. This is how
         * earlier versions split rows, which their models and checkpoints go on with.
         */
        AT_LEAST_ONE
    }

    public HoldOut {
        Check.that(share >= 0 && share < 1, "--test-share must be at least 0 and below 1, got %s", share);
        sources = Set.copyOf(sources);
    }

    /** Holds out a share of every class and source. */
    public static HoldOut share(double share) {
        return new HoldOut(share, Rounding.FAIR, Set.of(), Optional.empty());
    }

    /** Splits rows, from their labels and sources alone. */
    public Split of(Dataset data, Seed seed) {
        boolean[] out = new boolean[data.rows()];
        int[] rowsOf = new int[Math.max(1, data.schema().groups().size())];
        for (int r = 0; r < out.length; r++) {
            out[r] = data.hasGroups() && sources.contains(data.schema().groups().get(data.group(r)));
            rowsOf[data.group(r)]++;
        }
        int classes = order.isPresent() ? 0 : data.schema().classes().size();
        // By class, the rows of each source, with the number of their stratum.
        Map<Integer, Map<Integer, IntStream.Builder>> strata = new TreeMap<>();
        for (int r = 0; r < out.length; r++) {
            if (!out[r]) {
                int label = classes == 0 ? 0 : (int) data.label(r);
                strata.computeIfAbsent(label, c -> new TreeMap<>())
                        .computeIfAbsent(data.group(r), s -> IntStream.builder())
                        .add(r);
            }
        }
        strata.forEach((label, bySource) -> {
            List<Integer> holders = new ArrayList<>(bySource.keySet());
            List<int[]> rows =
                    bySource.values().stream().map(own -> own.build().toArray()).toList();
            int[] counts = rounding == Rounding.FAIR
                    ? fair(rows, holders.stream().mapToInt(s -> rowsOf[s]).toArray(), seed.child("shares", label))
                    : rows.stream().mapToInt(own -> atLeastOne(own.length)).toArray();
            for (int i = 0; i < counts.length; i++) {
                int stratum = Math.max(1, classes) * holders.get(i) + label;
                int[] ordered = ordered(rows.get(i), seed.child("split", stratum));
                for (int j = 0; j < counts[i]; j++) {
                    out[ordered[j]] = true;
                }
            }
        });
        if (rounding == Rounding.FAIR) {
            keepOneOfEach(data, out, seed);
        }
        return Split.of(out);
    }

    /** Returns the rows in the order in which they are held out. */
    private int[] ordered(int[] rows, Seed seed) {
        if (order.isPresent()) {
            double[] by = order.get();
            return Arrays.stream(rows)
                    .boxed()
                    .sorted(Comparator.<Integer>comparingDouble(r -> -by[r]).thenComparing(Comparator.reverseOrder()))
                    .mapToInt(Integer::intValue)
                    .toArray();
        }
        int[] shuffled = rows.clone();
        seed.random().shuffle(shuffled);
        return shuffled;
    }

    private int atLeastOne(int rows) {
        int count = (int) Math.rint(share * rows);
        return rows > 1 && share > 0 ? Math.max(1, Math.min(rows - 1, count)) : count;
    }

    /**
     * Returns how many rows of a class each source gives.
     *
     * @param rows of the class, by source
     * @param rowsOf how many rows the source has of all classes
     */
    private int[] fair(List<int[]> rows, int[] rowsOf, Seed seed) {
        int[] sizes = IntStream.range(0, rowsOf.length)
                .map(i -> rowsOf[i] == 1 ? 0 : rows.get(i).length)
                .toArray();
        int n = Arrays.stream(sizes).sum();
        int all = rows.stream().mapToInt(own -> own.length).sum();
        int h = Math.min(all - 1, (int) Math.rint(share * n));
        Randomness random = seed.random();
        double u = random.nextDouble();
        int[] turns = IntStream.range(0, sizes.length).toArray();
        random.shuffle(turns);
        int[] counts = new int[sizes.length];
        long before = 0;
        int given = 0;
        for (int i : turns) {
            before += sizes[i];
            int next = n == 0 ? 0 : Math.min(h, (int) Math.floor(u + (double) (h * before) / n));
            counts[i] = Math.min(sizes[i], next - given);
            given += counts[i];
        }
        return counts;
    }

    private void keepOneOfEach(Dataset data, boolean[] out, Seed seed) {
        List<int[]> bySource = data.hasGroups()
                ? data.rowsBySource()
                : List.of(IntStream.range(0, out.length).toArray());
        for (int s = 0; s < bySource.size(); s++) {
            int[] own = bySource.get(s);
            boolean whole =
                    data.hasGroups() && sources.contains(data.schema().groups().get(s));
            if (!whole && own.length > 0 && Arrays.stream(own).allMatch(r -> out[r])) {
                int back = order.isPresent()
                        ? ordered(own, seed)[own.length - 1]
                        : own[seed.child("kept", s).random().nextInt(own.length)];
                out[back] = false;
            }
        }
    }
}
