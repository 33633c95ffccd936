package holdfast.formats;

import holdfast.Check;
import holdfast.InputException;
import holdfast.data.DataSource;
import holdfast.data.Dataset;
import holdfast.data.DatasetBuilder;
import holdfast.data.Schema;
import holdfast.data.Store;
import holdfast.data.Table;
import holdfast.data.TableColumn;
import holdfast.data.UnusableSource;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.plan.ResolvedPlan;
import holdfast.preparation.EncodedTable;
import holdfast.preparation.Encoding;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.zip.CRC32C;

/**
 * Data sets in files that are mapped into memory instead of read, so they may be larger than memory. {@link HfdWriter}
 * writes them. Little-endian:
 *
 * <pre>
 * 8 bytes   89 H F D 0D 0A 1A 0A, which no text file begins with and a transfer as text corrupts
 * int       version: 1; 2 if the header says how values are stored; 3 if values are cells of a table; 4 if sources
 *           are left out because they cannot be used
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
 *
 * <p>Sources that cannot be used are stored by name and reason, without their rows, so that training counts them as it
 * would with the table.
 */
final class Hfd implements Reader {
    static final byte[] MAGIC = {(byte) 0x89, 'H', 'F', 'D', '\r', '\n', 0x1a, '\n'};
    static final int VERSION = 4;
    /** The version of a table whose sources can all be used. */
    static final int OF_CELLS = 3;

    static final int HEAD = MAGIC.length + 2 * Integer.BYTES + Long.BYTES;

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

    static <T> String print(PlanKey<T> key, Plan plan) {
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
                String had = converted.getOrDefault(key.name(), print(key, Plan.defaults()));
                // A model of an earlier version has settings for what that version did.
                String older = ModelFile.withColumns(converted).getOrDefault(key.name(), had);
                Check.that(
                        asked.equals(print(key, Plan.defaults()))
                                || asked.equals(had)
                                || asked.equals(older)
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
            List<UnusableSource> unusable = unusable(header);
            boolean named = plan.bySource();
            int sources = schema.groups().size() + unusable.size();
            if (!unusable.isEmpty() && !(named && ResolvedPlan.toleratedSources(plan, sources) > 0)) {
                throw new InputException(unusable.get(0).reason());
            }
            return table(
                            header,
                            Dataset.of(
                                    named ? schema : schema.withoutGroups(),
                                    store,
                                    named ? groups : null,
                                    source(name, header)))
                    .without(unusable);
        });
    }

    /** Maps more data; columns are found by name. Sources are those of the conversion. */
    @Override
    public Dataset read(Input in, Schema known, Encoding encoding, Labels labels, Optional<String> source) {
        String name = in.name();
        boolean labelled = labels != null;
        Dataset features = map(name, (header, store, groups) -> {
            boolean named = source.isPresent() && groups != null;
            Schema schema = named ? schema(header) : schema(header).withoutGroups();
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
            Dataset cells = Dataset.of(schema, store, named ? groups : null, source(name, header));
            Dataset encoded = alike ? cells : encoding.featuresOf(table(header, cells), known);
            return named ? encoded.grouped(schema.groups(), groups) : encoded;
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

    private static List<UnusableSource> unusable(Json header) {
        return header.node().has("unusable")
                ? header.objects("unusable").stream()
                        .map(source -> new UnusableSource(source.text("name"), source.text("reason")))
                        .toList()
                : List.of();
    }

    static List<TableColumn> columns(Json header) {
        return header.objects("table").stream()
                .map(column -> new TableColumn(
                        column.text("name"),
                        column.texts("categories"),
                        TableColumn.Missing.parse(column.text("missing")),
                        ModelFile.date(column)))
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
            HfdStore rows = new HfdStore(header, floats, file, HEAD + (long) length, size - Integer.BYTES);
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
}
