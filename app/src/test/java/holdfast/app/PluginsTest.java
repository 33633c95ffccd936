package holdfast.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import holdfast.Randomness;
import holdfast.Seed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example plugin, a jar that is not on the class path, in every command that takes names. */
class PluginsTest {
    @TempDir
    private static Path folder;

    private static Path jar;
    private static Path table;

    @BeforeAll
    static void build() throws IOException {
        Path example = Program.root().resolve("examples/plugin");
        Path classes = folder.resolve("classes");
        try (Stream<Path> sources = Files.walk(example.resolve("src"))) {
            tool(
                    "javac",
                    Stream.concat(
                            Stream.of(
                                    "-proc:none",
                                    "-cp",
                                    System.getProperty("java.class.path"),
                                    "-d",
                                    classes.toString()),
                            sources.map(Path::toString).filter(name -> name.endsWith(".java"))));
        }
        jar = folder.resolve("example.jar");
        tool(
                "jar",
                Stream.of("-cf", jar.toString(), "-C", classes.toString(), ".", "-C", example.toString(), "META-INF"));
        table = folder.resolve("same-sign.csv");
        Randomness random = Seed.of(3).random();
        StringBuilder csv = new StringBuilder("a,b,site,same\n");
        for (int row = 0; row < 900; row++) {
            double[] x = random.gaussians(2);
            csv.append(String.format(Locale.ROOT, "%.4f,%.4f,S%d,%d%n", x[0], x[1], row % 6, x[0] * x[1] > 0 ? 1 : 0));
        }
        Files.writeString(table, csv);
    }

    /**
     * Builds the jar of a plugin.
     *
     * @param added what it adds to the catalogues, as in {@code .withRule(...)}
     */
    private static Path plugin(String name, String added) throws IOException {
        Path own = Files.createDirectories(folder.resolve(name));
        Path source = own.resolve("Own.java");
        Files.writeString(source, """
                package own;

                import holdfast.aggregate.*;
                import holdfast.plan.*;

                public final class Own implements Plugin {
                    @Override
                    public Catalogues extend(Catalogues known) {
                        return known%s;
                    }

                    record Rule(int tolerated) implements Aggregator {
                        @Override
                        public Aggregate aggregate(Round round) {
                            throw new Odd("no rule\\nat all");
                        }

                        @Override
                        public int minWorkers() {
                            return 1;
                        }
                    }

                    static final class Odd extends RuntimeException {
                        Odd(String message) {
                            super(message);
                        }
                    }
                }
                """.formatted(added));
        Path classes = own.resolve("classes");
        tool(
                "javac",
                Stream.of(
                        "-proc:none",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "-d",
                        classes.toString(),
                        source.toString()));
        Path services = Files.createDirectories(classes.resolve("META-INF/services"));
        Files.writeString(services.resolve("holdfast.plan.Plugin"), "own.Own\n");
        Path made = folder.resolve(name + ".jar");
        tool("jar", Stream.of("-cf", made.toString(), "-C", classes.toString(), "."));
        return made;
    }

    @Test
    void aPluginThatFailsIsNamedInOneLine() throws IOException {
        String failing = plugin("failing", ".withRule(\"fails\", \"never works\", p -> f -> new Rule(f))")
                .toString();
        String vectors =
                Files.writeString(folder.resolve("vectors.csv"), "1,2\n3,4\n").toString();
        for (String command : List.of(
                "train " + table + " --rule fails --rounds 3 --quiet",
                "train " + table + " --rule fails --rounds 3 --quiet --threads 1",
                "aggregate --in " + vectors + " --rule fails",
                "redteam --rules fails --attacks aggressive --shifts none --seeds 1 --rounds 3 --quiet --out "
                        + folder.resolve("failed"),
                "breakpoint --rules fails --rounds 3 --seeds 1 --quiet")) {
            Shell.Result result = run(with(List.of(command.split(" ")), "--plugins", failing));
            assertThat(result.err())
                    .isEqualTo("holdfast: the plugin failing.jar failed in own.Own$Rule.aggregate(Own.java:15):"
                            + " own.Own$Odd: no rule\n");
            assertThat(result.code()).as(command).isEqualTo(4);
        }
    }

    private static void tool(String name, Stream<String> arguments) {
        int code = ToolProvider.findFirst(name)
                .orElseThrow()
                .run(System.out, System.err, arguments.toArray(String[]::new));
        assertThat(code).as(name).isZero();
    }

    private static Shell.Result run(String... args) {
        return Shell.run(args);
    }

    private static Shell.Result done(String... args) {
        Shell.Result result = run(Stream.concat(Arrays.stream(args), Stream.of("--plugins", jar.toString()))
                .toArray(String[]::new));
        assertThat(result.code()).as(result.err()).isZero();
        return result;
    }

    @Test
    void theExampleIsNotOnTheClassPath() {
        assertThat(PluginsTest.class.getClassLoader().getResource("example/MiddleNorms.class"))
                .isNull();
        Shell.Result unknown = run("train", table.toString(), "--rule", "middle-norms");
        assertThat(unknown.code()).isEqualTo(2);
        assertThat(unknown.err()).startsWith("holdfast: --rule: unknown rule 'middle-norms'; known: norm-screening, ");
    }

    @Test
    void aModelAndARuleOfOnesOwnAreTrainedSavedResumedEvaluatedAndRerun() throws IOException {
        String model = folder.resolve("tanh.json").toString();
        String checkpoint = folder.resolve("tanh.ckpt").toString();
        List<String> train = List.of(
                "train",
                table.toString(),
                "--label",
                "same",
                "--workers-by",
                "site",
                "--model",
                "tanh(units=6)",
                "--rule",
                "middle-norms",
                "--tolerated",
                "1",
                "--tolerance",
                "0",
                "--learning-rate",
                "1",
                "--quiet");
        done(with(train, "--rounds", "300", "--out", model));
        JsonNode saved = new ObjectMapper().readTree(Path.of(model).toFile());
        assertThat(saved.path("model").asText()).isEqualTo("tanh(units=6)");
        assertThat(saved.path("plan").path("rule").asText()).isEqualTo("middle-norms");
        assertThat(saved.path("plugins").get(0).path("name").asText()).isEqualTo("example.jar");
        assertThat(saved.path("plugins").get(0).path("sha256").asText()).hasSize(64);

        done(with(train, "--rounds", "120", "--checkpoint", checkpoint));
        String resumed = folder.resolve("resumed.json").toString();
        done(with(train, "--rounds", "300", "--checkpoint", checkpoint, "--resume", "--out", resumed));
        assertThat(new ObjectMapper().readTree(Path.of(resumed).toFile()).path("weights"))
                .isEqualTo(saved.path("weights"));

        JsonNode evaluated = new ObjectMapper()
                .readTree(done("evaluate", model, table.toString(), "--json").out());
        assertThat(evaluated.path("error").asDouble())
                .as("no linear model gets below 0.4")
                .isLessThan(0.15);
        assertThat(done("predict", model, table.toString()).out().lines()).hasSize(901);
        assertThat(done("rerun", model, table.toString()).out()).startsWith("the same to the bit");
        for (List<String> explain :
                List.of(List.of("explain", model), List.of("explain", model, table.toString(), "--row", "1"))) {
            Shell.Result unexplained = run(with(explain, "--plugins", jar.toString()));
            assertThat(unexplained.code()).isEqualTo(2);
            assertThat(unexplained.err())
                    .isEqualTo(
                            "holdfast: only a model linear in its scores has coefficients and intercepts, which explain it,"
                                    + " and tanh is not\n");
        }

        Shell.Result without = run("evaluate", model, table.toString());
        assertThat(without.code()).isEqualTo(2);
        assertThat(without.err())
                .contains("was made with the plugin example.jar")
                .contains("give it with --plugins");
        Path other = folder.resolve("other");
        Files.createDirectories(other);
        Path rebuilt = other.resolve("example.jar");
        tool(
                "jar",
                Stream.of(
                        "-cf",
                        rebuilt.toString(),
                        "-C",
                        folder.resolve("classes").toString(),
                        ".",
                        "-C",
                        Program.root().resolve("examples/plugin").toString(),
                        "META-INF",
                        "-C",
                        Program.root().toString(),
                        "NOTICE"));
        Shell.Result resumedByOther = run(with(
                train, "--rounds", "300", "--checkpoint", checkpoint, "--resume", "--plugins", rebuilt.toString()));
        assertThat(resumedByOther.code()).isEqualTo(2);
        assertThat(resumedByOther.err())
                .contains("was made with the plugin example.jar")
                .contains("; the one given has sha256");
        assertThat(done("evaluate", model, table.toString(), "--shift", "l2").out())
                .contains("lower bound");
    }

    private static String[] with(List<String> first, String... more) {
        return Stream.concat(first.stream(), Arrays.stream(more)).toArray(String[]::new);
    }

    /** Its variable must be in the checkpoint, or the resumed run would end elsewhere. */
    @Test
    void anObjectiveOfOnesOwnIsTrainedResumedAndRerun() throws IOException {
        String model = folder.resolve("spread.json").toString();
        String resumed = folder.resolve("spread-resumed.json").toString();
        String checkpoint = folder.resolve("spread.ckpt").toString();
        List<String> train =
                List.of("train", table.toString(), "--workers-by", "site", "--objective", "mean-variance", "--quiet");
        done(with(train, "--rounds", "30", "--out", model));
        done(with(train, "--rounds", "12", "--checkpoint", checkpoint));
        done(with(train, "--rounds", "30", "--checkpoint", checkpoint, "--resume", "--out", resumed));
        assertThat(weights(resumed)).isEqualTo(weights(model));
        assertThat(done("rerun", model, table.toString()).out()).startsWith("the same to the bit");
        assertThat(run("evaluate", model, table.toString()).code()).isZero();
    }

    private static JsonNode weights(String model) throws IOException {
        return new ObjectMapper().readTree(Path.of(model).toFile()).path("weights");
    }

    @Test
    void aModelThatHoldfastBringsPredictsWithoutThePluginOfItsRule() {
        String model = folder.resolve("logistic.json").toString();
        done("train", table.toString(), "--rule", "middle-norms", "--rounds", "5", "--quiet", "--out", model);
        assertThat(run("evaluate", model, table.toString()).code()).isZero();
        Shell.Result rerun = run("rerun", model, table.toString());
        assertThat(rerun.code()).isEqualTo(2);
        assertThat(rerun.err()).contains("was made with the plugin example.jar").contains("give it with --plugins");
    }

    @Test
    void oneSettingByTwoNamesIsRefused() {
        Shell.Result twice = run("train", table.toString(), "--tolerated", "1", "--screened", "2");
        assertThat(twice.code()).isEqualTo(2);
        assertThat(twice.err()).isEqualTo("holdfast: --tolerated is given twice, also by an older name\n");
        Shell.Result again =
                Shell.run("train", "builtin:spambase", "--drop", "word_freq_hp", "--drop", "word_freq_george");
        assertThat(again.code()).isEqualTo(2);
        assertThat(again.err())
                .isEqualTo("holdfast: --drop must be given once, got 'word_freq_hp' and 'word_freq_george'\n");
    }

    @Test
    void aRuleOfOnesOwnIsAttackedAndAggregates() {
        String out = done(
                        "redteam",
                        "--rules",
                        "middle-norms, mean",
                        "--attacks",
                        "aggressive",
                        "--shifts",
                        "none",
                        "--liars",
                        "2",
                        "--seeds",
                        "1",
                        "--rounds",
                        "10",
                        "--out",
                        folder.resolve("rt").toString(),
                        "--quiet")
                .out();
        assertThat(out).contains("middle-norms");
        assertThat(done("breakpoint", "--rules", "middle-norms", "--rounds", "10", "--seeds", "1", "--quiet")
                        .out())
                .contains("middle-norms");
        Shell.Result combined = Shell.runWith(
                "9,9\n1,1\n2,2\n3,3\n0,0\n",
                "aggregate",
                "--rule",
                "middle-norms(tolerated=1)",
                "--plugins",
                jar.toString());
        assertThat(combined.code()).as(combined.err()).isZero();
        assertThat(combined.out()).isEqualTo("2.0,2.0\n");
        assertThat(done("rules").out()).contains("middle-norms(tolerated)").contains("m >= 2f+1");
        assertThat(done("models").out()).contains("tanh(units=4)");
    }

    @Test
    void whatIsNotAPluginIsRefusedInOneLine() throws IOException {
        Path empty = folder.resolve("empty.jar");
        tool("jar", Stream.of("-cf", empty.toString(), "-C", table.getParent().toString(), "same-sign.csv"));
        for (String[] wrong : new String[][] {
            {empty.toString(), "names no plugin"},
            {folder.resolve("none.jar").toString(), "is not a file"},
            {jar + "," + jar, "is known already and cannot be replaced"},
            {
                plugin("ambiguous", ".withRule(\"nnm\", \"a rule\", p -> f -> new Rule(f))")
                        .toString(),
                "ambiguous.jar: a rule and a pre-aggregator must have different names"
            }
        }) {
            Shell.Result result = run("rules", "--plugins", wrong[0]);
            assertThat(result.code()).isEqualTo(2);
            assertThat(result.err()).startsWith("holdfast: --plugins: ").contains(wrong[1]);
            assertThat(result.err().lines()).hasSize(1);
        }
    }
}
