package holdfast.math;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.BinaryOperator;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/**
 * Reduction along the one binary tree over 0..n-1 in which every left subtree is the largest full one. Floating-point
 * sums do not associate; fixing the tree makes a sum independent of who computed which part and when.
 */
public final class Tree {
    /** Number of coordinates of a vector that are summed at a time. */
    public static final int PIECE = 1024;

    /** Number of leaves that one thread does: a power of two, so that they form a subtree. */
    private static final int TOGETHER = 2;

    private Tree() {}

    /** Combines {@code leaf(0..n-1)} on all threads that the caller's thread belongs to. */
    public static <T> T reduce(int n, IntFunction<T> leaf, BinaryOperator<T> combine) {
        return reduce(n, () -> leaf, combine);
    }

    /**
     * Combines leaves that need objects which threads must not share.
     *
     * @param leaves supplies one function per task; a task uses its function on one thread, for one leaf after the
     *     other
     */
    public static <T> T reduce(int n, Supplier<IntFunction<T>> leaves, BinaryOperator<T> combine) {
        Threads threads = Threads.here();
        if (threads == Threads.ONE || n <= TOGETHER) {
            return reduce(0, n, leaves.get(), combine);
        }
        List<T> subtrees = new ArrayList<>(Collections.nCopies((n + TOGETHER - 1) / TOGETHER, null));
        threads.each(subtrees.size(), s -> {
            int from = s * TOGETHER;
            subtrees.set(s, reduce(from, Math.min(n, from + TOGETHER), leaves.get(), combine));
        });
        return reduce(0, subtrees.size(), subtrees::get, combine);
    }

    /** The nodes that have been computed: the combinations of leaves {@code from..to-1}. */
    @FunctionalInterface
    public interface Known<T> {
        /** Returns the node, or null if it must be combined from its two children. */
        T at(int from, int to);
    }

    /** Combines n leaves from nodes that others have computed. */
    public static <T> T complete(int n, Known<T> known, BinaryOperator<T> combine) {
        return complete(0, n, known, combine);
    }

    /** Combines the leaves below a node from nodes that others have computed. */
    public static <T> T complete(Node node, Known<T> known, BinaryOperator<T> combine) {
        return complete(node.from, node.to, known, combine);
    }

    private static <T> T complete(int from, int to, Known<T> known, BinaryOperator<T> combine) {
        T there = known.at(from, to);
        if (there != null) {
            return there;
        }
        if (to - from == 1) {
            throw new IllegalArgumentException("leaf " + from + " is not known");
        }
        int middle = middle(from, to);
        T left = complete(from, middle, known, combine);
        return combine.apply(left, complete(middle, to, known, combine));
    }

    /** A node, given by the leaves {@code from..to-1} below it. */
    public record Node(int from, int to) {}

    /**
     * Returns the fewest nodes of the tree over 0..n-1 that cover the leaves {@code from..to-1}, from left to right.
     */
    public static List<Node> nodes(int n, int from, int to) {
        List<Node> nodes = new ArrayList<>();
        addNodes(new Node(0, n), from, to, nodes);
        return nodes;
    }

    private static void addNodes(Node node, int from, int to, List<Node> nodes) {
        if (node.to <= from || to <= node.from) {
            return;
        }
        if (from <= node.from && node.to <= to) {
            nodes.add(node);
            return;
        }
        int middle = middle(node.from, node.to);
        addNodes(new Node(node.from, middle), from, to, nodes);
        addNodes(new Node(middle, node.to), from, to, nodes);
    }

    /** Combines the leaves below a node. The result is the same in every tree that has the node. */
    public static <T> T reduce(Node node, IntFunction<T> leaf, BinaryOperator<T> combine) {
        return reduce(node.from, node.to, leaf, combine);
    }

    private static int middle(int from, int to) {
        return from + Integer.highestOneBit(to - from - 1);
    }

    /** The vectors of several sums, read in pieces. */
    public interface Terms {
        /** out = vector i of this sum, from coordinate {@code from} on, as many elements as out has. */
        void write(int sum, int i, int from, double[] out);

        /** out = the sum of vectors i to i+7 along the tree; returns false if they cannot be read at once. */
        default boolean writeEight(int sum, int i, int from, double[] out) {
            return false;
        }

        /** Stores a finished piece of a sum. */
        default void put(double[] piece, double[] sum, int from) {
            System.arraycopy(piece, 0, sum, from, piece.length);
        }
    }

    /**
     * Computes several sums, each of n vectors along the tree. A piece of all vectors, which fits in the cache, is
     * summed before the next piece is read. Memory is therefore read once, however many sums use it.
     *
     * @param sums receives the results: one array per sum, as long as the vectors
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

    /** partial[depth] = the sum of terms first..last-1; deeper elements are overwritten. */
    private static void sum(int sum, int first, int last, int from, Terms terms, double[][] partial, int depth) {
        if (last - first == 1) {
            terms.write(sum, first, from, partial[depth]);
        } else if (last - first != 8 || !terms.writeEight(sum, first, from, partial[depth])) {
            int middle = middle(first, last);
            sum(sum, first, middle, from, terms, partial, depth);
            sum(sum, middle, last, from, terms, partial, depth + 1);
            Vectors.add(partial[depth], partial[depth + 1]);
        }
    }

    private static <T> T reduce(int from, int to, IntFunction<T> leaf, BinaryOperator<T> combine) {
        if (to - from == 1) {
            return leaf.apply(from);
        }
        int middle = middle(from, to);
        T left = reduce(from, middle, leaf, combine);
        return combine.apply(left, reduce(middle, to, leaf, combine));
    }
}
