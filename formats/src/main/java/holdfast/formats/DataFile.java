package holdfast.formats;

import holdfast.Check;
import holdfast.InputException;
import holdfast.data.Dataset;
import holdfast.training.TrainingPlan;
import java.io.BufferedInputStream;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPInputStream;

/**
 * A place data are read from, and the reader that fits: a file (plain or gzip), {@code -} for standard input, or {@code builtin:spambase} for the
 * embedded UCI Spambase (see NOTICE).
 */
public record DataFile(String name) {
    private static final String BUILTIN = "builtin:";
    private static final List<String> BUILTINS = List.of("spambase");

    /** Reads training data as a plan says. */
    public static Dataset read(String name, TrainingPlan plan) {
        return Csv.read(name, plan);
    }

    /**
     * Reads more data of a known schema.
     *
     * @param labelled whether there must be labels; if not, they are 0
     */
    public static Dataset read(String name, Dataset.Schema schema, boolean labelled) {
        return Csv.read(name, schema, labelled);
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
