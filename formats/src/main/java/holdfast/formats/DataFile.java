package holdfast.formats;

import holdfast.Check;
import holdfast.InputException;
import holdfast.data.Dataset;
import holdfast.data.DatasetBuilder;
import holdfast.data.Schema;
import holdfast.data.Table;
import holdfast.evaluation.TrainedModel;
import holdfast.model.Target;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.preparation.Encoding;
import holdfast.rounds.TrainingException;
import java.io.BufferedInputStream;
import java.io.FileInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleConsumer;
import java.util.function.IntFunction;
import java.util.zip.GZIPInputStream;

/**
 * A place to read data from, with the matching reader: a file (plain, gzip or converted), {@code -} for standard input,
 * {@code builtin:spambase} or {@code builtin:digits} for the embedded data of UCI (see NOTICE).
 */
public record DataFile(String name) {
    /** Number of bytes of a file that may be examined to find its format. */
    static final int SNIFFED = 1 << 16;

    private static final System.Logger LOG = System.getLogger("holdfast.formats");
    private static final int MAX_WARNINGS = 8;

    static final String BUILTIN = "builtin:";
    private static final List<String> BUILTINS = List.of("spambase", "digits");

    /** Reads training data as a plan says; nothing is learnt from them yet. */
    public static Table read(String name, Plan plan) {
        return read(List.of(name), plan);
    }

    /** Reads one table, or several files or the files of a folder as one table, in which each file is a source. */
    public static Table read(List<String> names, Plan plan) {
        return read(names, plan, DatasetBuilder::new, share -> {});
    }

    /**
     * Warns of the columns of a table that groups of its sources read on their own: once, of all rows together. Where they
     * cannot be read together, each group says what is wrong with its own.
     */
    public static void warnOfColumns(List<String> names, Plan plan) {
        try {
            warnOfColumns(table(names, plan, DatasetBuilder::new, share -> {}), plan);
        } catch (InputException | TrainingException e) {
            LOG.log(System.Logger.Level.DEBUG, e.getMessage());
        }
    }

    private static Table table(
            List<String> names, Plan plan, IntFunction<DatasetBuilder> builders, DoubleConsumer progress) {
        Optional<DataFiles> several = DataFiles.of(names);
        return several.isPresent()
                ? several.get().read(plan, builders, progress)
                : new DataFile(names.get(0)).read(plan, builders, progress);
    }

    private static Table read(
            List<String> names, Plan plan, IntFunction<DatasetBuilder> builders, DoubleConsumer progress) {
        Table table = table(names, plan, builders, progress);
        SourceFacts.warnOf(table.source().name(), table.unusable());
        boolean fresh = DataFiles.of(names).isPresent()
                || !names.get(0).startsWith(BUILTIN) && !new DataFile(names.get(0)).isConverted();
        if (fresh) {
            warnOfColumns(table, plan);
        }
        return table;
    }

    private static void warnOfColumns(Table table, Plan plan) {
        List<String> warnings = ColumnWarnings.of(table, plan.get(PlanKey.WORKERS_BY));
        for (String warning : warnings.subList(0, Math.min(MAX_WARNINGS, warnings.size()))) {
            LOG.log(System.Logger.Level.WARNING, "{0}: {1}", table.source().name(), warning);
        }
        if (warnings.size() > MAX_WARNINGS) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "{0}: {1} more warnings about columns; ./holdfast profile lists them",
                    table.source().name(),
                    Integer.toString(warnings.size() - MAX_WARNINGS));
        }
    }

    /**
     * Returns the plan to train with on these files. If there are several, each is one source. If one was converted,
     * open settings are those of the conversion, so that the plan reads the original table in the same way; only the
     * given plan decides whether its rows train by source.
     */
    public static Plan asRead(List<String> names, Plan plan) {
        if (DataFiles.of(names).isPresent()) {
            return DataFiles.bySource(plan);
        }
        DataFile file = new DataFile(names.get(0));
        return file.isConverted() ? Hfd.asConverted(file.name, plan) : plan;
    }

    private Table read(Plan plan, IntFunction<DatasetBuilder> builders, DoubleConsumer progress) {
        String format = plan.get(PlanKey.FORMAT).orElse("auto");
        Check.that(
                List.of("auto", "csv", "libsvm", "parquet").contains(format),
                "--format must be one of auto, csv, libsvm, parquet; got '%s'",
                format);
        return scan(
                CellFormat.of(plan),
                (reader, in) -> {
                    boolean chosen = !format.equals("auto") && !(reader instanceof Hfd);
                    Check.that(
                            !chosen || !format.equals("parquet"), "%s: parquet is read by train --engine spark", name);
                    return (chosen ? Readers.named(format) : reader).read(in, plan, builders);
                },
                progress);
    }

    /**
     * Reads a table as a plan says and writes it as an .hfd file, which can be used for training without loading it
     * into memory. Only labels and names are kept in memory; the temporary files of the conversion are next to the
     * target.
     *
     * @param reading receives the share of the table read so far, if its size is known
     * @param writing receives the share of the target written so far
     * @return the number of rows
     */
    public static int convert(String name, Plan plan, Path target, DoubleConsumer reading, DoubleConsumer writing) {
        return convert(List.of(name), plan, target, reading, writing);
    }

    /** Does the same with several files, or the files of a folder, read as one table. */
    public static int convert(
            List<String> names, Plan given, Path target, DoubleConsumer reading, DoubleConsumer writing) {
        AtomicFile.requireBeWritable(target);
        Check.that(!new DataFile(names.get(0)).isConverted(), "%s: is an .hfd file already", names.get(0));
        Plan plan = asRead(names, given);
        Path folder = target.toAbsolutePath().getParent();
        List<Spill> spills = new ArrayList<>();
        try {
            Table data = read(
                    names,
                    plan,
                    columns -> {
                        spills.add(Spill.in(folder, columns));
                        return spills.get(spills.size() - 1).builder();
                    },
                    reading);
            HfdWriter.write(target, data, plan, writing);
            return data.rows();
        } finally {
            spills.forEach(Spill::close);
        }
    }

    /** Returns whether this is a file that can be mapped. */
    public boolean isConverted() {
        if (name.equals("-") || name.startsWith(BUILTIN)) {
            return false;
        }
        try {
            Path path = Path.of(name);
            if (!Files.isRegularFile(path)) {
                return false;
            }
            try (BufferedInputStream in = new BufferedInputStream(Files.newInputStream(path))) {
                return Readers.recognised(in) instanceof Hfd;
            }
        } catch (IOException | InvalidPathException e) {
            // The next attempt to open the file reports the reason.
            return false;
        }
    }

    /**
     * Reads more data for a model, as its features.
     *
     * @param schema what the features mean
     * @param encoding how the columns of a table become features
     * @param labelled whether labels are required; if not, they are 0
     */
    public static Dataset read(String name, Schema schema, Encoding encoding, boolean labelled) {
        return read(
                name,
                schema,
                encoding,
                labelled ? new Labels(name, schema) : null,
                Optional.empty(),
                CellFormat.DEFAULT);
    }

    /** Reads more data for a model, written as its training data were. */
    public static Dataset read(String name, ModelFile model, boolean labelled) {
        return read(name, model, labelled, KeptColumns.none());
    }

    /**
     * Does the same, and keeps columns of the table as text.
     *
     * @param kept receives them
     */
    public static Dataset read(String name, ModelFile model, boolean labelled, KeptColumns kept) {
        Schema schema = model.model().schema();
        return new DataFile(name)
                .scan(
                        model.cells(),
                        kept,
                        (reader, in) -> reader.read(
                                in,
                                schema,
                                model.model().encoding(),
                                labelled ? new Labels(name, schema) : null,
                                Optional.empty()),
                        share -> {});
    }

    /** Reads more data for this model, as its features. */
    public static Dataset read(String name, TrainedModel model, boolean labelled) {
        return read(name, model.schema(), model.encoding(), labelled);
    }

    /** Reads more labelled data, for a model that learnt labels of this kind. */
    public static Dataset read(String name, Schema schema, Encoding encoding, Target target) {
        return read(name, schema, encoding, target, Optional.empty());
    }

    /**
     * Does the same, and reads the source of each row.
     *
     * @param source the column that names it; if it is not given or not there, rows name no source
     */
    public static Dataset read(String name, Schema schema, Encoding encoding, Target target, Optional<String> source) {
        return read(name, schema, encoding, target, source, CellFormat.DEFAULT);
    }

    /**
     * Does the same for a table whose cells are written in a certain way.
     *
     * @param cells as the training plan says
     */
    public static Dataset read(
            String name, Schema schema, Encoding encoding, Target target, Optional<String> source, CellFormat cells) {
        return read(name, schema, encoding, new Labels(name, schema, target), source, cells);
    }

    private static Dataset read(
            String name, Schema schema, Encoding encoding, Labels labels, Optional<String> source, CellFormat cells) {
        return new DataFile(name)
                .scan(cells, (reader, in) -> reader.read(in, schema, encoding, labels, source), share -> {});
    }

    /** Reads a file with the reader that recognises it. */
    interface Reading<T> {
        T read(Reader reader, Reader.Input in) throws IOException;
    }

    <T> T scan(CellFormat cells, Reading<T> reading, DoubleConsumer progress) {
        return scan(cells, KeptColumns.none(), reading, progress);
    }

    /** @param kept columns to keep as text, if the reader reads rows for a model */
    <T> T scan(CellFormat cells, KeptColumns kept, Reading<T> reading, DoubleConsumer progress) {
        try (DigestInputStream stored = new DigestInputStream(watched(openStored(), progress), sha256());
                InputStream text = unzipped(stored)) {
            BufferedInputStream in = new BufferedInputStream(text, SNIFFED);
            boolean utf8 = cells.encoding().equals(StandardCharsets.UTF_8) || Readers.recognised(in) instanceof Hfd;
            BufferedInputStream letters =
                    utf8 ? in : new BufferedInputStream(new Utf8Stream(in, cells.encoding()), SNIFFED);
            Reader reader = Readers.recognised(letters);
            if (!(reader instanceof Csv)) {
                kept.requireBeEmpty(name);
            }
            return reading.read(reader, new Reader.Input(name, letters, () -> digest(stored), cells, kept));
        } catch (UncheckedIOException e) {
            throw new InputException(name + ": cannot be read: " + AtomicFile.reason(e.getCause()));
        } catch (IOException e) {
            throw new InputException(name + ": cannot be read: " + AtomicFile.reason(e));
        }
    }

    /** Reads all stored bytes and returns their SHA-256, in hex. */
    String digest() {
        try (DigestInputStream stored = new DigestInputStream(openStored(), sha256())) {
            return digest(stored);
        } catch (IOException e) {
            throw new InputException(name + ": cannot be read: " + AtomicFile.reason(e));
        }
    }

    private static String digest(DigestInputStream stored) {
        try {
            stored.transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return HexFormat.of().formatHex(stored.getMessageDigest().digest());
    }

    private InputStream watched(InputStream in, DoubleConsumer progress) throws IOException {
        double size = in instanceof FileInputStream || name.equals("-") || name.startsWith(BUILTIN)
                ? Double.POSITIVE_INFINITY
                : Files.size(Path.of(name));
        return new FilterInputStream(in) {
            private long done;

            @Override
            public int read(byte[] into, int offset, int length) throws IOException {
                int count = super.read(into, offset, length);
                done += Math.max(0, count);
                progress.accept(done / size);
                return count;
            }
        };
    }

    /** Creates the digest that identifies data. */
    public static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    /** Opens the bytes as they are stored. */
    InputStream openStored() {
        try {
            if (name.equals("-")) {
                return System.in;
            }
            if (name.startsWith(BUILTIN)) {
                String which = name.substring(BUILTIN.length());
                Check.that(
                        BUILTINS.contains(which),
                        "unknown data '%s'; known: %s",
                        name,
                        String.join(
                                ", ", BUILTINS.stream().map(b -> BUILTIN + b).toList()));
                return DataFile.class.getResourceAsStream(which + ".csv.gz");
            }
            Path path = path(name);
            Check.that(!Files.isDirectory(path), "%s: is a folder; a file is needed", name);
            // The stream of a channel asks for its position, but a pipe, as in <(zcat mail.csv.gz), has none.
            return Files.isRegularFile(path) || Files.notExists(path)
                    ? Files.newInputStream(path)
                    : new FileInputStream(path.toFile());
        } catch (IOException e) {
            throw new InputException(name + ": cannot be read: " + AtomicFile.reason(e));
        }
    }

    static Path path(String name) {
        try {
            return Path.of(name);
        } catch (InvalidPathException e) {
            throw new InputException(name + ": is not a file name");
        }
    }

    /** Unzips if the first two bytes are those of gzip. */
    static InputStream unzipped(InputStream stored) throws IOException {
        BufferedInputStream in = new BufferedInputStream(stored, 1 << 16);
        in.mark(2);
        boolean gzip = in.read() == 0x1f && in.read() == 0x8b;
        in.reset();
        return gzip ? new GZIPInputStream(in, 1 << 16) : in;
    }
}
