package holdfast.formats;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.channels.FileChannel;

/** Little-endian doubles in a part of a file, in rows of the same width, mapped into memory and not read before they are used. */
final class MappedNumbers {
    /** A mapping has at most this many bytes; Java's buffers are counted by int. */
    private static final long MOST_BYTES = 1L << 30;

    private final int width;
    private final int rowsPerPart;
    private final DoubleBuffer[] parts;

    MappedNumbers(FileChannel file, long start, int rows, int width) throws IOException {
        this.width = width;
        this.rowsPerPart = (int) Math.max(1, Math.min(Integer.MAX_VALUE, MOST_BYTES / Double.BYTES / width));
        this.parts = new DoubleBuffer[(int) (((long) rows + rowsPerPart - 1) / rowsPerPart)];
        long rowBytes = (long) Double.BYTES * width;
        for (int p = 0; p < parts.length; p++) {
            long first = (long) p * rowsPerPart;
            parts[p] = file.map(
                            FileChannel.MapMode.READ_ONLY,
                            start + first * rowBytes,
                            Math.min(rowsPerPart, rows - first) * rowBytes)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .asDoubleBuffer();
        }
    }

    /** Copies the first {@code count} numbers of a row. */
    void read(int row, double[] into, int offset, int count) {
        parts[row / rowsPerPart].get(row % rowsPerPart * width, into, offset, count);
    }

    double get(int row, int column) {
        return parts[row / rowsPerPart].get(row % rowsPerPart * width + column);
    }
}
