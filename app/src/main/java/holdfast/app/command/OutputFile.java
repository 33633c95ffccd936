package holdfast.app.command;

import holdfast.Check;
import holdfast.formats.AtomicFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file that a command is told to write. */
final class OutputFile {
    private OutputFile() {}

    /**
     * Checks before any work that a result can be written.
     *
     * @param flag the option that names the file
     * @param output null if the option is not given
     * @param others the other files of the command; null for those that are not given
     * @throws holdfast.InputException if the file cannot be written, or is one of the others
     */
    static void requireWritable(String flag, Path output, Object... others) {
        if (output == null) {
            return;
        }
        AtomicFile.requireBeWritable(output);
        for (Object other : others) {
            Check.that(
                    other == null || !same(output, Path.of(other.toString())),
                    "%s must differ from the other files of the command, got %s",
                    flag,
                    output);
        }
    }

    private static boolean same(Path a, Path b) {
        try {
            return a.toAbsolutePath().normalize().equals(b.toAbsolutePath().normalize())
                    || Files.exists(a) && Files.exists(b) && Files.isSameFile(a, b);
        } catch (IOException e) {
            return false;
        }
    }
}
