package holdfast.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The command that reproduces the paper, as users start it. */
final class Paper {
    private static final int SEEDS = 16;

    private Paper() {}

    static List<Measured> measure() throws IOException, InterruptedException {
        Path out = Files.createTempDirectory("holdfast");
        try {
            run("--help"); // Builds it first, so that the build is not measured.
            long start = System.nanoTime();
            run("paper", "--quiet", "--seeds", Integer.toString(SEEDS), "--out", out.toString());
            return List.of(Measured.atMost(
                    "holdfast paper, " + SEEDS + " seeds, seconds", (System.nanoTime() - start) / 1e9, 20));
        } finally {
            delete(out);
        }
    }

    private static void run(String... arguments) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(Stream.concat(Stream.of("./holdfast"), Stream.of(arguments))
                        .toList())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        int code = process.waitFor();
        if (code != 0) {
            throw new IllegalStateException("./holdfast " + String.join(" ", arguments) + " ended with " + code);
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
