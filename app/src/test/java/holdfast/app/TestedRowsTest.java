package holdfast.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which rows the figures of {@code train} are about. */
class TestedRowsTest {
    @TempDir
    private Path folder;

    private static JsonNode json(String... args) throws IOException {
        Shell.Result result = Shell.run(args);
        assertThat(result.code()).as(result.err()).isZero();
        return new ObjectMapper().readTree(result.out());
    }

    /** By the rows of all sources, the mean, which learnt the lies, looks better than screening, which did not. */
    @Test
    void liarsDoNotWriteTheFigures() throws IOException {
        String data = Clinics.write(folder, 5, 4).toString();
        String[] common = {"train", data, "--workers-by", "clinic", "--tolerated", "4", "--json", "--rule"};
        JsonNode mean = json(with(common, "mean"));
        JsonNode screened = json(with(common, "norm-screening"));
        for (JsonNode run : new JsonNode[] {mean, screened}) {
            assertThat(run.get("suspects")).hasSize(4);
            assertThat(run.at("/held_out/sources").asInt()).isEqualTo(12);
            assertThat(run.at("/held_out/trusted_sources").asInt()).isEqualTo(8);
            assertThat(run.at("/held_out/metric").asText()).isEqualTo("error");
            for (JsonNode shifted : run.get("evaluation")) {
                assertThat(shifted.get("rows").asInt())
                        .isEqualTo(run.at("/held_out/all_rows/rows").asInt() * 2 / 3);
            }
            JsonNode error = run.at("/evaluation/0");
            assertThat(error.get("error").asDouble())
                    .isBetween(
                            error.at("/intervals/error/low").asDouble(),
                            error.at("/intervals/error/high").asDouble());
            double clean = 0;
            for (JsonNode source : run.at("/held_out/by_source")) {
                boolean lies = source.get("source").asText().matches("clinic [0-3]");
                assertThat(source.get("trusted").asBoolean()).isEqualTo(!lies);
                clean += lies
                        ? 0
                        : source.get("error").asDouble() * source.get("rows").asInt();
            }
            assertThat(clean / error.get("rows").asInt())
                    .isCloseTo(error.get("error").asDouble(), within(1e-12));
        }
        assertThat(screened.at("/evaluation/0/error").asDouble())
                .isLessThan(mean.at("/evaluation/0/error").asDouble());
        assertThat(screened.at("/evaluation/0/auc").asDouble())
                .isGreaterThan(mean.at("/evaluation/0/auc").asDouble());
    }

    private static String[] with(String[] args, String... more) {
        return Stream.concat(Arrays.stream(args), Arrays.stream(more)).toArray(String[]::new);
    }

    @Test
    void theSummarySaysWhichRowsAndEachSourceHasItsFigure() throws IOException {
        String data = Clinics.write(folder, 5, 2).toString();
        String out = Shell.run("train", data, "--workers-by", "clinic", "--tolerated", "3", "--quiet")
                .out();
        assertThat(out)
                .contains(
                        "On rows held out of training, of the 10 of 12 sources that are neither named nor unusable:\n")
                .containsPattern(
                        "\nerror 0\\.\\d{4}, 95 % interval 0\\.\\d{4} to 0\\.\\d{4}; AUC 0\\.\\d{4}, 0\\.\\d{4} to \\d\\.\\d{4}\n"
                                + "error: median over 12 sources 0\\.\\d{4}; over all 216 rows 0\\.\\d{4}\n")
                .containsPattern(
                        "\nworker +rows  screened  failed  norm ratio  error, 95 % interval     agreement  value\n")
                .containsPattern("\nclinic 0 +42 .* 0\\.[89]\\d{3}, 0\\.\\d{4}-0\\.\\d{4} +0\\.0")
                .containsPattern("\n  clinic 0\n    suspect: its labels contradict the others'");
    }

    @Test
    void aTestFileCountsBySourceIfItNamesThem() throws IOException {
        String data = Clinics.write(folder, 5, 2).toString();
        Path later = Clinics.write(folder, 6, 2);
        String[] common = {"train", data, "--workers-by", "clinic", "--tolerated", "3", "--json", "--test"};
        JsonNode named = json(with(common, later.toString()));
        assertThat(named.at("/held_out/trusted_sources").asInt()).isEqualTo(10);
        assertThat(named.at("/evaluation/0/rows").asInt()).isEqualTo(600);
        assertThat(named.at("/held_out/all_rows/rows").asInt()).isEqualTo(720);
        Path unnamed = Files.writeString(
                folder.resolve("unnamed.csv"), Files.readString(later).replaceAll(",clinic[ 0-9]*", ""));
        JsonNode without = json(with(common, unnamed.toString()));
        assertThat(without.at("/held_out/sources").asInt()).isZero();
        assertThat(without.at("/evaluation/0/rows").asInt()).isEqualTo(720);
        assertThat(without.at("/evaluation/0/error").asDouble())
                .isEqualTo(named.at("/held_out/all_rows/error").asDouble());
        Path converted = folder.resolve("later.hfd");
        assertThat(Shell.run("convert", later.toString(), converted.toString(), "--workers-by", "clinic", "--quiet")
                        .code())
                .isZero();
        assertThat(json(with(common, converted.toString())).get("evaluation")).isEqualTo(named.get("evaluation"));
    }
}
