package holdfast.app.redteam;

import holdfast.InputException;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
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
    private final BufferedWriter out;

    private Journal(BufferedWriter out) {
        this.out = out;
    }

    /** @param experiment everything that decides the numbers, without line breaks */
    public static Journal open(Path file, String experiment) {
        try {
            List<String> lines = Files.exists(file) ? lines(Files.readString(file)) : List.of();
            boolean same = !lines.isEmpty() && lines.get(0).equals(experiment);
            List<String> kept = same ? lines : List.of(experiment);
            // Written again as a whole: a line cut short must not stay in the middle.
            BufferedWriter out = Files.newBufferedWriter(
                    file, StandardCharsets.UTF_8, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING);
            Journal journal = new Journal(out);
            for (String line : kept) {
                journal.line(line);
            }
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
        known.put(
                line.substring(0, tab),
                Arrays.stream(line.substring(tab + 1).split(" "))
                        .mapToDouble(Double::parseDouble)
                        .toArray());
    }

    /** What is known of a piece, null if nothing. */
    public double[] get(String key) {
        return known.get(key);
    }

    public synchronized void put(String key, double[] values) {
        known.put(key, values);
        try {
            line(key + "\t" + Arrays.stream(values).mapToObj(Double::toString).collect(Collectors.joining(" ")));
        } catch (IOException e) {
            throw new InputException("the journal cannot be written: " + e.getMessage());
        }
    }

    private void line(String text) throws IOException {
        out.write(text + END + "\n");
        out.flush();
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
