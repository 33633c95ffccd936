package holdfast.formats;

import holdfast.InputException;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Writes whole files: to a temporary neighbour, forced to disk, then renamed over the target. */
public final class AtomicFile {
    private AtomicFile() {}

    public static void write(Path target, String text) {
        write(target, text.getBytes(StandardCharsets.UTF_8));
    }

    public static void write(Path target, byte[] bytes) {
        Path folder = target.toAbsolutePath().getParent();
        try {
            // Not createTempFile: its files are readable by their owner only, and so would the result be.
            Path temporary = folder.resolve(
                    "." + target.getFileName() + "." + ProcessHandle.current().pid() + "-"
                            + Thread.currentThread().getId() + ".tmp");
            Files.deleteIfExists(temporary);
            Files.createFile(temporary);
            try {
                // A stream and not a channel: an interrupt, which is when checkpoints matter, would close the channel.
                try (FileOutputStream out = new FileOutputStream(temporary.toFile())) {
                    out.write(bytes);
                    out.getFD().sync();
                }
                move(temporary, target);
            } finally {
                Files.deleteIfExists(temporary);
            }
        } catch (IOException e) {
            throw new InputException(target + ": cannot be written: " + reason(e));
        }
    }

    private static void move(Path from, Path to) throws IOException {
        try {
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (AtomicMoveNotSupportedException e) {
            Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    /** Fails now rather than after hours of work if nothing could be written there. */
    public static void mustBeWritable(Path target) {
        Path folder = target.toAbsolutePath().getParent();
        if (Files.isDirectory(target)) {
            throw new InputException(target + ": is a folder; a file is needed");
        }
        if (!Files.isDirectory(folder)) {
            throw new InputException(target + ": the folder " + folder + " does not exist");
        }
        if (!Files.isWritable(folder)) {
            throw new InputException(target + ": the folder " + folder + " cannot be written to");
        }
    }

    /** A short cause, for the exceptions whose message is only the file's name. */
    static String reason(IOException e) {
        if (e instanceof java.nio.file.NoSuchFileException) {
            return "no such file";
        }
        if (e instanceof java.nio.file.AccessDeniedException) {
            return "permission denied";
        }
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }
}
