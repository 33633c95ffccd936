package holdfast.spark.engine;

import holdfast.data.Block;
import holdfast.data.DataSource;
import holdfast.data.Dataset;
import holdfast.data.DatasetBuilder;
import holdfast.data.DenseBlock;
import holdfast.data.Schema;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/** Puts the rows of a piece, which arrive in any order, in their places. */
abstract class Packing {
    final int rows;
    final double[] labels;
    final double[] weights;
    private final int worker;
    private final int firstBlock;
    private final long firstPlace;
    private final BitSet there = new BitSet();

    private Packing(BlockLayout cut, int worker, int piece) {
        this.worker = worker;
        this.rows = cut.rows(worker, piece);
        this.firstBlock = cut.firstBlock(worker, piece);
        this.firstPlace = (long) firstBlock * cut.blockRows;
        this.labels = new double[rows];
        this.weights = new double[rows];
    }

    static Packing of(BlockLayout cut, int worker, int piece, int width, boolean sparse) {
        return sparse ? new Sparse(cut, worker, piece) : new Dense(cut, worker, piece, width);
    }

    /** Adds a row of a batch. */
    final void put(RowBatch batch, int row) {
        int r = (int) (batch.place(row) - firstPlace);
        if (there.get(r)) {
            throw SparkTable.changed();
        }
        there.set(r);
        labels[r] = batch.label(row);
        weights[r] = batch.weight(row);
        putValues(r, batch, row);
    }

    abstract void putValues(int r, RowBatch batch, int row);

    final Piece pack(Schema schema) {
        if (there.cardinality() < rows) {
            throw SparkTable.changed();
        }
        return new Piece(worker, firstBlock, packed(schema));
    }

    abstract Dataset packed(Schema schema);

    /** Writes values directly to their final place. */
    private static final class Dense extends Packing {
        private final int width;
        private final int blockRows;
        private final double[][] blocks;

        Dense(BlockLayout cut, int worker, int piece, int width) {
            super(cut, worker, piece);
            this.width = width;
            // Cells may become features that are cut into larger blocks.
            this.blockRows = Piece.builder(false, width).blockRows();
            this.blocks = new double[(rows - 1) / blockRows + 1][];
            for (int b = 0; b < blocks.length; b++) {
                blocks[b] = new double[Math.min(blockRows, rows - b * blockRows) * width];
            }
        }

        @Override
        void putValues(int r, RowBatch batch, int row) {
            batch.copyValues(row, blocks[r / blockRows], r % blockRows * width);
        }

        @Override
        Dataset packed(Schema schema) {
            List<Block> packed = new ArrayList<>();
            for (int b = 0; b < blocks.length; b++) {
                int first = b * blockRows;
                int end = Math.min(rows, first + blockRows);
                double[] own = Arrays.copyOfRange(weights, first, end);
                packed.add(new DenseBlock(
                        width,
                        blocks[b],
                        Arrays.copyOfRange(labels, first, end),
                        Arrays.stream(own).allMatch(weight -> weight == 1) ? null : own));
            }
            return Dataset.of(schema, packed, DataSource.MEMORY);
        }
    }

    /** Keeps values by row until their number is known. */
    private static final class Sparse extends Packing {
        private final int[][] at;
        private final double[][] values;

        Sparse(BlockLayout cut, int worker, int piece) {
            super(cut, worker, piece);
            this.at = new int[rows][];
            this.values = new double[rows][];
        }

        @Override
        void putValues(int r, RowBatch batch, int row) {
            at[r] = batch.columns(row);
            values[r] = batch.values(row);
        }

        @Override
        Dataset packed(Schema schema) {
            DatasetBuilder builder = DatasetBuilder.sparse(schema.features().size());
            for (int r = 0; r < rows; r++) {
                builder.add(at[r], values[r], values[r].length, labels[r], 0, weights[r]);
                at[r] = null;
                values[r] = null;
            }
            return builder.build(schema, DataSource.MEMORY);
        }
    }
}
