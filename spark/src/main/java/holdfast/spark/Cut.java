package holdfast.spark;

import holdfast.Check;
import java.io.Serializable;
import java.util.Arrays;

/**
 * How the blocks of the workers are cut into pieces, and which partition has which piece. A worker with no more rows than a
 * partition should have is one piece; a larger one is cut into pieces of a power of two of blocks, each of which is then one
 * node of the tree of its blocks.
 */
final class Cut implements Serializable {
    private static final long serialVersionUID = 1;

    final int blockRows;
    final long[] sizes;
    final int partitions;
    /** By worker, its first piece; one more at the end. */
    private final int[] first;
    /** By worker, blocks in each of its pieces but the last. */
    private final int[] blocks;
    /** By piece. */
    private final int[] partition;

    private Cut(int blockRows, long[] sizes, int partitions, int[] first, int[] blocks, int[] partition) {
        this.blockRows = blockRows;
        this.sizes = sizes;
        this.partitions = partitions;
        this.first = first;
        this.blocks = blocks;
        this.partition = partition;
    }

    /** @param whole whether every worker must be one piece */
    static Cut of(long[] sizes, int blockRows, int partitions, boolean whole) {
        long all = Arrays.stream(sizes).sum();
        long fair = Math.max(1, all / partitions);
        int[] first = new int[sizes.length + 1];
        int[] blocks = new int[sizes.length];
        for (int w = 0; w < sizes.length; w++) {
            long count = (sizes[w] - 1) / blockRows + 1;
            boolean one = whole || sizes[w] <= fair + fair / 2;
            Check.that(
                    !one || sizes[w] <= Integer.MAX_VALUE - blockRows,
                    "worker %d must be held by one executor, which has room for at most 2^31 rows, got %d",
                    w,
                    sizes[w]);
            blocks[w] = (int) (one ? count : Long.highestOneBit(Math.max(1, fair / blockRows)));
            first[w + 1] = first[w] + (int) ((count - 1) / blocks[w] + 1);
        }
        int[] partition = new int[first[sizes.length]];
        long before = 0;
        for (int w = 0; w < sizes.length; w++) {
            for (int p = first[w]; p < first[w + 1]; p++) {
                long from = (long) (p - first[w]) * blocks[w] * blockRows;
                long rows = Math.min(sizes[w] - from, (long) blocks[w] * blockRows);
                partition[p] = (int) ((before + rows / 2) * partitions / all);
                before += rows;
            }
        }
        return new Cut(blockRows, sizes, partitions, first, blocks, partition);
    }

    int blocks(int worker) {
        return Math.toIntExact((sizes[worker] - 1) / blockRows + 1);
    }

    int workers() {
        return sizes.length;
    }

    int piece(int worker, long place) {
        return first[worker] + (int) (place / blockRows / blocks[worker]);
    }

    int partition(int worker, long place) {
        return partition[piece(worker, place)];
    }

    /** The first block of a worker's piece. */
    int firstBlock(int worker, int piece) {
        return (piece - first[worker]) * blocks[worker];
    }

    int rows(int worker, int piece) {
        long from = (long) firstBlock(worker, piece) * blockRows;
        return (int) Math.min(sizes[worker] - from, (long) blocks[worker] * blockRows);
    }
}
