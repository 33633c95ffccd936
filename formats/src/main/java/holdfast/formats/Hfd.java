package holdfast.formats;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import holdfast.Check;
import holdfast.InputException;
import holdfast.data.Block;
import holdfast.data.DataSource;
import holdfast.data.Dataset;
import holdfast.data.DatasetBuilder;
import holdfast.data.Schema;
import holdfast.data.Store;
import holdfast.data.Table;
import holdfast.data.TableColumn;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.preparation.EncodedTable;
import holdfast.preparation.Encoding;
import holdfast.preparation.Storage;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleConsumer;
import java.util.function.IntFunction;
import java.util.function.IntToDoubleFunction;
import java.util.zip.CRC32C;
import java.util.zip.CheckedOutputStream;

/**
 * Data sets in files that are mapped into memory instead of read, so they may be larger than memory. Little-endian:
 *
 * <pre>
 * 8 bytes   89 H F D 0D 0A 1A 0A, which no text file begins with and a transfer as text corrupts
 * int       version: 1; 2 if the header says how values are stored; 3 if values are cells of a table
 * int       length of the header
 * long      length of the file
 * header    JSON in UTF-8: what the columns mean, the plan's settings for reading, the source and its SHA-256;
 *           padded with blanks to a multiple of 4096 from the start of the file
 * values    row after row, as doubles or floats
 * doubles   all labels; then all weights, if any; then all sources by number, if any
 * int       CRC-32C of all bytes before
 * </pre>
 *
 * <p>If a table has text or cells that may be missing, the values are its cells, see {@link TableColumn}; how they
 * become features is learnt from training rows. Versions 1 and 2 stored such tables as features that were learnt from
 * all rows; these files are still read, with a warning.
 */
final class Hfd implements Reader {
    private static final byte[] MAGIC = {(byte) 0x89, 'H', 'F', 'D', '\r', '\n', 0x1a, '\n'};
    private static final int VERSION = 3;
    private static final int HEAD = MAGIC.length + 2 * Integer.BYTES + Long.BYTES;
    private static final int PAGE = 4096;
    private static final List<String> SETTINGS =
            List.of("label", "workers-by", "weights-by", "format", "header", "one-hot", "missing");
    /** The largest number up to which floats hold all whole numbers. */
    private static final int MAX_IN_FLOATS = 1 << 24;

    private static final System.Logger LOG = System.getLogger("holdfast.formats");

    @Override
    public String name() {
        return "hfd";
    }

    @Override
    public boolean recognises(BufferedInputStream in) throws IOException {
        in.mark(MAGIC.length);
        byte[] start = in.readNBytes(MAGIC.length);
        in.reset();
        return Arrays.equals(start, MAGIC);
    }

    /**
     * Writes a table, one row at a time; writes the whole file or nothing.
     *
     * @param plan the plan with which the table was read
     * @param progress receives the share written so far
     */
    static void write(Path target, Table table, Plan plan, DoubleConsumer progress) {
        Dataset data = table.cells();
        Check.that(
                !data.sparse(),
                "%s: its rows are sparse, which .hfd files cannot hold yet; train on it as it is",
                data.source().name());
        boolean weighted = data.weighted();
        boolean floats = plan.get(PlanKey.STORAGE) == Storage.FLOAT;
        for (TableColumn column : table.isNumbers() ? List.<TableColumn>of() : table.columns()) {
            Check.that(
                    !floats || column.categories().size() <= MAX_IN_FLOATS,
                    "%s: column %s has too many different values for --storage float; use --storage double",
                    data.source().name(),
                    column.name());
        }
        byte[] header = header(table, plan, weighted, floats);
        long rowBytes = (long) data.columns() * valueBytes(floats)
                + (1 + (weighted ? 1 : 0) + (data.hasGroups() ? 1 : 0)) * Double.BYTES;
        ByteBuffer head = ByteBuffer.allocate(HEAD).order(ByteOrder.LITTLE_ENDIAN);
        head.put(MAGIC)
                .putInt(!table.isNumbers() ? VERSION : floats ? 2 : 1)
                .putInt(header.length)
                .putLong(HEAD + header.length + data.rows() * rowBytes + Integer.BYTES);
        AtomicFile.write(target, file -> {
            CRC32C crc = new CRC32C();
            OutputStream out = new CheckedOutputStream(new BufferedOutputStream(file, 1 << 16), crc);
            out.write(head.array());
            out.write(header);
            double[] row = new double[data.columns()];
            ByteBuffer bytes = room(row.length, valueBytes(floats));
            for (int b = 0; b < data.blocks().size(); b++) {
                Block block = data.blocks().get(b);
                for (int j = 0; j < block.rows(); j++) {
                    block.copyRow(j, row, 0);
                    if (floats) {
                        putFloats(data, b * data.blockRows() + j, row, bytes);
                    } else {
                        bytes.asDoubleBuffer().put(row);
                    }
                    out.write(bytes.array());
                }
                progress.accept((b + 1.0) / data.blocks().size());
            }
            writeEach(out, data, data::label);
            if (weighted) {
                writeEach(out, data, data::weight);
            }
            if (data.hasGroups()) {
                writeEach(out, data, data::group);
            }
            out.write(ByteBuffer.allocate(Integer.BYTES)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putInt((int) crc.getValue())
                    .array());
            out.flush();
        });
    }

    private static int valueBytes(boolean floats) {
        return floats ? Float.BYTES : Double.BYTES;
    }

    private static void putFloats(Dataset data, int r, double[] row, ByteBuffer bytes) {
        for (int i = 0; i < row.length; i++) {
            if (!Double.isNaN(row[i])) {
                data.requireFits(row[i], r, i);
            }
            bytes.putFloat(i * Float.BYTES, (float) row[i]);
        }
    }

    private static ByteBuffer room(int numbers, int each) {
        return ByteBuffer.allocate(Math.multiplyExact(numbers, each)).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static void writeEach(OutputStream out, Dataset data, IntToDoubleFunction of) throws IOException {
        ByteBuffer bytes = room(1, Double.BYTES);
        for (int r = 0; r < data.rows(); r++) {
            out.write(bytes.putDouble(0, of.applyAsDouble(r)).array());
        }
    }

    private static byte[] header(Table data, Plan plan, boolean weighted, boolean floats) {
        Schema schema = data.schema();
        ObjectNode root = Json.MAPPER.createObjectNode();
        root.put("source", data.source().name());
        // Rounded values are other data: no run may be resumed or repeated on them as if they were the table.
        root.put("sha256", data.source().sha256() + (floats ? "-float" : ""));
        root.put("storage", floats ? "float" : "double");
        root.put("rows", data.rows());
        root.put("weighted", weighted);
        root.put("label", schema.label());
        Json.put(root, "classes", schema.classes());
        Json.put(root, "groups", schema.groups());
        Json.put(root, "features", schema.features());
        if (!data.isNumbers()) {
            ArrayNode table = root.putArray("table");
            for (TableColumn column : data.columns()) {
                ObjectNode node = table.addObject();
                node.put("name", column.name());
                Json.put(node, "categories", column.categories());
                node.put("missing", column.missing().toString());
            }
        }
        Map<String, String> reading = new LinkedHashMap<>();
        PlanKey.aboutFiles().stream()
                .sorted(Comparator.comparingInt(Hfd::place))
                .forEach(key -> reading.put(key.name(), print(key, plan)));
        Json.put(root, "plan", reading);
        byte[] text = Json.print(root).getBytes(StandardCharsets.UTF_8);
        int length = (HEAD + text.length + PAGE - 1) / PAGE * PAGE - HEAD;
        byte[] padded = Arrays.copyOf(text, length);
        Arrays.fill(padded, text.length, length, (byte) ' ');
        return padded;
    }

    /** Settings keep the order of older files, so that the same table gives the same bytes; new ones follow. */
    private static int place(PlanKey<?> key) {
        int known = SETTINGS.indexOf(key.name());
        return known < 0 ? SETTINGS.size() : known;
    }

    private static <T> String print(PlanKey<T> key, Plan plan) {
        return key.print(plan.get(key));
    }

    /**
     * Maps training data. A setting of the plan for reading files must be its default or the same as in the conversion.
     * Rows name their sources if the plan asks for them.
     */
    @Override
    public Table read(Input in, Plan plan, IntFunction<DatasetBuilder> builders) {
        String name = in.name();
        return map(name, (header, store, groups) -> {
            Schema schema = schema(header);
            Map<String, String> converted = header.settings("plan");
            for (PlanKey<?> key : PlanKey.aboutFiles()) {
                String asked = print(key, plan);
                String had = converted.getOrDefault(key.name(), "");
                Check.that(
                        asked.equals(print(key, Plan.defaults()))
                                || asked.equals(had)
                                || key == PlanKey.LABEL && asked.equals(schema.label()),
                        "%s: was converted with %s '%s', got '%s'; convert again to change it",
                        name,
                        key.flag(),
                        had,
                        asked);
            }
            plan.model(schema);
            if (!ModelFile.encoding(header).equals(Encoding.NONE)) {
                LOG.log(
                        System.Logger.Level.WARNING,
                        "{0}: was converted by an older version, which learnt categories and the fills of missing cells"
                                + " from all rows, those held out included; convert again",
                        name);
            }
            boolean named = plan.bySource();
            return table(
                    header,
                    Dataset.of(
                            named ? schema : schema.withoutGroups(),
                            store,
                            named ? groups : null,
                            source(name, header)));
        });
    }

    /** Maps more data; columns are found by name. */
    @Override
    public Dataset read(Input in, Schema known, Encoding encoding, Labels labels) {
        String name = in.name();
        boolean labelled = labels != null;
        Dataset features = map(name, (header, store, groups) -> {
            Schema schema = schema(header).withoutGroups();
            Encoding written = ModelFile.encoding(header);
            boolean alike = !header.node().has("table")
                    && schema.features().equals(known.features())
                    && written.equals(encoding);
            Check.that(
                    alike || written.equals(Encoding.NONE),
                    "%s: must have the features of the model, in their order and encoded alike; the table it was converted"
                            + " from can be used as it is, or converted again",
                    name);
            Check.that(
                    !labelled || schema.label().equals(known.label()),
                    "%s: must have the label %s, got %s; convert again with --label %s",
                    name,
                    known.label(),
                    schema.label(),
                    known.label());
            Check.that(
                    !labelled || schema.classes().equals(known.classes()),
                    "%s: labels must be those met in training, %s; got %s",
                    name,
                    described(known),
                    described(schema));
            Dataset cells = Dataset.of(schema, store, null, source(name, header));
            return alike ? cells : encoding.featuresOf(table(header, cells), known);
        });
        if (labelled) {
            labels.requireAllow(features);
        }
        return features;
    }

    private static String described(Schema schema) {
        return schema.classes().isEmpty() ? "numbers" : String.join(", ", schema.classes());
    }

    private static DataSource source(String name, Json header) {
        return new DataSource(name, header.text("sha256"));
    }

    private static Schema schema(Json header) {
        return new Schema(
                header.texts("features"), header.text("label"), header.texts("classes"), header.texts("groups"));
    }

    private static Table table(Json header, Dataset cells) {
        Encoding encoding = ModelFile.encoding(header);
        return header.node().has("table")
                ? Table.of(columns(header), cells)
                : encoding.equals(Encoding.NONE) ? Table.of(cells) : new EncodedTable(encoding, cells);
    }

    private static List<TableColumn> columns(Json header) {
        return header.objects("table").stream()
                .map(column -> new TableColumn(
                        column.text("name"),
                        column.texts("categories"),
                        TableColumn.Missing.parse(column.text("missing"))))
                .toList();
    }

    private interface Mapping<T> {
        T of(Json header, Store store, int[] groups);
    }

    /** Returns the plan with its open settings for reading, except the sources, taken from an intact file. */
    static Plan asConverted(String name, Plan plan) {
        try (FileChannel file = FileChannel.open(Path.of(name))) {
            int length = bytes(name, file, HEAD).getInt(MAGIC.length + Integer.BYTES);
            Json header = Json.parse(name, new String(bytes(name, file, length).array(), StandardCharsets.UTF_8));
            Plan settled = plan;
            Map<String, String> converted = header.settings("plan");
            for (PlanKey<?> key : PlanKey.aboutFiles()) {
                boolean open = print(key, plan).equals(print(key, Plan.defaults()));
                if (open && key != PlanKey.WORKERS_BY && converted.containsKey(key.name())) {
                    settled = settled.with(key.name(), converted.get(key.name()));
                }
            }
            return settled;
        } catch (IOException e) {
            throw new InputException(name + ": cannot be read: " + AtomicFile.reason(e));
        }
    }

    private static <T> T map(String name, Mapping<T> mapping) {
        requireBePlain(Files.isRegularFile(Path.of(name)), name);
        try (FileChannel file = FileChannel.open(Path.of(name))) {
            ByteBuffer head = bytes(name, file, HEAD);
            requireBePlain(Arrays.equals(Arrays.copyOf(head.array(), MAGIC.length), MAGIC), name);
            int version = head.getInt(MAGIC.length);
            Check.that(
                    version >= 1 && version <= VERSION,
                    "%s: .hfd version must be at most %d, got %d; it was written by a newer holdfast",
                    name,
                    VERSION,
                    version);
            int length = head.getInt(MAGIC.length + Integer.BYTES);
            long size = head.getLong(MAGIC.length + 2 * Integer.BYTES);
            Check.that(
                    file.size() == size,
                    "%s: must have %d bytes, got %d; it is not whole, convert again",
                    name,
                    size,
                    file.size());
            Check.that(
                    length >= 0 && length <= size - HEAD - Integer.BYTES && intact(file, size - Integer.BYTES),
                    "%s: is damaged: its content does not match its checksum; convert again",
                    name);
            file.position(HEAD);
            Json header = Json.parse(name, new String(bytes(name, file, length).array(), StandardCharsets.UTF_8));
            boolean floats = version > 1 && header.text("storage").equals("float");
            Mapped rows = new Mapped(header, floats, file, HEAD + (long) length, size - Integer.BYTES);
            rows.requireBeSound();
            return mapping.of(header, rows, rows.groups());
        } catch (IOException e) {
            throw new InputException(name + ": cannot be read: " + AtomicFile.reason(e));
        }
    }

    private static void requireBePlain(boolean plain, String name) {
        Check.that(plain, "%s: is an .hfd file, which must be a plain file to be mapped", name);
    }

    private static ByteBuffer bytes(String name, FileChannel file, int count) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(count).order(ByteOrder.LITTLE_ENDIAN);
        while (bytes.hasRemaining()) {
            Check.that(file.read(bytes) >= 0, "%s: is cut off; convert again", name);
        }
        return bytes;
    }

    /** Returns whether the checksum at the end matches the bytes before it. */
    private static boolean intact(FileChannel file, long end) throws IOException {
        CRC32C crc = new CRC32C();
        ByteBuffer part = ByteBuffer.allocateDirect(1 << 18).order(ByteOrder.LITTLE_ENDIAN);
        long done = 0;
        while (done < end) {
            part.clear().limit((int) Math.min(part.capacity(), end - done));
            int count = file.read(part, done);
            if (count < 0) {
                return false;
            }
            crc.update(part.flip());
            done += count;
        }
        part.clear().limit(Integer.BYTES);
        return file.read(part, end) == Integer.BYTES && part.getInt(0) == (int) crc.getValue();
    }

    /** The rows of a file. */
    private static final class Mapped implements Store {
        private final Json header;
        private final int rows;
        private final int columns;
        private final MappedNumbers values;
        private final MappedNumbers labels;
        private final MappedNumbers weights;
        private final MappedNumbers groups;

        Mapped(Json header, boolean floats, FileChannel file, long start, long end) throws IOException {
            this.header = header;
            this.rows = header.integer("rows");
            this.columns = header.texts("features").size();
            boolean weighted = header.bool("weighted");
            boolean grouped = !header.texts("groups").isEmpty();
            long each = (long) Double.BYTES * rows;
            long afterValues = start + (long) valueBytes(floats) * rows * columns;
            long afterLabels = afterValues + each;
            long afterWeights = afterLabels + (weighted ? each : 0);
            Check.that(
                    rows > 0 && columns > 0 && afterWeights + (grouped ? each : 0) == end,
                    "%s: %d rows of %d features do not make up the file",
                    header.file(),
                    rows,
                    columns);
            this.values = new MappedNumbers(file, start, rows, columns, floats);
            this.labels = new MappedNumbers(file, afterValues, rows, 1);
            this.weights = weighted ? new MappedNumbers(file, afterLabels, rows, 1) : null;
            this.groups = grouped ? new MappedNumbers(file, afterWeights, rows, 1) : null;
        }

        /**
         * Rejects what would later be an index out of bounds; a checksum does not protect against a file made by a
         * stranger.
         */
        void requireBeSound() {
            int classes = header.texts("classes").size();
            for (int r = 0; r < rows; r++) {
                double label = label(r);
                Check.that(
                        classes == 0 ? Double.isFinite(label) : isIndex(label, classes),
                        "%s: row %d: the label must be a finite number or one of %d classes, got %s",
                        header.file(),
                        r + 1,
                        classes,
                        label);
                Check.that(
                        weights == null || weight(r) > 0 && Double.isFinite(weight(r)),
                        "%s: row %d: the weight must be finite and > 0, got %s",
                        header.file(),
                        r + 1,
                        weights == null ? 1 : weight(r));
            }
            if (header.node().has("table")) {
                requireBeCells(Hfd.columns(header));
            }
        }

        private void requireBeCells(List<TableColumn> table) {
            Check.that(
                    table.size() == columns,
                    "%s: the table must have %d columns, got %d",
                    header.file(),
                    columns,
                    table.size());
            double[] row = new double[columns];
            for (int r = 0; r < rows; r++) {
                read(r, row, 0);
                for (int c = 0; c < columns; c++) {
                    TableColumn column = table.get(c);
                    boolean sound = Double.isNaN(row[c])
                            ? column.missing() != TableColumn.Missing.FAIL
                            : column.isText()
                                    ? isIndex(row[c], column.categories().size())
                                    : Double.isFinite(row[c]);
                    if (!sound) {
                        throw new InputException(header.file() + ": row " + (r + 1) + ", column " + column.name()
                                + ": a cell cannot be " + row[c]);
                    }
                }
            }
        }

        private static boolean isIndex(double number, int count) {
            return number >= 0 && number < count && number == Math.rint(number);
        }

        int[] groups() {
            if (groups == null) {
                return null;
            }
            int count = header.texts("groups").size();
            int[] out = new int[rows];
            for (int r = 0; r < rows; r++) {
                double group = groups.get(r, 0);
                Check.that(
                        isIndex(group, count),
                        "%s: row %d: the source must be one of %d, got %s",
                        header.file(),
                        r + 1,
                        count,
                        group);
                out[r] = (int) group;
            }
            return out;
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
        public void read(int row, double[] into, int offset) {
            values.read(row, into, offset, columns);
        }

        @Override
        public double label(int row) {
            return labels.get(row, 0);
        }

        @Override
        public boolean weighted() {
            return weights != null;
        }

        @Override
        public double weight(int row) {
            return weights == null ? 1 : weights.get(row, 0);
        }
    }
}
