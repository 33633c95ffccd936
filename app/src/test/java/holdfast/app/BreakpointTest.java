package holdfast.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import holdfast.aggregate.Aggregators;
import holdfast.app.command.ExitCode;
import holdfast.app.lab.redteam.Breakpoints;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BreakpointTest {
    @TempDir
    private Path folder;

    private Shell.Result breakpoint(String plan, String... args) throws IOException {
        Path file = Files.writeString(folder.resolve("plan.yaml"), plan);
        return Shell.run(Stream.concat(
                        Stream.of("breakpoint", "--quiet", "--seeds", "1", "--plan", file.toString()), Stream.of(args))
                .toArray(String[]::new));
    }

    /** By rule. */
    private static Map<String, JsonNode> found(Shell.Result result) throws IOException {
        assertThat(result.code()).as(result.err()).isZero();
        Map<String, JsonNode> byRule = new LinkedHashMap<>();
        new ObjectMapper()
                .readTree(result.out())
                .get("rules")
                .forEach(line -> byRule.put(line.get("rule").asText(), line));
        return byRule;
    }

    @Test
    void roundsAndTrainingsBreakWhereTheProofsEnd() throws IOException {
        Map<String, JsonNode> found = found(breakpoint(
                "rounds: 60\n",
                "--json",
                "--rules",
                "norm-screening, norm-clipping, adaptive-screening, mean, median"));
        Map<String, Integer> expected =
                Map.of("norm-screening", 4, "norm-clipping", 6, "adaptive-screening", 3, "mean", 1, "median", 6);
        assertThat(found.keySet()).isEqualTo(expected.keySet());
        expected.forEach((rule, liars) -> {
            for (String sense : new String[] {"proven", "round", "trained"}) {
                // An honest worker who is barred makes room for fewer liars, and the proof allows for that.
                boolean barring = rule.equals("adaptive-screening") && sense.equals("proven");
                assertThat(found.get(rule).get(sense).asInt())
                        .as("%s %s", rule, sense)
                        .isEqualTo(barring ? 2 : liars);
            }
            assertThat(found.get(rule).get("source").asText()).isNotBlank();
            assertThat(found.get(rule).get("by").asText()).isIn(Breakpoints.ATTACKS);
        });
    }

    /** Where honest workers differ, the worst step of every round leaves a better model than a steady aim. */
    @Test
    void aRuleIsDefeatedByWhicheverAttackHurtsIt() throws IOException {
        Shell.Result result = breakpoint("partition: by-class\n", "--rules", "geometric-median", "--json");
        JsonNode line = found(result).get("geometric-median");
        assertThat(line.get("trained").asInt()).isEqualTo(4);
        assertThat(line.get("by").asText()).isEqualTo("mimic");
        assertThat(new ObjectMapper().readTree(result.out()).get("attacks")).hasSize(5);
    }

    /** Without rounds there is no model to wait for. */
    private Map<String, JsonNode> rounds(int workers, String... args) throws IOException {
        String data = Files.writeString(folder.resolve("data.csv"), "x,y\n" + "1,0\n2,1\n".repeat(150))
                .toString();
        return found(breakpoint(
                "rounds: 0\nworkers: " + workers + "\n",
                Stream.concat(Stream.of("--json", "--data", data), Stream.of(args))
                        .toArray(String[]::new)));
    }

    @ParameterizedTest
    @ValueSource(ints = {5, 8, 12})
    void noRuleIsDefeatedByFewerThanProven(int workers) throws IOException {
        Map<String, JsonNode> found = rounds(workers);
        assertThat(found.keySet()).isEqualTo(Aggregators.rules().names());
        found.forEach((rule, line) -> {
            int proven = line.path("proven").asInt(0);
            int round = line.get("round").asInt();
            assertThat(line.has("proven"))
                    .isEqualTo(line.has("source"))
                    .isEqualTo(Aggregators.create(rule, 0).proof(workers).isPresent());
            // 0 says that no number of liars below the workers does it.
            assertThat(round == 0 ? workers : round)
                    .as("%s with %d workers", rule, workers)
                    .isBetween(proven, workers);
        });
    }

    /** Of b liars against m - b equal honest updates, as long as the rule lets them be. */
    @ParameterizedTest
    @CsvSource({
        // rule, the fewest b with divisor b >= m
        "mean, 1000",
        "norm-screening, 3",
        "norm-clipping, 2",
        "adaptive-screening, 4",
        "median, 2",
        "trimmed-mean, 2",
        "geometric-median, 2",
    })
    void theRoundBreaksAtTheShareThatFollowsByHand(String rule, int divisor) throws IOException {
        for (int workers = 6; workers <= 12; workers++) {
            int byHand = (workers + divisor - 1) / divisor;
            assertThat(rounds(workers, "--rules", rule).get(rule).get("round").asInt())
                    .as("%d workers", workers)
                    .isEqualTo(byHand);
        }
    }

    @Test
    void saysWithWhatItWasFoundAndPrintsATable() throws IOException {
        String data = Files.writeString(folder.resolve("data.csv"), "x,y\n" + "1,0\n2,1\n".repeat(30))
                .toString();
        String[] args = {"--data", data, "--rules", "mean, nnm + median, norm-screening(f=1)", "--threads", "1"};
        String plan = "rounds: 0\nworkers: 6\nattack: nan\nliars: 1\n";
        JsonNode json = new ObjectMapper()
                .readTree(breakpoint(
                                plan,
                                Stream.concat(Stream.of(args), Stream.of("--json"))
                                        .toArray(String[]::new))
                        .out());
        assertThat(json.get("data").asText()).isEqualTo(data);
        assertThat(json.get("sha256").asText()).hasSize(64);
        assertThat(json.get("workers").asInt()).isEqualTo(6);
        assertThat(json.get("seeds").asInt()).isEqualTo(1);
        assertThat(json.at("/plan/rounds").asText()).isEqualTo("0");
        assertThat(json.at("/plan/attack").asText()).isEqualTo("none");
        assertThat(json.get("rules")).hasSize(3);
        // Without rounds all rows are taken for one class, which is guessing, though nobody lies.
        assertThat(json.get("rules"))
                .allSatisfy(line -> assertThat(line.get("trained").asInt()).isZero());
        // Set up for one liar whatever comes, screening drops one of two huge lies and keeps the other.
        assertThat(breakpoint(plan, args).out())
                .contains("The smallest share of 6 workers")
                .contains("guessing, after the first of these attacks that succeeds: strongest, ")
                .containsPattern("\nmean +0.167 \\(1\\) +0.167 \\(1\\) +0.000 \\(0\\)\n")
                .containsPattern("\nnnm \\+ median +0.500 \\(3\\) +0\\.\\d+ \\(\\d\\) +0.000 \\(0\\)\n")
                .containsPattern("\nnorm-screening\\(tolerated=1\\) +0.333 \\(2\\) +0.333 \\(2\\) +0.000 \\(0\\)\n");
    }

    @Test
    void guessingIsMeasuredOnTheRowsHeldOut() throws IOException {
        // 101 of 300 rows are 0, but 30 of the 90 held out; without rounds all are taken for 1.
        String data = Files.writeString(folder.resolve("data.csv"), "x,y\n" + "1,0\n".repeat(101) + "2,1\n".repeat(199))
                .toString();
        assertThat(found(breakpoint("rounds: 0\n", "--json", "--rules", "median", "--data", data))
                        .get("median")
                        .get("trained")
                        .asInt())
                .isZero();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "unknown rule 'mediam'; known: norm-screening | --rules | mediam",
                "--rules must name at least one rule | --rules | ''",
                "--rules must name each rule once, got median, median() | --rules | median, median()",
                "--seeds must be at least 1, got 0 | --seeds | 0",
                "--threads must be at least 1, got 0 | --threads | 0",
                "missing.csv: cannot be read: no such file | --data | missing.csv",
                "missing.yaml: cannot be read: no such file | --plan | missing.yaml",
                "unknown option '--liars'; known: --rules | --liars | 3"
            })
    void impossibleOptionsAreRefusedInOneLine(String message, String option, String value) {
        refused(message, Shell.run("breakpoint", "--quiet", option, value));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "unknown plan key 'lamda'; known: label | lamda: 3",
                "--test-share must be > 0: breakpoints are measured on held-out rows | test-share: 0",
                "--maximiser ascent needs --ascent-steps or --precision | maximiser: ascent",
                "--replicas must be 1: breakpoints are those of a rule alone; got 2 | replicas: 2"
            })
    void impossiblePlansAreRefusedInOneLine(String message, String line) throws IOException {
        refused(message, breakpoint(line + "\n", "--rules", "mean"));
    }

    private static void refused(String message, Shell.Result result) {
        assertThat(result.err()).startsWith("holdfast: ").contains(message);
        assertThat(result.err().lines()).hasSize(1);
        assertThat(result.out()).isEmpty();
        assertThat(result.code()).isEqualTo(ExitCode.BAD_INPUT);
    }
}
