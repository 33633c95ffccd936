package holdfast.data;

import java.io.Serializable;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.BinaryOperator;
import java.util.function.Function;

/**
 * Rows divided by position into blocks, in this process (a {@link Dataset}) or on the machines of a cluster. What must
 * be known before training, such as a scaling or a learning rate, is computed from sums over blocks, so it has the same
 * bits wherever the blocks are.
 */
public interface Rows {
    Schema schema();

    DataSource source();

    /** Returns the number of rows. */
    long count();

    /** Returns whether rows are stored without their zeros. */
    boolean sparse();

    /** Returns whether rows may have weights other than 1. */
    boolean weighted();

    /**
     * Applies {@code leaf} to every block and merges the results along the fixed tree of {@link holdfast.math.Tree}.
     */
    <T> T reduce(Leaf<T> leaf, Merger<T> merger);

    /**
     * Returns one value per source, in the order of {@code schema().groups()}, from one pass over the rows. The value
     * of a source is what {@link #reduce} returns for its rows alone, in their order and divided into blocks by their
     * position among themselves; null for a source that has none of these rows. If rows name no source, returns one
     * value for all of them.
     */
    <T> List<T> reduceBySource(Leaf<T> leaf, Merger<T> merger);

    /**
     * Carries a value from block to block, in the order of the rows. Each block waits for the one before, on a cluster
     * one machine for another. Use this only for what is defined as a sum in the order of rows: the means that fill
     * missing cells, which would have other bits if summed along a tree.
     */
    <T extends Serializable> T fold(T start, Folder<T> folder);

    /**
     * Computes a value from a block. Both this function and its result may have to travel to or from another machine,
     * so they contain only numbers and arrays.
     */
    @FunctionalInterface
    interface Leaf<T> extends Function<Block, T>, Serializable {}

    /** Merges two neighbours into one; it may overwrite both. */
    @FunctionalInterface
    interface Merger<T> extends BinaryOperator<T>, Serializable {}

    /** Computes the next value from the current one, which it may overwrite, and a block. */
    @FunctionalInterface
    interface Folder<T> extends BiFunction<T, Block, T>, Serializable {}
}
