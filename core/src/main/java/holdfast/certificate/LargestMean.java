package holdfast.certificate;

import holdfast.Check;
import holdfast.aggregate.GeometricMedian;
import holdfast.aggregate.Round;
import holdfast.math.Order;
import holdfast.math.Tree;
import holdfast.math.Vectors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * The largest ||mean over S of g_i|| over all sets S of m - f of m vectors.
 *
 * <p>Found by best-first branch and bound over the f vectors that S leaves out. With any point c, h_i = g_i - c and v = sum
 * g - f c, leaving out R makes the sum v - sum over R of h. Once some are left out, v has become v' and r more are to be
 * chosen; then it is at most
 *
 * <ul>
 *   <li>||v'|| + the r largest ||h_i||, and
 *   <li>sqrt(||v'||^2 + the r largest (d_i - 2 &lt;h_i, v'&gt;)) for every diagonal d with diag(d) - K positive semidefinite,
 *       K_ij = &lt;h_i, h_j&gt;. d_i = s_i lambda_max(K_ij/sqrt(s_i s_j)) is one, for s_i = ||h_i||^p and a few p.
 * </ul>
 *
 * The geometric median is the c that makes the h short. The search may be stopped at any time: the largest bound of what it
 * has not looked at is a bound of all.
 *
 * @param upper certainly not below the largest mean, rounding included
 * @param lower the length of the mean over a set that was found
 * @param exact whether the search ended by itself, so that upper and lower differ by rounding only
 * @param nodes how many partial sets were looked at
 */
record LargestMean(double upper, double lower, boolean exact, int nodes) {
    /** From this on matrices are too large for a decomposition, and the trace stands for the eigenvalue. */
    private static final int MAX_DECOMPOSED = 400;

    /** The search stops when this many partial sets wait, which keeps its memory bounded. */
    private static final int MAX_OPEN = 1_000_000;

    /** Lengths whose squares do not underflow; the longest vector has about length 1. */
    private static final double TINY = 1e-100;

    /** How much better than the best set found a part must promise to be looked at. */
    private static final double WORTH = 1 + 1e-9;

    /**
     * Searches.
     *
     * @param vectors finite and of the same length
     * @param left f
     * @param maxNodes after this many partial sets, the search stops
     */
    static LargestMean of(double[][] vectors, int left, int maxNodes) {
        Check.that(
                left >= 0 && left < vectors.length,
                "fewer vectors must be left out than there are, got %d of %d",
                left,
                vectors.length);
        double most = Arrays.stream(vectors)
                .mapToDouble(g -> Vectors.maxAbs(g, g.length))
                .max()
                .orElseThrow();
        if (most == 0) {
            return new LargestMean(0, 0, true, 0);
        }
        // Squares of lies must not overflow; a power of two scales exactly.
        int exponent = Math.getExponent(most);
        double[][] scaled = Arrays.stream(vectors)
                .map(g -> Arrays.stream(g).map(x -> Math.scalb(x, -exponent)).toArray())
                .toArray(double[][]::new);
        Search search = new Search(scaled, left);
        search.run(maxNodes);
        int kept = vectors.length - left;
        double upper = Math.min(search.upper() / kept * (1 + 0x1p-50), simpleBound(scaled, left));
        return new LargestMean(
                Math.nextUp(Math.scalb(upper, exponent)),
                Math.scalb(Math.max(0, search.found - search.lengthError) / kept, exponent),
                search.isFinished(),
                search.nodes);
    }

    /** Returns (||sum g|| + the f largest ||g_i||)/(m - f), a bound that needs no search. */
    static double simpleBound(double[][] vectors, int left) {
        double[] lengths =
                Arrays.stream(vectors).mapToDouble(Vectors::norm).sorted().toArray();
        double largest = Arrays.stream(lengths).skip(lengths.length - left).sum();
        double all = Arrays.stream(lengths).sum();
        return (Vectors.norm(sum(vectors)) + largest + all * rounding(vectors)) / (vectors.length - left);
    }

    private static double[] sum(double[][] vectors) {
        return Tree.reduce(vectors.length, i -> vectors[i].clone(), Vectors::add);
    }

    /** A relative error that no sum over vectors or their coordinates exceeds, with room to spare. */
    private static double rounding(double[][] vectors) {
        return (vectors.length + vectors[0].length + 64.0) * 0x1p-49;
    }

    /**
     * Returns d with diag(d) - K positive semidefinite, for s = ||h||^p. Any s above 0 is valid, so squares of tiny lengths need
     * not be exact.
     */
    static double[] diagonal(double[][] h, int p) {
        double[] s = Arrays.stream(h)
                .mapToDouble(x -> Math.max(Vectors.norm(x), TINY))
                .map(x -> p == 0 ? 1 : p == 1 ? x : x * x)
                .toArray();
        double[][] scaled = new double[h.length][];
        Arrays.setAll(scaled, i -> Vectors.scaled(1 / Math.sqrt(s[i]), h[i]));
        double largest = largestEigenvalue(scaled);
        return Arrays.stream(s).map(x -> x * largest * (1 + 0x1p-49)).toArray();
    }

    /** Returns a bound on the largest eigenvalue of X X^T, which X^T X has too: whichever is smaller is used. */
    private static double largestEigenvalue(double[][] x) {
        int m = x.length;
        int d = x[0].length;
        int n = Math.min(m, d);
        if (n > MAX_DECOMPOSED) {
            double trace = Arrays.stream(x)
                    .mapToDouble(row -> Vectors.dot(row, row, d))
                    .sum();
            return trace * (1 + (m + d) * 0x1p-50);
        }
        double[][] gram = new double[n][n];
        for (int i = 0; i < m; i++) {
            if (d <= m) {
                for (int a = 0; a < d; a++) {
                    Vectors.addScaled(gram[a], x[i][a], x[i], a + 1);
                }
            } else {
                for (int j = 0; j <= i; j++) {
                    gram[i][j] = Vectors.dot(x[i], x[j], d);
                }
            }
        }
        return LargestEigenvalue.bound(gram, Math.max(m, d));
    }

    /**
     * Vectors already left out.
     *
     * @param out their places in the order of the search, ascending; the others left out come after the last
     * @param bound no completion has a longer sum
     */
    private record Node(int[] out, double bound) {}

    private static final class Search {
        private final int left;
        private final double[][] h;
        private final double[] lengths;
        private final double[] v;
        private final List<double[]> diagonals = new ArrayList<>();
        /** What rounding can do to a length, and to a square. */
        private final double lengthError;

        private final double squareError;
        private final PriorityQueue<Node> open =
                new PriorityQueue<>(Comparator.comparingDouble(Node::bound).reversed());
        private double found;
        private double closed;
        private int nodes;

        Search(double[][] g, int left) {
            this.left = left;
            double[] c =
                    new GeometricMedian(0, 1e-6, 200).aggregate(Round.of(g)).direction();
            double[][] moved = Arrays.stream(g)
                    .map(own -> {
                        double[] out = own.clone();
                        Vectors.addScaled(out, -1, c, out.length);
                        return out;
                    })
                    .toArray(double[][]::new);
            v = sum(g);
            Vectors.addScaled(v, -left, c, v.length);
            // Long vectors are the likely ones to decide, so they are tried first.
            int[] order = Order.ascending(
                    Arrays.stream(moved).mapToDouble(x -> -Vectors.norm(x)).toArray());
            h = Arrays.stream(order).mapToObj(i -> moved[i]).toArray(double[][]::new);
            lengths = Arrays.stream(h).mapToDouble(Vectors::norm).toArray();
            double reach = Vectors.norm(v) + Arrays.stream(lengths).limit(left).sum();
            double all = Arrays.stream(g).mapToDouble(Vectors::norm).sum() + left * Vectors.norm(c);
            lengthError = all * rounding(g);
            double largest = 0;
            if (left > 1) {
                for (int p = 0; p <= 2; p++) {
                    double[] d = diagonal(h, p);
                    diagonals.add(d);
                    largest = Math.max(largest, Arrays.stream(d).max().orElseThrow());
                }
            }
            squareError = (reach * reach + left * largest) * rounding(g);
        }

        void run(int maxNodes) {
            open.add(new Node(new int[0], Double.POSITIVE_INFINITY));
            while (!isFinished() && nodes < maxNodes && open.size() < MAX_OPEN) {
                expand(open.poll());
                nodes++;
            }
        }

        boolean isFinished() {
            return open.isEmpty() || open.peek().bound <= found * WORTH;
        }

        double upper() {
            double rest = open.isEmpty() ? 0 : open.peek().bound;
            return Math.max(Math.max(found * WORTH, closed), rest) + lengthError;
        }

        private double root(double square) {
            return Math.sqrt(Math.max(0, square) + squareError) * (1 + 0x1p-50);
        }

        private void expand(Node node) {
            int r = left - node.out.length;
            double[] sum = v.clone();
            for (int i : node.out) {
                Vectors.addScaled(sum, -1, h[i], sum.length);
            }
            double square = Vectors.dot(sum, sum, sum.length);
            if (r == 0) {
                found = Math.max(found, Math.sqrt(square));
                closed = Math.max(closed, root(square));
                return;
            }
            int from = node.out.length == 0 ? 0 : node.out[node.out.length - 1] + 1;
            double[] along = new double[h.length];
            double[] alone = new double[h.length];
            for (int i = from; i < h.length; i++) {
                along[i] = Vectors.dot(h[i], sum, sum.length);
                alone[i] = lengths[i] * lengths[i] - 2 * along[i];
            }
            double[] longest = complete(node.out, largest(alone, from, r));
            if (r == 1) {
                closed = Math.max(
                        closed,
                        root(square + Arrays.stream(alone, from, h.length).max().orElseThrow()));
                return;
            }
            if (node.out.length == 0) {
                climb(longest);
            }
            branch(node, sum, from, along, alone);
        }

        /** Makes one child for each vector that may be the next to be left out, with the best of all bounds. */
        private void branch(Node node, double[] sum, int from, double[] along, double[] alone) {
            int r = left - node.out.length;
            double square = Vectors.dot(sum, sum, sum.length);
            double[] bounds = new double[h.length];
            Arrays.fill(bounds, node.bound);
            // Lengths fall along the order, so the longest r - 1 after a place are the next ones.
            for (int i = from; i <= h.length - r; i++) {
                double rest = Arrays.stream(lengths, i + 1, i + r).sum();
                bounds[i] = Math.min(bounds[i], root(square + alone[i]) + rest);
            }
            double[] keys = new double[h.length];
            for (double[] d : diagonals) {
                Arrays.setAll(keys, i -> d[i] - 2 * along[i]);
                LargestSum after = new LargestSum(r - 1);
                for (int i = h.length - 1; i >= from; i--) {
                    if (i <= h.length - r) {
                        bounds[i] = Math.min(bounds[i], root(square + keys[i] + after.sum));
                    }
                    after.add(keys[i]);
                }
            }
            for (int i = from; i <= h.length - r; i++) {
                if (!(bounds[i] <= found * WORTH)) {
                    int[] out = Arrays.copyOf(node.out, node.out.length + 1);
                    out[node.out.length] = i;
                    open.add(new Node(out, bounds[i]));
                }
            }
        }

        /** The sum of the largest few of some numbers. */
        private static final class LargestSum {
            /** Ascending; so far unused places are at the front. */
            private final double[] kept;

            private double sum;

            LargestSum(int count) {
                kept = new double[count];
                Arrays.fill(kept, Double.NEGATIVE_INFINITY);
            }

            void add(double value) {
                if (value <= kept[0]) {
                    return;
                }
                sum += value - (kept[0] == Double.NEGATIVE_INFINITY ? 0 : kept[0]);
                int at = 0;
                while (at + 1 < kept.length && kept[at + 1] < value) {
                    kept[at] = kept[++at];
                }
                kept[at] = value;
            }
        }

        /** Leaves these out too, and returns the sum that remains. */
        private double[] complete(int[] out, int[] more) {
            double[] sum = v.clone();
            for (int[] part : new int[][] {out, more}) {
                for (int i : part) {
                    Vectors.addScaled(sum, -1, h[i], sum.length);
                }
            }
            found = Math.max(found, Vectors.norm(sum));
            return sum;
        }

        /** Leaves out what points away from the sum that remains, as long as that becomes longer. */
        private void climb(double[] start) {
            double[] sum = start;
            double before;
            do {
                before = Vectors.norm(sum);
                double[] against = new double[h.length];
                for (int i = 0; i < h.length; i++) {
                    against[i] = -Vectors.dot(h[i], sum, sum.length);
                }
                sum = complete(new int[0], largest(against, 0, left));
            } while (Vectors.norm(sum) > before);
        }

        /** Returns the places of the largest values from a place on. */
        private static int[] largest(double[] values, int from, int count) {
            int[] order = Order.ascending(Arrays.copyOfRange(values, from, values.length));
            return Arrays.stream(order, order.length - count, order.length)
                    .map(i -> i + from)
                    .toArray();
        }
    }
}
