package holdfast.math;

import java.util.function.BinaryOperator;
import java.util.function.IntFunction;
import java.util.function.ObjIntConsumer;

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
        /** out[0..to-from) = coordinates from..to-1 of vector i of this sum. */
        void write(int sum, int i, int from, int to, double[] out);
    }

    /**
     * As many sums as the caller gives room for, each of n vectors along the tree. A piece of all vectors that fits the
     * cache is summed before the next one is touched: memory is read once, however many sums it goes into.
     *
     * @param sums written: one array per sum, as long as the vectors
     */
    public static void sum(double[][] sums, int n, Threads threads, Terms terms) {
        int length = sums[0].length;
        threads.each((length + PIECE - 1) / PIECE, piece -> {
            int from = piece * PIECE;
            int to = Math.min(length, from + PIECE);
            double[][] partial = new double[Integer.SIZE - Integer.numberOfLeadingZeros(n - 1) + 1][to - from];
            for (int s = 0; s < sums.length; s++) {
                int sum = s;
                sum(0, n, partial, 0, (out, i) -> terms.write(sum, i, from, to, out));
                System.arraycopy(partial[0], 0, sums[s], from, to - from);
            }
        });
    }

    /** partial[depth] = the sum of terms first..last-1; what is deeper is overwritten. */
    private static void sum(int first, int last, double[][] partial, int depth, ObjIntConsumer<double[]> term) {
        if (last - first == 1) {
            term.accept(partial[depth], first);
            return;
        }
        int middle = first + Integer.highestOneBit(last - first - 1);
        sum(first, middle, partial, depth, term);
        sum(middle, last, partial, depth + 1, term);
        Vectors.add(partial[depth], partial[depth + 1]);
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
