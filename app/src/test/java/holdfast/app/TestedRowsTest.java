package holdfast.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.IntStream;
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
        String[] common = {
            "train", data, "--workers-by", "clinic", "--tolerated", "4", "--recalibration", "none", "--json", "--rule"
        };
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
        String all = "/held_out/all_rows/log_loss";
        assertThat(screened.at(all).asDouble()).isGreaterThan(mean.at(all).asDouble());
        assertThat(screened.at("/evaluation/0/log_loss").asDouble())
                .isLessThan(mean.at("/evaluation/0/log_loss").asDouble());
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
                .containsPattern("\nclinic 0 +42 .* 0\\.[789]\\d{3}, 0\\.\\d{4}-0\\.\\d{4} +0\\.0")
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

    @Test
    void wholeSourcesAreTestedAlone() throws IOException {
        String data = Clinics.write(folder, 5, 2).toString();
        String model = folder.resolve("m.json").toString();
        String[] common = {"train", data, "--workers-by", "clinic", "--out", model, "--json", "--test-sources"};
        JsonNode run = json(with(common, "clinic 4,clinic 7"));
        assertThat(run.get("ledger")).hasSize(10);
        assertThat(run.at("/evaluation/0/rows").asInt()).isEqualTo(120);
        assertThat(run.at("/held_out/by_source")).hasSize(2);
        assertThat(run.at("/plan/test-share").asText()).isEqualTo("0");
        assertThat(Shell.run("rerun", model, data).out()).startsWith("the same to the bit");
        // Nothing of the tested sources is in the model.
        Path others = Files.writeString(
                folder.resolve("others.csv"), Files.readString(Path.of(data)).replaceAll(".*,clinic [47],.*\\R", ""));
        String same = folder.resolve("same.json").toString();
        json("train", others.toString(), "--workers-by", "clinic", "--test-share", "0", "--out", same, "--json");
        for (String part : new String[] {"weights", "scaling"}) {
            assertThat(new ObjectMapper().readTree(Path.of(model).toFile()).get(part))
                    .isEqualTo(
                            new ObjectMapper().readTree(Path.of(same).toFile()).get(part));
        }
        JsonNode both = json(with(common, "clinic 4", "--test-share", "0.5"));
        assertThat(both.at("/held_out/all_rows/rows").asInt()).isEqualTo(60 + 330);
        assertThat(Shell.run("train", data, "--workers-by", "clinic", "--test-sources", "clinic 4", "--quiet")
                        .out())
                .contains("\nOn sources held out of training:\n")
                .containsPattern("\n  clinic 4, 60 rows: error 0\\.\\d{4}, 0\\.\\d{4}-0\\.\\d{4}\n");
    }

    @Test
    void evaluateTellsSourcesApartIfTheRowsNameThem() throws IOException {
        String data = Clinics.write(folder, 5, 2).toString();
        String model = folder.resolve("m.json").toString();
        JsonNode run = json(
                "train",
                data,
                "--workers-by",
                "clinic",
                "--out",
                model,
                "--json",
                "--test-sources",
                "clinic 4,clinic 7");
        String text = Shell.run("evaluate", model, data).out();
        assertThat(text)
                .contains("\nBy source, rows as they are:\n")
                .containsPattern("\n  clinic 3, 60 rows: error 0\\.\\d{4}, 0\\.\\d{4}-0\\.\\d{4}\n")
                .containsPattern("\n  clinic 7, 60 rows: error .*; held out of training\n");
        assertThat(text.lines().filter(line -> line.endsWith("; held out of training")))
                .hasSize(2);
        JsonNode sources = json("evaluate", model, data, "--json").get("by_source");
        assertThat(sources).hasSize(12);
        for (JsonNode source : sources) {
            for (JsonNode heldOut : run.at("/held_out/by_source")) {
                if (heldOut.get("source").equals(source.get("source"))) {
                    assertThat(source.get("error")).isEqualTo(heldOut.get("error"));
                }
            }
        }
        Path unnamed = Files.writeString(
                folder.resolve("unnamed.csv"), Files.readString(Path.of(data)).replaceAll(",clinic[ 0-9]*", ""));
        assertThat(Shell.run("evaluate", model, unnamed.toString()).out()).doesNotContain("By source");
    }

    @Test
    void theLatestRowsOfEachSourceAreTested() throws IOException {
        Path plain = Clinics.write(folder, 5, 0);
        String[] lines = Files.readString(plain).split("\\R");
        StringBuilder dated = new StringBuilder("day," + lines[0] + "\n");
        StringBuilder numbered = new StringBuilder("day," + lines[0] + "\n");
        for (int r = 1; r < lines.length; r++) {
            // The rows of a clinic in reverse: the first ones are the latest.
            int day = 60 - (r - 1) / 12;
            dated.append(String.format("2024-%02d-%02d,%s%n", 1 + day / 25, 1 + day % 25, lines[r]));
            numbered.append(day).append(',').append(lines[r]).append('\n');
        }
        String dates = Files.writeString(folder.resolve("dates.csv"), dated).toString();
        String numbers =
                Files.writeString(folder.resolve("numbers.csv"), numbered).toString();
        String model = folder.resolve("m.json").toString();
        String[] more = {"--workers-by", "clinic", "--split-by", "day", "--test-share", "0.5", "--json", "--out", model
        };
        JsonNode byDate = json(with(new String[] {"train", dates}, more));
        // The same rows in a file of their own.
        Path early = Files.writeString(
                folder.resolve("early.csv"),
                lines[0] + "\n" + String.join("\n", Arrays.copyOfRange(lines, 361, 721)) + "\n");
        String same = folder.resolve("same.json").toString();
        json("train", early.toString(), "--workers-by", "clinic", "--test-share", "0", "--out", same, "--json");
        JsonNode weights = new ObjectMapper().readTree(Path.of(model).toFile()).get("weights");
        assertThat(new ObjectMapper().readTree(Path.of(same).toFile()).get("weights"))
                .isEqualTo(weights);
        assertThat(byDate.get("features").asInt()).isEqualTo(3);
        assertThat(byDate.at("/evaluation/0/rows").asInt()).isEqualTo(360);
        assertThat(Shell.run("rerun", model, dates).out()).startsWith("the same to the bit");
        assertThat(json(with(new String[] {"train", numbers}, more))
                        .get("features")
                        .asInt())
                .isEqualTo(4);
    }

    @Test
    void wrongSourcesAndColumnsAreRefusedInOneLine() throws IOException {
        String data = Clinics.write(folder, 5, 0).toString();
        String[][] cases = {
            {
                "--test-sources",
                "clinic 44",
                "--test-sources: there is no source 'clinic 44' among 12; the closest: clinic 4, clinic 0, clinic 1, "
                        + "clinic 10, clinic 11"
            },
            {"--test-sources", "clinic 4,", "--test-sources must be names separated by commas, got 'clinic 4,'"},
            {
                "--split-by",
                "ages",
                data + ": --split-by must name a column other than label, source and weight, got 'ages'; the closest:"
                        + " age, weight, pressure"
            },
            {
                "--split-by",
                "ill",
                data + ": --split-by must name a column other than label, source and weight, got 'ill'; the closest:"
                        + " age, weight, pressure"
            },
        };
        for (String[] wrong : cases) {
            Shell.Result result = Shell.run("train", data, "--workers-by", "clinic", wrong[0], wrong[1]);
            assertThat(result.code()).isEqualTo(2);
            assertThat(result.err()).isEqualTo("holdfast: " + wrong[2] + "\n");
        }
        assertThat(Shell.run("train", data, "--test-sources", "clinic 1").err())
                .contains("--test-sources needs --workers-by");
        assertThat(Shell.run("train", data, "--workers-by", "clinic", "--split-by", "age", "--test", data)
                        .err())
                .isEqualTo("holdfast: give --test or --split-by, not both: each says which rows are tested\n");
        assertThat(Shell.run(
                                "train",
                                data,
                                "--workers-by",
                                "clinic",
                                "--test-sources",
                                String.join(
                                        ",",
                                        IntStream.range(0, 12)
                                                .mapToObj(c -> "clinic " + c)
                                                .toList()))
                        .err())
                .isEqualTo("holdfast: --test-sources must leave a source for training, got all 12\n");
    }
}
