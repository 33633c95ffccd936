package holdfast.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A red team that is told to stop, as by Ctrl-C, and goes on in another process. */
class RedTeamIT {
    /** Two rules, five seeds; no attack or one of three, and once the groups of sources, which share a line. */
    private static final int LINES = 2 * 5 * (1 + 3 + 1);

    @TempDir
    private Path folder;

    @Test
    void aStoppedRunEndsWithTheBytesOfAnUndisturbedOne() throws IOException, InterruptedException {
        Program program = new Program(folder);
        program.writeVisits();
        Files.writeString(folder.resolve("plan.yaml"), """
                data: visits.csv
                label: ill
                workers-by: hospital
                rules: [median, geometric-median]
                attacks: [alie, aggressive, label-flip]
                shifts: [none, l2]
                liars: 2
                seeds: 5
                rounds: 300
                """);
        String redteam = "./holdfast redteam plan.yaml --quiet --out ";
        Path out = folder.resolve("stopped");
        List<String> before = stop(program.start("exec " + redteam + "stopped"), out.resolve("redteam.journal"));
        assertThat(before).hasSizeBetween(4, LINES);
        try (Stream<Path> files = Files.list(out)) {
            assertThat(files).containsExactly(out.resolve("redteam.journal"));
        }

        assertThat(program.shell(redteam + "stopped").code()).isZero();
        assertThat(program.shell(redteam + "whole").code()).isZero();
        assertThat(out.resolve("redteam.json")).hasSameBinaryContentAs(folder.resolve("whole/redteam.json"));
        assertThat(out.resolve("redteam.html")).hasSameBinaryContentAs(folder.resolve("whole/redteam.html"));
        assertThat(Files.readAllLines(out.resolve("redteam.journal")))
                .hasSize(1 + LINES)
                .startsWith(before.toArray(String[]::new));

        String shown = program.browse(out.resolve("redteam.html"));
        assertThat(shown).contains("<figcaption>median</figcaption>", "<figcaption>geometric-median</figcaption>");
        assertThat(shown.split("<td style=\"background").length - 1).isEqualTo(2 * 4 + 2 * 4 * 2);
    }

    /** Ends the process when a few trainings are done; returns the lines it had finished. */
    private static List<String> stop(Process process, Path journal) throws IOException, InterruptedException {
        try {
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            while (lines(journal).size() < 4 && System.nanoTime() < deadline) {
                process.waitFor(10, TimeUnit.MILLISECONDS);
            }
            process.destroy();
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isEqualTo(128 + 15);
            return lines(journal);
        } finally {
            process.destroyForcibly();
        }
    }

    private static List<String> lines(Path journal) throws IOException {
        return Files.exists(journal)
                ? Files.readAllLines(journal).stream()
                        .filter(line -> line.endsWith("\t."))
                        .toList()
                : List.of();
    }
}
