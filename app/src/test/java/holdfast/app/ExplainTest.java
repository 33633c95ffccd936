package holdfast.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import holdfast.app.command.ExitCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code explain}, and coefficients in what {@code train} reports. */
class ExplainTest {
    /** Plain penalised regression on all rows, which other programs compute too. */
    private static final List<String> EXACT = List.of(
            "--test-share 0 --workers 1 --rule mean --tolerated 0 --lambda none --tolerance 1e-13 --rounds 20000 --quiet"
                    .split(" "));

    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private static Path folder;

    private static String spam;
    private static String holes;

    private static String path(String name) {
        return folder.resolve(name).toString();
    }

    private static String run(String... args) {
        Shell.Result result = Shell.run(args);
        assertThat(result.code()).as(result.err()).isZero();
        return result.out();
    }

    private static String train(String name, String... args) {
        List<String> all = new ArrayList<>(List.of("train"));
        all.addAll(List.of(args));
        all.addAll(EXACT);
        all.addAll(List.of("--out", path(name)));
        run(all.toArray(String[]::new));
        return path(name);
    }

    /** Sixty rows with words and missing cells. */
    @BeforeAll
    static void write() throws IOException {
        StringBuilder csv = new StringBuilder("age,region,ill,cost,claims\n");
        for (int i = 0; i < 60; i++) {
            int age = 20 + i * 37 % 50;
            int region = (i * i + i / 3) % 3;
            double part = i * 0.6180339887 % 1;
            boolean ill = 0.05 * (age - 45) + new double[] {-0.5, 0, 0.7}[region] + 2 * (part - 0.5) > 0;
            double other = i * 0.7548776662 % 1;
            csv.append(i % 7 == 3 ? "" : age)
                    .append(
                            i % 11 == 5
                                    ? ","
                                    : "," + List.of("north", "south", "west").get(region))
                    .append(ill ? ",yes," : ",no,")
                    .append(1000 + 7 * age + (region == 2 ? 300 : 0) + 40 * other)
                    .append(',')
                    .append((int) (age / 20.0 + 3 * other + (region == 2 ? 1 : 0)))
                    .append('\n');
        }
        holes = Files.writeString(folder.resolve("holes.csv"), csv).toString();
        spam = train("spam.json", "builtin:spambase", "--l2", "0.01");
    }

    /** Writes the table with only one of its labels. */
    private static String labelled(String label) throws IOException {
        int at = List.of("ill", "cost", "claims").indexOf(label) + 2;
        StringBuilder csv = new StringBuilder();
        for (String line : Files.readAllLines(Path.of(holes))) {
            String[] cells = line.split(",");
            csv.append(cells[0] + "," + cells[1] + "," + cells[at] + "\n");
        }
        return Files.writeString(folder.resolve(label + ".csv"), csv).toString();
    }

    /** The cells of a CSV without quotes, by the first cell of their line. */
    private static Map<String, String[]> csv(String text) {
        Map<String, String[]> lines = new LinkedHashMap<>();
        text.lines().forEach(line -> lines.put(line.split(",")[0], line.split(",", -1)));
        return lines;
    }

    private static void expect(Map<String, String[]> lines, String feature, double... expected) {
        for (int i = 0; i < expected.length; i++) {
            assertThat(Double.parseDouble(lines.get(feature)[i + 1]))
                    .as("%s, column %d", feature, i + 1)
                    .isCloseTo(expected[i], within(2e-4 * Math.abs(expected[i]) + 1e-5));
        }
    }

    /*
     * import gzip, math, numpy as np
     * from sklearn.linear_model import LogisticRegression
     * from sklearn.preprocessing import StandardScaler
     * rows = np.array([[float(c) for c in l.split(",")] for l in gzip.open("spambase.csv.gz", "rt").readlines()[1:]])
     * x, y = rows[:, :-1], rows[:, -1]
     * s = StandardScaler().fit(x)
     * m = LogisticRegression(C=1 / (0.01 * len(y)), tol=1e-12, max_iter=100000).fit(s.transform(x), y)
     * c = m.coef_[0] / s.scale_                     # coefficients; m.coef_[0] the effects, exp(c) the odds ratios
     * m.intercept_[0] - c @ s.mean_                 # the intercept; m.intercept_[0] the base
     * c * (x[0] - s.mean_)                          # contributions of the first row
     */
    @Test
    void coefficientsOfSpambaseAreThoseOfScikitLearn() {
        Map<String, String[]> lines = csv(run("explain", spam, "--format", "csv"));
        assertThat(lines.get("feature")).containsExactly("feature", "coefficient", "effect", "odds_ratio");
        assertThat(lines).hasSize(59);
        assertThat(lines.keySet().stream().skip(1).limit(5))
                .containsExactly(
                        "word_freq_hp", "char_freq_$", "word_freq_remove", "word_freq_george", "word_freq_000");
        expect(lines, "word_freq_hp", -0.49990929051563876, -0.835432260984373, 0.6065856802914317);
        expect(lines, "char_freq_$", 3.284055404151057, 0.807402391780297, 26.68376703111927);
        expect(lines, "word_freq_remove", 1.8918981955666883, 0.740486709410872, 6.631945470154041);
        expect(lines, "word_freq_george", -0.21687963253427558, -0.7302176415820296, 0.8050268625167706);
        expect(lines, "(intercept)", -1.6434957756588973);
        assertThat(lines.get("(intercept)")).endsWith("", "");
    }

    @Test
    void theFirstRowOfSpambaseIsExplainedAsByHand() throws IOException {
        Map<String, String[]> lines = csv(run("explain", spam, "builtin:spambase", "--row", "1", "--format", "csv"));
        assertThat(lines.keySet().stream().limit(5))
                .containsExactly("feature", "word_freq_email", "word_freq_hp", "char_freq_!", "char_freq_$");
        expect(lines, "word_freq_email", 1.29, 0.33584901148311697);
        expect(lines, "word_freq_hp", 0, 0.2747023825107529);
        expect(lines, "char_freq_$", 0, -0.24896651711473822);
        JsonNode json = JSON.readTree(run("explain", spam, "builtin:spambase", "--row", "1", "--format", "json"));
        assertThat(json.get("predicted").asText()).isEqualTo("1");
        assertThat(json.get("probabilities").get("1").asDouble()).isCloseTo(0.53261561, within(1e-5));
        JsonNode score = json.get("scores").get(0);
        assertThat(score.get("base").asDouble()).isCloseTo(-0.9069757005052795, within(1e-4));
        assertThat(score.get("score").asDouble()).isCloseTo(0.1306479597991944, within(1e-4));
        double sum = score.get("base").asDouble();
        for (JsonNode part : score.get("contributions")) {
            sum += part.get("contribution").asDouble();
        }
        assertThat(sum).isCloseTo(score.get("score").asDouble(), within(1e-12));
        assertThat(run("explain", spam, "builtin:spambase", "--row", "1"))
                .startsWith("builtin:spambase, row 1: predicted spam = 1, with probability 0.5326\n")
                .containsPattern("\n37 more \\(--all\\) +-?0\\.\\d+\nbase: a row of the training centres +-0.9070\n"
                        + "score: their sum +0.130[67]\n$");
    }

    /*
     * import numpy as np
     * from sklearn.linear_model import LogisticRegression, PoissonRegressor, Ridge
     * from sklearn.preprocessing import StandardScaler
     * age = [20 + i * 37 % 50 for i in range(60)]; region = [(i * i + i // 3) % 3 for i in range(60)]
     * ill = [0.05 * (a - 45) + [-0.5, 0, 0.7][r] + 2 * (i * 0.6180339887 % 1 - 0.5) > 0
     *        for i, (a, r) in enumerate(zip(age, region))]
     * u = [i * 0.7548776662 % 1 for i in range(60)]
     * cost = np.array([1000 + 7 * a + 300 * (r == 2) + 40 * v for a, r, v in zip(age, region, u)])
     * claims = np.array([int(a / 20 + 3 * v + (r == 2)) for a, r, v in zip(age, region, u)])
     * known = [a for i, a in enumerate(age) if i % 7 != 3]; fill = sum(known) / len(known)
     * X = np.array([[fill if i % 7 == 3 else a, i % 7 == 3]
     *               + [i % 11 != 5 and r == k for k in range(3)] + [i % 11 == 5]
     *               for i, (a, r) in enumerate(zip(age, region))], float)
     * s = StandardScaler().fit(X); Z = s.transform(X)
     * m = LogisticRegression(C=1 / (0.1 * 60), tol=1e-14, max_iter=100000).fit(Z, ill)
     * r = Ridge(alpha=0.1 * 60, tol=1e-14).fit(Z, (cost - cost.mean()) / cost.std())   # times cost.std() again
     * p = PoissonRegressor(alpha=0.1, tol=1e-13, max_iter=100000).fit(Z, claims / claims.mean())
     */
    @Test
    void wordsAndMissingCellsHaveTheCoefficientsOfTheirFeatures() throws IOException {
        String table = labelled("ill");
        String model = train("ill.json", table, "--missing", "indicator", "--l2", "0.1");
        Map<String, String[]> lines = csv(run("explain", model, "--format", "csv"));
        assertThat(lines.keySet())
                .containsExactly(
                        "feature",
                        "age",
                        "region=west",
                        "region=north",
                        "age missing",
                        "region missing",
                        "region=south",
                        "(intercept)");
        expect(lines, "age", 0.07164218534490958, 0.9863381978761271);
        expect(lines, "age missing", -0.5327426440931159, -0.19022717318118315);
        expect(lines, "region=north", -1.07261253496764, -0.4833372937406867);
        expect(lines, "region=west", 1.1208461056858428, 0.5136362121701847);
        expect(lines, "region missing", -0.3162535486862189, -0.08740786330088188);
        expect(lines, "(intercept)", -2.709873381987939);
        // The age of row 4 is missing, so it counts as the mean and contributes nothing.
        Map<String, String[]> row = csv(run("explain", model, table, "--row", "4", "--format", "csv"));
        expect(row, "age", 44.84313725, 0);
        expect(row, "age missing", 1, -0.4528312474791485);
        expect(row, "region=north", 0, 0.303906884907498);
        expect(row, "region=west", 0, -0.3362538317057528);
        assertThat(row.get("(base)")[2]).startsWith("0.43873");
    }

    @Test
    void numbersAndCountsAreInTheirOwnUnits() throws IOException {
        Map<String, String[]> cost = csv(run(
                "explain",
                train("cost.json", labelled("cost"), "--missing", "indicator", "--l2", "0.1"),
                "--format",
                "csv"));
        assertThat(cost.get("feature")).containsExactly("feature", "coefficient", "effect");
        expect(cost, "age", 5.885138984014652);
        expect(cost, "region=west", 200.36082567356473);
        expect(cost, "(intercept)", 1172.5111209674565);
        String poisson =
                train("claims.json", labelled("claims"), "--missing", "indicator", "--l2", "0.1", "--model", "poisson");
        Map<String, String[]> claims = csv(run("explain", poisson, "--format", "csv"));
        assertThat(claims.get("feature")).containsExactly("feature", "coefficient", "effect", "rate_ratio");
        expect(claims, "age", 0.00962680818326132);
        expect(claims, "region=west", 0.20891653452940212);
        assertThat(Double.parseDouble(claims.get("region=west")[3])).isCloseTo(1.2323421362212517, within(1e-4));
        expect(claims, "(intercept)", 0.8318541806611428);
        assertThat(run("explain", poisson)).startsWith("poisson: the score is the logarithm of the mean of claims\n");
    }

    @Test
    void manyClassesHaveABlockEach() throws IOException {
        String model = path("digits.json");
        run("train", "builtin:digits", "--rounds", "5", "--quiet", "--out", model);
        String text = run("explain", model);
        assertThat(text).startsWith("softmax: one score for each class; the largest decides\n");
        assertThat(text.lines().filter(line -> line.startsWith("digit = "))).hasSize(10);
        assertThat(text.lines().filter("... and 44 more; --all shows them"::equals))
                .hasSize(10);
        assertThat(run("explain", model, "--all").lines().filter(line -> line.startsWith("pixel")))
                .hasSize(640);
        JsonNode json = JSON.readTree(run("explain", model, "--format", "json"));
        assertThat(json.get("scores")).hasSize(10);
        assertThat(json.get("scores").get(3).get("class").asText()).isEqualTo("3");
        assertThat(run("explain", model, "--format", "csv").lines().findFirst())
                .contains("class,feature,coefficient,effect");
        assertThat(run("explain", model, "builtin:digits", "--row", "2")
                        .lines()
                        .filter(line -> line.startsWith("score: ")))
                .hasSize(10);
    }

    @Test
    void cellsBeyondTheClipAreSaid() throws IOException {
        StringBuilder csv = new StringBuilder("a,b,place,y\n");
        for (int i = 0; i < 400; i++) {
            double a = Math.sin(i);
            csv.append(String.format(
                    Locale.ROOT, "%.4f,%.4f,P%d,%d%n", a, Math.cos(2.3 * i), i % 5, a + Math.cos(i * i) > 0 ? 1 : 0));
        }
        String table = Files.writeString(folder.resolve("clip.csv"), csv).toString();
        run("train", table, "--workers-by", "place", "--quiet", "--out", path("clip.json"));
        String wild = Files.writeString(folder.resolve("wild.csv"), "a,b\n0.1,-1000\n0.1,1\n")
                .toString();
        assertThat(run("explain", path("clip.json"), wild, "--row", "1"))
                .containsPattern("\nb \\* +-1000 +")
                .endsWith("\n\n* cut off, counted as 5 times one standard deviation of the feature: b\n");
        assertThat(run("explain", path("clip.json"), wild, "--row", "2")).doesNotContain("*");
        assertThat(csv(run("explain", path("clip.json"), wild, "--row", "1", "--format", "csv"))
                        .get("b"))
                .endsWith("yes");
    }

    @Test
    void intervalsAreInTheModelTheSummaryAndThePage() throws IOException {
        String table = Clinics.write(folder, 1, 1).toString();
        String[] command = {
            "train", table, "--workers-by", "clinic", "--quiet", "--intervals", "50", "--out", path("clinics.json")
        };
        String summary = run(Stream.concat(Arrays.stream(command), Stream.of("--report", path("clinics.html")))
                .toArray(String[]::new));
        assertThat(summary)
                .containsPattern(
                        "\nLargest effects on the score, of one standard deviation of the feature each\n"
                                + "Intervals are 95 %, from 50 resamples of the sources:\n  age +\\d\\.\\d+ +\\d\\.\\d+ to \\d\\.\\d+\n");
        assertThat(Files.readString(folder.resolve("clinics.html")))
                .contains("The 3 largest of 3 effects", "from 50 resamples of the sources.", "class=\"whisker\"");
        JsonNode json = JSON.readTree(
                run(Stream.concat(Arrays.stream(command), Stream.of("--json")).toArray(String[]::new)));
        JsonNode explained = JSON.readTree(run("explain", path("clinics.json"), "--format", "json"));
        assertThat(explained.get("scores")).isEqualTo(json.get("coefficients").get("scores"));
        assertThat(explained.get("intervals").get("resampled").asText()).isEqualTo("sources");
        JsonNode age = explained.get("scores").get(0).get("coefficients").get(0);
        assertThat(age.get("low").asDouble())
                .isLessThan(age.get("coefficient").asDouble())
                .isPositive();
        assertThat(run("explain", path("clinics.json")))
                .contains("Intervals are 95 %, from 50 resamples of the sources.\n")
                .containsPattern("feature +coefficient +effect +odds ratio +interval of coefficient\nage ");
        assertThat(csv(run("explain", path("clinics.json"), "--format", "csv")).get("feature"))
                .containsExactly("feature", "coefficient", "effect", "odds_ratio", "low", "high");
        assertThat(run("rerun", path("clinics.json"), table)).startsWith("the same");
        Path copy = folder.resolve("explained.csv");
        assertThat(run("explain", path("clinics.json"), "--format", "csv", "--out", copy.toString()))
                .isEmpty();
        assertThat(copy).hasContent(run("explain", path("clinics.json"), "--format", "csv"));
    }

    @Test
    void theWordsFitTheModelAndItsScale() throws IOException {
        String table = labelled("ill");
        String model = path("words.json");
        String[][] expected = {
            {"none", "An effect is that of one unit of the feature.", "base: a row of zeros "},
            {"max-abs", "An effect is that of the largest value of the feature.", "base: a row of zeros "},
            {"sd", "An effect is that of one standard deviation of the feature.", "base: a row of zeros "},
            {
                "min-max",
                "An effect is that of the whole range of the feature.",
                "base: a row of the smallest training values "
            }
        };
        for (String[] scale : expected) {
            run(
                    "train",
                    table,
                    "--missing",
                    "indicator",
                    "--scale",
                    scale[0],
                    "--model",
                    "svm",
                    "--rounds",
                    "9",
                    "--quiet",
                    "--out",
                    model);
            assertThat(run("explain", model))
                    .startsWith("svm: the score is a margin; above 0 it speaks for ill = yes\n" + scale[1])
                    .doesNotContain("ratio");
            assertThat(run("explain", model, table, "--row", "1"))
                    .startsWith(table + ", row 1: predicted ill = ")
                    .doesNotContain("probability")
                    .contains("\n" + scale[2]);
        }
        run("train", labelled("cost"), "--missing", "indicator", "--rounds", "9", "--quiet", "--out", model);
        assertThat(run("explain", model)).startsWith("linear: the score is cost\n");
        JsonNode row = JSON.readTree(run("explain", model, table, "--row", "1", "--format", "json"));
        assertThat(row.get("predicted").asDouble())
                .isEqualTo(row.get("scores").get(0).get("score").asDouble());
        assertThat(row.has("probabilities")).isFalse();
    }

    private static void refused(String message, String... args) {
        Shell.Result result = Shell.run(args);
        assertThat(result.err()).isEqualTo("holdfast: " + message + "\n");
        assertThat(result.code()).isEqualTo(ExitCode.BAD_INPUT);
    }

    @Test
    void mistakesAreOneLine() {
        refused("--format must be text, csv or json, got 'xml'", "explain", spam, "--format", "xml");
        refused("--row needs a table: explain MODEL DATA --row N", "explain", spam, "--row", "1");
        refused("a table needs --row N, the row to explain", "explain", spam, "builtin:spambase");
        refused(
                "builtin:spambase: --row must be from 1 to 4601, got 0",
                "explain",
                spam,
                "builtin:spambase",
                "--row",
                "0");
        refused("--out must differ from the other files of the command, got " + spam, "explain", spam, "--out", spam);
        refused("--intervals must be a whole number >= 0, got -1", "train", "builtin:spambase", "--intervals", "-1");
    }

    @Test
    void aRowIsReadAsTheTrainingTableWas() throws IOException {
        StringBuilder csv = new StringBuilder("x;city;y\n");
        for (int r = 0; r < 60; r++) {
            csv.append(r == 7 ? "-999" : r * 37 % 83 + ",5")
                    .append(r % 3 == 0 ? ";Köln;" : ";Lyon;")
                    .append(r * 7 % 5 < 2 ? "yes\n" : "no\n");
        }
        Path file = Files.write(folder.resolve("latin.csv"), csv.toString().getBytes(StandardCharsets.ISO_8859_1));
        String model = train(
                "latin.json",
                file.toString(),
                "--encoding",
                "latin-1",
                "--decimal",
                "comma",
                "--missing-values",
                "-999",
                "--missing",
                "mean");
        String[] predicted = run("predict", model, file.toString()).split("\n");
        for (int row : new int[] {1, 8}) {
            JsonNode explained = JSON.readTree(
                    run("explain", model, file.toString(), "--row", Integer.toString(row), "--format", "json"));
            assertThat(explained.get("probabilities").get("yes").doubleValue())
                    .isEqualTo(Double.parseDouble(predicted[row].split(",")[0]));
        }
    }
}
