package holdfast.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import holdfast.Randomness;
import holdfast.Seed;
import holdfast.Spec;
import holdfast.app.command.ExitCode;
import holdfast.app.lab.Testbed;
import holdfast.app.lab.redteam.RedTeamPlan;
import holdfast.data.Table;
import holdfast.formats.DataFile;
import holdfast.plan.Plan;
import holdfast.rounds.TrainingException;
import holdfast.shift.Shifts;
import holdfast.training.Training;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A small grid: four rules, of which bulyan cannot serve eight workers, three attacks, three shifts. */
class RedTeamTest {
    private static final List<String> TRIED = List.of("median", "norm-screening(tolerated=2)", "mean");
    private static final List<String> ATTACKS = List.of("aggressive(factor=5)", "label-flip", "nan");
    private static final List<String> SHIFTS = List.of("none", "l2(budget=0.5)", "trigger(column=1, value=4)");
    private static final int CASES = TRIED.size() * (1 + 2 * ATTACKS.size());
    private static final String WHY = "--rule bulyan: tolerated = 3 needs at least 15 workers, got 8";

    @TempDir
    private static Path shared;

    private static Path plan;
    private static Path whole;
    private static Shell.Result printed;
    private static JsonNode found;

    @TempDir
    private Path folder;

    @BeforeAll
    static void run() throws IOException {
        Path data = Files.writeString(shared.resolve("visits.csv"), visits(1));
        plan = Files.writeString(shared.resolve("plan.yaml"), """
                data: %s
                rules: [median, norm-screening(tolerated=2), mean, bulyan]
                attacks: [%s]
                shifts: "%s"
                liars: 3, 1
                seeds: 2
                label: ill
                workers: 8
                rounds: 12
                seed: 5
                """.formatted(
                        data, String.join(", ", ATTACKS), String.join(", ", SHIFTS.subList(1, SHIFTS.size()))));
        whole = shared.resolve("whole");
        printed = redteam(whole, "--threads", "2");
        assertThat(printed.code()).as(printed.err()).isZero();
        found = json(whole);
    }

    private static String visits(long seed) {
        Randomness random = Seed.of(seed).child("visits").random();
        StringBuilder csv = new StringBuilder("age,pressure,weight,ill\n");
        for (int row = 0; row < 320; row++) {
            double[] x = random.gaussians(3);
            csv.append(String.format(Locale.ROOT, "%.4f,%.4f,%.4f,", x[0], x[1], x[2]))
                    .append(x[0] - x[1] + random.nextGaussian() > 0.3 ? "yes" : "no")
                    .append('\n');
        }
        return csv.toString();
    }

    private static Shell.Result redteam(Path out, String... more) {
        return Shell.run(Stream.concat(
                        Stream.of("redteam", plan.toString(), "--quiet", "--out", out.toString()), Stream.of(more))
                .toArray(String[]::new));
    }

    private static JsonNode json(Path out) throws IOException {
        return new ObjectMapper().readTree(out.resolve("redteam.json").toFile());
    }

    /** Both ways to choose one: a flag, and a line of the plan. */
    @Test
    void anotherObjectiveIsTried() throws IOException {
        String[] less = {
            "--rules", "mean", "--attacks", "aggressive", "--shifts", "none", "--seeds", "1", "--liars", "1"
        };
        Path flag = folder.resolve("flag");
        Shell.Result done = redteam(
                flag,
                Stream.concat(Stream.of(less), Stream.of("--objective", "cvar(level=0.8)"))
                        .toArray(String[]::new));
        assertThat(done.code()).as(done.err()).isZero();
        assertThat(json(flag).at("/plan/objective").asText()).isEqualTo("cvar(level=0.8)");
        Path plain = folder.resolve("plain");
        assertThat(redteam(plain, less).code()).isZero();
        assertThat(json(flag).path("plan").path("lambda"))
                .isEqualTo(json(plain).path("plan").path("lambda"));
        assertThat(journal(flag)).isNotEqualTo(journal(plain));
    }

    private static List<String> journal(Path out) throws IOException {
        return Files.readAllLines(out.resolve("redteam.journal"));
    }

    /** A folder with a journal and nothing else. */
    private Path stopped(String journal) throws IOException {
        Path out = Files.createDirectories(folder.resolve("stopped"));
        Files.writeString(out.resolve("redteam.journal"), journal);
        return out;
    }

    /** The journal of the whole run with every number replaced by a quarter. */
    private static String quarters() throws IOException {
        List<String> lines = journal(whole);
        return lines.get(0) + "\n"
                + lines.stream()
                        .skip(1)
                        .map(line -> line.replaceFirst("\t[^\t]*\t\\.$", "\t0.25 0.25 0.25\t."))
                        .collect(Collectors.joining("\n", "", "\n"));
    }

    private static void assertSameFiles(Path out, Path expected) {
        for (String name : List.of("redteam.json", "redteam.html")) {
            assertThat(out.resolve(name)).hasSameBinaryContentAs(expected.resolve(name));
        }
    }

    private static double[] errors(Table rows, String rule, String attack, int liars, long seed) {
        Plan training = Plan.defaults()
                .with("label", "ill")
                .with("workers", "8")
                .with("rounds", "12")
                .with("tolerance", "0")
                .with("screened", "3")
                .with("rule", rule)
                .with("attack", attack)
                .with("liars", Integer.toString(liars))
                .with("recalibration", "none")
                .with("seed", Long.toString(seed));
        try {
            var run = Training.of(rows, training).run();
            return SHIFTS.stream()
                    .mapToDouble(shift -> run.evaluate(Shifts.catalogue().create(Spec.parse(shift)))
                            .error())
                    .toArray();
        } catch (TrainingException e) {
            return new double[] {1, 1, 1};
        }
    }

    @Test
    void everyCellIsWhatTheLibraryGives() {
        Table rows = DataFile.read(
                shared.resolve("visits.csv").toString(), Plan.defaults().with("label", "ill"));
        assertThat(found.get("cells")).hasSize(CASES * SHIFTS.size());
        Map<List<Object>, double[][]> known = new LinkedHashMap<>();
        for (JsonNode cell : found.get("cells")) {
            String rule = cell.get("rule").asText();
            String attack = cell.get("attack").asText();
            int liars = cell.get("liars").asInt();
            double[][] bySeed = known.computeIfAbsent(List.of(rule, attack, liars), k ->
                    new double[][] {errors(rows, rule, attack, liars, 5), errors(rows, rule, attack, liars, 6)});
            int shift = SHIFTS.indexOf(cell.get("shift").asText());
            double a = bySeed[0][shift];
            double b = bySeed[1][shift];
            assertThat(cell.get("mean").asDouble()).as(cell.toString()).isCloseTo((a + b) / 2, within(1e-15));
            // Two values differ from their mean by half of what lies between them.
            assertThat(cell.get("sd").asDouble()).isCloseTo(Math.abs(a - b) / Math.sqrt(2), within(1e-15));
        }
        assertThat(known.keySet()).hasSize(CASES);
        assertThat(known.keySet()).contains(List.of("median", "none", 0), List.of("median", "label-flip", 3));
    }

    @Test
    void aTrainingThatCannotGoOnCountsAsAlwaysWrong() {
        for (JsonNode cell : found.get("cells")) {
            boolean stops = cell.get("attack").asText().equals("nan") && tooMany(cell.get("rule"), cell.get("liars"));
            assertThat(cell.get("mean").asDouble() == 1).as(cell.toString()).isEqualTo(stops);
        }
    }

    private static boolean tooMany(JsonNode rule, JsonNode liars) {
        return liars.asInt()
                > Map.of("mean", 0, "median", 3, "norm-screening(tolerated=2)", 2)
                        .get(rule.asText());
    }

    @Test
    void theRankingIsByTheWorstCell() throws IOException {
        Map<String, JsonNode> worst = new LinkedHashMap<>();
        Map<String, JsonNode> clean = new LinkedHashMap<>();
        for (JsonNode cell : found.get("cells")) {
            String rule = cell.get("rule").asText();
            clean.putIfAbsent(rule, cell);
            worst.merge(
                    rule,
                    cell,
                    (a, b) -> b.get("mean").asDouble() > a.get("mean").asDouble() ? b : a);
        }
        List<String> order = TRIED.stream()
                .sorted(Comparator.comparingDouble(r -> worst.get(r).get("mean").asDouble()))
                .toList();
        assertThat(found.get("ranking")).hasSize(TRIED.size());
        for (int i = 0; i < TRIED.size(); i++) {
            JsonNode line = found.get("ranking").get(i);
            String rule = order.get(i);
            assertThat(line.get("rule").asText()).isEqualTo(rule);
            for (String key : List.of("attack", "liars", "shift", "mean", "sd")) {
                assertThat(line.get("worst").get(key)).isEqualTo(worst.get(rule).get(key));
                assertThat(line.get("clean").get(key)).isEqualTo(clean.get(rule).get(key));
            }
            assertThat(line.at("/clean/attack").asText()).isEqualTo("none");
            assertThat(line.at("/clean/shift").asText()).isEqualTo("none");
        }

        double[] gaps = new double[2];
        for (int s = 0; s < 2; s++) {
            gaps[s] = noted(order.get(1), worst, 5 + s) - noted(order.get(0), worst, 5 + s);
        }
        assertThat(found.at("/margin/mean").asDouble()).isCloseTo((gaps[0] + gaps[1]) / 2, within(1e-15));
        assertThat(found.at("/margin/sd").asDouble())
                .isCloseTo(Math.abs(gaps[0] - gaps[1]) / Math.sqrt(2), within(1e-15));
        double margin = (gaps[0] + gaps[1]) / 2;
        boolean clear = margin > Math.abs(gaps[0] - gaps[1]) / Math.sqrt(2);
        assertThat(printed.out())
                .contains(String.format(
                        Locale.ROOT,
                        clear
                                ? "Winner: %s. Its worst case is better than that of %s by %.4f"
                                : "No clear winner: the worst cases of %s and %s differ by %.4f",
                        order.get(0),
                        order.get(1),
                        margin));
    }

    /** What the journal has for a rule's worst cell and a seed. */
    private static double noted(String rule, Map<String, JsonNode> worst, int seed) throws IOException {
        JsonNode cell = worst.get(rule);
        String key = String.join(
                "\t", rule, cell.get("attack").asText(), cell.get("liars").asText(), seed + "\t");
        String line = journal(whole).stream()
                .filter(l -> l.startsWith(key))
                .findFirst()
                .orElseThrow();
        return Double.parseDouble(
                line.split("\t")[4].split(" ")[SHIFTS.indexOf(cell.get("shift").asText())]);
    }

    @Test
    void aRuleThatCannotServeIsNotTriedAndSaysWhy() throws IOException {
        assertThat(found.get("refused")).hasToString("{\"bulyan\":\"" + WHY + "\"}");
        assertThat(printed.out())
                .contains("8 workers, rules set up for f = 3, 2 seeds.", "not tried: " + WHY + "\n")
                .contains("Attacks: 3, shifts: 3, liars: 1, 3.");
        assertThat(Files.readString(whole.resolve("redteam.html"))).contains("not tried: " + WHY + "<");
    }

    @Test
    void thePageHasAHeatMapPerRule() throws IOException {
        String page = Files.readString(whole.resolve("redteam.html"));
        assertThat(page).doesNotContain("{{").doesNotContainPattern("(src|href)=\"http");
        List<String> figures = Pattern.compile("<figure>.*?</figure>", Pattern.DOTALL)
                .matcher(page)
                .results()
                .map(m -> m.group())
                .toList();
        assertThat(figures).hasSize(TRIED.size());
        assertThat(fields(page)).isEqualTo(found.get("cells").size() + TRIED.size() * (1 + ATTACKS.size()));
        for (JsonNode cell : found.get("cells")) {
            String caption = "<figcaption>" + cell.get("rule").asText() + "</figcaption>";
            String by = cell.get("liars").asInt() == 0
                    ? "no attack"
                    : cell.get("attack").asText() + " of " + cell.get("liars").asText();
            assertThat(figures.stream().filter(f -> f.contains(caption)))
                    .singleElement()
                    .asString()
                    .containsPattern(String.format(
                            Locale.ROOT,
                            "title=\"%s, [^:]*: %.4f ± %.4f\">%.2f<",
                            Pattern.quote(by),
                            cell.get("mean").asDouble(),
                            cell.get("sd").asDouble(),
                            cell.get("mean").asDouble()));
        }
    }

    private static long fields(String page) {
        return Pattern.compile("<td style=\"background").matcher(page).results().count();
    }

    @Test
    void theThreadsChangeNothing() {
        assertThat(redteam(folder.resolve("one"), "--threads", "1").code()).isZero();
        assertSameFiles(folder.resolve("one"), whole);
    }

    @Test
    void theNumbersOfLiarsMayComeInAnyOrder() {
        assertThat(redteam(folder.resolve("sorted"), "--liars", "1, 3").code()).isZero();
        assertSameFiles(folder.resolve("sorted"), whole);
    }

    @Test
    void aStoppedRunGoesOnWhereItWas() throws IOException {
        List<String> lines = journal(whole);
        assertThat(lines).hasSize(1 + 2 * CASES);
        List<String> kept = lines.subList(0, 20);
        Path out = stopped(String.join("\n", kept) + "\n" + lines.get(20).substring(0, 15));
        assertThat(redteam(out).code()).isZero();
        assertSameFiles(out, whole);
        assertThat(journal(out).subList(0, 20)).isEqualTo(kept);
        assertThat(journal(out)).containsExactlyInAnyOrderElementsOf(lines);
    }

    @Test
    void whatIsInTheJournalIsNotDoneAgain() throws IOException {
        Path out = stopped(quarters());
        assertThat(redteam(out).code()).isZero();
        assertThat(json(out).get("cells"))
                .allSatisfy(cell -> assertThat(cell.get("mean").asDouble()).isEqualTo(0.25));
    }

    @Test
    void aLineThatWasCutShortIsDoneAgainAlone() throws IOException {
        String last = journal(whole).get(2 * CASES);
        for (int cut = 1; cut <= 3; cut++) {
            String journal = quarters();
            Path out = stopped(journal.substring(0, journal.length() - 1 - cut));
            assertThat(redteam(out).code()).isZero();
            List<String> expected = new ArrayList<>(Arrays.asList(journal.split("\n")));
            expected.set(2 * CASES, last);
            assertThat(journal(out)).isEqualTo(expected);
        }
    }

    @Test
    void freshDoesEverythingAgain() throws IOException {
        Path out = stopped(quarters());
        assertThat(redteam(out, "--fresh").code()).isZero();
        assertSameFiles(out, whole);
    }

    @Test
    void theJournalOfAnotherPlanOrOfOtherDataIsRefusedUnlessFresh() throws IOException {
        Path data = Files.writeString(folder.resolve("visits.csv"), visits(2));
        for (String[] other : List.of(new String[] {"--shifts", "noise"}, new String[] {"--data", data.toString()})) {
            String journal = quarters();
            Path out = stopped(journal);
            refused("redteam.journal: belongs to another red team; --fresh replaces it", redteam(out, other));
            assertThat(out.resolve("redteam.journal")).hasContent(journal);
            Path alone = Files.createDirectories(folder.resolve("alone" + other[0]));
            assertThat(redteam(alone, other).code()).isZero();
            assertThat(redteam(
                                    out,
                                    Stream.concat(Stream.of(other), Stream.of("--fresh"))
                                            .toArray(String[]::new))
                            .code())
                    .isZero();
            assertSameFiles(out, alone);
        }
    }

    @Test
    void moreRulesOrAttacksCostOnlyWhatIsNew() throws IOException {
        Path out = stopped(quarters());
        assertThat(redteam(out, "--rules", "median, trimmed-mean").code()).isZero();
        assertThat(json(out).get("cells"))
                .allSatisfy(cell -> assertThat(cell.get("mean").asDouble() == 0.25)
                        .isEqualTo(cell.get("rule").asText().equals("median")));
    }

    @Test
    void twoRunsCannotShareAFolder() throws IOException {
        Path out = stopped("");
        try (FileChannel other = FileChannel.open(out.resolve("redteam.journal"), StandardOpenOption.WRITE);
                FileLock lock = other.lock()) {
            refused("redteam.journal: another run is writing to it; choose another folder with --out", redteam(out));
            assertThat(lock.isValid()).isTrue();
        }
    }

    @Test
    void aJournalThatIsNoneIsRefused() throws IOException {
        String header = journal(whole).get(0) + "\n";
        refused(
                "redteam.journal: must be lines of numbers, got 'nonsense'",
                redteam(stopped(header + "nonsense\t.\n")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "unknown rule 'mediam'; known: norm-screening | --rules | median, mediam",
                "--rules must name each once, got median twice | --rules | median, median()",
                "--rules must name at least one | --rules | ''",
                "rule bulyan: tolerated = 3 needs at least 15 workers, got 8 | --rules | bulyan",
                "unknown attack 'fly'; known: none | --attacks | fly",
                "--attacks must name each once, got nan twice | --attacks | nan, nan",
                "--attacks must name at least one | --attacks | ,",
                "unknown parameter 'fac'; known: factor | --attacks | aggressive(fac=1)",
                "backdoor: column must be below the 3 feature columns, got 3 | --attacks | backdoor(column=3)",
                "unknown shift 'l3'; known: none | --shifts | l3",
                "--shifts must name each once, got none twice | --shifts | none, none",
                "trigger: column must be below the 3 feature columns, got 7 | --shifts | trigger(column=7)",
                "--liars must be at least 1, got 0; 0 is always tried | --liars | 0",
                "--liars must be a whole number, got 'two' | --liars | two",
                "--liars must name each once, got 3 twice | --liars | 3, 3",
                "--liars must name at least one | --liars | ''",
                "--liars must be below the number of workers, got 8 of 8 | --liars | 1, 8",
                "--seeds must be at least 1, got 0 | --seeds | 0",
                "--seeds must be a whole number, got '1.5' | --seeds | 1.5",
                "--source-groups must be 0 or at least 2, got 1 | --source-groups | 1",
                "--source-groups must be a whole number, got 'all' | --source-groups | all",
                "--threads must be at least 1, got 0 | --threads | 0",
                "unknown option '--lamda'; known: --data | --lamda | 2",
                "missing.csv: cannot be read: no such file | --data | missing.csv"
            })
    void impossibleOptionsAreRefusedInOneLine(String message, String option, String value) {
        Path out = folder.resolve("out");
        refused(message, redteam(out, option, value));
        assertThat(out).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "plan.yaml: --byzantine must be none: a red team draws its liars by seed; got 0,3 | byzantine: 0,3",
                "plan.yaml: unknown key 'liar'; known: data, rules, attacks, shifts, liars, seeds, source-groups, label | liar: 3",
                "plan.yaml: --test-share must be > 0: a red team measures on held-out rows | test-share: 0",
                "plan.yaml: --seeds must be at least 1, got -1 | seeds: -1",
                "--root must be below the 224 training rows, got 224 | root: 224",
                "--maximiser ascent needs --ascent-steps or --precision | maximiser: ascent"
            })
    void impossiblePlansAreRefusedInOneLine(String message, String line) throws IOException {
        Path out = folder.resolve("out");
        Path bad = Files.writeString(
                folder.resolve("plan.yaml"),
                Files.readString(plan).replaceFirst("(?m)^" + line.split(":")[0] + ":.*\n", "") + line + "\n");
        refused(message, Shell.run("redteam", bad.toString(), "--quiet", "--out", out.toString()));
        assertThat(out).doesNotExist();
    }

    private Shell.Result clinics(Path out, String rules, String... more) throws IOException {
        String[] common = {
            "redteam",
            "--data",
            Clinics.write(folder, 5, 0).toString(),
            "--workers-by",
            "clinic",
            "--rules",
            rules,
            "--attacks",
            "sign-flip",
            "--liars",
            "2",
            "--rounds",
            "5",
            "--seeds",
            "2",
            "--quiet",
            "--out",
            out.toString()
        };
        return Shell.run(Stream.concat(Stream.of(common), Stream.of(more)).toArray(String[]::new));
    }

    @Test
    void naturalShiftsAndNewSourcesHaveATableOfTheirOwn() throws IOException {
        Path out = folder.resolve("out");
        Shell.Result result = clinics(out, "median, bulyan");
        assertThat(result.err()).isEmpty();
        assertThat(result.out())
                .contains(
                        "Natural shifts, no liars (new sources: each of 10 groups of sources tested by a model of the others):")
                .containsPattern("\nrule +noise 0.3  drift 0.2  missing 0.2  prior 0.5 of class 1  new sources\n"
                        + "(bulyan|median) +0\\.\\d{4} +0\\.\\d{4} +0\\.\\d{4} ")
                .contains("not tried: new sources: --rule bulyan: tolerated = 2 needs at least 11 workers, got 10");
        JsonNode ranking = json(out).get("ranking");
        for (JsonNode line : ranking) {
            boolean bulyan = line.get("rule").asText().equals("bulyan");
            assertThat(line.has("new_sources")).isEqualTo(!bulyan);
            if (!bulyan) {
                Plan plan = RedTeamPlan.STANDARD
                        .with("workers-by", "clinic")
                        .with("rule", "median")
                        .with("tolerated", "2")
                        .with("rounds", "5");
                Testbed bench = new Testbed(
                        DataFile.read(folder.resolve("clinics5-0.csv").toString(), plan));
                double mean =
                        (bench.errorOnNewSources(plan, 10) + bench.errorOnNewSources(plan.with("seed", "2"), 10)) / 2;
                assertThat(line.at("/new_sources/mean").asDouble()).isCloseTo(mean, within(1e-12));
            }
            // What nobody chooses is no worst case.
            assertThat(line.at("/worst/shift").asText()).matches("none|l1.*|l2.*|linf.*");
        }
        assertThat(out.resolve("redteam.html")).content().contains("<h2>Natural shifts</h2>", "<th>new sources</th>");
        String before = Files.readString(out.resolve("redteam.json"));
        assertThat(clinics(out, "median, bulyan").code()).isZero();
        assertThat(out.resolve("redteam.json")).hasContent(before);
        assertThat(clinics(folder.resolve("each"), "median", "--source-groups", "99")
                        .out())
                .contains("each of 12 groups");
        assertThat(clinics(folder.resolve("none"), "median", "--source-groups", "0")
                        .out())
                .contains("Natural shifts, no liars:")
                .doesNotContain("new sources");
    }

    @Test
    void sourcesThatAreTestedAloneAreNotTrainedOn() throws IOException {
        Path out = folder.resolve("out");
        assertThat(clinics(out, "median", "--test-sources", "clinic 1,clinic 2").out())
                .contains("10 workers, rules set up for f = 2")
                .doesNotContain("new sources");
        assertThat(json(out).at("/plan/test-share").asText()).isEqualTo("0");
    }

    @Test
    void numbersHaveNoPrior() throws IOException {
        Path data = Files.writeString(
                folder.resolve("numbers.csv"),
                IntStream.range(0, 200)
                        .mapToObj(r -> r % 17 + "," + r % 23 + "," + (r % 17 + 0.01 * r))
                        .collect(Collectors.joining("\n", "a,b,y\n", "\n")));
        String[] common = {
            "redteam",
            "--data",
            data.toString(),
            "--rules",
            "median",
            "--attacks",
            "sign-flip",
            "--rounds",
            "2",
            "--quiet"
        };
        String out = folder.resolve("out").toString();
        assertThat(Shell.run(Stream.concat(Stream.of(common), Stream.of("--seeds", "1", "--out", out))
                                .toArray(String[]::new))
                        .out())
                .contains("missing 0.2")
                .doesNotContain("prior");
        refused(
                "prior: labels must be classes, but the model learns numbers",
                Shell.run(Stream.concat(Stream.of(common), Stream.of("--shifts", "prior", "--out", out))
                        .toArray(String[]::new)));
    }

    @Test
    void aTrainingPlanWillDoAndItsRuleIsTheOneTried() throws IOException {
        String[] train = {
            "train", "visits.csv", "--print-plan", "--rule", "nnm + median", "--label", "ill", "--rounds", "3"
        };
        Path printed =
                Files.writeString(folder.resolve("train.yaml"), Shell.run(train).out());
        Path out = folder.resolve("out");
        Shell.Result result = Shell.run(
                "redteam",
                printed.toString(),
                "--quiet",
                "--data",
                "builtin:spambase",
                "--label",
                "spam",
                "--attacks",
                "sign-flip",
                "--seeds",
                "1",
                "--out",
                out.toString());
        assertThat(result.err()).isEmpty();
        assertThat(result.out())
                .contains("10 workers, rules set up for f = 1", "\nnnm + median ", "Only one rule was tried.");
    }

    @Test
    void aFolderThatCannotBeWrittenIsRefusedBeforeAnyTraining() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "precious");
        refused("file: cannot be made a folder", redteam(file));
        refused("inside: cannot be made a folder", redteam(file.resolve("inside")));
        assertThat(file).hasContent("precious");
        for (String name : List.of("redteam.json", "redteam.html", "redteam.journal")) {
            Path out = folder.resolve("taken by " + name);
            Files.createDirectories(out.resolve(name));
            refused(name + ": is a folder; a file is needed", redteam(out));
            try (Stream<Path> files = Files.list(out)) {
                assertThat(files).containsExactly(out.resolve(name));
            }
        }
    }

    private static void refused(String message, Shell.Result result) {
        assertThat(result.err()).startsWith("holdfast: ").contains(message);
        assertThat(result.err().lines()).hasSize(1);
        assertThat(result.out()).isEmpty();
        assertThat(result.code()).isEqualTo(ExitCode.BAD_INPUT);
    }
}
