package holdfast.math;

import java.util.function.BinaryOperator;
import java.util.function.IntFunction;

/**
 * Reduction along the one binary tree over 0..n-1 in which every left subtree is the largest full one. Floating-point
 * sums do not associate; fixing the tree makes a sum independent of who computed which part and when.
 */
public final class Tree {
    /** Coordinates of a vector that are summed at a time. */
    private static final int PIECE = 1024;

    private Tree() {}

    /** The combination of {@code leaf(0..n-1)}; leaves are made from left to right. */
    public static <T> T reduce(int n, IntFunction<T> leaf, BinaryOperator<T> combine) {
        return reduce(0, n, leaf, combine);
    }

    /** The vectors of several sums, by pieces. */
    public interface Terms {
        /** out = vector i of this sum, as much of it as out has room for from this coordinate on. */
        void write(int sum, int i, int from, double[] out);

        /** out = (i + (i+1)) + ((i+2) + (i+3)), or false if they cannot be read at once. */
        default boolean writeFour(int sum, int i, int from, double[] out) {
            return false;
        }

        /** Keeps a finished piece of a sum. */
        default void put(double[] piece, double[] sum, int from) {
            System.arraycopy(piece, 0, sum, from, piece.length);
        }
    }

    /**
     * As many sums as there is room for, each of n vectors along the tree. A piece of all vectors, which fits the cache,
     * is summed before the next one is touched: memory is read once, however many sums it goes into.
     *
     * @param sums written: one array per sum, as long as the vectors
     */
    public static void sum(double[][] sums, int n, Threads threads, Terms terms) {
        int length = sums[0].length;
        int depth = Integer.SIZE - Integer.numberOfLeadingZeros(n - 1);
        threads.each((length + PIECE - 1) / PIECE, piece -> {
            int from = piece * PIECE;
            double[][] partial = new double[depth + 1][Math.min(PIECE, length - from)];
            for (int s = 0; s < sums.length; s++) {
                sum(s, 0, n, from, terms, partial, 0);
                terms.put(partial[0], sums[s], from);
            }
        });
    }

    /** partial[depth] = the sum of terms first..last-1; what is deeper is overwritten. */
    private static void sum(int sum, int first, int last, int from, Terms terms, double[][] partial, int depth) {
        if (last - first == 1) {
            terms.write(sum, first, from, partial[depth]);
        } else if (last - first != 4 || !terms.writeFour(sum, first, from, partial[depth])) {
            int middle = first + Integer.highestOneBit(last - first - 1);
            sum(sum, first, middle, from, terms, partial, depth);
            sum(sum, middle, last, from, terms, partial, depth + 1);
            Vectors.add(partial[depth], partial[depth + 1]);
        }
    }

    private static <T> T reduce(int from, int to, IntFunction<T> leaf, BinaryOperator<T> combine) {
        if (to - from == 1) {
            return leaf.apply(from);
        }
        int middle = from + Integer.highestOneBit(to - from - 1);
        T left = reduce(from, middle, leaf, combine);
        return combine.apply(left, reduce(middle, to, leaf, combine));
    }
}
