package holdfast.app;

import holdfast.Check;
import holdfast.formats.AtomicFile;
import holdfast.formats.VectorFile;
import holdfast.formats.VectorFile.Format;
import java.nio.file.Path;
import java.util.Locale;
import picocli.CommandLine.Option;

/** Where a command that turns vectors into vectors reads and writes them. */
final class VectorPipe {
    @Option(names = "--in", paramLabel = "FILE", description = "the vectors; without it, standard input")
    private String in = "-";

    @Option(names = "--out", paramLabel = "FILE", description = "write there; without it, to standard output")
    private Path out;

    @Option(names = "--format", paramLabel = "FORMAT", description = "csv or npy; without it, that of the input")
    private String format;

    /** @param other a second input, null if there is none; the output must not replace it */
    VectorFile read(String other) {
        Check.that(
                !in.equals("-") || !in.equals(other),
                "standard input can be read once: --in must be a file if another input is -");
        Check.that(
                format == null || format.equals("csv") || format.equals("npy"),
                "--format must be csv or npy, got '%s'",
                format);
        TrainCommand.mayBeReplaced("--out", out, in, other);
        return VectorFile.read(in);
    }

    Format format(VectorFile input) {
        return format == null ? input.format() : Format.valueOf(format.toUpperCase(Locale.ROOT));
    }

    void write(byte[] bytes) {
        if (out == null) {
            System.out.write(bytes, 0, bytes.length);
        } else {
            AtomicFile.write(out, bytes);
        }
    }
}
