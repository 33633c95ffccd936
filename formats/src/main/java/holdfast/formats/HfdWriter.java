package holdfast.formats;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import holdfast.Check;
import holdfast.data.Block;
import holdfast.data.Dataset;
import holdfast.data.Schema;
import holdfast.data.Table;
import holdfast.data.TableColumn;
import holdfast.data.UnusableSource;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.preparation.Storage;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleConsumer;
import java.util.function.IntToDoubleFunction;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import java.util.zip.CheckedOutputStream;

/** Writes tables as files that {@link Hfd} maps. */
final class HfdWriter {
    private static final int PAGE = 4096;
    /** The largest number up to which floats hold all whole numbers. */
    private static final int MAX_IN_FLOATS = 1 << 24;
    /**
     * The settings of the first version, in its order. This list is part of the format and does not follow the order in
     * which settings are shown: readers find settings by name, but the same table must give the same bytes whichever
     * version converts it. Settings for reading that were added later come after these, unless they have their default
     * values.
     */
    private static final List<PlanKey<?>> SETTINGS = List.of(
            PlanKey.LABEL,
            PlanKey.WORKERS_BY,
            PlanKey.WEIGHTS_BY,
            PlanKey.FORMAT,
            PlanKey.HEADER,
            PlanKey.ONE_HOT,
            PlanKey.MISSING);

    private HfdWriter() {}

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
        long rowBytes = (long) data.columns() * HfdStore.valueBytes(floats)
                + (1 + (weighted ? 1 : 0) + (data.hasGroups() ? 1 : 0)) * Double.BYTES;
        ByteBuffer head = ByteBuffer.allocate(Hfd.HEAD).order(ByteOrder.LITTLE_ENDIAN);
        head.put(Hfd.MAGIC)
                .putInt(!table.unusable().isEmpty() ? Hfd.VERSION : !table.isNumbers() ? Hfd.OF_CELLS : floats ? 2 : 1)
                .putInt(header.length)
                .putLong(Hfd.HEAD + header.length + data.rows() * rowBytes + Integer.BYTES);
        AtomicFile.write(target, file -> {
            CRC32C crc = new CRC32C();
            OutputStream out = new CheckedOutputStream(new BufferedOutputStream(file, 1 << 16), crc);
            out.write(head.array());
            out.write(header);
            double[] row = new double[data.columns()];
            ByteBuffer bytes = room(row.length, HfdStore.valueBytes(floats));
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

    /** Returns the settings that decided how the table was read, in the order of the file. */
    static List<PlanKey<?>> settings() {
        return Stream.concat(SETTINGS.stream(), PlanKey.aboutFiles().stream())
                .distinct()
                .toList();
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
                ModelFile.putDate(node, column.date());
            }
        }
        if (!data.unusable().isEmpty()) {
            ArrayNode unusable = root.putArray("unusable");
            for (UnusableSource source : data.unusable()) {
                unusable.addObject().put("name", source.name()).put("reason", source.reason());
            }
        }
        Map<String, String> reading = new LinkedHashMap<>();
        settings().stream()
                .filter(key -> SETTINGS.contains(key) || !Hfd.print(key, plan).equals(Hfd.print(key, Plan.defaults())))
                .forEach(key -> reading.put(key.name(), Hfd.print(key, plan)));
        Json.put(root, "plan", reading);
        byte[] text = Json.print(root).getBytes(StandardCharsets.UTF_8);
        int length = (Hfd.HEAD + text.length + PAGE - 1) / PAGE * PAGE - Hfd.HEAD;
        byte[] padded = Arrays.copyOf(text, length);
        Arrays.fill(padded, text.length, length, (byte) ' ');
        return padded;
    }
}
