package holdfast.data;

import java.io.Serializable;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.BinaryOperator;
import java.util.function.Function;

/**
 * Rows cut into blocks by position, wherever the blocks are: in this process, a {@link Dataset}, or on the machines of a
 * cluster. What has to be known of them before training, such as a scaling or a learning rate, is made of sums over blocks,
 * so it is the same wherever they are, to the bit.
 */
public interface Rows {
    Schema schema();

    DataSource source();

    /** How many there are. */
    long count();

    /** Whether rows are stored without their zeros. */
    boolean sparse();

    /** Whether rows may have weights other than 1. */
    boolean weighted();

    /** The merger of what {@code leaf} makes of every block, along the fixed tree of {@link holdfast.math.Tree}. */
    <T> T reduce(Leaf<T> leaf, Merger<T> merger);

    /**
     * One value per source, in the order of {@code schema().groups()}, from one pass over the rows: for each source, what
     * {@link #reduce} makes of its rows alone, in their order and cut into blocks by their position among themselves; null
     * for a source that has none of these rows. Where rows name no source, one value for all of them.
     */
    <T> List<T> reduceBySource(Leaf<T> leaf, Merger<T> merger);

    /**
     * Carries a value from block to block, in the order of the rows. Each block waits for the one before, on a cluster one
     * machine for the other, so this is only for what was defined as a sum in the order of rows: the means that fill missing
     * cells, whose bits a tree would change.
     */
    <T extends Serializable> T fold(T start, Folder<T> folder);

    /**
     * What is made of a block. It may have to travel to where the block is, and its result back: so both are made of
     * numbers and arrays.
     */
    @FunctionalInterface
    interface Leaf<T> extends Function<Block, T>, Serializable {}

    /** Merges two neighbours into one; both belong to the merge. */
    @FunctionalInterface
    interface Merger<T> extends BinaryOperator<T>, Serializable {}

    /** Makes the next value of the one so far, which belongs to it, and a block. */
    @FunctionalInterface
    interface Folder<T> extends BiFunction<T, Block, T>, Serializable {}
}
