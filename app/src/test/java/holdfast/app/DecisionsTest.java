package holdfast.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import holdfast.Randomness;
import holdfast.Seed;
import holdfast.app.command.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Figures, thresholds and probabilities of classes through all commands. */
class DecisionsTest {
    @TempDir
    private Path folder;

    private String data;

    /** About one row in twenty is a fraud. */
    @BeforeEach
    void writeRareClass() throws IOException {
        Randomness random = Seed.of(1).random();
        StringBuilder csv = new StringBuilder("amount,hour,fraud\n");
        for (int r = 0; r < 4000; r++) {
            double[] x = random.gaussians(2);
            boolean fraud = random.nextDouble() < 1 / (1 + Math.exp(4.2 - 1.7 * x[0] + x[1]));
            csv.append(x[0])
                    .append(',')
                    .append(x[1])
                    .append(',')
                    .append(fraud ? "yes" : "no")
                    .append('\n');
        }
        data = Files.writeString(folder.resolve("rare.csv"), csv).toString();
    }

    private static JsonNode json(String... args) throws IOException {
        return new ObjectMapper().readTree(run(args));
    }

    private static String run(String... args) {
        Shell.Result result = Shell.run(args);
        assertThat(result.code()).as(result.err()).isZero();
        return result.out();
    }

    @Test
    void aThresholdIsKeptInTheModelAndUsedEverywhere() throws IOException {
        Path model = folder.resolve("model.json");
        JsonNode half = json("train", data, "--json", "--threshold", "0.5");
        JsonNode trained = json("train", data, "--json", "--threshold", "auto", "--out", model.toString());
        double threshold = trained.get("threshold").asDouble();
        assertThat(threshold).isBetween(0.05, 0.45);
        assertThat(trained.at("/evaluation/0/recall").asDouble())
                .isGreaterThan(half.at("/evaluation/0/recall").asDouble() + 0.1);
        JsonNode file = new ObjectMapper().readTree(Files.readString(model));
        assertThat(file.get("threshold").asDouble()).isEqualTo(threshold);
        assertThat(file.get("calibration")).isEqualTo(trained.get("calibration"));

        JsonNode evaluated = json("evaluate", model.toString(), data, "--json");
        int flagged = 0;
        List<String> lines =
                run("predict", model.toString(), data).lines().skip(1).toList();
        for (String line : lines) {
            String[] cells = line.split(",");
            assertThat(cells[1]).isEqualTo(Double.parseDouble(cells[0]) >= threshold ? "yes" : "no");
            flagged += cells[1].equals("yes") ? 1 : 0;
        }
        JsonNode used = IntStream.range(0, evaluated.get("thresholds").size())
                .mapToObj(evaluated.get("thresholds")::get)
                .filter(t -> t.get("used").asBoolean())
                .findFirst()
                .orElseThrow();
        assertThat(used.get("threshold").asDouble()).isEqualTo(threshold);
        assertThat(used.get("flagged").asDouble()).isCloseTo(flagged / 4000.0, within(1e-12));
        for (String metric : List.of("precision", "recall", "f1")) {
            assertThat(used.get(metric)).isEqualTo(evaluated.get(metric));
            assertThat(evaluated.get(metric).asDouble())
                    .isBetween(
                            evaluated.at("/intervals/" + metric + "/low").asDouble(),
                            evaluated.at("/intervals/" + metric + "/high").asDouble());
        }
        assertThat(run("rerun", model.toString(), data)).startsWith("the same to the bit");
    }

    @Test
    void recalibrationChangesProbabilitiesAndWithClassWeightsNoLabel() throws IOException {
        for (String weights : List.of("none", "balanced")) {
            boolean weighed = weights.equals("balanced");
            Path with = folder.resolve("with.json");
            Path without = folder.resolve("without.json");
            JsonNode one = json("train", data, "--json", "--class-weights", weights, "--out", with.toString());
            JsonNode other = json(
                    "train",
                    data,
                    "--json",
                    "--class-weights",
                    weights,
                    "--out",
                    without.toString(),
                    "--recalibration",
                    "none");
            assertThat(one.at("/threshold").asDouble() == 0.5).isEqualTo(!weighed);
            assertThat(one.at("/evaluation/0/error").equals(other.at("/evaluation/0/error")))
                    .isEqualTo(weighed);
            double before = other.at("/evaluation/0/calibration_error").asDouble();
            // On 1,200 rows chance alone moves this error by about 0.007.
            assertThat(one.at("/evaluation/0/calibration_error").asDouble())
                    .isLessThan(0.025)
                    .isLessThan(weights.equals("none") ? 0.007 + before : before / 4);
            assertThat(new ObjectMapper().readTree(Files.readString(without)).has("calibration"))
                    .isFalse();
            List<String> plain =
                    run("predict", without.toString(), data).lines().toList();
            List<String> after = run("predict", with.toString(), data).lines().toList();
            assertThat(after).isNotEqualTo(plain);
            assertThat(labels(after).equals(labels(plain))).isEqualTo(weighed);
        }
    }

    private static List<String> labels(List<String> predicted) {
        return predicted.stream().map(line -> line.split(",")[1]).toList();
    }

    @Test
    void textAndPageShowTheFigures() throws IOException {
        Path page = folder.resolve("run.html");
        Path model = folder.resolve("model.json");
        String text = run(
                "train",
                data,
                "--quiet",
                "--threshold",
                "cost(false-positive=1, false-negative=20)",
                "--report",
                page.toString(),
                "--out",
                model.toString());
        assertThat(text)
                .contains(
                        "decisions from probability 0.04762, by --threshold cost(false-positive=1, false-negative=20)\n")
                .contains("\n          recalibrated on rows left out of training in turn: slope ")
                .contains("\nfinding fraud = yes ")
                .containsPattern("\nprecision +0\\.\\d{4}  0\\.\\d{4} to 0\\.\\d{4}\n")
                .containsPattern("\nPR-AUC +0\\.\\d{4}  0\\.\\d{4} to 0\\.\\d{4}\n")
                .containsPattern("\nBrier +0\\.\\d{4}  0\\.\\d{4} to 0\\.\\d{4}\n")
                .containsPattern("\nthreshold +precision +recall +F1 +flagged\n")
                .containsPattern("\n0\\.0476 \\(used\\) ")
                .doesNotContain("No better than always guessing");
        assertThat(run("evaluate", model.toString(), data))
                .containsPattern(
                        "\nerror 0\\.\\d{4}, 95 % interval 0\\.\\d{4} to 0\\.\\d{4}; AUC 0\\.\\d{4}, 0\\.\\d{4} to ")
                .contains("finding fraud = yes ")
                .contains("0.0476 (used)");
        assertThat(Files.readString(page))
                .contains("<h3>Thresholds</h3>")
                .contains("PR-AUC")
                .contains("0.0476");
    }

    @Test
    void explainSaysHowTheProbabilityFollowsFromTheScore() throws IOException {
        String model = folder.resolve("model.json").toString();
        JsonNode calibration =
                json("train", data, "--json", "--lambda", "2", "--out", model).get("calibration");
        double slope = calibration.get("slope").asDouble();
        double intercept = calibration.get("intercept").asDouble();
        String meaning = String.format(
                Locale.ROOT,
                "the logarithm of the odds of fraud = yes before recalibration; after it, the logarithm is %.4g x score %s"
                        + " %.4g\n",
                slope,
                intercept < 0 ? "-" : "+",
                Math.abs(intercept));
        assertThat(run("explain", model)).contains(meaning);
        assertThat(run("explain", model, data, "--row", "1")).contains(meaning);
        JsonNode row = json("explain", model, data, "--row", "1", "--format", "json");
        double score = row.at("/scores/0/score").asDouble();
        assertThat(row.at("/probabilities/yes").asDouble())
                .isCloseTo(1 / (1 + Math.exp(-slope * score - intercept)), within(1e-9));

        run("train", data, "--quiet", "--lambda", "2", "--recalibration", "none", "--out", model);
        assertThat(run("explain", model)).contains("the logarithm of the odds of fraud = yes\n");
    }

    /** Three classes, two of them rare. */
    private String threeClasses() throws IOException {
        Randomness random = Seed.of(2).random();
        StringBuilder csv = new StringBuilder("amount,hour,kind\n");
        for (int r = 0; r < 3000; r++) {
            double[] x = random.gaussians(2);
            double theft = Math.exp(-4 + 1.5 * x[0]);
            double error = Math.exp(-3 + x[1]);
            double left = random.nextDouble() * (1 + theft + error);
            csv.append(x[0])
                    .append(',')
                    .append(x[1])
                    .append(left < theft ? ",theft\n" : left < theft + error ? ",error\n" : ",fine\n");
        }
        return Files.writeString(folder.resolve("three.csv"), csv).toString();
    }

    @Test
    void manyClassesAreRecalibratedThroughAllCommands() throws IOException {
        String three = threeClasses();
        String with = folder.resolve("with.json").toString();
        String without = folder.resolve("without.json").toString();
        Path page = folder.resolve("run.html");
        String[] train = {"train", three, "--class-weights", "balanced", "--lambda", "none"};
        JsonNode after = json(join(train, "--json", "--out", with));
        JsonNode before = json(join(train, "--json", "--out", without, "--recalibration", "none"));
        assertThat(after.at("/evaluation/0/error")).isEqualTo(before.at("/evaluation/0/error"));
        assertThat(after.at("/evaluation/0/calibration_error").asDouble())
                .isLessThan(0.03)
                .isLessThan(before.at("/evaluation/0/calibration_error").asDouble() / 3);
        assertThat(after.at("/evaluation/0/log_loss").asDouble())
                .isLessThan(before.at("/evaluation/0/log_loss").asDouble() / 1.5);
        assertThat(before.get("calibration"))
                .isEqualTo(new ObjectMapper().readTree("{\"slope\":1.0,\"offsets\":[0.0,0.0,0.0]}"));
        JsonNode calibration = after.get("calibration");
        assertThat(new ObjectMapper().readTree(Path.of(with).toFile()).get("calibration"))
                .isEqualTo(calibration);
        assertThat(new ObjectMapper().readTree(Path.of(without).toFile()).has("calibration"))
                .isFalse();
        assertThat(run("rerun", with, three)).startsWith("the same to the bit");

        List<String> plain = run("predict", without, three).lines().toList();
        List<String> calibrated = run("predict", with, three).lines().toList();
        assertThat(calibrated).isNotEqualTo(plain);
        assertThat(calibrated.stream().map(line -> line.split(",")[3]))
                .containsExactlyElementsOf(
                        plain.stream().map(line -> line.split(",")[3]).toList());

        // Classes in the order of the file: their names sorted.
        double slope = calibration.get("slope").asDouble();
        double[] offsets = IntStream.range(0, 3)
                .mapToDouble(c -> calibration.get("offsets").get(c).asDouble())
                .toArray();
        String range = String.format(
                Locale.ROOT,
                "recalibrated on rows left out of training in turn: slope %.4g, offsets of classes from %.4g (theft) to %.4g"
                        + " (fine)",
                slope,
                offsets[2],
                offsets[1]);
        assertThat(run(join(train, "--quiet", "--report", page.toString()))).contains("\ndecisions " + range + "\n");
        assertThat(Files.readString(page)).contains("probabilities are right. They were " + range + ".</p>");
        assertThat(run(join(train, "--quiet", "--recalibration", "none", "--report", page.toString())))
                .doesNotContain("recalibrated");
        assertThat(Files.readString(page)).contains("probabilities are right.</p>");

        String meaning = String.format(
                Locale.ROOT,
                "softmax: one score for each class; the largest decides; after recalibration, probabilities are in proportion"
                        + " to e^(%.4g x score + offset of the class)\n",
                slope);
        String theft = String.format(Locale.ROOT, "\nkind = theft, offset %.4g\n", offsets[2]);
        assertThat(run("explain", with)).startsWith(meaning).contains(theft);
        assertThat(run("explain", with, three, "--row", "1")).contains(meaning).contains(theft);
        assertThat(run("explain", without))
                .startsWith("softmax: one score for each class; the largest decides\n")
                .contains("\nkind = theft\n");
        JsonNode row = json("explain", with, three, "--row", "1", "--format", "json");
        double[] powers = IntStream.range(0, 3)
                .mapToDouble(
                        c -> Math.exp(slope * row.at("/scores/" + c + "/score").asDouble() + offsets[c]))
                .toArray();
        assertThat(row.at("/probabilities/theft").asDouble())
                .isCloseTo(powers[2] / (powers[0] + powers[1] + powers[2]), within(1e-9));
    }

    private static String[] join(String[] first, String... more) {
        return Stream.of(first, more).flatMap(Stream::of).toArray(String[]::new);
    }

    @Test
    void aThresholdForOtherLabelsIsRefusedInOneLine() {
        Shell.Result refused = Shell.run("train", "builtin:digits", "--threshold", "auto", "--quiet");
        assertThat(refused.code()).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(refused.err())
                .startsWith(
                        "holdfast: --threshold needs two classes and a model with probabilities, such as logistic; got"
                                + " auto for ")
                .hasLineCount(1);
    }
}
