package holdfast.formats;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.channels.FileChannel;

/**
 * Little-endian doubles or floats in a part of a file, in rows of the same width. They are mapped into memory and not
 * read before they are used.
 */
final class MappedNumbers {
    /** The maximum size of a mapping in bytes; Java's buffers are indexed by int. */
    private static final long MAX_BYTES = 1L << 30;

    private final int width;
    private final int rowsPerPart;
    private final DoubleBuffer[] doubles;
    /** Null if the numbers are doubles. */
    private final FloatBuffer[] floats;

    MappedNumbers(FileChannel file, long start, int rows, int width) throws IOException {
        this(file, start, rows, width, false);
    }

    MappedNumbers(FileChannel file, long start, int rows, int width, boolean inFloats) throws IOException {
        long rowBytes = (long) (inFloats ? Float.BYTES : Double.BYTES) * width;
        this.width = width;
        this.rowsPerPart = (int) Math.max(1, Math.min(Integer.MAX_VALUE, MAX_BYTES / rowBytes));
        int parts = (int) (((long) rows + rowsPerPart - 1) / rowsPerPart);
        this.doubles = inFloats ? null : new DoubleBuffer[parts];
        this.floats = inFloats ? new FloatBuffer[parts] : null;
        for (int p = 0; p < parts; p++) {
            long first = (long) p * rowsPerPart;
            ByteBuffer part = file.map(
                            FileChannel.MapMode.READ_ONLY,
                            start + first * rowBytes,
                            Math.min(rowsPerPart, rows - first) * rowBytes)
                    .order(ByteOrder.LITTLE_ENDIAN);
            if (inFloats) {
                floats[p] = part.asFloatBuffer();
            } else {
                doubles[p] = part.asDoubleBuffer();
            }
        }
    }

    /** Copies the first {@code count} numbers of a row. */
    void read(int row, double[] into, int offset, int count) {
        int at = row % rowsPerPart * width;
        if (floats == null) {
            doubles[row / rowsPerPart].get(at, into, offset, count);
            return;
        }
        FloatBuffer from = floats[row / rowsPerPart];
        for (int i = 0; i < count; i++) {
            into[offset + i] = from.get(at + i);
        }
    }

    double get(int row, int column) {
        int at = row % rowsPerPart * width + column;
        return floats == null ? doubles[row / rowsPerPart].get(at) : floats[row / rowsPerPart].get(at);
    }
}
