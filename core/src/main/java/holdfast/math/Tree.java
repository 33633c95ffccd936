package holdfast.math;

import java.util.function.BinaryOperator;
import java.util.function.IntFunction;

/**
 * Reduction along the one binary tree over 0..n-1 in which every left subtree is the largest full one. Floating-point
 * sums do not associate; fixing the tree makes a sum independent of who computed which part and when.
 */
public final class Tree {
    private Tree() {}

    /** The combination of {@code leaf(0..n-1)}; leaves are made from left to right. */
    public static <T> T reduce(int n, IntFunction<T> leaf, BinaryOperator<T> combine) {
        return reduce(0, n, leaf, combine);
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
