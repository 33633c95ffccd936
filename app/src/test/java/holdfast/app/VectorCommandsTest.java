package holdfast.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import holdfast.Catalogue;
import holdfast.Randomness;
import holdfast.Seed;
import holdfast.Spec;
import holdfast.aggregate.Aggregator;
import holdfast.aggregate.Aggregators;
import holdfast.aggregate.Carry;
import holdfast.aggregate.Round;
import holdfast.aggregate.WorkerUpdate;
import holdfast.app.command.ExitCode;
import holdfast.attack.Attack;
import holdfast.attack.AttackContext;
import holdfast.attack.Attacks;
import holdfast.attack.UpdateAttack;
import holdfast.formats.VectorFile;
import holdfast.formats.VectorFile.Format;
import holdfast.objective.Objectives;
import holdfast.shift.Shifts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The commands around single rounds. */
class VectorCommandsTest {
    /** By norm: lines 2, 1, 5, 3; screening two keeps the first two of them. */
    private static final String VECTORS = "3,4\n1,-1\n\n30,40\n6,0\n";

    @TempDir
    private Path folder;

    private static Shell.Result run(String input, String line) {
        return Shell.runWith(input, line.split(" +"));
    }

    private static List<double[]> sample(int rows, int columns) {
        Randomness random = Seed.of(7).child("sample").random();
        return Stream.generate(() -> random.gaussians(columns)).limit(rows).toList();
    }

    private static String csv(List<double[]> vectors) {
        return new String(Format.CSV.print(vectors), StandardCharsets.UTF_8);
    }

    private static void refused(String input, String message, String... args) {
        Shell.Result result = Shell.runWith(input, args);
        assertThat(result.err()).as("%s", List.of(args)).isEqualTo("holdfast: " + message + "\n");
        assertThat(result.out()).isEmpty();
        assertThat(result.code()).isEqualTo(ExitCode.BAD_INPUT);
    }

    @Test
    void aggregatesByHand() {
        assertThat(run(VECTORS, "aggregate --rule mean")).isEqualTo(new Shell.Result(0, "10.0,10.75\n", ""));
        assertThat(run(VECTORS, "aggregate --rule norm-screening --f 2"))
                .isEqualTo(new Shell.Result(0, "2.0,1.5\n", ""));
        assertThat(Shell.runWith(VECTORS, "aggregate", "--rule", "norm-screening(f=2)"))
                .isEqualTo(new Shell.Result(0, "2.0,1.5\n", ""));
        assertThat(Shell.runWith(VECTORS, "aggregate", "--rule", " norm-screening ( f = 2 ) ", "--f", "2"))
                .isEqualTo(new Shell.Result(0, "2.0,1.5\n", ""));
    }

    @Test
    void threadsChangeNothingInTheResult() {
        String vectors = csv(sample(11, 3000));
        for (String rule : List.of("median", "krum", "geometric-median", "nnm+trimmed-mean")) {
            String command = "aggregate --f 2 --explain --rule " + rule + " --threads ";
            Shell.Result one = run(vectors, command + 1);
            assertThat(one.code()).isZero();
            assertThat(run(vectors, command + 3)).as(rule).isEqualTo(one);
        }
        refused(VECTORS, "--threads must be at least 1, got 0", "aggregate", "--rule", "mean", "--threads", "0");
        refused(
                VECTORS,
                "threads must be from 1 to 1024, got 40000",
                "aggregate",
                "--rule",
                "mean",
                "--threads",
                "40000");
    }

    @Test
    void saysThatNobodyIsTakenForALiar() {
        assertThat(run(VECTORS, "aggregate --rule norm-screening"))
                .isEqualTo(new Shell.Result(
                        0,
                        "10.0,10.75\n",
                        "holdfast: warning: --tolerated is not given, so no vector is taken for a lie\n"));
        assertThat(run(VECTORS, "aggregate --rule norm-screening --f 0").err()).isEmpty();
    }

    @Test
    void explainsWhoWasKeptAndWhy() {
        Shell.Result result = run(VECTORS, "aggregate --rule norm-screening --f 2 --explain");
        assertThat(result.out()).isEqualTo("2.0,1.5\n");
        assertThat(result.err()).isEqualTo("""
                rule      norm-screening, tolerates 2 of 4 workers, numbered from 0
                kept      0, 1
                left out  2 (line 4), 3 (line 5)
                why       screened [2, 3]: norms 6.000 to 50.00, longest kept 5.000
                """);
        assertThat(run(VECTORS, "aggregate --rule mean --explain").err())
                .contains("kept      0, 1, 2, 3\nleft out  none\n");
    }

    @Test
    void vectorsThatAreNotFiniteAreChargedToF() {
        String vectors = VECTORS + "nan,1\n";
        Shell.Result result = run(vectors, "aggregate --rule norm-screening --f 2 --explain");
        assertThat(result.out()).isEqualTo((10.0 / 3) + ",1.0\n");
        assertThat(result.err())
                .startsWith(
                        "holdfast: warning: standard input: line 6 holds NaN or Inf: rejected, and counted as a lie\n")
                .contains("left out  2 (line 4), 4 (line 6, NaN or Inf)\n");
        refused(
                vectors + "1,-Infinity\n",
                "standard input: at most 1 vectors (--tolerated) may hold NaN or Inf, got 2: line 6, line 7",
                "aggregate",
                "--rule",
                "norm-screening",
                "--f",
                "1");
        refused(
                "nan\n".repeat(12),
                "standard input: at most 0 vectors (--tolerated) may hold NaN or Inf, got 12: line 1, line 2, line 3, line 4, "
                        + "line 5, line 6, line 7, line 8, line 9, line 10, ...",
                "aggregate",
                "--rule",
                "mean");
    }

    static Stream<String> rules() {
        return Aggregators.rules().names().stream()
                .flatMap(rule -> Stream.concat(
                        Stream.of(rule),
                        Aggregators.preAggregators().names().stream().map(pre -> pre + " + " + rule)));
    }

    @ParameterizedTest
    @MethodSource
    void rules(String text) throws IOException {
        Aggregator rule = Aggregators.create(text, 1);
        List<double[]> vectors = sample(30, 4);
        double[] own = {1, 2, 3, 4};
        Path trusted = Files.write(folder.resolve("own.npy"), Format.NPY.print(own));
        List<WorkerUpdate> votes = new ArrayList<>();
        vectors.forEach(v -> votes.add(new WorkerUpdate(votes.size(), v)));
        double[] expected = rule.aggregate(new Round(0, 30, votes, new double[4], Seed.of(5), Carry.NONE, own))
                .direction();
        String f = Integer.toString(rule.tolerated());
        Shell.Result result = Shell.runWith(
                csv(vectors), "aggregate", "--rule", text, "--f", f, "--seed", "5", "--trusted", trusted.toString());
        assertThat(result).isEqualTo(new Shell.Result(0, csv(List.of(expected)), ""));
    }

    static Stream<String> attacks() {
        return Attacks.catalogue().names().stream();
    }

    @ParameterizedTest
    @MethodSource
    void attacks(String name) {
        Attack attack = Attacks.catalogue().create(Spec.parse(name));
        List<double[]> honest = sample(7, 4);
        Shell.Result result = Shell.runWith(csv(honest), "forge", "--attack", name, "--liars", "2", "--seed", "5");
        if (!(attack instanceof UpdateAttack)) {
            assertThat(result.err())
                    .startsWith("holdfast: --attack must forge updates, but " + name
                            + " poisons data; attacks that forge updates: ")
                    .hasLineCount(1)
                    .contains("aggressive");
            assertThat(result.code()).isEqualTo(ExitCode.BAD_INPUT);
            return;
        }
        List<WorkerUpdate> votes = new ArrayList<>();
        honest.forEach(v -> votes.add(new WorkerUpdate(votes.size(), v)));
        List<double[]> expected = ((UpdateAttack) attack)
                .forge(new AttackContext(
                        new Round(0, 9, votes, new double[4], Seed.of(5), Carry.NONE, null),
                        new int[] {7, 8},
                        Aggregators.create("norm-screening", 2),
                        Seed.of(5).child("attack")));
        assertThat(result).isEqualTo(new Shell.Result(0, csv(expected), ""));
    }

    @Test
    void forgesByHand() {
        assertThat(run("1,2\n3,6\n", "forge --attack aggressive")).isEqualTo(new Shell.Result(0, "-20.0,-40.0\n", ""));
        assertThat(run("1,2\n3,6\n", "forge --attack aggressive --factor 0.5 --liars 2"))
                .isEqualTo(new Shell.Result(0, "-1.0,-2.0\n-1.0,-2.0\n", ""));
        assertThat(run("1,2\n3,6\n", "forge --factor=0.5 --attack aggressive").out())
                .isEqualTo("-1.0,-2.0\n");
        assertThat(run("1,2\n3,6\n", "forge --factor=0.5 --attack aggressive(factor=7)"))
                .isEqualTo(new Shell.Result(2, "", "holdfast: --factor must be given once, got it twice\n"));
    }

    @Test
    void liarsKnowTheServersOwnVector() throws IOException {
        Path own = Files.writeString(folder.resolve("own.csv"), "0,1\n");
        String forge = "forge --attack fang(against=krum) --rule fltrust";
        // The whole length: fltrust hears whoever agrees with it at all, and -sign of (-2, 1) does so only with (0,
        // -1).
        assertThat(run("-2,1\n", forge + " --trusted " + own).out())
                .isNotEqualTo(
                        run("-2,1\n", forge + " --trusted " + Files.writeString(folder.resolve("down.csv"), "0,-1\n"))
                                .out());
        assertThat(run("-2,1\n", forge).err()).contains("fltrust: needs the server's own gradient");
    }

    @Test
    void whatComesOutHasTheFormatOfWhatWentInUnlessToldOtherwise() throws IOException {
        byte[] npy = Format.NPY.print(sample(5, 3));
        Path out = folder.resolve("out");
        double[] mean = Aggregators.create("mean", 0)
                .aggregate(Round.of(sample(5, 3).toArray(double[][]::new)))
                .direction();
        assertThat(Shell.runWith(npy, "aggregate", "--rule", "mean", "--out", out.toString()))
                .isEqualTo(new Shell.Result(0, "", ""));
        assertThat(out).hasBinaryContent(Format.NPY.print(mean));
        assertThat(Shell.runWith(npy, "aggregate", "--rule", "mean", "--format", "csv")
                        .out())
                .isEqualTo(csv(List.of(mean)));

        Path in = Files.write(folder.resolve("in"), csv(sample(5, 3)).getBytes(StandardCharsets.UTF_8));
        String[] forge = {
            "forge",
            "--attack",
            "none",
            "--liars",
            "2",
            "--in",
            in.toString(),
            "--out",
            out.toString(),
            "--format",
            "npy"
        };
        assertThat(Shell.run(forge)).isEqualTo(new Shell.Result(0, "", ""));
        VectorFile read = VectorFile.read(out.toString());
        assertThat(read.format()).isEqualTo(Format.NPY);
        assertThat(read.vectors()).hasSize(2).allSatisfy(v -> assertThat(v).containsExactly(mean));
    }

    @Test
    void rowsOfNpyAreNamedAsNumPyCountsThem() {
        byte[] npy = Format.NPY.print(List.of(new double[] {1}, new double[] {Double.NaN}, new double[] {2}));
        Shell.Result result =
                Shell.runWith(npy, "aggregate", "--rule", "norm-screening", "--f", "1", "--format", "csv");
        assertThat(result)
                .isEqualTo(new Shell.Result(
                        0,
                        "1.5\n",
                        "holdfast: warning: standard input: row 1 holds NaN or Inf: rejected, and counted as a lie\n"));
    }

    @Test
    void everyMistakeInAggregateIsOneLine() throws IOException {
        String own =
                "--rule, --tolerated, --in, --out, --format, --trusted, --seed, --threads, --explain, --plugins, --help, --version";
        String names = String.join(", ", Aggregators.rules().names());
        refused(VECTORS, "Missing required option: '--rule=RULE'", "aggregate");
        refused(VECTORS, "unknown rule 'krumm'; known: " + names, "aggregate", "--rule", "krumm", "--nu", "1");
        refused(VECTORS, "expected name or name(key=value, ...), got ''", "aggregate", "--rule", "mean+");
        refused(VECTORS, "--tolerated must be 0 for the rule mean, got 3", "aggregate", "--rule", "mean", "--f", "3");
        refused(
                VECTORS,
                "--tolerated must be 1 for the rule norm-screening(f=1), got 2",
                "aggregate",
                "--rule",
                "norm-screening(f=1)",
                "--f",
                "2");
        refused(
                VECTORS,
                "Invalid value for option '--tolerated': 'two' is not an int",
                "aggregate",
                "--rule",
                "mean",
                "--f",
                "two");
        refused(
                VECTORS,
                "standard input: must have at least 5 vectors for --tolerated 4, got 4",
                "aggregate",
                "--rule",
                "norm-screening",
                "--f",
                "4");
        refused(
                VECTORS,
                "unknown option '--nu'; known: " + own + "; parameters of mean: none",
                "aggregate",
                "--rule",
                "mean",
                "--nu",
                "0.1");
        refused(
                VECTORS,
                "unknown option '-x'; known: " + own + "; parameters of norm-screening: --tolerated",
                "aggregate",
                "--rule",
                "norm-screening",
                "-x");
        refused(
                VECTORS,
                "unknown argument 'vectors.csv'; known: " + own + "; parameters of mean: none",
                "aggregate",
                "--rule",
                "mean",
                "vectors.csv");
        refused(
                "1,2\n3\n",
                "standard input: line 2: must have 2 numbers like line 1, got 1",
                "aggregate",
                "--rule",
                "mean");
        refused(VECTORS, "--format must be csv or npy, got 'json'", "aggregate", "--rule", "mean", "--format", "json");
        refused(
                "1,2\n3\n",
                "standard input: line 2: must have 2 numbers like line 1, got 1",
                "aggregate",
                "--rule",
                "norm-screening");
        Path two = Files.writeString(folder.resolve("two.csv"), "1,2\n3,4\n");
        Path three = Files.writeString(folder.resolve("three.csv"), "1,2,3\n");
        Path nan = Files.writeString(folder.resolve("nan.csv"), "1,NaN\n");
        refused(VECTORS, two + ": must hold one vector, got 2", trusted(two.toString()));
        refused(VECTORS, three + ": must hold 2 finite numbers, as the vectors do, got 3", trusted(three.toString()));
        refused(
                VECTORS,
                nan + ": must hold 2 finite numbers, as the vectors do, got NaN or Inf",
                trusted(nan.toString()));
        refused(VECTORS, "standard input can be read only once: --in must be a file if --trusted is -", trusted("-"));
        refused(
                "",
                "--out must differ from the other files of the command, got " + two,
                "aggregate",
                "--rule",
                "mean",
                "--in",
                two.toString(),
                "--out",
                two.toString());
        refused(
                "",
                folder.resolve("none.csv") + ": cannot be read: no such file",
                "aggregate",
                "--rule",
                "mean",
                "--in",
                folder.resolve("none.csv").toString());
        assertThat(two).hasContent("1,2\n3,4\n");
    }

    private static String[] trusted(String file) {
        return new String[] {"aggregate", "--rule", "mean", "--trusted", file};
    }

    @Test
    void everyMistakeInForgeIsOneLine() {
        String own =
                "--attack, --liars, --in, --out, --format, --trusted, --rule, --tolerated, --seed, --plugins, --help, --version";
        refused(VECTORS, "Missing required option: '--attack=ATTACK'", "forge");
        refused(VECTORS, "--liars must be 1 to 1000000, got 0", "forge", "--attack", "none", "--liars", "0");
        refused(
                VECTORS,
                "unknown option '--facter'; known: " + own + "; parameters of aggressive: --factor",
                "forge",
                "--attack",
                "aggressive",
                "--facter",
                "2");
        refused(
                VECTORS,
                "--factor must be followed by a value, got none",
                "forge",
                "--attack",
                "aggressive",
                "--factor");
        refused(
                VECTORS,
                "--factor must be given once, got it twice",
                "forge",
                "--attack",
                "aggressive",
                "--factor",
                "2",
                "--factor=3");
        refused(
                VECTORS,
                "attack aggressive: factor must be a number, got 'big'",
                "forge",
                "--attack",
                "aggressive",
                "--factor",
                "big");
        refused(
                VECTORS,
                "aggressive: factor must be finite and > 0, got -2.0",
                "forge",
                "--attack",
                "aggressive",
                "--factor",
                "-2");
        refused(
                "1\ninf\n",
                "standard input: line 2: honest vectors must be finite, got NaN or Inf",
                "forge",
                "--attack",
                "none");
        refused(
                VECTORS,
                "--tolerated must be 0 for the rule mean, got 2",
                "forge",
                "--attack",
                "none",
                "--rule",
                "mean",
                "--f",
                "2");
    }

    @Test
    void theListsFitOnATerminalAndNameEverything() throws IOException {
        listed("rules", "rules", Aggregators.rules());
        listed("rules", "pre_aggregators", Aggregators.preAggregators());
        listed("attacks", "attacks", Attacks.catalogue());
        listed("shifts", "shifts", Shifts.catalogue());
        listed("objectives", "objectives", Objectives.catalogue());
        assertThat(Shell.run("rules").out())
                .containsPattern("\n  norm-screening\\(tolerated\\) +m >= f\\+1\n      the paper's: drop")
                .containsPattern("\n  mean +m >= 1, f = 0\n");
        assertThat(Shell.run("rules").out()).contains("\n  krum(neighbours=byzfl|blanchard, tolerated) ");
        assertThat(Shell.run("rules").out())
                .contains("\n      kappa = f/(m-2f), the least possible [0.125] (aggregate.TrimmedMean)\n")
                .contains("\n      ||G - S|| <= 2f/(m-f) ||S|| + Delta; no kappa: ")
                .contains("\n      kappa = 8f/(m-f) (1 + kappa of the rule); ");
        assertThat(Shell.run("attacks").out())
                .contains("\n  aggressive(factor=10)\n", "\n  min-max(direction=std|sign|unit)\n");
    }

    @Test
    void everyRuleIsListedWithItsRobustnessAndTheSource() throws IOException {
        JsonNode json = new ObjectMapper().readTree(Shell.run("rules", "--json").out());
        for (String key : List.of("rules", "pre_aggregators")) {
            json.get(key).forEach(node -> {
                assertThat(node.at("/robustness/formula").asText())
                        .as(node.toString())
                        .isNotBlank();
                assertThat(node.at("/robustness/source").asText())
                        .as(node.toString())
                        .isNotBlank();
            });
        }
        json.get("rules").forEach(node -> {
            Aggregator rule = Aggregators.create(node.get("name").asText(), 1);
            assertThat(node.at("/robustness/kappa").asDouble(-1))
                    .isEqualTo(
                            rule.tolerated() == 1 ? rule.robustness(10).kappa().orElse(-1) : -1);
        });
    }

    private static void listed(String command, String key, Catalogue<?> catalogue) throws IOException {
        String text = Shell.run(command).out();
        assertThat(text.lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
        JsonNode json =
                new ObjectMapper().readTree(Shell.run(command, "--json").out()).get(key);
        List<String> names = new ArrayList<>();
        json.forEach(node -> names.add(node.get("name").asText()));
        assertThat(names).containsExactlyElementsOf(catalogue.names());
        String words = String.join(" ", text.split("\\s+"));
        for (Catalogue.Entry entry : catalogue.entries()) {
            JsonNode node = json.get(names.indexOf(entry.name()));
            assertThat(words).contains(entry.meaning());
            assertThat(node.get("meaning").asText()).isEqualTo(entry.meaning());
            List<String> keys = new ArrayList<>();
            node.get("parameters").fieldNames().forEachRemaining(keys::add);
            assertThat(keys).containsExactlyElementsOf(entry.parameters().keySet());
        }
    }
}
