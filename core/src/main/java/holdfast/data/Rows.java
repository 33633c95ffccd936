package holdfast.data;

import java.io.Serializable;
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

    /** The merger of what {@code leaf} makes of every block, along the fixed tree of {@link holdfast.math.Tree}. */
    <T> T reduce(Leaf<T> leaf, Merger<T> merger);

    /**
     * What is made of a block. It may have to travel to where the block is, and its result back: so both are made of
     * numbers and arrays.
     */
    @FunctionalInterface
    interface Leaf<T> extends Function<Block, T>, Serializable {}

    /** Merges two neighbours into one; both belong to the merge. */
    @FunctionalInterface
    interface Merger<T> extends BinaryOperator<T>, Serializable {}
}
