package holdfast.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import holdfast.Randomness;
import holdfast.Seed;
import holdfast.app.report.CertificateReport;
import holdfast.data.Dataset;
import holdfast.evaluation.TrainedModel;
import holdfast.formats.DataFile;
import holdfast.formats.ModelFile;
import holdfast.objective.Box;
import holdfast.objective.WeightedL2;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Losses of numbers are in the label's own unit wherever they are printed, or the unit is named. */
class LossUnitTest {
    private static final int ROWS = 300;

    @TempDir
    private static Path folder;

    private static String table;
    private static String counts;

    private static String path(String name) {
        return folder.resolve(name).toString();
    }

    private static String done(String line) {
        Shell.Result result = Shell.run(line.split(" +"));
        assertThat(result.code()).as("%s: %s", line, result.err()).isZero();
        return result.out();
    }

    private static JsonNode json(String line) throws IOException {
        return new ObjectMapper().readTree(done(line));
    }

    @BeforeAll
    static void write() throws IOException {
        Randomness random = Seed.of(6).child("rows").random();
        StringBuilder numbers = new StringBuilder("a,b,price\n");
        StringBuilder visits = new StringBuilder("a,b,visits\n");
        for (int row = 0; row < ROWS; row++) {
            double[] x = random.gaussians(3);
            numbers.append(String.format(
                    Locale.ROOT, "%.4f,%.4f,%.3f%n", x[0], x[1], 7000 + 200 * x[0] - 90 * x[1] + 150 * x[2]));
            visits.append(
                    String.format(Locale.ROOT, "%.4f,%.4f,%d%n", x[0], x[1], Math.round(Math.exp(2 + 0.3 * x[0]))));
        }
        table = Files.writeString(folder.resolve("prices.csv"), numbers).toString();
        counts = Files.writeString(folder.resolve("visits.csv"), visits).toString();
    }

    /** @return half the mean squared error that evaluate finds */
    private static double halfSquare(String model) throws IOException {
        double rmse =
                json("evaluate " + model + " " + table + " --json").get("rmse").asDouble();
        return rmse * rmse / 2;
    }

    @ParameterizedTest
    @ValueSource(strings = {"linear", "huber(delta=1000)"})
    void squaredLossesAreInTheLabelsOwnUnit(String model) throws IOException {
        String file = path("model.json");
        JsonNode trained = json("train " + table + " --model " + model + " --lambda auto --quiet --json --out " + file);
        JsonNode trial = trained.get("price").get("trials").get(0);
        double figure = trial.get("figure").asDouble();
        assertThat(trial.get("loss").asDouble()).isCloseTo(figure * figure / 2, within(0.05 * figure * figure));
        assertThat(trained.get("loss_unit").asText()).contains("label's own unit");

        double expected = halfSquare(file);
        String certify = "certify " + file + " " + table + " --budgets 0,0.1";
        JsonNode certificate = json(certify + " --json");
        JsonNode still = certificate.get("points").get(0);
        assertThat(still.get("loss_at_most").asDouble()).isCloseTo(expected, within(1e-9 * expected));
        assertThat(still.get("loss_found").asDouble())
                .isCloseTo(expected, within(1e-9 * expected))
                .isLessThan(still.get("loss_at_most").asDouble());
        assertThat(certificate.get("loss_unit").asText()).contains("label's own unit");
        String page = path("page.html");
        String worst = path("worst.csv");
        assertThat(done(certify + " --report " + page + " --worst-rows " + worst))
                .contains("in the square of the label's own unit");
        assertThat(Files.readString(Path.of(page)))
                .contains("in the square of the label&#39;s own unit")
                .contains(String.format(Locale.ROOT, ">%.2f", Math.floor(expected * 100) / 100));
        double found = Files.readAllLines(Path.of(worst)).stream()
                .skip(1)
                .map(line -> line.split(","))
                .mapToDouble(cells -> Double.parseDouble(cells[1]) * Double.parseDouble(cells[3]))
                .sum();
        double attained = certificate.get("points").get(1).get("loss_found").asDouble();
        assertThat(found).isCloseTo(attained, within(1e-6 * attained));

        JsonNode drift = json("drift " + file + " " + table + " --reference " + table + " --json");
        assertThat(drift.get("certificate").get(0).get("loss_at_most").asDouble())
                .isCloseTo(expected, within(1e-9 * expected));
    }

    @Test
    void aRadiusShowsTheSameLossesAsItsCertificate() throws IOException {
        String file = path("radius.json");
        String options =
                " --radius 0.01 --rule mean --tolerated 0 --workers 4 --test-share 0 --tolerance 1e-9 --quiet --json --out ";
        JsonNode trained = json("train " + table + options + file);
        double expected = halfSquare(file);
        assertThat(trained.get("radius").get("loss").asDouble()).isCloseTo(expected, within(1e-6 * expected));
    }

    @Test
    void whereThereIsNoOwnUnitWordsSaySo() {
        String file = path("counts.json");
        done("train " + counts + " --model poisson --lambda none --quiet --out " + file);
        assertThat(done("certify " + file + " " + counts + " --box 3 --budgets 0"))
                .containsPattern("Losses are of labels as the model learns them, divided by [0-9.]+\\.\n");
    }

    /** Certificates from before there was a unit have losses as the model learnt them. */
    @Test
    void earlierCertificatesAreChecked() throws IOException {
        String file = path("checked.json");
        done("train " + table + " --lambda none --quiet --out " + file);
        Path now = folder.resolve("now.json");
        String certify = "certify " + file + " " + table;
        done(certify + " --budgets 0,0.1 --out " + now);
        assertThat(done(certify + " --check " + now)).isEqualTo("the same to the bit\n");

        ModelFile model = ModelFile.read(Path.of(file));
        TrainedModel trained = model.model();
        Dataset rows = DataFile.read(table, model, true);
        ObjectNode before = (ObjectNode) new ObjectMapper().readTree(now.toFile());
        ArrayNode points = (ArrayNode) new CertificateReport(
                        trained,
                        rows,
                        WeightedL2.EQUAL,
                        Box.NONE,
                        new double[] {0, 0.1},
                        OptionalInt.empty(),
                        Optional.empty(),
                        false)
                .certificate("", List.of())
                .root()
                .get("points");
        before.remove("loss_unit");
        before.set("points", points);
        Path old = Files.writeString(folder.resolve("old.json"), before.toString());
        assertThat(done(certify + " --check " + old)).isEqualTo("the same to the bit\n");
    }
}
