package holdfast.spark.versions;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The jar for spark-submit, which is compiled for Spark 4.1, on Spark 4.0.1: that is the class path of this module. */
class OlderSparkIT {
    private static final Path BUILT =
            Path.of("../spark-submit/target").toAbsolutePath().normalize();
    private static final String JAR = BUILT.resolve("holdfast-spark-submit.jar").toString();

    @TempDir
    private Path folder;

    /** Covers the code that the other tests do not run. */
    @Test
    void everyMethodAndFieldOfSparkThatTheJarUsesExists() {
        List<JavaAccess<?>> uses = new ClassFileImporter()
                .importPackages("holdfast.spark").stream()
                        .filter(type -> !type.getPackageName().equals(getClass().getPackageName()))
                        .flatMap(type -> type.getAccessesFromSelf().stream())
                        .filter(access ->
                                access.getTargetOwner().getPackageName().matches("(org|com|scala)\\b.*"))
                        .collect(Collectors.toList());
        assertThat(uses).hasSizeGreaterThan(300);
        assertThat(uses)
                .filteredOn(access -> access.getTarget().resolveMember().isEmpty())
                .isEmpty();
    }

    @Test
    void whatOneVersionSavesTheOtherLoadsWithTheSameBits() throws IOException, InterruptedException {
        try (SmokeRun run = new SmokeRun()) {
            assertThat(run.version()).isEqualTo("4.0.1");
            String saved = run.fitAndSave(folder + "/older");
            assertThat(run.load(folder + "/older")).isEqualTo(saved);

            String newer = Path.of("target/test-classes").toAbsolutePath()
                    + File.pathSeparator
                    + JAR
                    + File.pathSeparator
                    + BUILT.resolve("jars/*");
            assertThat(java(newer, SmokeRun.class.getName(), folder + "/older", folder + "/newer"))
                    .isEqualTo("4.1.0\n" + saved + "\n" + saved + "\n");
            assertThat(run.load(folder + "/newer")).isEqualTo(saved);
        }
    }

    @Test
    void sparkSubmitTrainsAsOneProcessDoes() throws IOException, InterruptedException {
        Random random = new Random(1);
        StringBuilder csv = new StringBuilder("x,y,source,label\n");
        for (int row = 0; row < 120; row++) {
            double x = random.nextGaussian();
            double y = random.nextGaussian();
            csv.append(x + "," + y + ",s" + row % 6 + "," + (x > y ? "yes" : "no") + "\n");
        }
        Files.writeString(folder.resolve("rows.csv"), csv);
        String train = "train rows.csv --label label --workers-by source --rounds 20 --out ";
        String older = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !entry.equals(JAR))
                .collect(Collectors.joining(File.pathSeparator));
        java(
                older,
                ("org.apache.spark.deploy.SparkSubmit --master local[2] --class holdfast.app.Main " + JAR + " " + train
                                + "spark.json --engine spark")
                        .split(" "));
        java(JAR, ("holdfast.app.Main " + train + "local.json").split(" "));
        assertThat(folder.resolve("spark.json")).hasSameTextualContentAs(folder.resolve("local.json"));
    }

    private String java(String classPath, String... arguments) throws IOException, InterruptedException {
        Path out = folder.resolve("out.txt");
        Path err = folder.resolve("err.txt");
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Process process = new ProcessBuilder(Stream.concat(
                                Stream.of(java, "-Xmx1g", "@" + BUILT.resolve("java.args"), "-cp", classPath),
                                Stream.of(arguments))
                        .toList())
                .directory(folder.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        try {
            assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(process.exitValue()).as(Files.readString(err)).isZero();
        return Files.readString(out);
    }
}
