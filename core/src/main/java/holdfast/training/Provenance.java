package holdfast.training;

import holdfast.Version;
import holdfast.data.DataSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * Where a model came from: enough to train it again. It contains no time of day, so the same run makes the same file.
 *
 * @param data file and hash of the training data
 * @param rows number of rows in it
 * @param seed the plan's seed
 * @param version the version of Holdfast
 * @param java the JVM
 * @param cpu the processor
 */
public record Provenance(DataSource data, long rows, long seed, String version, String java, String cpu) {

    public static Provenance of(DataSource data, long rows, long seed) {
        return new Provenance(
                data,
                rows,
                seed,
                Version.current(),
                System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"),
                thisCpu());
    }

    private static String thisCpu() {
        String general = System.getProperty("os.arch") + ", " + System.getProperty("os.name");
        try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse(general);
        } catch (IOException | RuntimeException e) {
            return general;
        }
    }
}
