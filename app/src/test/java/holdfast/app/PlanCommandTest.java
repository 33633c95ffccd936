package holdfast.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import holdfast.app.command.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code holdfast plan}, and what {@code train} reports of it. */
class PlanCommandTest {
    @TempDir
    private Path folder;

    private static Shell.Result plan(String arguments) {
        return Shell.run(("plan " + arguments).split(" "));
    }

    @Test
    void answersInWordsWithFormulaAndEquation() {
        Shell.Result result = plan("--workers 20 --tolerated 3 --lambda 3 --precision 0.01");
        assertThat(result.code()).isZero();
        assertThat(result.out())
                .startsWith(
                        "norm-screening, 20 workers, 3 of which may lie (alpha = 0.15), set up for 3 (beta = 0.15)\n")
                .contains("[C = 2 alpha/(1-beta), Theorem 1, eq. (3)]")
                .contains("\nAssumption 3  holds: for ||theta|| <= 2.45")
                .contains("\nStep          fails: ")
                .contains("-> --learning-rate proven");
        assertThat(result.out().lines()).allMatch(line -> line.length() <= 120);
    }

    @Test
    void mistakesAreOneLine() {
        assertThat(plan("--workers-by hospital").err())
                .isEqualTo("holdfast: --workers-by needs data; without data give the number of --workers\n");
        assertThat(plan("--workers 20 --tolerated 20").code()).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(Shell.run("evaluate", "nothing.json", "nothing.csv", "--shift", "")
                        .code())
                .isEqualTo(ExitCode.BAD_INPUT);
        assertThat(plan("nowhere.csv").code()).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(plan("--workers 20 --lambda -1").err()).startsWith("holdfast: --lambda must be");
    }

    @Test
    void aProvenPlanKeepsWhatItPromised() throws IOException {
        Path clinics = Clinics.write(folder, 3, 0);
        String settings = clinics + " --label ill --workers-by clinic --learning-rate proven --rounds 40 --tolerance 0";
        JsonNode statements =
                new ObjectMapper().readTree(plan(settings + " --json").out()).get("statements");
        assertThat(statements).anySatisfy(statement -> {
            assertThat(statement.get("about").asText()).isEqualTo("Step");
            assertThat(statement.get("answer").asText()).isEqualTo("holds");
        });
        Path page = folder.resolve("run.html");
        Shell.Result run =
                Shell.run(("train " + settings + " --values none --json --quiet --report " + page).split(" "));
        assertThat(run.code()).as(run.err()).isZero();
        JsonNode guarantee = new ObjectMapper().readTree(run.out()).get("guarantee");
        assertThat(guarantee.get("holds").asBoolean()).isTrue();
        assertThat(guarantee.at("/prediction/theorem").asText()).isEqualTo("Theorem 2");
        assertThat(guarantee.at("/prediction/measured").asDouble())
                .isPositive()
                .isLessThanOrEqualTo(guarantee.at("/prediction/bound").asDouble());
        assertThat(Files.readString(page)).contains("Theorem 2 bounds the mean of ||grad F||^2 over the rounds by ");
    }
}
