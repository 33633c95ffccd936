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
 * pairs of them, could overflow; no distance above 1e-250 loses a bit to it. Squares are summed by pieces of
 * {@value #PIECE} coordinates, one after the other; where that would overflow or underflow, sums of squares are left to
 * {@link Vectors#norm}, which scales by what it sums, so that one huge update spoils nobody else's.
 */
record Distances(List<WorkerUpdate> updates, Threads threads, double unit) {
    private static final double LARGE = 0x1p900;
    private static final double UNIT = 0x1p128;

    private static final int PIECE = Tree.PIECE;

    /** Pieces of twice as many updates fit the cache. */
    private static final int SIDE = 64;

    /** Pieces of this many updates stay in the nearest cache while all others are compared with them. */
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
        // The dot product is the faster of the two, and mostly enough.
        return !(Vectors.dot(vector, vector, vector.length) < LARGE) && Vectors.maxAbs(vector, vector.length) > LARGE;
    }

    /** How far each update is from a point, and in which unit. */
    record Far(double unit, double[] values) {}

    /** Distances from one point to each update. */
    static Far from(double[] point, Round round) {
        Approach approach = new Approach(round, point.length);
        round.threads().each(approach.pieces.length, p -> approach.add(point, p * PIECE));
        return approach.far(point);
    }

    /**
     * Distances from a point to each update, piece by piece as the point is made: the updates' pieces that it is made of are then still
     * near, and memory is read once for both.
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

        /** Counts the piece of the point that starts here; every piece once, in any order. */
        void add(double[] point, int from) {
            int to = Math.min(point.length, from + PIECE);
            Kernels.CHOSEN.squaredDistances(point, vectors, 0, vectors.length, from, to, pieces[from / PIECE], 0);
        }

        /** @param point of which every piece was counted, or, where one overflowed, what is to stand for it */
        Far far(double[] point) {
            double[] far = sum(pieces, vectors.length);
            Distances distances = new Distances(round.updates(), round.threads(), unit(point, far, round));
            round.threads().each(far.length, i -> far[i] = distances.root(far[i], point, vectors[i]));
            return new Far(distances.unit, far);
        }
    }

    private static double unit(double[] point, double[] squares, Round round) {
        // What is near to a point that is not large is not large, without another look at every coordinate.
        if (Vectors.dot(point, point, point.length) < LARGE
                && Arrays.stream(squares).allMatch(x -> x < LARGE)) {
            return 1;
        }
        return large(point) ? UNIT : among(round).unit;
    }

    /** Distances between any two updates. */
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

    /** Distances between any two updates, in these coordinates. */
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

    /** Distances of all pairs in a square of {@value #SIDE} by {@value #SIDE}, below the diagonal. */
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
                // Up to the band's end, also above the diagonal: four at once cost less than one to three.
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

    /** The squares of all pieces, from the first to the last. */
    private static double[] sum(double[][] pieces, int n) {
        double[] sums = new double[n];
        for (double[] squares : pieces) {
            Vectors.add(sums, squares);
        }
        return sums;
    }

    /** The distance of a and b, whose squares without a unit have this sum. */
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

    /** Indices of the {@code count} smallest, ascending; of equal distances the lower index is nearer. */
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
