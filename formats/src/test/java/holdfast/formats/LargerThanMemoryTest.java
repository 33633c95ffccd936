package holdfast.formats;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.plan.Plan;
import holdfast.training.Training;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A table of five times the heap, in a process of its own. */
class LargerThanMemoryTest {
    private static final int ROWS = 640_000;
    private static final int COLUMNS = 57;
    private static final String HEAP = "64m";

    @TempDir
    Path folder;

    /** Cells that may be missing are encoded whenever a row is read. */
    @ParameterizedTest
    @ValueSource(strings = {"fail", "indicator"})
    void isConvertedAndTrainedOn(String missing) throws IOException, InterruptedException {
        Path table = folder.resolve("big.csv");
        Path log = folder.resolve("log");
        write(table, !missing.equals("fail"));
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx" + HEAP,
                        "-cp",
                        System.getProperty("java.class.path"),
                        Run.class.getName(),
                        table.toString(),
                        folder.resolve("big.hfd").toString(),
                        missing)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        int code = process.waitFor();
        assertThat(Files.readString(log)).isEqualTo("3 rounds\n");
        assertThat(code).isZero();
        assertThat(Files.size(folder.resolve("big.hfd"))).isGreaterThan(8L * ROWS * COLUMNS);
    }

    private static void write(Path table, boolean holes) throws IOException {
        byte[] line = ("0.000,".repeat(COLUMNS) + "0\n").getBytes(StandardCharsets.US_ASCII);
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(table), 1 << 16)) {
            long state = 1;
            for (int r = 0; r < ROWS; r++) {
                for (int c = 0; c < COLUMNS; c++) {
                    state = state * 6364136223846793005L + 1442695040888963407L;
                    for (int digit = 0; digit < 3; digit++) {
                        line[6 * c + 2 + digit] = (byte) ('0' + (state >>> 40 + 5 * digit & 7));
                    }
                }
                line[6 * COLUMNS] = (byte) (line[2] + line[14] > '3' + '4' ? '1' : '0');
                if (holes && r % 5 == 0) {
                    Arrays.fill(line, 6, 11, (byte) ' ');
                } else {
                    line[6] = '0';
                    line[7] = '.';
                }
                out.write(line);
            }
        }
    }

    /** What the other process does. */
    static final class Run {
        public static void main(String[] args) {
            Plan plan = Plan.of(Map.of("rounds", "3", "learning-rate", "0.1", "missing", args[2]));
            DataFile.convert(args[0], plan, Path.of(args[1]), share -> {}, share -> {});
            var run = Training.of(DataFile.read(args[1], plan), plan).run();
            System.out.print(run.state().round() + " rounds\n");
        }
    }
}
