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
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code certify} by the real command. */
class CertifyTest {
    @TempDir
    private static Path folder;

    private static String model;

    private static String path(String name) {
        return folder.resolve(name).toString();
    }

    private static String run(String... args) {
        Shell.Result result = Shell.run(args);
        assertThat(result.code()).as(result.err()).isZero();
        return result.out();
    }

    @BeforeAll
    static void train() {
        model = path("model.json");
        run("train", "builtin:spambase", "--quiet", "--lambda", "3", "--recalibration", "none", "--out", model);
    }

    private static JsonNode certificate(String... more) throws IOException {
        List<String> args = new ArrayList<>(List.of("certify", model, "builtin:spambase", "--json"));
        args.addAll(List.of(more));
        return new ObjectMapper().readTree(run(args.toArray(String[]::new)));
    }

    /** What evaluate finds under a worst-case shift is below the bounds, and equal to the rates per row. */
    @Test
    void boundsHoldForTheShiftsThatEvaluateKnows() throws IOException {
        JsonNode points = certificate("--budgets", "0,0.1,0.3").get("points");
        for (JsonNode point : points) {
            double q = point.get("q").asDouble();
            for (String norm : List.of("l1", "l2")) {
                JsonNode shifted = new ObjectMapper()
                        .readTree(run(
                                "evaluate", model, "builtin:spambase", "--shift", norm, "--budget", "" + q, "--json"));
                double error = shifted.get("error").asDouble();
                assertThat(error).isLessThanOrEqualTo(point.get("error_at_most").asDouble());
                assertThat(point.get("error_" + norm).asDouble()).isBetween(error - 1e-12, error + 2e-3);
                assertThat(shifted.get("log_loss").asDouble())
                        .isLessThanOrEqualTo(point.get("loss_at_most").asDouble());
            }
            assertThat(point.get("loss_found").asDouble())
                    .isBetween(
                            point.get("loss_at_most").asDouble() * (1 - 1e-9),
                            point.get("loss_at_most").asDouble());
        }
        assertThat(points.get(2).get("loss_at_most").asDouble())
                .isGreaterThan(points.get(0).get("loss_at_most").asDouble());
    }

    @Test
    void aCertificateIsCheckedWithItsOwnSettings() throws IOException {
        String file = path("certificate.json");
        String rows = path("worst.csv");
        String text = run(
                "certify",
                model,
                "builtin:spambase",
                "--budgets",
                "0.2",
                "--prices",
                "char_freq_!=4,word_freq_hp=fixed",
                "--out",
                file,
                "--worst-rows",
                rows);
        assertThat(text).containsPattern("q +rho +loss at most +worst found +error at most");
        List<String> worst = Files.readAllLines(Path.of(rows));
        assertThat(worst.get(0)).startsWith("row,share,loss before,loss after,cost,reachable,");
        assertThat(worst).hasSizeGreaterThan(4601);
        assertThat(run("certify", model, "builtin:spambase", "--check", file)).isEqualTo("the same to the bit\n");
        String written = Files.readString(Path.of(file));
        Path other = Files.writeString(folder.resolve("other.json"), written.replace("char_freq_!=4", "char_freq_!=5"));
        Shell.Result changed = Shell.run("certify", model, "builtin:spambase", "--check", other.toString());
        assertThat(changed.code()).isEqualTo(ExitCode.NOT_THE_SAME);
        assertThat(changed.out()).startsWith("not the same");
        // What is read by others must be what was checked.
        for (String forged : List.of(
                written.replaceFirst("\"points\"", "\"points\" : [ {\"loss_at_most\" : 0.0001} ], \"points\""),
                written + "{\"loss_at_most\" : 0.0001}")) {
            Path twice = Files.writeString(folder.resolve("twice.json"), forged);
            Shell.Result refused = Shell.run("certify", model, "builtin:spambase", "--check", twice.toString());
            assertThat(refused.code()).isEqualTo(ExitCode.BAD_INPUT);
            assertThat(refused.err()).contains(twice + ": is not JSON in which every name occurs once");
        }
        Path renamed = Files.writeString(folder.resolve("renamed.json"), written.replaceFirst("builtin:", "another "));
        assertThat(run("certify", model, "builtin:spambase", "--check", renamed.toString()))
                .isEqualTo("the same to the bit\n");
    }

    @Test
    void aCertificateThatIsNotThereIsSaidToBe() {
        assertThat(Shell.run("certify", model, "builtin:spambase", "--check", "nowhere.json")
                        .err())
                .isEqualTo("holdfast: nowhere.json: cannot be read: no such file\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--budgets -1|--budgets must be at least 0, got -1.0",
                "--budgets x|--budgets must be numbers, got 'x'",
                "--budgets 0.1,0.1|--budgets must be different numbers, got 0.1,0.1",
                "--budgets 1e200|--budgets must have finite squares, got 1.0E200",
                "--prices word_freq_hpp=2|is not a feature of the model; the closest: word_freq_hp, word_freq_hpl,",
                "--prices word_freq_hp=0|--prices: the price of word_freq_hp must be a number > 0, or fixed, got '0'",
                "--liars 1|--liars, --shift and --units are for models that vote (train --vote)",
                "--units a=1|--liars, --shift and --units are for models that vote (train --vote)",
                "--check nowhere.json|--check compares and writes nothing; leave out --out, --report, --worst-rows and --json",
                "--tolerated 2|--tolerated needs the column of sources that the model was trained by",
                "--box 3|its certificate needs no box",
                "--confidence 1|--confidence must be at least 0.5 and below 1, got 1.0",
                "--confidence NaN|--confidence must be at least 0.5 and below 1, got NaN",
                "--confidence 0.95|--confidence needs rows that took no part in training, and builtin:spambase is what",
                "--confidence 0.95 --tolerated 0|--confidence and --tolerated exclude each other"
            })
    void whatIsRefusedIsOneLine(String options, String message) {
        Path out = folder.resolve("nothing.json");
        List<String> args = new ArrayList<>(List.of("certify", model, "builtin:spambase", "--out", out.toString()));
        args.addAll(List.of(options.split(" ")));
        Shell.Result result = Shell.run(args.toArray(String[]::new));
        assertThat(result.code()).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(result.out()).isEmpty();
        assertThat(result.err()).startsWith("holdfast: ").contains(message).hasLineCount(1);
        assertThat(out).doesNotExist();
    }

    /** The box is a part of what is certified, so the sentence names it. */
    @Test
    void theBoxIsNamed() throws IOException {
        StringBuilder counts = new StringBuilder("a,b,n\n");
        Randomness random = Seed.of(1).random();
        for (int row = 0; row < 60; row++) {
            double[] x = random.gaussians(2);
            counts.append(String.format(Locale.ROOT, "%.4f,%.4f,%d%n", x[0], x[1], random.nextInt(4)));
        }
        String data = Files.writeString(folder.resolve("counts.csv"), counts).toString();
        String own = path("counts.json");
        run("train", data, "--label", "n", "--model", "poisson", "--quiet", "--lambda", "4", "--out", own);
        String page = path("counts.html");
        String box =
                "moved in any way that leaves every scaled feature from -2.5 to 2.5, or no further out than it is, at a"
                        + " mean cost of at most rho";
        assertThat(run("certify", own, data, "--box", "2.5", "--report", page)).contains(box);
        assertThat(Files.readString(Path.of(page)))
                .contains(box)
                .as("numbers and classes stay on one line")
                .containsPattern("\\.number \\{[^}]* white-space: nowrap")
                .doesNotContainPattern("td[^{}\n]*\\{ overflow-wrap: anywhere");
        assertThat(run("certify", model, "builtin:spambase", "--budgets", "0"))
                .contains("moved in any way at a mean cost of at most rho");
    }

    /** Each error of the rows, and sqrt(ln(1/delta)/(2N)) on top, in every form. */
    @Test
    void withConfidenceErrorsAreBoundedForThePopulation() throws IOException {
        String own = path("clinics.json");
        run("train", Clinics.write(folder, 1, 0).toString(), "--quiet", "--lambda", "4", "--out", own);
        String later = Clinics.write(folder, 2, 0).toString();
        String file = path("population.json");
        String page = path("population.html");
        String text = run(
                "certify", own, later, "--budgets", "0,0.2,5", "--confidence", "0.9", "--out", file, "--report", page);
        double term = Math.sqrt(Math.log(10) / (2 * 720));
        JsonNode certificate = new ObjectMapper().readTree(Path.of(file).toFile());
        for (JsonNode point : certificate.get("points")) {
            for (String error : List.of("error_at_most", "error_l1", "error_l2", "error_linf")) {
                assertThat(point.get("population_" + error).asDouble())
                        .isCloseTo(Math.min(1, point.get(error).asDouble() + term), within(1e-12));
            }
        }
        String assumption =
                "This assumes that the rows were drawn independently from one population, and that none of them took"
                        + " part in training or in the choice of settings, threshold or calibration.";
        assertThat(certificate.get("population").get("confidence").asDouble()).isEqualTo(0.9);
        assertThat(certificate.get("population").get("assumes").asText()).isEqualTo(assumption);
        assertThat(text)
                .containsPattern("error at most +population +each within q")
                .contains("With confidence 0.9 ", "these 720 rows", "at most 0.0400 above every error", assumption)
                .contains("It says nothing about the population's loss");
        assertThat(Files.readString(Path.of(page))).contains("id=\"v-population\"", assumption);
        assertThat(run("certify", own, later, "--check", file)).isEqualTo("the same to the bit\n");
        assertThat(run("certify", own, later, "--budgets", "0")).doesNotContain("population");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "|nowhere.json: cannot be read",
                "--report FILE|--check compares and writes nothing; leave out",
                "--worst-rows FILE|--check compares and writes nothing; leave out",
                "--json|--check compares and writes nothing; leave out"
            })
    void checkWritesNothing(String option, String message) {
        Path out = folder.resolve("nothing.txt");
        List<String> args = new ArrayList<>(List.of("certify", model, "builtin:spambase", "--check", "nowhere.json"));
        args.addAll(
                option == null
                        ? List.of()
                        : List.of(option.replace("FILE", out.toString()).split(" ")));
        Shell.Result result = Shell.run(args.toArray(String[]::new));
        assertThat(result.code()).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(result.err()).startsWith("holdfast: " + message).hasLineCount(1);
        assertThat(out).doesNotExist();
    }
}
