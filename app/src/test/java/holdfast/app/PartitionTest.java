package holdfast.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code holdfast partition}. */
class PartitionTest {
    @TempDir
    private Path folder;

    private String data;

    /** Hospital 7 has 6 rows of no and 2 of yes, 9 has 4 and 8; nothing is held out. */
    @BeforeEach
    void write() throws IOException {
        data = Files.writeString(
                        folder.resolve("visits.csv"),
                        "age,hospital,ill\n" + "1,7,no\n".repeat(6) + "2,7,yes\n".repeat(2) + "3,9,no\n".repeat(4)
                                + "4,9,yes\n".repeat(8))
                .toString();
    }

    private Shell.Result run(String... more) {
        return Shell.run(Stream.concat(Stream.of("partition", data, "--test-share", "0"), Stream.of(more))
                .toArray(String[]::new));
    }

    @Test
    void countsTheRowsOfEverySource() {
        Shell.Result result = run("--workers-by", "hospital");
        assertThat(result.err()).isEmpty();
        assertThat(result.out().lines().skip(1))
                .containsExactly(
                        "",
                        "worker              rows         no      yes",
                        "7                      8          6        2  ...............#####",
                        "9                     12          4        8  ..........####################",
                        "",
                        // 1/2 of all say yes, 1/4 of 7 and 2/3 of 9.
                        "bars: . no, # yes; a worker's share of yes differs from that of all rows by 0.208 on average");
        assertThat(result.out()).contains(": 20 of 20 rows dealt to 2 workers, by hospital, seed 1\n");
    }

    @Test
    void saysTheSameAsJson() throws IOException {
        JsonNode json = new ObjectMapper()
                .readTree(run("--workers-by", "hospital", "--json").out());
        assertThat(json.at("/workers/1/classes/yes").asInt()).isEqualTo(8);
        assertThat(json.at("/workers/0/rows").asInt()).isEqualTo(8);
        assertThat(json.get("distance").asDouble()).isCloseTo((0.25 + 2.0 / 3 - 0.5) / 2, within(1e-15));
        assertThat(json.get("partition").asText()).isEqualTo("by hospital");
        assertThat(json.get("sha256").asText()).hasSize(64);
    }

    @Test
    void countsManyClassesInNarrowColumnsWithoutBars() throws IOException {
        Path svg = folder.resolve("digits.svg");
        Shell.Result result = Shell.run(
                "partition", "builtin:digits", "--workers", "2", "--partition", "by-class", "--svg", svg.toString());
        assertThat(result.err()).isEmpty();
        assertThat(result.out().lines().skip(2).limit(2))
                .containsExactly(
                        "worker              rows      0    1    2    3    4    5    6    7    8    9",
                        "0                    629      0    0    0    0    2  127  127  125  122  126");
        assertThat(result.out()).contains("shares of the 10 classes differ from those of all rows by 0.4");
        assertThat(Files.readString(svg).split("height=\"15\"")).hasSize(1 + 2 * 10);
    }

    @Test
    void ofNumbersItTellsTheRange() throws IOException {
        StringBuilder rows = new StringBuilder("size,price\n");
        for (int i = 0; i < 40; i++) {
            rows.append(i % 7).append(',').append(100 + i + 0.5).append('\n');
        }
        data = Files.writeString(folder.resolve("houses.csv"), rows).toString();
        Path svg = folder.resolve("houses.svg");
        Shell.Result result = run("--workers", "2", "--partition", "extreme", "--svg", svg.toString());
        assertThat(result.err()).isEmpty();
        assertThat(result.out().lines().skip(2))
                .containsExactly(
                        "worker              rows       min     mean      max",
                        "0                     20     100.5    110.0    119.5",
                        "1                     20     120.5    130.0    139.5",
                        "",
                        "a worker's mean of price differs from that of all rows by 10.00 on average");
        assertThat(Files.readString(svg).split("height=\"15\"")).hasSize(1 + 2);
        JsonNode json = new ObjectMapper()
                .readTree(run("--workers", "2", "--partition", "extreme", "--json")
                        .out());
        assertThat(json.at("/workers/1/mean").asDouble()).isCloseTo(130, within(1e-9));
        assertThat(run("--partition", "dirichlet").err())
                .isEqualTo(
                        "holdfast: --partition dirichlet deals classes, but price has numbers; use extreme or gamma, which sort by them\n");
    }

    @Test
    void aPlanSaysHowAndFlagsOverrideIt() throws IOException {
        Path plan = Files.writeString(
                folder.resolve("plan.yaml"), "workers: 5\npartition: extreme\nattack: nan\nliars: 1\n");
        assertThat(run("--plan", plan.toString()).out()).contains("dealt to 5 workers, extreme, seed 1");
        assertThat(run("--plan", plan.toString(), "--workers", "4").out()).contains("dealt to 4 workers, extreme");
    }

    @Test
    void drawsOneBarPerWorker() throws IOException {
        Path svg = folder.resolve("who.svg");
        assertThat(run("--workers", "4", "--partition", "shards(count=1)", "--svg", svg.toString())
                        .code())
                .isZero();
        String picture = Files.readString(svg);
        assertThat(picture).startsWith("<svg ").endsWith("</svg>\n").contains(">ill no<", ">ill yes<", ">5<");
        assertThat(picture.split("height=\"15\"")).hasSize(1 + 4 * 2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "partition gamma: similarity must be from 0 to 1, got 2.0 | --partition | gamma(similarity=2)",
                "unknown partition 'dirichlett'; known: iid, in-turn, by-class | --partition | dirichlett(alpha=1)",
                "there must be at least one training row per worker, got 20 rows for 21 workers | --workers | 21",
                "unknown option '--lambda'; known: --plan | --lambda | 3",
                "the folder | --svg | /no/such/folder/who.svg"
            })
    void whatCannotBeIsRefusedInOneLine(String message, String option, String value) {
        Shell.Result result = run(option, value);
        assertThat(result.code()).isEqualTo(2);
        assertThat(result.out()).isEmpty();
        assertThat(result.err()).startsWith("holdfast: ").contains(message);
        assertThat(result.err().lines()).hasSize(1);
    }
}
