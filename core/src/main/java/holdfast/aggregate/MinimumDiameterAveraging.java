package holdfast.aggregate;

import holdfast.Check;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * Minimum-diameter averaging, MDA (El Mhamdi, Guerraoui, Guirguis, Hoang, Rouault 2020): the mean of the n - f updates
 * whose largest distance to each other is smallest. Equal diameters: the smallest sum of distances, then the lower
 * worker ids.
 *
 * <p>Subsets are not enumerated. n - f updates of diameter at most t exist exactly when the graph of the pairs farther
 * apart than t has a vertex cover of at most f; the smallest such t is found by bisection over the distances, the covers
 * by branching: a vertex is in the cover, or all its neighbours are. That is exponential in f only. Where a cover leaves
 * a choice, as among equal updates, those with the largest sum of distances go first.
 */
public record MinimumDiameterAveraging(int f) implements Aggregator {
    /** Looks at all updates, a second or so of work; beyond, the rule refuses rather than hold up the training. */
    private static final int MOST_STEPS = 4_000_000;

    public MinimumDiameterAveraging {
        Aggregator.checkBudget("mda", f);
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
    public int budget() {
        return f;
    }

    @Override
    public int leastWorkers() {
        return 2 * f + 1;
    }

    /** The search for covers of at most {@code most} vertices, and the best set left by one. */
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

        /** Whether there is a cover of the pairs farther apart than this; if all are wanted, the best set is kept. */
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
            // No cover is left if its vertices cannot have this many edges.
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
                    steps <= MOST_STEPS,
                    "mda: no answer after %d steps for %d updates and f = %d; use a smaller f or another rule",
                    MOST_STEPS,
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

        /** @param sign 1, or -1 to put it back */
        private void remove(int v, int sign) {
            gone[v] = sign > 0;
            for (int w = 0; w < n; w++) {
                if (!gone[w] && joined(v, w)) {
                    degree[w] -= sign;
                    edges -= sign;
                }
            }
        }

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
            int[] set = IntStream.range(0, n).filter(v -> !out[v]).toArray();
            double sum = 0;
            for (int v : set) {
                sum += sum(v, out);
            }
            int order = kept == null ? -1 : Double.compare(sum, keptSum);
            if (order < 0 || order == 0 && Arrays.compare(set, kept) < 0) {
                kept = set;
                keptSum = sum;
            }
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
