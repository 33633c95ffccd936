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

/** Writes whole files: to a temporary file in the same folder, forced to disk, then renamed to the target. */
public final class AtomicFile {
    private AtomicFile() {}

    public static void write(Path target, String text) {
        write(target, text.getBytes(StandardCharsets.UTF_8));
    }

    public static void write(Path target, byte[] bytes) {
        write(target, out -> out.write(bytes));
    }

    /** Writes the content of a file. */
    interface Content {
        void writeTo(OutputStream out) throws IOException;
    }

    static void write(Path named, Content content) {
        requireBeWritable(named);
        Path target = followed(named);
        Path folder = target.getParent();
        try {
            // Not createTempFile: only the owner can read its files, and the result would be the same.
            Path temporary = folder.resolve(
                    "." + target.getFileName() + "." + ProcessHandle.current().pid() + "-"
                            + Thread.currentThread().getId() + ".tmp");
            Files.deleteIfExists(temporary);
            Files.createFile(temporary);
            // Deletes the temporary file if the process ends in the middle.
            temporary.toFile().deleteOnExit();
            try {
                // A stream, not a channel: an interrupt would close the channel, and that is when checkpoints matter.
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

    /** Follows links, so that the file is replaced and not the link. */
    private static Path followed(Path target) {
        try {
            return Files.exists(target) ? target.toRealPath() : target.toAbsolutePath();
        } catch (IOException e) {
            return target.toAbsolutePath();
        }
    }

    /** Returns the folder and creates it if necessary. */
    public static Path folder(Path named) {
        try {
            return Files.createDirectories(named);
        } catch (IOException e) {
            throw new InputException(named + ": cannot be made a folder");
        }
    }

    /** Fails now rather than after hours of work if the file cannot be written. */
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

    /** Returns a short cause, because the message of some exceptions is only the file's name. */
    public static String reason(IOException e) {
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
