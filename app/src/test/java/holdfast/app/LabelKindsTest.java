package holdfast.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import holdfast.Randomness;
import holdfast.Seed;
import holdfast.app.command.ExitCode;
import holdfast.model.Models;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every kind of label from end to end: two classes, many classes, numbers and counts. */
class LabelKindsTest {
    private static final int ROWS = 300;

    @TempDir
    private Path folder;

    private Path model() {
        return folder.resolve("model.json");
    }

    private Path file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    /** Rows of three features, and a label made of a noisy sum of them. */
    private Path data(String kind) throws IOException {
        DoubleFunction<String> label = switch (kind) {
            case "words" -> u -> u > 0 ? "yes" : "no";
            case "sizes" -> u -> u > 0.7 ? "tall" : u < -0.7 ? "low" : "between";
            case "digits" -> u -> Integer.toString((int) Math.max(0, Math.min(9, Math.floor(5 + 2 * u))));
            case "prices" -> u -> String.format(Locale.ROOT, "%.2f", 1e5 + 2e4 * u);
            case "counts" -> u -> Long.toString(Math.round(Math.exp(0.7 + 0.4 * u)));
            default -> throw new IllegalArgumentException(kind);
        };
        Randomness random = Seed.of(1).child("rows").random();
        StringBuilder csv = new StringBuilder("a,b,c,y\n");
        for (int row = 0; row < ROWS; row++) {
            double[] x = random.gaussians(3);
            double u = x[0] - x[1] + 0.3 * random.nextGaussian();
            csv.append(String.format(Locale.ROOT, "%.4f,%.4f,%.4f,%s\n", x[0], x[1], x[2], label.apply(u)));
        }
        return file(kind + ".csv", csv.toString());
    }

    private static String run(String line) {
        Shell.Result result = Shell.run(line.split(" +"));
        assertThat(result.code()).as("%s: %s", line, result.err()).isZero();
        return result.out();
    }

    private static JsonNode json(String line) throws IOException {
        return new ObjectMapper().readTree(run(line + " --json"));
    }

    private static void refused(String message, String line) {
        Shell.Result result = Shell.run(line.split(" +"));
        assertThat(result.err()).startsWith("holdfast: ").contains(message);
        assertThat(result.err().lines()).hasSize(1);
        assertThat(result.out()).isEmpty();
        assertThat(result.code()).isEqualTo(ExitCode.BAD_INPUT);
    }

    /** The cells below the heading. */
    private static String[][] cells(String csv) {
        return csv.lines().skip(1).map(line -> line.split(",")).toArray(String[][]::new);
    }

    private static String[] last(String[][] cells) {
        return Arrays.stream(cells).map(row -> row[row.length - 1]).toArray(String[]::new);
    }

    @ParameterizedTest
    @CsvSource({
        "words, auto, logistic, error",
        "sizes, auto, softmax, error",
        "digits, auto, softmax, error",
        "prices, auto, linear, rmse",
        "counts, auto, softmax, error",
        "counts, poisson, poisson, deviance",
        "words, svm, svm, error",
        "words, softmax, softmax, error",
        "prices, huber(delta=2), huber(delta=2), rmse",
        "words, mlp(hidden=4), mlp(hidden=4), error",
        "sizes, mlp(hidden=4-3), mlp(hidden=4-3), error",
        "prices, mlp(loss=huber), mlp(loss=huber), rmse"
    })
    void theLabelsDecideTheModelUnlessThePlanDoes(String kind, String asked, String chosen, String metric)
            throws IOException {
        String train = "train " + data(kind) + " --quiet --rounds 60 --model " + asked;
        JsonNode trained = json(train + " --out " + model());
        assertThat(trained.get("model").asText()).isEqualTo(chosen);
        assertThat(new ObjectMapper().readTree(model().toFile()).get("model").asText())
                .isEqualTo(chosen);
        boolean classes = metric.equals("error");
        JsonNode test = trained.at("/evaluation/0");
        assertThat(test.get(metric).isNumber()).isTrue();
        assertThat(test.has("accuracy")).isEqualTo(classes);
        assertThat(test.has("confusion")).isEqualTo(classes);
        assertThat(test.has("calibration")).isEqualTo(classes && !chosen.equals("svm"));
        assertThat(run(train))
                .contains("\nmodel     " + chosen
                        + (chosen.equals("softmax") && asked.equals("auto") && !kind.equals("sizes")
                                ? ", which takes the numbers for classes; --model linear and --model poisson take them for numbers\n"
                                : "\n"))
                .doesNotContain(
                        "No better than", "by predicted class", "by the predicted probability", "by the probability");
    }

    @ParameterizedTest
    @CsvSource({"words, auto", "words, svm", "words, softmax", "sizes, auto", "digits, auto"})
    void theClassesPredictedAreThoseEvaluated(String kind, String asked) throws IOException {
        Path data = data(kind);
        // Recalibrated probabilities leave labels as trained, so the likeliest class may be another.
        run("train " + data + " --quiet --rounds 60 --recalibration none --model " + asked + " --out " + model());
        JsonNode evaluated = json("evaluate " + model() + " " + data);
        String predicted = run("predict " + model() + " " + data);
        String[][] cells = cells(predicted);
        String[] said = last(cells);
        String[] truth = last(cells(Files.readString(data)));
        List<String> classes = Arrays.stream(truth).distinct().sorted().toList();
        int k = classes.size();
        int[][] confusion = new int[k][k];
        for (int row = 0; row < ROWS; row++) {
            confusion[classes.indexOf(truth[row])][classes.indexOf(said[row])]++;
        }
        assertThat(new ObjectMapper().convertValue(evaluated.get("classes"), String[].class))
                .containsExactlyElementsOf(classes);
        assertThat(new ObjectMapper().convertValue(evaluated.get("confusion"), int[][].class))
                .isDeepEqualTo(confusion);
        double right = IntStream.range(0, k).map(c -> confusion[c][c]).sum();
        assertThat(evaluated.get("accuracy").asDouble())
                .isCloseTo(right / ROWS, within(1e-12))
                .isGreaterThan(0.4);
        String heading = predicted.lines().findFirst().orElseThrow();
        if (k == 2) {
            assertThat(heading).isEqualTo(asked.equals("svm") ? "score,y" : "probability,y");
        } else {
            assertThat(heading).isEqualTo("probability of " + String.join(",probability of ", classes) + ",y");
            for (String[] row : cells) {
                double[] p = Arrays.stream(row)
                        .limit(k)
                        .mapToDouble(Double::parseDouble)
                        .toArray();
                assertThat(Arrays.stream(p).sum()).isCloseTo(1, within(1e-12));
                assertThat(Arrays.stream(p).max().orElseThrow()).isEqualTo(p[classes.indexOf(row[k])]);
            }
        }
        String shown = run("evaluate " + model() + " " + data);
        assertThat(shown).contains("\nRows of each class (lines) by predicted class (columns):\ny ");
        assertThat(shown.contains("\nRows by the ")).isEqualTo(!asked.equals("svm"));
    }

    @ParameterizedTest
    @CsvSource({"prices, auto", "prices, huber", "counts, poisson"})
    void theNumbersPredictedAreThoseEvaluated(String kind, String asked) throws IOException {
        Path data = data(kind);
        run("train " + data + " --quiet --rounds 60 --model " + asked + " --out " + model());
        JsonNode evaluated = json("evaluate " + model() + " " + data);
        String predicted = run("predict " + model() + " " + data);
        assertThat(predicted).startsWith("y\n");
        String[] said = last(cells(predicted));
        String[] truth = last(cells(Files.readString(data)));
        double[] gaps = IntStream.range(0, ROWS)
                .mapToDouble(row -> Double.parseDouble(said[row]) - Double.parseDouble(truth[row]))
                .toArray();
        double rmse = Math.sqrt(Arrays.stream(gaps).map(g -> g * g).average().orElseThrow());
        assertThat(evaluated.get("rmse").asDouble()).isCloseTo(rmse, within(1e-9 * rmse));
        assertThat(evaluated.get("mae").asDouble())
                .isCloseTo(Arrays.stream(gaps).map(Math::abs).average().orElseThrow(), within(1e-9 * rmse));
        List<String> lines = run("evaluate " + model() + " " + data).lines().toList();
        assertThat(lines).hasSize(3);
        assertThat(lines.get(2)).containsPattern("^(RMSE|deviance) \\S+, 95 % interval \\S+ to \\S+$");
    }

    @Test
    void labelsThatDoNotFitAreOneLineAndNothingIsWritten() throws IOException {
        Path precious = file("precious.json", "precious");
        String out = " --quiet --out " + precious + " --model ";
        Path three = file("three.csv", "x,y\n1,red\n2,green\n3,green\n4,blue\n");
        refused(
                three
                        + ": line 5, column 2 (y): a label must have two values, got a third: 'blue' beside red and green",
                "train " + three + out + "logistic");
        refused(three + ": line 2, column 2 (y) must be a number, got 'red'", "train " + three + out + "linear");
        Path negative = file("negative.csv", "x,y\n1,4\n2,-3\n3,0\n");
        refused(
                negative + ": line 3, column 2 (y) must be a count, a whole number from 0, got -3",
                "train " + negative + out + "poisson");
        Path missing = file("missing.csv", "x,y\n1,4.5\n2,n/a\n3,0.5\n4,1.5\n");
        refused(
                missing + ": line 3, column 2 (y) must be a number like other labels",
                "train " + missing + out + "auto");
        Path prices = data("prices");
        refused(
                "--class-weights need classes, but y has numbers",
                "train " + prices + " --class-weights balanced" + out + "auto");
        refused(
                "--class-weights must be 3 numbers, one per class, got 2",
                "train " + data("sizes") + " --class-weights 1,2" + out + "auto");
        refused(
                negative + ": line 3, column 2 (y) must be a count",
                "train " + file("good.csv", "x,y\n1,4\n2,3\n3,0\n") + " --test " + negative + out + "poisson");
        assertThat(precious).hasContent("precious");
    }

    @Test
    void laterLabelsThatDoNotFitAreOneLine() throws IOException {
        run("train " + data("sizes") + " --quiet --out " + model());
        Path unseen = file("unseen.csv", "a,b,c,y\n1,2,3,low\n1,2,3,huge\n");
        refused(
                unseen + ": line 3, column 4 (y) must be a class met in training, between, low, tall; got 'huge'",
                "evaluate " + model() + " " + unseen);
        run("train " + data("counts") + " --quiet --model poisson --out " + model());
        Path negative = file("negative.csv", "a,b,c,y\n1,2,3,-1\n");
        refused(
                negative + ": line 2, column 4 (y) must be a count, a whole number from 0, got -1",
                "evaluate " + model() + " " + negative);
        run("train " + data("prices") + " --quiet --out " + model());
        assertThat(json("evaluate " + model() + " " + negative).get("rmse").asDouble())
                .isPositive();
    }

    @Test
    void weightsAreForTrainingAlone() throws IOException {
        String[] lines = Files.readString(data("sizes")).split("\n");
        StringBuilder weighted = new StringBuilder();
        for (int i = 0; i < lines.length; i++) {
            weighted.append(i == 0 ? "w," : lines[i].endsWith("low") ? "50," : "1,")
                    .append(lines[i])
                    .append('\n');
        }
        Path data = file("weighted.csv", weighted.toString());
        run("train " + data + " --quiet --weights-by w --out " + model());
        assertThat(new ObjectMapper()
                        .convertValue(
                                new ObjectMapper().readTree(model().toFile()).get("features"), String[].class))
                .containsExactly("a", "b", "c");
        JsonNode heavy = json("evaluate " + model() + " " + data);
        assertThat(heavy).isEqualTo(json("evaluate " + model() + " " + data("sizes")));
        run("train " + data("sizes") + " --quiet --out " + folder.resolve("plain.json"));
        JsonNode plain = json("evaluate " + folder.resolve("plain.json") + " " + data("sizes"));
        // Class 1, low, is right more often the more it weighs.
        assertThat(heavy.at("/confusion/1/1").asInt())
                .isGreaterThan(plain.at("/confusion/1/1").asInt());
        assertThat(json("train " + data + " --quiet --weights-by w --test " + data("sizes"))
                        .at("/evaluation/0/rows")
                        .asInt())
                .isEqualTo(ROWS);
    }

    @Test
    void saysWhenAModelIsNoBetterThanGuessing() throws IOException {
        assertThat(run("train " + data("sizes") + " --quiet --rounds 0"))
                .containsPattern(
                        "No better than always guessing the most frequent class, which has error 0\\.\\d{4}\n");
        assertThat(run("train " + data("prices") + " --quiet --rounds 0"))
                .containsPattern("No better than always guessing the mean, which has RMSE 2\\.\\d+e\\+04\n");
        assertThat(run("train " + data("counts") + " --model poisson --quiet --rounds 0"))
                .containsPattern("No better than always guessing the mean, which has deviance \\d\\.\\d+\n");
    }

    @Test
    void theRedTeamMeasuresWhatTheLabelsAre() throws IOException {
        String grid =
                " --rules median,mean --attacks aggressive,nan,backdoor --liars 2 --workers 8 --rounds 10 --seeds 2"
                        + " --shifts l2 --quiet --out " + folder.resolve("redteam");
        assertThat(run("redteam --data " + data("sizes") + grid))
                .contains(
                        "\nMisclassification rate, mean and sd",
                        "Attacks: 3,",
                        "Winner: median. Its worst case is better")
                .containsPattern("\nmean +0\\.\\d{4} +1.0000 ± 0.0000 +(aggressive|nan) of 2, no shift\n");
        assertThat(run("redteam --fresh --data " + data("prices") + grid))
                .contains(
                        "\nRMSE, mean and sd",
                        "Attacks: 2,",
                        "\nWinner: median, the only one that is never left without a model.\n",
                        "\nnot tried: backdoor: the target must be a class, but y has numbers\n")
                .containsPattern("\nmean +\\d+\\.\\d{4} +no model +(aggressive|nan) of 2, no shift\n");
        JsonNode found = new ObjectMapper()
                .readTree(folder.resolve("redteam/redteam.json").toFile());
        assertThat(found.get("metric").asText()).isEqualTo("rmse");
        assertThat(found.at("/ranking/1/worst/mean").isNull()).isTrue();
        assertThat(found.at("/ranking/0/worst/mean").asDouble())
                .isBetween(
                        found.at("/ranking/0/clean/mean").asDouble(),
                        found.get("guessing").asDouble());
        assertThat(Files.readString(folder.resolve("redteam/redteam.html")))
                .contains("RMSE on held-out rows", "counts as infinite")
                .doesNotContain("NaN", "Infinity", "{{");
        refused(
                "backdoor: the target must be a class, but y has numbers",
                "redteam --fresh --data " + data("prices") + grid.replace("aggressive,nan,", ""));
    }

    @ParameterizedTest
    @CsvSource({"sizes, auto", "prices, auto", "counts, poisson"})
    void everyKindOfLabelHasItsBreakpoint(String kind, String asked) throws IOException {
        JsonNode found = json("breakpoint --data " + data(kind) + " --model " + asked
                + " --rules mean,median --workers 6 --rounds 30 --seeds 1 --quiet");
        assertThat(found.at("/rules/0/trained").asInt()).isEqualTo(1);
        assertThat(found.at("/rules/1/trained").asInt()).isEqualTo(3);
    }

    @Test
    void listsTheModels() throws IOException {
        String text = run("models");
        JsonNode listed = json("models").get("models");
        assertThat(listed).hasSameSizeAs(Models.catalogue().names());
        listed.forEach(
                entry -> assertThat(text).contains("\n  " + entry.get("name").asText()));
        assertThat(text).contains("\n  huber(delta=1)\n");
    }
}
