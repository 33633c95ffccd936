package holdfast.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import holdfast.app.command.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How far {@code train} says that it is from the honest optimum. */
class OptimumGapTest {
    @TempDir
    private Path folder;

    private String data;

    @BeforeEach
    void write() throws IOException {
        data = Clinics.write(folder, 1, 2).toString();
    }

    private Shell.Result train(String... more) {
        List<String> args = new ArrayList<>(List.of("--lambda", "none"));
        args.addAll(List.of(more));
        return robust(args.toArray(String[]::new));
    }

    private Shell.Result robust(String... more) {
        List<String> args =
                new ArrayList<>(List.of("train", data, "--workers-by", "clinic", "--tolerated", "2", "--quiet"));
        args.addAll(List.of(more));
        return Shell.run(args.toArray(String[]::new));
    }

    @Test
    void theBoundIsPrintedWhereverItApplies() throws IOException {
        Path page = folder.resolve("run.html");
        String said = train("--l2", "0.05", "--no-intercept", "--report", page.toString(), "--optimum-gap")
                .out();
        assertThat(said)
                .containsPattern(
                        "\noptimum   the objective is at most 0\\.\\d+ above its least value over the honest workers,"
                                + " whichever 2 of 12 lied\n");
        assertThat(Files.readString(page)).contains("whichever 2 of 12 lied, whatever these sent.</p>");
        JsonNode gap = new ObjectMapper()
                .readTree(train("--l2", "0.05", "--no-intercept", "--json").out())
                .get("optimum_gap");
        double epsilon = gap.get("epsilon").asDouble();
        double bound = gap.get("at_most").asDouble();
        assertThat(bound).isBetween(epsilon * epsilon / 0.1, epsilon * epsilon / 0.1 * (1 + 1e-9));
        String printed = said.replaceAll("(?s).*at most (\\S+) above its least.*", "$1");
        assertThat(Double.parseDouble(printed)).isBetween(bound, bound * 1.01);
        assertThat(gap.get("if_liars_at_most").asInt()).isEqualTo(2);
        assertThat(train("--l2", "0.05").out()).doesNotContain("optimum ");
        assertThat(train("--l2", "0.05", "--json").out()).doesNotContain("optimum_gap");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--l2 0.05|needs --no-intercept: the penalty does not cover the intercept",
                "--no-intercept --l2 0|needs a penalty: --l2 must be above 0, got 0.0",
                "--no-intercept --l2 0.05 --batch 5|leave out --update, --local-steps, --batch and --replicas",
                "--no-intercept --l2 0.05 --objective cvar|needs a convex objective"
            })
    void whoInsistsIsToldWhatIsMissing(String options, String message) {
        Path out = folder.resolve("model.json");
        List<String> args = new ArrayList<>(List.of(options.split(" ")));
        args.addAll(List.of("--optimum-gap", "--out", out.toString()));
        Shell.Result result = train(args.toArray(String[]::new));
        assertThat(result.code()).isEqualTo(2);
        assertThat(result.err())
                .startsWith("holdfast: the gap to the honest optimum ")
                .contains(message)
                .hasLineCount(1);
        assertThat(out).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--radius 0.1|needs --lambda instead of --radius: no penalty covers the price",
                "--lambda 0.5 --label-price 2|needs known gradients; leave out --label-price: where two labels"
            })
    void otherObjectivesAreNamedBeforeTraining(String options, String message) {
        Path out = folder.resolve("model.json");
        Shell.Result result = robust((options + " --no-intercept --l2 0.05 --optimum-gap --out " + out).split(" "));
        assertThat(result.code()).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(result.err())
                .startsWith("holdfast: the gap to the honest optimum " + message)
                .hasLineCount(1);
        assertThat(out).doesNotExist();
    }

    @Test
    void whoInsistsGetsAnExitCodeWhereTrainingLeftNoBound() {
        Path out = folder.resolve("model.json");
        String options =
                "--lambda 0.01 --init normal --rounds 1 --learning-rate 1e-6 --maximiser ascent --ascent-steps 1"
                        + " --no-intercept --l2 0.05 --out " + out;
        Shell.Result insists = robust((options + " --optimum-gap").split(" "));
        assertThat(insists.code()).isEqualTo(ExitCode.STOPPED);
        assertThat(insists.err())
                .startsWith("holdfast: the gap to the honest optimum needs worst cases of known precision")
                .hasLineCount(1);
        assertThat(insists.out()).contains("model written to ");
        assertThat(out).exists();
        Shell.Result asks = robust(options.split(" "));
        assertThat(asks.code()).isZero();
        assertThat(asks.err()).isEmpty();
    }
}
