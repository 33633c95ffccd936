package holdfast.app.redteam;

import holdfast.InputException;
import holdfast.formats.AtomicFile;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * What a long experiment has found so far, one line per finished piece, so that a run that was stopped goes on where it
 * was. Belongs to one experiment, named by its first line; that of another is begun anew. A line that was cut short by the
 * stop does not count.
 */
public final class Journal implements AutoCloseable {
    private static final String END = "\t.";

    private final Map<String, double[]> known = new ConcurrentHashMap<>();
    private final Path file;
    private final BufferedWriter out;

    private Journal(Path file, BufferedWriter out) {
        this.file = file;
        this.out = out;
    }

    /** @param experiment everything that decides the numbers, without line breaks */
    public static Journal open(Path file, String experiment) {
        try {
            List<String> lines = Files.exists(file) ? lines(Files.readString(file)) : List.of();
            boolean same = !lines.isEmpty() && lines.get(0).equals(experiment);
            List<String> kept = same ? lines : List.of(experiment);
            // Written again as a whole: a line cut short must not stay in the middle.
            AtomicFile.write(file, kept.stream().map(line -> line + END + "\n").collect(Collectors.joining()));
            Journal journal = new Journal(file, Files.newBufferedWriter(file, StandardOpenOption.APPEND));
            kept.stream().skip(1).forEach(journal::remember);
            return journal;
        } catch (IOException e) {
            throw new InputException(file + ": cannot be written: " + e.getMessage());
        }
    }

    private static List<String> lines(String text) {
        return text.lines()
                .filter(line -> line.endsWith(END))
                .map(line -> line.substring(0, line.length() - END.length()))
                .toList();
    }

    private void remember(String line) {
        int tab = line.lastIndexOf('\t');
        try {
            known.put(
                    line.substring(0, tab),
                    Arrays.stream(line.substring(tab + 1).split(" "))
                            .mapToDouble(Double::parseDouble)
                            .toArray());
        } catch (IndexOutOfBoundsException | NumberFormatException e) {
            throw new InputException(file + ": must be lines of numbers, got '" + line.strip()
                    + "'; without this file all is done again");
        }
    }

    /** What is known of a piece, null if nothing. */
    public double[] get(String key) {
        return known.get(key);
    }

    public synchronized void put(String key, double[] values) {
        known.put(key, values);
        try {
            out.write(key + "\t"
                    + Arrays.stream(values).mapToObj(Double::toString).collect(Collectors.joining(" ")) + END + "\n");
            out.flush();
        } catch (IOException e) {
            throw new InputException(file + ": cannot be written: " + e.getMessage());
        }
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
