package holdfast.app.command;

import holdfast.Check;
import holdfast.formats.AtomicFile;
import holdfast.formats.VectorFile;
import holdfast.formats.VectorFile.Format;
import holdfast.math.Vectors;
import java.nio.file.Path;
import java.util.Locale;
import picocli.CommandLine.Option;

/** The options of a command that reads vectors and writes vectors. */
final class VectorPipe {
    @Option(
            names = "--in",
            paramLabel = "FILE",
            description = "read the vectors from this file (default: standard input)")
    private String in = "-";

    @Option(names = "--out", paramLabel = "FILE", description = "write to this file (default: standard output)")
    private Path out;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            description = "output format, csv or npy (default: that of the input)")
    private String format;

    @Option(
            names = "--trusted",
            paramLabel = "FILE",
            description = "a file with the server's own vector, for rules that compare with it")
    private String trusted;

    VectorFile read() {
        Check.that(
                !in.equals("-") || !in.equals(trusted),
                "standard input can be read only once: --in must be a file if --trusted is -");
        Check.that(
                format == null || format.equals("csv") || format.equals("npy"),
                "--format must be csv or npy, got '%s'",
                format);
        OutputFile.requireWritable("--out", out, in, trusted);
        return VectorFile.read(in);
    }

    /** Returns the server's own vector, which must be as long as these; null if there is none. */
    double[] trusted(VectorFile file) {
        if (trusted == null) {
            return null;
        }
        VectorFile own = VectorFile.read(trusted);
        int length = file.vectors().get(0).length;
        double[] vector = own.vectors().get(0);
        Check.that(
                own.vectors().size() == 1,
                "%s: must hold one vector, got %d",
                trusted,
                own.vectors().size());
        Check.that(
                vector.length == length && Vectors.finite(vector),
                "%s: must hold %d finite numbers, as the vectors do, got %s",
                trusted,
                length,
                vector.length == length ? "NaN or Inf" : vector.length);
        return vector;
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
