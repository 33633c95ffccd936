package holdfast.spark.engine;

import holdfast.Check;
import java.io.Serializable;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Cuts the workers' blocks into pieces and says which partition has which piece. Partitions take blocks in the order of
 * the workers, so at most as many workers are cut as there are partitions. Cuts are made only between units. A unit is
 * a power of two of blocks, and a partition holds several units; so a piece is a few nodes of the tree of its worker's
 * blocks, and all partitions have about the same size.
 */
final class BlockLayout implements Serializable {
    private static final long serialVersionUID = 1;

    /** A partition's fair share holds at least this many units, unless blocks are too large for that. */
    private static final int UNITS = 8;

    private static final int FAR_MORE = 4;

    final int blockRows;
    final long[] sizes;
    final int partitions;
    /** The first unit of each worker, and the total number of units at the end. */
    private final int[] first;
    /** For each worker, the number of blocks in each of its units but the last. */
    private final int[] blocks;
    /** The partition of each unit. */
    private final int[] partition;
    /** For each unit, the first unit of its piece; {@code to} is one past the last. */
    private final int[] from;

    private final int[] to;

    private BlockLayout(int blockRows, long[] sizes, int partitions, int[] first, int[] blocks, int[] partition) {
        this.blockRows = blockRows;
        this.sizes = sizes;
        this.partitions = partitions;
        this.first = first;
        this.blocks = blocks;
        this.partition = partition;
        this.from = new int[partition.length];
        this.to = new int[partition.length];
        for (int w = 0; w < sizes.length; w++) {
            for (int u = first[w]; u < first[w + 1]; u++) {
                from[u] = u > first[w] && partition[u] == partition[u - 1] ? from[u - 1] : u;
            }
            for (int u = first[w + 1] - 1; u >= first[w]; u--) {
                to[u] = u + 1 < first[w + 1] && from[u] == from[u + 1] ? to[u + 1] : u + 1;
            }
        }
    }

    /** @param whole whether each worker must stay in one piece */
    static BlockLayout of(long[] sizes, int blockRows, int partitions, boolean whole) {
        long all = Arrays.stream(sizes).sum();
        long fair = Math.max(1, all / partitions);
        Check.that(
                fair <= Integer.MAX_VALUE / 2,
                "a partition has room for at most 2^30 rows, got %d rows in %d partitions; repartition them",
                all,
                partitions);
        int unit = (int) Long.highestOneBit(Math.max(1, Math.min(fair / UNITS / blockRows, 1 << 30)));
        int[] first = new int[sizes.length + 1];
        int[] blocks = new int[sizes.length];
        for (int w = 0; w < sizes.length; w++) {
            long count = (sizes[w] - 1) / blockRows + 1;
            Check.that(
                    !whole || sizes[w] <= Integer.MAX_VALUE - blockRows,
                    "worker %d must be held by one executor, which has room for at most 2^31 rows, got %d",
                    w,
                    sizes[w]);
            blocks[w] = whole ? (int) count : unit;
            first[w + 1] = first[w] + (int) ((count - 1) / blocks[w] + 1);
        }
        int[] partition = new int[first[sizes.length]];
        long before = 0;
        for (int w = 0; w < sizes.length; w++) {
            for (int u = first[w]; u < first[w + 1]; u++) {
                long start = (long) (u - first[w]) * blocks[w] * blockRows;
                long rows = Math.min(sizes[w] - start, (long) blocks[w] * blockRows);
                partition[u] = (int) ((before + rows / 2) * partitions / all);
                before += rows;
            }
        }
        return new BlockLayout(blockRows, sizes, partitions, first, blocks, partition);
    }

    int blocks(int worker) {
        return Math.toIntExact((sizes[worker] - 1) / blockRows + 1);
    }

    int workers() {
        return sizes.length;
    }

    /** Returns how many pieces there are. */
    int pieces() {
        return (int) IntStream.range(0, from.length).filter(u -> from[u] == u).count();
    }

    /**
     * Returns whether what is computed for each piece should be merged before the driver gets it: there are many
     * pieces, and far more than workers.
     */
    boolean isFine() {
        return partitions > MergingCollect.MAX_PARTS && pieces() >= FAR_MORE * workers();
    }

    /** Returns the workers that have a piece in a partition, ascending. */
    int[] workers(int partition) {
        return IntStream.range(0, sizes.length)
                .filter(w -> IntStream.range(first[w], first[w + 1]).anyMatch(u -> this.partition[u] == partition))
                .toArray();
    }

    /** Whether each worker is in one piece. */
    boolean isWhole() {
        for (int w = 0; w < sizes.length; w++) {
            if (to[first[w]] != first[w + 1]) {
                return false;
            }
        }
        return true;
    }

    private int unit(int worker, long place) {
        return first[worker] + (int) (place / blockRows / blocks[worker]);
    }

    int piece(int worker, long place) {
        return from[unit(worker, place)];
    }

    int partition(int worker, long place) {
        return partition[unit(worker, place)];
    }

    /** The first block of a worker's piece. */
    int firstBlock(int worker, int piece) {
        return (piece - first[worker]) * blocks[worker];
    }

    int rows(int worker, int piece) {
        long start = (long) firstBlock(worker, piece) * blockRows;
        long end = (long) (to[piece] - first[worker]) * blocks[worker] * blockRows;
        return Math.toIntExact(Math.min(sizes[worker], end) - start);
    }
}
