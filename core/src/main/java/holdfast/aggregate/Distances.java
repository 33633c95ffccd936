package holdfast.aggregate;

import holdfast.math.Kernels;
import holdfast.math.Threads;
import holdfast.math.Tree;
import holdfast.math.Vectors;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleBiFunction;
import java.util.stream.IntStream;

/**
 * Euclidean distances in a unit of their own: 1, or 2^128 if coordinates are so large that distances, or sums over all
 * pairs of them, could overflow. No distance above 1e-250 loses a bit to it. Squares are summed in pieces of
 * {@value #PIECE} coordinates, one after the other. If that would overflow or underflow, {@link Vectors#norm} sums the
 * squares: it scales by the values it sums, so that one huge update does not spoil the distances of the others.
 */
record Distances(List<WorkerUpdate> updates, Threads threads, double unit) {
    private static final double LARGE = 0x1p900;
    private static final double UNIT = 0x1p128;

    private static final int PIECE = Tree.PIECE;

    /** Chosen so that the pieces of twice this many updates fit into the cache. */
    private static final int SIDE = 64;

    /** The pieces of this many updates stay in the nearest cache while all others are compared with them. */
    private static final int BAND = 4;

    static Distances among(Round round) {
        boolean[] large = new boolean[round.updates().size()];
        round.threads()
                .each(large.length, i -> large[i] = large(round.updates().get(i).vector()));
        return new Distances(
                round.updates(),
                round.threads(),
                IntStream.range(0, large.length).anyMatch(i -> large[i]) ? UNIT : 1);
    }

    private static boolean large(double[] vector) {
        // The dot product is the faster test, and usually enough.
        return !(Vectors.dot(vector, vector, vector.length) < LARGE) && Vectors.maxAbs(vector, vector.length) > LARGE;
    }

    /** The distance of each update from a point, and the unit. */
    record Far(double unit, double[] values) {}

    /** Returns the distance of each update from one point. */
    static Far from(double[] point, Round round) {
        Approach approach = new Approach(round, point.length);
        round.threads().each(approach.pieces.length, p -> approach.add(point, p * PIECE));
        return approach.far(point);
    }

    /**
     * Computes the distance of each update from a point, piece by piece while the point is being computed. The pieces
     * of the updates are then still in the cache, so memory is read once for both.
     */
    static final class Approach {
        private final Round round;
        private final double[][] vectors;
        private final double[][] pieces;

        Approach(Round round, int length) {
            this.round = round;
            vectors = WorkerUpdate.vectors(round.updates());
            pieces = new double[(length + PIECE - 1) / PIECE][vectors.length];
        }

        /** Adds the piece of the point that starts here. Call it once for every piece, in any order. */
        void add(double[] point, int from) {
            int to = Math.min(point.length, from + PIECE);
            Kernels.CHOSEN.squaredDistances(point, vectors, 0, vectors.length, from, to, pieces[from / PIECE], 0);
        }

        /** @param point whose pieces were all added; if one overflowed, the point to use instead */
        Far far(double[] point) {
            double[] far = sum(pieces, vectors.length);
            Distances distances = new Distances(round.updates(), round.threads(), unit(point, far, round));
            round.threads().each(far.length, i -> far[i] = distances.root(far[i], point, vectors[i]));
            return new Far(distances.unit, far);
        }
    }

    private static double unit(double[] point, double[] squares, Round round) {
        // An update near a point that is not large is not large either: this saves another look at every coordinate.
        if (Vectors.dot(point, point, point.length) < LARGE
                && Arrays.stream(squares).allMatch(x -> x < LARGE)) {
            return 1;
        }
        return large(point) ? UNIT : among(round).unit;
    }

    /** Returns the distances between all pairs of updates. */
    double[][] matrix() {
        int n = updates.size();
        double[][] squares = new double[n][n];
        for (int i = 0; i < n && unit == 1; i += SIDE) {
            for (int j = 0; j <= i; j += SIDE) {
                addSquares(i, j, squares);
            }
        }
        return filled(
                squares,
                (i, j) -> root(
                        squares[i][j], updates.get(i).vector(), updates.get(j).vector()));
    }

    /** Returns the distances between all pairs of updates, in these coordinates only. */
    double[][] matrix(int[] coordinates) {
        return filled(new double[updates.size()][updates.size()], (i, j) -> {
            double[] a = updates.get(i).vector();
            double[] b = updates.get(j).vector();
            double[] difference = new double[coordinates.length];
            for (int k = 0; k < difference.length; k++) {
                difference[k] = b[coordinates[k]] / unit - a[coordinates[k]] / unit;
            }
            return Vectors.norm(difference);
        });
    }

    private double[][] filled(double[][] matrix, ToDoubleBiFunction<Integer, Integer> distance) {
        int n = matrix.length;
        threads.each(n, i -> {
            for (int j = 0; j < i; j++) {
                matrix[i][j] = distance.applyAsDouble(i, j);
            }
        });
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < i; j++) {
                matrix[j][i] = matrix[i][j];
            }
        }
        return matrix;
    }

    /** Computes the distances of all pairs in a square of {@value #SIDE} by {@value #SIDE} below the diagonal. */
    private void addSquares(int firstRow, int firstColumn, double[][] squares) {
        int rows = Math.min(SIDE, updates.size() - firstRow);
        int columns = Math.min(SIDE, updates.size() - firstColumn);
        double[][] vectors = WorkerUpdate.vectors(updates);
        int length = vectors[0].length;
        double[][] pieces = new double[(length + PIECE - 1) / PIECE][rows * columns];
        threads.each(pieces.length, p -> {
            int from = p * PIECE;
            int to = Math.min(length, from + PIECE);
            for (int j = 0; j < columns; j += BAND) {
                int last = firstColumn + Math.min(columns, j + BAND);
                // Goes to the end of the band, even above the diagonal: four at once cost less than one to three.
                for (int i = Math.max(0, firstColumn + j + 1 - firstRow); i < rows; i++) {
                    Kernels.CHOSEN.squaredDistances(
                            vectors[firstRow + i],
                            vectors,
                            firstColumn + j,
                            last,
                            from,
                            to,
                            pieces[p],
                            i * columns - firstColumn);
                }
            }
        });
        double[] sums = sum(pieces, rows * columns);
        for (int i = 0; i < rows; i++) {
            System.arraycopy(sums, i * columns, squares[firstRow + i], firstColumn, columns);
        }
    }

    /** Sums the squares of all pieces, from the first to the last. */
    private static double[] sum(double[][] pieces, int n) {
        double[] sums = new double[n];
        for (double[] squares : pieces) {
            Vectors.add(sums, squares);
        }
        return sums;
    }

    /** Returns the distance of a and b, given the sum of their squared differences in unit 1. */
    private double root(double squares, double[] a, double[] b) {
        return unit == 1 && Vectors.safe(squares)
                ? Math.sqrt(squares)
                : Vectors.norm(difference(a, b, new double[a.length]));
    }

    /** out = (b - a) / unit. */
    private double[] difference(double[] a, double[] b, double[] out) {
        double scale = 1 / unit;
        for (int k = 0; k < out.length; k++) {
            out[k] = b[k] * scale - a[k] * scale;
        }
        return out;
    }

    /**
     * Returns the indices of the {@code count} smallest distances, ascending; among equal distances the lower index is
     * nearer.
     */
    static int[] nearest(double[] distances, int count) {
        return IntStream.range(0, distances.length)
                .boxed()
                .sorted(Comparator.comparingDouble(i -> distances[i]))
                .limit(count)
                .mapToInt(i -> i)
                .sorted()
                .toArray();
    }
}
