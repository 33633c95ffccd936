package holdfast.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code train --radius}. */
class RadiusTest {
    @TempDir
    private Path folder;

    private String run(String... args) {
        Shell.Result result = Shell.run(args);
        assertThat(result.code()).as(result.err()).isZero();
        return result.out();
    }

    @Test
    void theCertificateOfTheTrainingRowsIsWhatTrainingReports() throws IOException {
        String data = Clinics.write(folder, 3, 0).toString();
        String model = folder.resolve("model.json").toString();
        String page = folder.resolve("run.html").toString();
        String[] train = {
            "train",
            data,
            "--radius",
            "0.045",
            "--tolerated",
            "0",
            "--rule",
            "mean",
            "--test-share",
            "0",
            "--tolerance",
            "1e-9",
            "--workers",
            "12",
            "--drop",
            "clinic",
            "--recalibration",
            "none",
            "--quiet",
            "--out",
            model,
            "--report",
            page
        };
        assertThat(run(train))
                .contains("converged")
                .containsPattern(
                        "\nradius    rho 0\\.045: lambda [0-9.]+, where the worst moves cost 0\\.04500 in the mean\n")
                .containsPattern(
                        "mean loss of training rows 0\\.\\d{4}, robust loss at rho 0\\.\\d{4}, as workers report");
        assertThat(Files.readString(Path.of(page))).contains("<h2>Trained for a radius</h2>", "rho 0.045: lambda");
        String[] more = Arrays.copyOf(train, train.length + 1);
        more[train.length] = "--json";
        JsonNode found = new ObjectMapper().readTree(run(more)).get("radius");
        assertThat(found.get("rho").asDouble()).isEqualTo(0.045);
        assertThat(found.get("cost").asDouble()).isCloseTo(0.045, within(1e-4));
        assertThat(found.get("loss").asDouble())
                .isLessThan(found.get("robust_loss").asDouble());
        JsonNode point = new ObjectMapper()
                .readTree(run("certify", model, data, "--budgets", "0.3", "--json"))
                .at("/points/0");
        double certified = point.get("loss_at_most").asDouble();
        assertThat(found.get("robust_loss").asDouble()).isCloseTo(certified, within(1e-6 * certified));
        assertThat(run("rerun", model, data)).contains("same");
    }

    @Test
    void aRadiusIsANumberAboveZeroInThePlaceOfAPrice() throws IOException {
        String data = Clinics.write(folder, 3, 0).toString();
        for (String lambda : new String[] {"8", "auto", "none", "3"}) {
            refused(
                    "--radius finds the price of moving rows; leave out --lambda, got " + lambda,
                    data,
                    "--radius",
                    "0.1",
                    "--lambda",
                    lambda);
        }
        for (String rho : new String[] {"0", "-1", "nan", "Infinity", "NaN", "1e999", "far"}) {
            refused("--radius must be ", data, "--radius", rho);
        }
        refused(
                "--radius says how far rows may move in --objective wasserstein",
                data,
                "--radius",
                "1",
                "--objective",
                "kl");
        refused("--ascent-rate is one over lambda with --radius", data, "--radius", "1", "--ascent-rate", "0.1");
        refused(
                "--radius finds its price from all rows of a worker in every round",
                data,
                "--radius",
                "1",
                "--batch",
                "16");
        refused("--validation chooses among rounds", data, "--radius", "1", "--validation", "0.2");
    }

    private void refused(String message, String data, String... options) {
        String[] args = new String[options.length + 4];
        args[0] = "train";
        args[1] = data;
        System.arraycopy(options, 0, args, 2, options.length);
        args[options.length + 2] = "--out";
        args[options.length + 3] = folder.resolve("none.json").toString();
        Shell.Result result = Shell.run(args);
        assertThat(result.code()).isEqualTo(2);
        assertThat(result.err()).contains(message).hasLineCount(1);
        assertThat(folder.resolve("none.json")).doesNotExist();
    }
}
