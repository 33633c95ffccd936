package holdfast.app.lab.redteam;

import holdfast.Check;
import holdfast.InputException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * The results of a long experiment so far, one line per finished piece, so that a stopped run can continue where it
 * was. A journal belongs to one experiment, which its first line names. A line that was cut short does not count. The
 * file is locked while it is open, because two runs would mix their numbers.
 */
public final class Journal implements AutoCloseable {
    private static final String END = "\t.\n";

    private final Map<String, double[]> known = new ConcurrentHashMap<>();
    private final Path file;
    private final FileChannel channel;

    private Journal(Path file, FileChannel channel) {
        this.file = file;
        this.channel = channel;
    }

    /**
     * @param experiment everything that decides the numbers, without line breaks
     * @param fresh whether to discard what is there
     * @throws InputException if the file belongs to another experiment or to a run that is still going
     */
    public static Journal open(Path file, String experiment, boolean fresh) {
        FileChannel channel = null;
        try {
            channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            Check.that(locked(channel), "%s: another run is writing to it; choose another folder with --out", file);
            String text = fresh ? "" : Files.readString(file);
            String whole = text.substring(0, text.lastIndexOf(END) < 0 ? 0 : text.lastIndexOf(END) + END.length());
            String[] lines = whole.split(END);
            Check.that(
                    whole.isEmpty() || lines[0].equals(experiment),
                    "%s: belongs to another red team; --fresh replaces it, --out chooses another folder",
                    file);
            Journal journal = new Journal(file, channel);
            Arrays.stream(lines).skip(1).forEach(journal::remember);
            int length = whole.getBytes(StandardCharsets.UTF_8).length;
            channel.truncate(length).position(length);
            if (whole.isEmpty()) {
                journal.write(experiment);
            }
            return journal;
        } catch (IOException e) {
            throw close(channel, new InputException(file + ": cannot be written: " + e.getMessage()));
        } catch (InputException e) {
            throw close(channel, e);
        }
    }

    private static boolean locked(FileChannel channel) throws IOException {
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            return false;
        }
    }

    private static InputException close(FileChannel channel, InputException why) {
        try {
            if (channel != null) {
                channel.close();
            }
        } catch (IOException e) {
            why.addSuppressed(e);
        }
        return why;
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
            throw new InputException(
                    file + ": must be lines of numbers, got '" + line.strip() + "'; --fresh replaces it");
        }
    }

    /** Returns the numbers of a piece; null if it is not done. */
    public double[] get(String key) {
        return known.get(key);
    }

    public synchronized void put(String key, double[] values) {
        try {
            write(key + "\t" + Arrays.stream(values).mapToObj(Double::toString).collect(Collectors.joining(" ")));
        } catch (IOException e) {
            throw new InputException(file + ": cannot be written: " + e.getMessage());
        }
        known.put(key, values);
    }

    private void write(String line) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap((line + END).getBytes(StandardCharsets.UTF_8));
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
