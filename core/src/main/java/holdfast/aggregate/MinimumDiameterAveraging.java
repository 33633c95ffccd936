package holdfast.aggregate;

import holdfast.Check;
import holdfast.theory.Proof;
import holdfast.theory.Robustness;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Minimum-diameter averaging, MDA (El Mhamdi, Guerraoui, Guirguis, Hoang, Rouault 2020): the mean of the n - f updates
 * whose largest distance to each other is smallest. Among equal diameters it takes the smallest sum of distances, then
 * the lower worker ids.
 *
 * <p>Subsets are not enumerated. n - f updates of diameter at most t exist exactly when the graph of the pairs farther
 * apart than t has a vertex cover of at most f vertices. Bisection over the distances finds the smallest such t, and
 * branching finds the covers: either a vertex is in the cover, or all its neighbours are. That is exponential in f
 * only. Where a cover leaves a choice, which happens only with equal distances, branch and bound finds the smallest
 * sum. Sums are compared to about nine digits, so that rounding does not decide between equal ones.
 *
 * <p>Its kappa is (f sqrt(2/h) + sqrt(f/(m-2f)))^2, h = m - f. The chosen set and H share at least m - 2f updates. Their
 * mean is within sqrt(f/(m-2f)) r of g (see {@link Robustness}), and each of at most f chosen lies is within the diameter
 * of H of it, which is at most sqrt(2h) r.
 */
public record MinimumDiameterAveraging(int tolerated) implements Aggregator {
    /**
     * How many times the search looks at an update, about a second of work; beyond that, the rule refuses rather than
     * hold up the training.
     */
    private static final int MAX_STEPS = 4_000_000;

    public MinimumDiameterAveraging {
        Aggregator.checkTolerated("mda", tolerated);
    }

    @Override
    public Aggregate aggregate(Round round) {
        int lies = lies(round);
        Distances distances = Distances.among(round);
        double[][] matrix = distances.matrix();
        double[] diameters = Arrays.stream(matrix)
                .flatMapToDouble(Arrays::stream)
                .sorted()
                .distinct()
                .toArray();
        Search search = new Search(matrix, lies);
        int low = 0;
        int high = diameters.length - 1;
        while (low < high) {
            int middle = (low + high) / 2;
            if (search.covers(diameters[middle], false)) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        search.covers(diameters[low], true);
        return Aggregate.meanOf(
                round,
                search.kept,
                String.format(
                        Locale.ROOT,
                        "diameter %.4g instead of %.4g",
                        diameters[low] * distances.unit(),
                        diameters[diameters.length - 1] * distances.unit()));
    }

    @Override
    public int minWorkers() {
        return 2 * tolerated + 1;
    }

    @Override
    public Robustness robustness(int workers) {
        double f = tolerated;
        double root = f * Math.sqrt(2 / (workers - f)) + Math.sqrt(f / (workers - 2 * f));
        return Robustness.ofKappa(
                root * root, "(f sqrt(2/(m-f)) + sqrt(f/(m-2f)))^2", "aggregate.MinimumDiameterAveraging");
    }

    @Override
    public Optional<Proof> proof(int workers) {
        return Optional.of(Proof.below(0.5, tolerated, workers, "El Mhamdi, Guerraoui, Guirguis, Hoang, Rouault 2020"));
    }

    /** Searches for covers of at most {@code most} vertices, and for the best set that one of them leaves. */
    private static final class Search {
        private final double[][] distances;
        private final int n;
        private final int most;
        private final boolean[] gone;
        private final int[] degree;
        private double diameter;
        private int edges;
        private boolean all;
        private int steps;
        private int[] kept;
        private double keptSum;

        Search(double[][] distances, int most) {
            this.distances = distances;
            this.n = distances.length;
            this.most = most;
            gone = new boolean[n];
            degree = new int[n];
        }

        /**
         * Whether a cover of the pairs farther apart than this exists. With {@code all}, looks at all covers and keeps
         * the best set.
         */
        boolean covers(double diameter, boolean all) {
            this.diameter = diameter;
            this.all = all;
            edges = 0;
            for (int i = 0; i < n; i++) {
                int v = i;
                degree[v] =
                        (int) IntStream.range(0, n).filter(w -> joined(v, w)).count();
                edges += degree[v];
            }
            edges /= 2;
            return branch(most);
        }

        private boolean joined(int v, int w) {
            return distances[v][w] > diameter;
        }

        private boolean branch(int left) {
            spend(1);
            if (edges == 0) {
                if (all) {
                    offer(left);
                }
                return true;
            }
            int v = 0;
            for (int w = 1; w < n; w++) {
                v = gone[v] || !gone[w] && degree[w] > degree[v] ? w : v;
            }
            // No cover is possible if the remaining vertices cannot have this many edges.
            if (edges > left * degree[v]) {
                return false;
            }
            int centre = v;
            boolean found = without(new int[] {v}, left);
            if (found && !all) {
                return true;
            }
            int[] neighbours = IntStream.range(0, n)
                    .filter(w -> !gone[w] && joined(centre, w))
                    .toArray();
            return neighbours.length <= left && without(neighbours, left) || found;
        }

        private void spend(int more) {
            steps += more;
            Check.that(
                    steps <= MAX_STEPS,
                    "mda: no answer after %d steps for %d updates and f = %d; use a smaller f or another rule",
                    MAX_STEPS,
                    n,
                    most);
        }

        private boolean without(int[] vertices, int left) {
            for (int v : vertices) {
                remove(v, 1);
            }
            boolean found = branch(left - vertices.length);
            for (int i = vertices.length - 1; i >= 0; i--) {
                remove(vertices[i], -1);
            }
            return found;
        }

        /** @param sign 1 to remove the vertex, -1 to put it back */
        private void remove(int v, int sign) {
            gone[v] = sign > 0;
            for (int w = 0; w < n; w++) {
                if (!gone[w] && joined(v, w)) {
                    degree[w] -= sign;
                    edges -= sign;
                }
            }
        }

        /** Looks for the best set after {@code left} more removals, starting from a good one. */
        private void offer(int left) {
            spend(n * (1 + left));
            boolean[] out = gone.clone();
            for (int i = 0; i < left; i++) {
                int farthest = -1;
                double largest = -1;
                for (int v = 0; v < n; v++) {
                    double sum = sum(v, out);
                    if (!out[v] && sum >= largest) {
                        farthest = v;
                        largest = sum;
                    }
                }
                out[farthest] = true;
            }
            keepIfBetter(out);
            if (left > 0) {
                choose(gone.clone(), 0, left);
            }
        }

        private void keepIfBetter(boolean[] out) {
            int[] set = first(n - most, out);
            double sum = 0;
            for (int v : set) {
                sum += sum(v, out);
            }
            double rounded = rounded(sum);
            if (kept == null || rounded < keptSum || rounded == keptSum && Arrays.compare(set, kept) < 0) {
                kept = set;
                keptSum = rounded;
            }
        }

        /**
         * Tries every way to remove {@code left} more vertices, from this one on, that can lead to a better set; sets
         * that keep lower ids come first.
         */
        private void choose(boolean[] out, int from, int left) {
            if (left == 0) {
                keepIfBetter(out);
            } else if (promising(out, from, left)) {
                int next = from;
                while (out[next]) {
                    next++;
                }
                choose(out, next + 1, left);
                out[next] = true;
                choose(out, next + 1, left - 1);
                out[next] = false;
            }
        }

        /**
         * Whether a better set is possible. Removing a vertex c takes 2 sum d(c, j) from the sum over all ordered
         * pairs. That counts the distances between removed vertices twice; they are at least the smallest ones.
         */
        private boolean promising(boolean[] out, int from, int left) {
            int[] open = IntStream.range(from, n).filter(v -> !out[v]).toArray();
            if (open.length < left) {
                return false;
            }
            spend(open.length);
            double least = 0;
            for (int v = 0; v < from; v++) {
                least += out[v] ? 0 : sum(v, out);
            }
            double[] gains = new double[open.length];
            for (int i = 0; i < open.length; i++) {
                int c = open[i];
                double sum = sum(c, out);
                double[] others = Arrays.stream(open)
                        .filter(v -> v != c)
                        .mapToDouble(v -> distances[c][v])
                        .sorted()
                        .limit(left - 1)
                        .toArray();
                gains[i] = 2 * sum - Arrays.stream(others).sum();
                least += sum;
            }
            Arrays.sort(gains);
            for (int i = 1; i <= left; i++) {
                least -= gains[gains.length - i];
            }
            double rounded = rounded(least * (1 - 0x1p-40));
            return rounded < keptSum || rounded == keptSum && Arrays.compare(first(n - most, out), kept) < 0;
        }

        /** Returns the first {@code count} vertices that are not out, by id. */
        private int[] first(int count, boolean[] out) {
            return IntStream.range(0, n).filter(v -> !out[v]).limit(count).toArray();
        }

        /**
         * Rounds to a grid much coarser than the rounding error of a sum, so that this error does not decide between
         * equal sums.
         */
        private double rounded(double sum) {
            // Times 2^100, because a subnormal number has no exponent of its own.
            return Math.rint(Math.scalb(sum, 130 - Math.getExponent(n * (double) n * diameter * 0x1p100)));
        }

        private double sum(int v, boolean[] out) {
            double sum = 0;
            for (int w = 0; w < n; w++) {
                sum += out[w] ? 0 : distances[v][w];
            }
            return sum;
        }
    }
}
