package holdfast.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run that is told to stop. By SIGTERM, which takes the way of Ctrl-C: where tests run, SIGINT may be ignored. */
class InterruptIT {
    @TempDir
    private Path folder;

    @Test
    void leavesACheckpointToGoOnFromAndNothingHalfWritten() throws IOException, InterruptedException {
        Program program = new Program(folder);
        program.writeVisits();
        String train = "./holdfast train visits.csv --label ill --workers-by hospital --tolerance 0 --rounds ";
        Process process = program.start("exec " + train + "100000000 --checkpoint run.ckpt --out model.json");
        Path checkpoint = folder.resolve("run.ckpt");
        try {
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            while (!Files.exists(checkpoint) && System.nanoTime() < deadline) {
                process.waitFor(20, TimeUnit.MILLISECONDS);
            }
            assertThat(checkpoint).exists();
            process.destroy();
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isEqualTo(128 + 15);
        } finally {
            process.destroyForcibly();
        }
        assertThat(Files.readString(folder.resolve("err.txt")))
                .matches("(?s).*holdfast: interrupted; round \\d+ is saved in [^\n]*; --resume continues from there\n");
        assertThat(folder.resolve("model.json")).doesNotExist();
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files.filter(f -> f.toString().endsWith(".tmp"))).isEmpty();
        }

        String saved = Files.readString(checkpoint);
        int done = Integer.parseInt(saved.replaceAll("(?s).*\"round\" : (\\d+),.*", "$1"));
        String rounds = Integer.toString(done + 100);
        assertThat(program.shell(train + rounds + " --checkpoint run.ckpt --resume --out resumed.json")
                        .code())
                .isZero();
        assertThat(program.shell(train + rounds + " --out whole.json").code()).isZero();
        assertThat(folder.resolve("resumed.json")).hasSameTextualContentAs(folder.resolve("whole.json"));
    }
}
