package holdfast.formats;

import holdfast.Check;
import holdfast.InputException;
import holdfast.data.Dataset;
import holdfast.model.Target;
import holdfast.training.PlanKey;
import holdfast.training.TrainingPlan;
import java.io.BufferedInputStream;
import java.io.FileInputStream;
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
import java.util.HexFormat;
import java.util.List;
import java.util.function.Function;
import java.util.zip.GZIPInputStream;

/**
 * A place data are read from, and the reader that fits: a file (plain or gzip), {@code -} for standard input, {@code builtin:spambase} or
 * {@code builtin:digits} for the embedded data of UCI (see NOTICE).
 */
public record DataFile(String name) {
    /** How much of a file may be looked at to find out how it is written. */
    static final int SNIFFED = 1 << 16;

    private static final String BUILTIN = "builtin:";
    private static final List<String> BUILTINS = List.of("spambase", "digits");

    /** Reads training data as a plan says. */
    public static Dataset read(String name, TrainingPlan plan) {
        String format = plan.get(PlanKey.FORMAT);
        return new DataFile(name)
                .scan(in -> format.equals("libsvm") || format.equals("auto") && LibSvm.begins(in)
                        ? LibSvm.read(name, in, plan)
                        : Csv.read(name, in, plan));
    }

    /**
     * Reads more data of a known schema.
     *
     * @param labelled whether there must be labels; if not, they are 0
     */
    public static Dataset read(String name, Dataset.Schema schema, boolean labelled) {
        return read(name, schema, labelled ? new Labels(name, schema) : null);
    }

    /** Reads more labelled data of a known schema, for a model that learnt labels of this kind. */
    public static Dataset read(String name, Dataset.Schema schema, Target target) {
        return read(name, schema, new Labels(name, schema, target));
    }

    private static Dataset read(String name, Dataset.Schema schema, Labels labels) {
        return new DataFile(name)
                .scan(in ->
                        LibSvm.begins(in) ? LibSvm.read(name, in, schema, labels) : Csv.read(name, in, schema, labels));
    }

    /** Consumes what is in a file, and makes the data set once the file's digest is known. */
    private interface Reader {
        Function<String, Dataset> read(BufferedInputStream in) throws IOException;
    }

    private Dataset scan(Reader reader) {
        try (DigestInputStream stored = new DigestInputStream(openStored(), sha256());
                InputStream text = unzipped(stored)) {
            var made = reader.read(new BufferedInputStream(text, SNIFFED));
            stored.transferTo(OutputStream.nullOutputStream());
            return made.apply(HexFormat.of().formatHex(stored.getMessageDigest().digest()));
        } catch (UncheckedIOException e) {
            throw new InputException(name + ": cannot be read: " + AtomicFile.reason(e.getCause()));
        } catch (IOException e) {
            throw new InputException(name + ": cannot be read: " + AtomicFile.reason(e));
        }
    }

    private static MessageDigest sha256() {
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
