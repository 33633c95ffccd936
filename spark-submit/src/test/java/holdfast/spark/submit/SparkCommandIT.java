package holdfast.spark.submit;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.Randomness;
import holdfast.Seed;
import holdfast.formats.ModelFile;
import holdfast.testkit.Laws;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command on Spark, as a user types it: what it prints and writes is what the local engine prints and writes. */
class SparkCommandIT {
    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();

    @TempDir
    private Path folder;

    private record Ended(int code, String out, String err) {}

    private Ended run(List<String> command) throws IOException, InterruptedException {
        Path out = folder.resolve("out.txt");
        Path err = folder.resolve("err.txt");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().put("HOLDFAST_JAVA_OPTS", "-Xmx2g");
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process process = builder.start();
        try {
            assertThat(process.waitFor(15, TimeUnit.MINUTES)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        return new Ended(process.exitValue(), Files.readString(out), Files.readString(err));
    }

    private Ended holdfast(String arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(ROOT.resolve("holdfast").toString()));
        command.addAll(List.of(arguments.split(" ")));
        return run(command);
    }

    private Ended sparkSubmit(String arguments) throws IOException, InterruptedException {
        Path target = ROOT.resolve("spark-submit/target");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "@" + target.resolve("java.args"),
                "-cp",
                target.resolve("jars") + "/*",
                "org.apache.spark.deploy.SparkSubmit",
                "--master",
                "local[2]",
                "--class",
                "holdfast.app.Main",
                target.resolve("holdfast-spark-submit.jar").toString()));
        command.addAll(List.of(arguments.split(" ")));
        return run(command);
    }

    private void writeVisits() throws IOException {
        writeVisits(6, Set.of(2));
    }

    /** @param flipped the hospitals that swap their labels */
    private void writeVisits(int hospitals, Set<Integer> flipped) throws IOException {
        Randomness random = Seed.of(1).child("visits").random();
        StringBuilder csv = new StringBuilder("age,pressure,hospital,ill\n");
        StringBuilder svm = new StringBuilder();
        for (int row = 0; row < 600; row++) {
            double[] x = random.gaussians(2);
            int hospital = row % hospitals;
            boolean ill = x[0] + x[1] + random.nextGaussian() / 2 > 0;
            String y = ill == flipped.contains(hospital) ? "0" : "1";
            csv.append(String.format(Locale.ROOT, "%.5f,%.5f,H%d,%s%n", x[0], x[1], hospital, y));
            svm.append(String.format(Locale.ROOT, "%s 1:%.5f %d:%.5f%n", y, x[0], 2 + hospital, x[1]));
        }
        Files.writeString(folder.resolve("visits.csv"), csv.toString());
        Files.writeString(folder.resolve("visits.svm"), svm.toString());
    }

    private void sameModel(String a, String b) {
        assertThat(Laws.bits(ModelFile.read(folder.resolve(a)).model().theta()))
                .isEqualTo(Laws.bits(ModelFile.read(folder.resolve(b)).model().theta()));
    }

    private static String withoutTime(String text) {
        return text.replaceAll("; [0-9.]+ s\n", "; s\n").replaceAll("model written to .*\n", "");
    }

    @Test
    void printsAndWritesWhatTheLocalEngineDoes() throws IOException, InterruptedException {
        writeVisits(8, Set.of(2, 5));
        String train = "train visits.csv --label ill --workers-by hospital --rounds 60 --out ";
        Ended local = holdfast(train + "local.json --checkpoint local.ckpt");
        assertThat(local.code()).as(local.err()).isZero();
        Ended first = holdfast(train + "spark.json --engine spark --master local[2] --checkpoint run.ckpt");
        assertThat(first.code()).as(first.err()).isZero();
        assertThat(withoutTime(first.out())).isEqualTo(withoutTime(local.out()));
        assertThat(first.out())
                .contains(
                        "Verdicts: 2 of 8 sources named",
                        "--without H2,H5",
                        "--tolerated auto is 2 instead of 1",
                        "by --lambda auto");
        sameModel("spark.json", "local.json");

        // A checkpoint of one engine is one of the other, and later starts build nothing.
        String longer = train.replace("60", "80");
        Ended toSpark = holdfast(longer + "to-spark.json --engine spark --checkpoint local.ckpt --resume");
        assertThat(toSpark.code()).as(toSpark.err()).isZero();
        assertThat(toSpark.err()).isEmpty();
        Ended toLocal = holdfast(longer + "to-local.json --checkpoint run.ckpt --resume");
        assertThat(toLocal.code()).as(toLocal.err()).isZero();
        assertThat(holdfast(longer + "whole.json").code()).isZero();
        sameModel("to-spark.json", "whole.json");
        sameModel("to-local.json", "whole.json");

        Ended svm = holdfast("train visits.svm --rounds 20 --engine spark --test visits.svm --out svm.json");
        assertThat(svm.code()).as(svm.err()).isZero();
        assertThat(withoutTime(holdfast("train visits.svm --rounds 20 --test visits.svm --out local-svm.json")
                        .out()))
                .isEqualTo(withoutTime(svm.out()));
        sameModel("svm.json", "local-svm.json");

        Ended wrong = holdfast("train visits.csv --engine spark --label nothing");
        assertThat(wrong.code()).isEqualTo(2);
        assertThat(wrong.err())
                .isEqualTo(
                        "holdfast: visits.csv: --label 'nothing' is not a column; there are age, pressure, hospital, ill\n");
    }

    @Test
    void aSourceThatCannotBeUsedIsLeftOutAndTooManyEndTheRun() throws IOException, InterruptedException {
        writeVisits();
        Path visits = folder.resolve("visits.csv");
        List<String> lines = new ArrayList<>(Files.readAllLines(visits));
        lines.set(5, "tall" + lines.get(5));
        Files.write(visits, lines);
        String train = "train visits.csv --label ill --workers-by hospital --rounds 20 --tolerated 1 --out ";
        Ended local = holdfast(train + "local.json");
        assertThat(local.code()).as(local.err()).isZero();
        Ended spark = holdfast(train + "spark.json --engine spark --master local[2]");
        assertThat(spark.code()).as(spark.err()).isZero();
        assertThat(withoutTime(spark.out())).isEqualTo(withoutTime(local.out()).replace("line 6,", "row 5,"));
        assertThat(spark.out())
                .contains("unusable  H4, counted as one of the liars: visits.csv: row 5, column 1 (age)");
        assertThat(folder.resolve("spark.json")).hasSameTextualContentAs(folder.resolve("local.json"));

        lines.set(4, "tall" + lines.get(4));
        Files.write(visits, lines);
        Ended stopped = holdfast(train + "none.json --engine spark --master local[2]");
        assertThat(stopped.code()).as(stopped.err()).isEqualTo(4);
        assertThat(stopped.err())
                .startsWith("holdfast: 2 sources cannot be used, but --tolerated allows 1: H3 (visits.csv: row 4, ")
                .hasLineCount(1);
        assertThat(folder.resolve("none.json")).doesNotExist();
    }

    @Test
    void whatSparkCannotDoIsSaidInALine() throws IOException, InterruptedException {
        writeVisits();
        String train = "train visits.csv --label ill --rounds 2 --out model.json --engine spark --master ";
        for (String master : List.of("nonsense", "local[x]")) {
            Ended wrong = holdfast(train + master);
            assertThat(wrong.code()).as(wrong.err()).isEqualTo(2);
            assertThat(wrong.err().lines().filter(line -> !line.contains("building with")))
                    .containsExactly("holdfast: Spark does not start on " + master + ": Could not parse Master URL: '"
                            + master + "'");
        }
        Files.move(folder.resolve("visits.csv"), folder.resolve("visits.parquet"));
        Ended unread = holdfast((train + "local[2]").replace(".csv", ".parquet"));
        assertThat(unread.code()).as(unread.err()).isEqualTo(2);
        List<String> lines = unread.err().lines().toList();
        assertThat(lines.get(0)).startsWith("spark: WARN: Lost task 0.0 ").contains("visits.parquet");
        assertThat(lines.get(1))
                .startsWith("holdfast: visits.parquet: cannot be read: ")
                .contains("is not a Parquet file");
        assertThat(lines).hasSize(2);
    }

    @Test
    void sparkSubmitTakesTheOneJar() throws IOException, InterruptedException {
        writeVisits();
        try (SparkSession spark = SparkSession.builder()
                .master("local[2]")
                .config("spark.ui.enabled", false)
                .config("spark.driver.host", "127.0.0.1")
                .getOrCreate()) {
            spark.read()
                    .option("header", true)
                    .option("inferSchema", true)
                    .csv(folder.resolve("visits.csv").toString())
                    .coalesce(1)
                    .write()
                    .parquet(folder.resolve("visits.parquet").toString());
        }
        String train = " --label ill --workers-by hospital --rounds 30 --out ";
        Ended local = holdfast("train visits.csv" + train + "local.json");
        assertThat(local.code()).as(local.err()).isZero();
        Ended submitted = sparkSubmit("train visits.parquet" + train + "submitted.json --engine spark");
        assertThat(submitted.code()).as(submitted.err()).isZero();
        assertThat(withoutTime(submitted.out()).replace("visits.parquet", "visits.csv"))
                .isEqualTo(withoutTime(local.out()));
        sameModel("submitted.json", "local.json");
    }

    /** By SIGTERM, which takes the way of Ctrl-C. */
    @Test
    void anInterruptLeavesACheckpointAndOneLine() throws IOException, InterruptedException {
        writeVisits();
        String rounds = "train visits.csv --label ill --tolerance 0 --checkpoint run.ckpt --out model.json --rounds ";
        // Built before, so that what is interrupted is the run.
        Ended built = holdfast(rounds + "1 --engine spark");
        assertThat(built.code()).as(built.err()).isZero();
        Files.delete(folder.resolve("run.ckpt"));
        Files.delete(folder.resolve("model.json"));
        List<String> command = new ArrayList<>(List.of(ROOT.resolve("holdfast").toString()));
        command.addAll(List.of((rounds + "100000000 --engine spark").split(" ")));
        Path err = folder.resolve("interrupted.txt");
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectError(err.toFile())
                .start();
        try {
            long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(5);
            while (!Files.exists(folder.resolve("run.ckpt")) && System.nanoTime() < deadline) {
                process.waitFor(20, TimeUnit.MILLISECONDS);
            }
            process.destroy();
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isEqualTo(128 + 15);
        } finally {
            process.destroyForcibly();
        }
        assertThat(Files.readString(err))
                .matches("holdfast: interrupted; round \\d+ is saved in run.ckpt; --resume continues from there\n");
        assertThat(folder.resolve("run.ckpt")).exists();
        assertThat(folder.resolve("model.json")).doesNotExist();
    }
}
