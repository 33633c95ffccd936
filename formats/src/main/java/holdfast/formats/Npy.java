package holdfast.formats;

import holdfast.Check;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;

/**
 * NumPy's .npy files, as specified with {@code numpy.lib.format}: real numbers in one or two dimensions. Reads format
 * versions 1.0, 2.0 and 3.0, both byte orders and both orders of elements; integers become the nearest double. Writes
 * version 1.0, {@code <f8}, C order.
 */
final class Npy {
    private static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y'};
    /** NumPy aligns the data to this. */
    private static final int ALIGNMENT = 64;

    /** The same limit as in NumPy. */
    private static final int LONGEST_HEADER = 10_000;

    private static final int MAX_BYTES = Integer.MAX_VALUE - 8;

    // Possessive, and bounded if a group repeats: input from a stranger must exhaust neither time nor stack.
    private static final String ENTRY =
            "\\s*+(?:'(\\w++)'|\"(\\w++)\")\\s*+:\\s*+('[^']*+'|\"[^\"]*+\"|\\w++|\\([^()]*+\\)|\\[[^\\[\\]]*+\\])\\s*+";
    private static final Pattern ONE_ENTRY = Pattern.compile(ENTRY);
    private static final Pattern HEADER = Pattern.compile("\\{" + ENTRY + "(?:," + ENTRY + "){2},?+\\s*+\\}\\s*+");
    private static final Pattern SHAPE =
            Pattern.compile("\\(\\s*+(?:\\d{1,18}+\\s*+,\\s*+){0,64}(?:\\d{1,18}\\s*+)?\\)");
    private static final Pattern TYPE = Pattern.compile("(?:[<>](?:f4|f8|[iu][248])|[|<>][iu]1)");

    private Npy() {}

    /** Returns whether the stream continues with a .npy file; consumes nothing. */
    static boolean isNext(BufferedInputStream in) throws IOException {
        in.mark(MAGIC.length);
        byte[] start = in.readNBytes(MAGIC.length);
        in.reset();
        return Arrays.equals(start, MAGIC);
    }

    /** Reads the rows of a matrix, or a single vector. */
    static List<double[]> read(String name, InputStream in) throws IOException {
        Header header = Header.parse(name, headerText(name, in));
        int[] shape = header.shape();
        int rows = shape.length == 1 ? 1 : shape[0];
        int columns = shape[shape.length - 1];
        boolean byColumn = header.fortran() && shape.length == 2;
        List<double[]> stored = new ArrayList<>();
        // Reads one part at a time, so that a shape that promises more data than there are costs no memory.
        for (int i = 0; i < (byColumn ? columns : rows); i++) {
            stored.add(header.type().read(name, in, byColumn ? rows : columns));
        }
        Check.that(in.read() < 0, "%s: must end after its array, but goes on; .npy files hold one array", name);
        return byColumn ? transposed(stored) : stored;
    }

    private static String headerText(String name, InputStream in) throws IOException {
        byte[] start = exactly(name, in, MAGIC.length + 2);
        int version = start[MAGIC.length];
        Check.that(
                version >= 1 && version <= 3 && start[MAGIC.length + 1] == 0,
                "%s: must be of .npy version 1.0, 2.0 or 3.0, got %d.%d",
                name,
                version & 0xff,
                start[MAGIC.length + 1] & 0xff);
        ByteBuffer size =
                ByteBuffer.wrap(exactly(name, in, version == 1 ? 2 : 4)).order(ByteOrder.LITTLE_ENDIAN);
        long length = version == 1 ? size.getShort() & 0xffffL : size.getInt() & 0xffffffffL;
        Check.that(
                length <= LONGEST_HEADER,
                "%s: the .npy header must have at most %d bytes, got %d",
                name,
                LONGEST_HEADER,
                length);
        return new String(exactly(name, in, (int) length), StandardCharsets.UTF_8);
    }

    private static byte[] exactly(String name, InputStream in, int count) throws IOException {
        byte[] bytes = in.readNBytes(count);
        Check.that(bytes.length == count, "%s: is cut off: the .npy header or its shape promise more bytes", name);
        return bytes;
    }

    private static List<double[]> transposed(List<double[]> columns) {
        List<double[]> rows = new ArrayList<>();
        for (int r = 0; r < columns.get(0).length; r++) {
            double[] row = new double[columns.size()];
            for (int c = 0; c < row.length; c++) {
                row[c] = columns.get(c)[r];
            }
            rows.add(row);
        }
        return rows;
    }

    private record Header(Type type, boolean fortran, int[] shape) {

        static Header parse(String name, String text) {
            Map<String, String> entries = new HashMap<>();
            if (HEADER.matcher(text).matches()) {
                Matcher m = ONE_ENTRY.matcher(text);
                while (m.find()) {
                    entries.put(m.group(1) == null ? m.group(2) : m.group(1), m.group(3));
                }
            }
            String descr = entries.getOrDefault("descr", "");
            String fortran = entries.getOrDefault("fortran_order", "");
            String shape = entries.getOrDefault("shape", "");
            Check.that(
                    entries.size() == 3
                            && !descr.isEmpty()
                            && fortran.matches("True|False")
                            && SHAPE.matcher(shape).matches(),
                    "%s: the .npy header must give descr, fortran_order and shape, got %s",
                    name,
                    VectorFile.excerpt(text));
            String type = descr.substring(1, Math.max(1, descr.length() - 1));
            Check.that(
                    descr.matches("(['\"]).*\\1") && TYPE.matcher(type).matches(),
                    "%s: must hold f4, f8 or integers, got dtype %s",
                    name,
                    VectorFile.excerpt(descr));
            Type parsed = new Type(
                    type.charAt(1),
                    type.charAt(2) - '0',
                    type.charAt(0) == '>' ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
            return new Header(parsed, fortran.equals("True"), lengths(name, shape, parsed.bytes()));
        }

        private static int[] lengths(String name, String shape, int bytes) {
            long[] lengths = Pattern.compile("\\d+")
                    .matcher(shape)
                    .results()
                    .mapToLong(m -> Long.parseLong(m.group()))
                    .toArray();
            Check.that(
                    (lengths.length == 1 || lengths.length == 2)
                            && LongStream.of(lengths).allMatch(n -> n >= 1),
                    "%s: must be a vector or a matrix with at least one row and one column, got shape %s",
                    name,
                    VectorFile.excerpt(shape));
            Check.that(
                    LongStream.of(lengths).allMatch(n -> n <= MAX_BYTES / bytes),
                    "%s: must have at most %d rows and columns, got shape %s",
                    name,
                    MAX_BYTES / bytes,
                    shape);
            return LongStream.of(lengths).mapToInt(n -> (int) n).toArray();
        }
    }

    /**
     * How one number is stored.
     *
     * @param kind f, i or u
     */
    private record Type(char kind, int bytes, ByteOrder order) {

        double[] read(String name, InputStream in, int count) throws IOException {
            ByteBuffer stored =
                    ByteBuffer.wrap(exactly(name, in, count * bytes)).order(order);
            double[] numbers = new double[count];
            for (int i = 0; i < count; i++) {
                numbers[i] = next(stored);
            }
            return numbers;
        }

        private double next(ByteBuffer stored) {
            if (kind == 'f') {
                return bytes == 4 ? stored.getFloat() : stored.getDouble();
            }
            long signed = switch (bytes) {
                case 1 -> stored.get();
                case 2 -> stored.getShort();
                case 4 -> stored.getInt();
                default -> stored.getLong();
            };
            if (kind == 'i' || signed >= 0) {
                return signed;
            }
            // A long cannot hold the upper half of u8, so halve it, and keep the lost bit for rounding.
            return bytes < 8 ? signed + (1L << 8 * bytes) : 2.0 * (signed >>> 1 | signed & 1);
        }
    }

    /** Returns the file for one vector. */
    static byte[] bytes(double[] vector) {
        return bytes("(" + vector.length + ",)", List.of(vector));
    }

    /** Returns the file for a matrix. */
    static byte[] bytes(List<double[]> rows) {
        return bytes("(" + rows.size() + ", " + rows.get(0).length + ")", rows);
    }

    private static byte[] bytes(String shape, List<double[]> rows) {
        String text = "{'descr': '<f8', 'fortran_order': False, 'shape': " + shape + ", }";
        int start = MAGIC.length + 4;
        int length = (start + text.length()) / ALIGNMENT * ALIGNMENT + ALIGNMENT;
        long size = length + (long) Double.BYTES * rows.size() * rows.get(0).length;
        Check.that(size <= MAX_BYTES, "a .npy file may have at most %d bytes here, got %d", MAX_BYTES, size);
        ByteBuffer out = ByteBuffer.allocate((int) size).order(ByteOrder.LITTLE_ENDIAN);
        out.put(MAGIC).put((byte) 1).put((byte) 0).putShort((short) (length - start));
        out.put((text + " ".repeat(length - start - 1 - text.length()) + "\n").getBytes(StandardCharsets.US_ASCII));
        for (double[] row : rows) {
            for (double x : row) {
                out.putDouble(x);
            }
        }
        return out.array();
    }
}
