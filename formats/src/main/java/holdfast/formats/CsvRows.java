package holdfast.formats;

import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import de.siegmar.fastcsv.reader.FieldMismatchStrategy;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * The rows of a table, in order. The table is divided at line ends into chunks that are parsed in parallel. If a quote
 * could mean that a chunk was divided in the wrong place, FastCSV, which defines what a table is, parses its rows and
 * all rows after it.
 */
final class CsvRows implements Iterator<CsvRows.Row>, AutoCloseable {
    private static final int CHUNK = 1 << 18;

    /**
     * Number of chunks read ahead: enough that no thread waits for the next one, while one thread consumes what a few
     * parse.
     */
    private static final int AHEAD = 8;

    private final InputStream in;
    private final char separator;
    private final int chunkBytes;
    private final Deque<Future<Chunk>> ahead = new ArrayDeque<>();
    private ExecutorService threads;
    /** The bytes read so far of the line after the last chunk; null at the end of the table. */
    private byte[] begun = {};
    /** Why reading ahead failed; thrown after all earlier rows have been consumed. */
    private IOException broken;

    private Chunk chunk;
    private int next;
    /** Consumed chunks, kept to reuse their arrays: new ones would come from memory instead of a cache. */
    private final Deque<Chunk> spent = new ArrayDeque<>();

    private Iterator<CsvRecord> rest;

    /** A row of the table, valid until the next one is requested. */
    interface Row {
        int cells();

        String cell(int c);

        /** Returns a cell as the file has it, whatever its text stands for. */
        default String written(int c) {
            return cell(c);
        }

        /** Returns the number in a cell, NaN if there is none. */
        double number(int c);

        /** Returns the number of the row's first line, from 1. */
        long line();
    }

    /** Describes where a cell is. */
    interface Place {
        String of(Row row, int column);
    }

    private record Recorded(CsvRecord record) implements Row {
        @Override
        public int cells() {
            return record.getFieldCount();
        }

        @Override
        public String cell(int c) {
            return record.getField(c);
        }

        @Override
        public double number(int c) {
            return Csv.number(record.getField(c));
        }

        @Override
        public long line() {
            return record.getStartingLineNumber();
        }
    }

    CsvRows(BufferedInputStream in, char separator) throws IOException {
        this(in, separator, CHUNK);
    }

    CsvRows(BufferedInputStream in, char separator, int chunkBytes) throws IOException {
        this.in = in;
        this.separator = separator;
        this.chunkBytes = chunkBytes;
        in.mark(1);
        int first = in.read();
        in.reset();
        this.chunk = new Chunk(separator);
        // This may be a byte order mark, perhaps of another encoding.
        if (first >= 0x80 || first == 0) {
            leaveTo(in, 0);
        }
    }

    @Override
    public boolean hasNext() {
        while (rest == null && next == chunk.rows) {
            long lines = chunk.firstLine + chunk.lines;
            Chunk following = following();
            if (following == null) {
                return false;
            }
            following.firstLine = lines;
            if (following.ambiguous) {
                leaveTo(unread(following), lines);
            } else {
                spent.add(chunk);
                chunk = following;
                next = 0;
            }
        }
        return rest == null || rest.hasNext();
    }

    @Override
    public Row next() {
        return rest == null ? chunk.row(next++) : new Recorded(rest.next());
    }

    /** Returns the chunk after the current one, null if there is none. */
    private Chunk following() {
        while (begun != null && ahead.size() < AHEAD) {
            Chunk read = read();
            if (read == null) {
                break;
            }
            if (threads == null && begun != null) {
                int count = Math.min(AHEAD / 2, Runtime.getRuntime().availableProcessors());
                threads = Executors.newFixedThreadPool(count, task -> {
                    Thread thread = new Thread(task, "holdfast-csv");
                    thread.setDaemon(true);
                    return thread;
                });
            }
            ahead.add(threads == null ? done(read.parsed()) : threads.submit(read::parsed));
        }
        try {
            if (ahead.isEmpty()) {
                if (broken != null) {
                    throw new UncheckedIOException(broken);
                }
                return null;
            }
            return ahead.remove().get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CancellationException("reading was interrupted");
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    private static Future<Chunk> done(Chunk chunk) {
        return CompletableFuture.completedFuture(chunk);
    }

    /** Reads the lines that end within the next {@code chunkBytes} bytes. */
    private Chunk read() {
        try {
            Chunk read = spent.isEmpty() ? new Chunk(separator) : spent.remove();
            byte[] bytes = read.room(begun, chunkBytes);
            int length = begun.length + in.readNBytes(bytes, begun.length, chunkBytes);
            if (length < begun.length + chunkBytes) {
                begun = null;
                read.length = length;
                return length == 0 ? null : read;
            }
            int end = length;
            while (end > 0 && bytes[end - 1] != '\n') {
                end--;
            }
            boolean longer = end == 0;
            end = longer ? length : end;
            begun = Arrays.copyOfRange(bytes, end, length);
            read.length = end;
            read.ambiguous = longer;
            return read;
        } catch (IOException e) {
            begun = null;
            broken = e;
            return null;
        }
    }

    /** Returns the bytes from the start of a chunk on. */
    private InputStream unread(Chunk from) {
        List<InputStream> parts = new ArrayList<>();
        parts.add(new ByteArrayInputStream(from.bytes, 0, from.length));
        try {
            for (Future<Chunk> later : ahead) {
                Chunk read = later.get();
                parts.add(new ByteArrayInputStream(read.bytes, 0, read.length));
            }
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException(e);
        }
        if (begun != null) {
            parts.add(new ByteArrayInputStream(begun));
        }
        parts.add(new FilterInputStream(in) {
            @Override
            public int read(byte[] into, int offset, int length) throws IOException {
                if (broken != null) {
                    throw broken;
                }
                return super.read(into, offset, length);
            }

            @Override
            public void close() {
                // A sequence closes its parts, but the table belongs to the caller that opened it.
            }
        });
        return new SequenceInputStream(Collections.enumeration(parts));
    }

    /**
     * Leaves the remaining bytes to FastCSV.
     *
     * @param lines how many lines came before; empty lines, which are skipped, replace them to keep the line numbers
     *     right
     */
    private void leaveTo(InputStream unread, long lines) {
        InputStream before = new InputStream() {
            private long left = lines;

            @Override
            public int read() {
                return left-- > 0 ? '\n' : -1;
            }
        };
        rest = CsvReader.builder()
                .fieldSeparator(separator)
                .extraFieldStrategy(FieldMismatchStrategy.IGNORE)
                .missingFieldStrategy(FieldMismatchStrategy.IGNORE)
                .allowUnclosedQuote(false)
                .detectBomHeader(lines == 0)
                .ofCsvRecord(lines == 0 ? unread : new SequenceInputStream(before, unread), StandardCharsets.UTF_8)
                .iterator();
    }

    @Override
    public void close() {
        if (threads != null) {
            threads.shutdownNow();
        }
    }

    /** A number of whole lines. */
    private static final class Chunk {
        private final char separator;
        private byte[] bytes = {};
        private int length;
        /** Whether the chunk may end within a row, or FastCSV may read it differently. */
        private boolean ambiguous;

        private long firstLine;
        private int lines;
        private int rows;
        /** The first cell of each row, and its line from 0; with one more element at the end. */
        private int[] firstCell = new int[64];

        private int[] lineOf = new int[64];
        private int cells;
        private int[] starts = {};
        private int[] ends = {};
        private double[] numbers = {};
        private final Decimal decimal = new Decimal();

        Chunk(char separator) {
            this.separator = separator;
        }

        /** Starts again with these bytes and room for {@code more} others. */
        byte[] room(byte[] begun, int more) {
            if (bytes.length < begun.length + more) {
                bytes = new byte[begun.length + more + begun.length / 2];
            }
            System.arraycopy(begun, 0, bytes, 0, begun.length);
            lines = 0;
            rows = 0;
            cells = 0;
            return bytes;
        }

        Chunk parsed() {
            int at = 0;
            while (at < length && !ambiguous) {
                at = line(at);
            }
            return this;
        }

        /** Parses the line that begins here and returns where the next one begins. */
        private int line(int begin) {
            int at = begin;
            if (rows + 1 == firstCell.length) {
                firstCell = Arrays.copyOf(firstCell, 2 * rows + 2);
                lineOf = Arrays.copyOf(lineOf, 2 * rows + 2);
            }
            firstCell[rows] = cells;
            lineOf[rows] = lines;
            while (true) {
                int start = at;
                double number = decimal.read(bytes, at, length);
                int end = decimal.end();
                at = end;
                if (Double.isNaN(number) || end < length && !endsCell(bytes[end])) {
                    at = start;
                    if (at < length && bytes[at] == '"') {
                        start = ++at;
                        while (at < length && bytes[at] != '"' && bytes[at] != '\n' && bytes[at] != '\r') {
                            at++;
                        }
                        end = at;
                        ambiguous |= at == length || bytes[at++] != '"' || at < length && !endsCell(bytes[at]);
                    } else {
                        while (at < length && !endsCell(bytes[at])) {
                            ambiguous |= bytes[at++] == '"';
                        }
                        end = at;
                    }
                    if (ambiguous) {
                        return at;
                    }
                    number = number(start, end);
                }
                boolean last = at == length || bytes[at] != separator;
                // An empty line is not a row.
                if (!last || at > begin) {
                    add(start, end, number);
                }
                if (last) {
                    return endLine(at);
                }
                at++;
            }
        }

        private boolean endsCell(byte c) {
            return c == separator || c == '\n' || c == '\r';
        }

        private int endLine(int end) {
            int at = end;
            if (at < length && bytes[at] == '\r') {
                // A lone carriage return also ends a line, unless the chunk was divided there.
                ambiguous |= ++at == length || bytes[at] != '\n';
            }
            rows += cells > firstCell[rows] ? 1 : 0;
            firstCell[rows] = cells;
            lines++;
            return at + 1;
        }

        private double number(int start, int end) {
            double number = decimal.read(bytes, start, end);
            return Double.isNaN(number) || decimal.end() < end ? Csv.number(text(start, end)) : number;
        }

        private void add(int start, int end, double number) {
            if (cells == starts.length) {
                int more = Math.max(length / 6, cells + cells / 4) + 8;
                starts = Arrays.copyOf(starts, more);
                ends = Arrays.copyOf(ends, more);
                numbers = Arrays.copyOf(numbers, more);
            }
            starts[cells] = start;
            ends[cells] = end;
            numbers[cells++] = number;
        }

        private String text(int start, int end) {
            return new String(bytes, start, end - start, StandardCharsets.UTF_8);
        }

        Row row(int r) {
            return new Row() {
                @Override
                public int cells() {
                    return firstCell[r + 1] - firstCell[r];
                }

                @Override
                public String cell(int c) {
                    int i = firstCell[r] + c;
                    return text(starts[i], ends[i]);
                }

                @Override
                public double number(int c) {
                    return numbers[firstCell[r] + c];
                }

                @Override
                public long line() {
                    return firstLine + lineOf[r] + 1;
                }
            };
        }
    }
}
