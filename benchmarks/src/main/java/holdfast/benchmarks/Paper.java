package holdfast.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The command that reproduces the paper, as users start it. */
final class Paper {
    private static final int SEEDS = 16;

    private Paper() {}

    static List<Measured> measure() throws IOException {
        Path out = Files.createTempDirectory("holdfast");
        try {
            run("./holdfast", "--help"); // Builds it first, so that the build is not measured.
            long start = System.nanoTime();
            run("./holdfast", "paper", "--quiet", "--seeds", Integer.toString(SEEDS), "--out", out.toString());
            return List.of(Measured.atMost(
                    "holdfast paper, " + SEEDS + " seeds, seconds", (System.nanoTime() - start) / 1e9, 20));
        } finally {
            delete(out);
        }
    }

    /** Runs a command, which must succeed, and returns what it prints. */
    static String run(String... command) {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int code = process.waitFor();
            if (code != 0) {
                throw new IllegalStateException(String.join(" ", command) + " ended with " + code);
            }
            return printed;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Deletes a folder and everything in it. */
    static void delete(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
