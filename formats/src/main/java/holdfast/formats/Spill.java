package holdfast.formats;

import holdfast.InputException;
import holdfast.data.Block;
import holdfast.data.DatasetBuilder;
import holdfast.data.Store;
import holdfast.data.StoredBlock;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Holds the rows of a table larger than memory, while not everything needed to write their file is known. They are kept
 * in a temporary file (values, label and weight) until this is closed. First all rows are written, then they can be
 * read.
 */
final class Spill implements Store, AutoCloseable {
    private final Path file;
    private final int columns;
    private final ByteBuffer row;
    private final OutputStream out;
    private int rows;
    private boolean weighted;
    private MappedNumbers numbers;

    private Spill(Path folder, int columns) throws IOException {
        this.columns = columns;
        this.file = Files.createTempFile(folder, ".holdfast", ".tmp");
        // Deletes the temporary file if the process ends in the middle.
        file.toFile().deleteOnExit();
        this.row = ByteBuffer.allocate((columns + 2) * Double.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        this.out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 16);
    }

    static Spill in(Path folder, int columns) {
        try {
            return new Spill(folder, columns);
        } catch (IOException e) {
            throw new InputException(folder + ": cannot be written to: " + AtomicFile.reason(e));
        }
    }

    DatasetBuilder builder() {
        return new DatasetBuilder(columns).keeping(this::put);
    }

    private Block put(Block block) {
        double[] values = new double[columns];
        try {
            for (int j = 0; j < block.rows(); j++) {
                block.copyRow(j, values, 0);
                row.clear().asDoubleBuffer().put(values).put(block.label(j)).put(block.weight(j));
                out.write(row.array());
            }
        } catch (IOException e) {
            throw new InputException(file + ": cannot be written: " + AtomicFile.reason(e));
        }
        weighted |= block.weights() != null;
        rows += block.rows();
        return StoredBlock.of(this, rows - block.rows(), block.rows());
    }

    private synchronized MappedNumbers numbers() {
        if (numbers == null) {
            try {
                out.close();
                try (FileChannel channel = FileChannel.open(file)) {
                    numbers = new MappedNumbers(channel, 0, rows, columns + 2);
                }
            } catch (IOException e) {
                throw new InputException(file + ": cannot be read: " + AtomicFile.reason(e));
            }
        }
        return numbers;
    }

    @Override
    public int rows() {
        return rows;
    }

    @Override
    public int columns() {
        return columns;
    }

    @Override
    public void read(int number, double[] into, int offset) {
        numbers().read(number, into, offset, columns);
    }

    @Override
    public double label(int number) {
        return numbers().get(number, columns);
    }

    @Override
    public boolean weighted() {
        return weighted;
    }

    @Override
    public double weight(int number) {
        return numbers().get(number, columns + 1);
    }

    @Override
    public void close() {
        try (out) {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            // Deleted at the end of the process: its rows are mapped, and some systems cannot delete such a file now.
        }
    }
}
