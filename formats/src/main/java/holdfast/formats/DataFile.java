package holdfast.formats;

import holdfast.Check;
import holdfast.InputException;
import holdfast.data.Dataset;
import holdfast.data.Schema;
import holdfast.model.Target;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import java.io.BufferedInputStream;
import java.io.FileInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.DoubleConsumer;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.zip.GZIPInputStream;

/**
 * A place data are read from, and the reader that fits: a file (plain, gzip or converted), {@code -} for standard input,
 * {@code builtin:spambase} or {@code builtin:digits} for the embedded data of UCI (see NOTICE).
 */
public record DataFile(String name) {
    /** How much of a file may be looked at to find out how it is written. */
    static final int SNIFFED = 1 << 16;

    /** The settings of a plan that decide how a table is read. */
    public static final List<PlanKey<?>> READING = List.of(
            PlanKey.LABEL,
            PlanKey.WORKERS_BY,
            PlanKey.WEIGHTS_BY,
            PlanKey.FORMAT,
            PlanKey.HEADER,
            PlanKey.ONE_HOT,
            PlanKey.MISSING);

    private static final String BUILTIN = "builtin:";
    private static final List<String> BUILTINS = List.of("spambase", "digits");

    /**
     * Reads training data as a plan says. Where the table has words, or cells that may be missing, its rows are cells and not
     * features yet: which features they make is learnt once it is known which rows train.
     */
    public static Dataset read(String name, Plan plan) {
        DataFile file = new DataFile(name);
        return file.isConverted() ? Hfd.read(name, plan) : file.read(plan, Dataset.Builder::new, share -> {});
    }

    /**
     * The plan with the settings by which a file was converted where it leaves them open, so that it reads the table itself
     * alike; the plan itself for other files. Whether rows train by their sources is for the plan to say.
     */
    public static Plan asConverted(String name, Plan plan) {
        return new DataFile(name).isConverted() ? Hfd.asConverted(name, plan) : plan;
    }

    private Dataset read(Plan plan, IntFunction<Dataset.Builder> builders, DoubleConsumer progress) {
        String format = plan.get(PlanKey.FORMAT);
        Check.that(!format.equals("parquet"), "%s: parquet is read by train --engine spark", name);
        return scan(
                in -> format.equals("libsvm") || format.equals("auto") && LibSvm.begins(in)
                        ? LibSvm.read(name, in, plan)
                        : Csv.read(name, in, plan, builders),
                progress);
    }

    /**
     * Reads a table as a plan says and writes it as an .hfd file, from which it can be trained on without being read into
     * memory. In memory are only its labels and names; the temporary files of the conversion are beside the target.
     *
     * @param reading is told the share of the table read, where its size is known
     * @param writing is told the share of the target written
     * @return the number of rows
     */
    public static int convert(String name, Plan plan, Path target, DoubleConsumer reading, DoubleConsumer writing) {
        AtomicFile.requireBeWritable(target);
        DataFile file = new DataFile(name);
        Check.that(!file.isConverted(), "%s: is an .hfd file already", name);
        Path folder = target.toAbsolutePath().getParent();
        List<Spill> spills = new ArrayList<>();
        try {
            Dataset data = file.read(
                    plan,
                    columns -> {
                        spills.add(Spill.in(folder, columns));
                        return spills.get(spills.size() - 1).builder();
                    },
                    reading);
            Hfd.write(target, data, plan, writing);
            return data.rows();
        } finally {
            spills.forEach(Spill::close);
        }
    }

    /** Whether this is a file that can be mapped. */
    private boolean isConverted() {
        if (name.equals("-") || name.startsWith(BUILTIN)) {
            return false;
        }
        try {
            Path path = Path.of(name);
            if (!Files.isRegularFile(path)) {
                return false;
            }
            try (BufferedInputStream in = new BufferedInputStream(Files.newInputStream(path))) {
                return Hfd.isNext(in);
            }
        } catch (IOException | InvalidPathException e) {
            // Whoever opens the file next says why it cannot be.
            return false;
        }
    }

    /**
     * Reads more data of a known schema.
     *
     * @param labelled whether there must be labels; if not, they are 0
     */
    public static Dataset read(String name, Schema schema, boolean labelled) {
        return more(name, schema).isConverted()
                ? Hfd.read(name, schema, labelled)
                : read(name, schema, labelled ? new Labels(name, schema) : null);
    }

    private static DataFile more(String name, Schema schema) {
        Check.that(
                schema.table().isEmpty(),
                "%s: must be read by the schema of a model; that of training data does not know yet what its columns become",
                name);
        return new DataFile(name);
    }

    /** Reads more labelled data of a known schema, for a model that learnt labels of this kind. */
    public static Dataset read(String name, Schema schema, Target target) {
        if (!more(name, schema).isConverted()) {
            return read(name, schema, new Labels(name, schema, target));
        }
        Dataset data = Hfd.read(name, schema, true);
        for (int r = 0; r < data.rows(); r++) {
            target.requireAllows(data.label(r), () -> name);
        }
        return data;
    }

    private static Dataset read(String name, Schema schema, Labels labels) {
        return new DataFile(name)
                .scan(
                        in -> LibSvm.begins(in)
                                ? LibSvm.read(name, in, schema, labels)
                                : Csv.read(name, in, schema, labels),
                        share -> {});
    }

    /** Consumes what is in a file, and makes the data set once the file's digest is known. */
    private interface Reader {
        Function<String, Dataset> read(BufferedInputStream in) throws IOException;
    }

    private Dataset scan(Reader reader, DoubleConsumer progress) {
        try (DigestInputStream stored = new DigestInputStream(watched(openStored(), progress), sha256());
                InputStream text = unzipped(stored)) {
            BufferedInputStream in = new BufferedInputStream(text, SNIFFED);
            Check.that(!Hfd.isNext(in), "%s: is an .hfd file, which must be a plain file to be mapped", name);
            var made = reader.read(in);
            stored.transferTo(OutputStream.nullOutputStream());
            return made.apply(HexFormat.of().formatHex(stored.getMessageDigest().digest()));
        } catch (UncheckedIOException e) {
            throw new InputException(name + ": cannot be read: " + AtomicFile.reason(e.getCause()));
        } catch (IOException e) {
            throw new InputException(name + ": cannot be read: " + AtomicFile.reason(e));
        }
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

    /** The digest by which data are known. */
    public static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    /** The bytes as they are stored. */
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
            Path path = Path.of(name);
            Check.that(!Files.isDirectory(path), "%s: is a folder; a file is needed", name);
            // The stream of a channel asks for its position, which a pipe, as in <(zcat mail.csv.gz), has not.
            return Files.isRegularFile(path) || Files.notExists(path)
                    ? Files.newInputStream(path)
                    : new FileInputStream(path.toFile());
        } catch (IOException e) {
            throw new InputException(name + ": cannot be read: " + AtomicFile.reason(e));
        } catch (InvalidPathException e) {
            throw new InputException(name + ": is not a file name");
        }
    }

    /** Unzips if the first two bytes say gzip. */
    static InputStream unzipped(InputStream stored) throws IOException {
        BufferedInputStream in = new BufferedInputStream(stored, 1 << 16);
        in.mark(2);
        boolean gzip = in.read() == 0x1f && in.read() == 0x8b;
        in.reset();
        return gzip ? new GZIPInputStream(in, 1 << 16) : in;
    }
}
