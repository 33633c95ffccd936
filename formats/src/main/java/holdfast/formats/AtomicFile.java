package holdfast.formats;

import holdfast.InputException;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Writes whole files: to a temporary neighbour, forced to disk, then renamed over the target. */
public final class AtomicFile {
    private AtomicFile() {}

    public static void write(Path target, String text) {
        write(target, text.getBytes(StandardCharsets.UTF_8));
    }

    public static void write(Path target, byte[] bytes) {
        write(target, out -> out.write(bytes));
    }

    /** What a file is to hold, told bit by bit. */
    interface Content {
        void writeTo(OutputStream out) throws IOException;
    }

    static void write(Path named, Content content) {
        requireBeWritable(named);
        Path target = followed(named);
        Path folder = target.getParent();
        try {
            // Not createTempFile: its files are readable by their owner only, and so would the result be.
            Path temporary = folder.resolve(
                    "." + target.getFileName() + "." + ProcessHandle.current().pid() + "-"
                            + Thread.currentThread().getId() + ".tmp");
            Files.deleteIfExists(temporary);
            Files.createFile(temporary);
            // Should the process end in the middle, this goes too.
            temporary.toFile().deleteOnExit();
            try {
                // A stream and not a channel: an interrupt, which is when checkpoints matter, would close the channel.
                try (FileOutputStream out = new FileOutputStream(temporary.toFile())) {
                    content.writeTo(out);
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

    /** Where a chain of links leads, so that the file is replaced and not the link. */
    private static Path followed(Path target) {
        try {
            return Files.exists(target) ? target.toRealPath() : target.toAbsolutePath();
        } catch (IOException e) {
            return target.toAbsolutePath();
        }
    }

    /** The folder itself, made if need be. */
    public static Path folder(Path named) {
        try {
            return Files.createDirectories(named);
        } catch (IOException e) {
            throw new InputException(named + ": cannot be made a folder");
        }
    }

    /** Fails now rather than after hours of work if nothing could be written there. */
    public static void requireBeWritable(Path target) {
        Path folder = followed(target).getParent();
        check(!Files.isDirectory(target), target, "is a folder; a file is needed");
        check(
                !Files.exists(target) || Files.isRegularFile(target),
                target,
                "is a device or a pipe; a file that can be replaced is needed");
        check(!Files.exists(target) || Files.isWritable(target), target, "is write-protected");
        check(folder != null && Files.isDirectory(folder), target, "the folder " + folder + " does not exist");
        check(Files.isWritable(folder), target, "the folder " + folder + " cannot be written to");
    }

    private static void check(boolean holds, Path target, String otherwise) {
        if (!holds) {
            throw new InputException(target + ": " + otherwise);
        }
    }

    /** A short cause, for the exceptions whose message is only the file's name. */
    static String reason(IOException e) {
        if (e instanceof NoSuchFileException) {
            return "no such file";
        }
        if (e instanceof AccessDeniedException) {
            return "permission denied";
        }
        if (e instanceof CharacterCodingException) {
            return "it is not UTF-8 text";
        }
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }
}
