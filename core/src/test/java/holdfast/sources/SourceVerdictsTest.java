package holdfast.sources;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import holdfast.InputException;
import holdfast.Randomness;
import holdfast.Seed;
import holdfast.data.DataSource;
import holdfast.data.Dataset;
import holdfast.data.DatasetBuilder;
import holdfast.data.Schema;
import holdfast.data.Table;
import holdfast.data.TableColumn;
import holdfast.math.Threads;
import holdfast.model.Target;
import holdfast.plan.Plan;
import holdfast.testkit.Laws;
import holdfast.testkit.Samples;
import holdfast.training.PreparedData;
import holdfast.training.PreparedRun;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SourceVerdictsTest {
    private static final Plan BY_SOURCE = Plan.defaults().with("workers-by", "s");

    /** Returns who is named and for what, such as "UNIT x3". */
    private static Map<String, List<String>> named(List<Verdict> verdicts) {
        Map<String, List<String>> named = new TreeMap<>();
        for (Verdict verdict : verdicts) {
            if (verdict.named()) {
                named.put(
                        verdict.source(),
                        verdict.findings().stream()
                                .map(f ->
                                        f.kind() + f.column().map(c -> " " + c).orElse(""))
                                .sorted()
                                .toList());
            }
        }
        return named;
    }

    private static GeneratedSources sources(Seed seed, Target target, Consumer<GeneratedSources> poison) {
        GeneratedSources all = GeneratedSources.of(seed, target);
        poison.accept(all);
        return all;
    }

    /** In 5 draws, this is found of source 7, and nobody else is named. */
    private static void finds(Target target, String expected, Consumer<GeneratedSources> poison) {
        Laws.check(5, seed -> {
            List<Verdict> verdicts = sources(seed, target, poison).verdicts();
            assertThat(named(verdicts)).containsOnlyKeys("s7");
            assertThat(named(verdicts).get("s7")).contains(expected);
            assertThat(verdicts.get(7).suspect()).isEqualTo(expected.equals("CONTRADICTION"));
            assertThat(verdicts.get(7).findings()).allSatisfy(f -> {
                assertThat(f.source()).isEqualTo(7);
                assertThat(f.pValue()).isBetween(0.0, SourceVerdicts.LEVEL);
                assertThat(f.words()).isNotBlank();
            });
        });
    }

    @Test
    void flippedLabelsContradict() {
        finds(Target.TWO_CLASSES, "CONTRADICTION", all -> all.flipped(7));
        finds(
                Target.CLASSES,
                "CONTRADICTION",
                all -> all.labels(
                        7, y -> Arrays.stream(y).map(v -> v == 2 ? 2 : 1 - v).toArray()));
        finds(
                Target.NUMBER,
                "CONTRADICTION",
                all -> all.labels(7, y -> Arrays.stream(y).map(v -> 100 - v).toArray()));
        finds(
                Target.COUNT,
                "CONTRADICTION",
                all -> all.labels(
                        7, y -> Arrays.stream(y).map(v -> Math.max(0, 12 - v)).toArray()));
    }

    /** A product of two columns, of which a linear model sees nothing: swapped labels look like all others, and that is said. */
    @Test
    void whereALinearModelSeesNothingLabelsAreNotCompared() {
        Laws.check(5, seed -> {
            GeneratedSources all = sources(seed, Target.TWO_CLASSES, own -> {});
            for (int s = 0; s < all.sources.size(); s++) {
                double[][] x = all.sources.get(s).x();
                double[] y = Arrays.stream(x)
                        .mapToDouble(row -> row[0] * row[1] > 0 ? 1 : 0)
                        .toArray();
                all.labels(s, given -> y);
            }
            all.labels(7, y -> Arrays.stream(y).map(v -> 1 - v).toArray());
            List<Verdict> verdicts = all.verdicts();
            assertThat(verdicts.get(7).suspect()).isFalse();
            assertThat(SourceVerdicts.labelsNotCompared(verdicts))
                    .hasValueSatisfying(why -> assertThat(why).startsWith("labels could not be compared"));
        });
    }

    @ParameterizedTest
    @EnumSource(Target.class)
    void labelsThatALinearModelRanksAreCompared(Target target) {
        Laws.check(5, seed -> {
            assertThat(SourceVerdicts.labelsNotCompared(
                            sources(seed, target, all -> {}).verdicts()))
                    .isEmpty();
            assertThat(SourceVerdicts.labelsNotCompared(
                            sources(seed, target, all -> all.random(7, 1)).verdicts()))
                    .isEmpty();
        });
        assertThat(SourceVerdicts.labelsNotCompared(List.of())).isEmpty();
    }

    @Test
    void randomLabelsAreNoise() {
        finds(Target.TWO_CLASSES, "LABEL_NOISE", all -> all.random(7, 1));
        finds(Target.CLASSES, "LABEL_NOISE", all -> all.random(7, 1));
        finds(Target.NUMBER, "LABEL_NOISE", all -> all.random(7, 1));
    }

    /** A model that follows the source shrinks until it fits, which must not excuse it. */
    @Test
    void halfRandomLabelsAreNoise() {
        Laws.check(5, seed -> {
            GeneratedSources all = new GeneratedSources(seed, Target.TWO_CLASSES, GeneratedSources.equal(12, 600));
            assertThat(named(all.random(7, 0.5).verdicts())).isEqualTo(Map.of("s7", List.of("LABEL_NOISE")));
        });
    }

    @Test
    void labelsInAnotherUnitOrTooHighAreNamed() {
        finds(
                Target.NUMBER,
                "LABEL_UNIT",
                all -> all.labels(7, y -> Arrays.stream(y).map(v -> 10 * v).toArray()));
        finds(
                Target.NUMBER,
                "LABEL_SHIFT",
                all -> all.labels(7, y -> Arrays.stream(y).map(v -> v + 50).toArray()));
        finds(
                Target.COUNT,
                "LABEL_SHIFT",
                all -> all.labels(7, y -> Arrays.stream(y).map(v -> v + 60).toArray()));
    }

    @Test
    void aColumnInAnotherUnitIsNamed() {
        finds(Target.TWO_CLASSES, "UNIT x3", all -> all.times(7, 3, 1000));
        finds(Target.NUMBER, "UNIT x3", all -> all.times(7, 3, 0.001));
    }

    @Test
    void aShiftedColumnIsNamed() {
        finds(
                Target.TWO_CLASSES,
                "SHIFT x1",
                all -> all.cells(7, 1, x -> Arrays.stream(x).map(v -> v - 4).toArray()));
    }

    /** Where cells may be missing, one test more shares the level: 28 parts instead of 27. */
    @Test
    void testsShareTheLevel() {
        Laws.check(5, seed -> {
            double[] p = new double[2];
            for (int i = 0; i < 2; i++) {
                GeneratedSources all =
                        GeneratedSources.of(seed, Target.TWO_CLASSES).times(7, 3, 1000);
                if (i == 1) {
                    all.columns.set(0, new TableColumn("x0", List.of(), TableColumn.Missing.MEAN));
                }
                p[i] = all.verdicts().get(7).findings().stream()
                        .filter(f -> f.kind() == Finding.Kind.UNIT)
                        .findFirst()
                        .orElseThrow()
                        .pValue();
            }
            assertThat(p[1] / p[0]).isCloseTo(28 / 27.0, within(1e-9));
        });
    }

    @Test
    void missingCellsAreNamed() {
        finds(
                Target.TWO_CLASSES,
                "MISSING x2",
                all -> all.missing(2)
                        .cells(
                                7,
                                2,
                                x -> IntStream.range(0, x.length)
                                        .mapToDouble(j -> j % 3 == 0 ? x[j] : Double.NaN)
                                        .toArray()));
    }

    @Test
    void aCategoryThatNobodyElseHasIsNamed() {
        finds(
                Target.TWO_CLASSES,
                "CATEGORY x4",
                all -> all.text(4)
                        .cells(
                                7,
                                4,
                                x -> IntStream.range(0, x.length)
                                        .mapToDouble(j -> j % 2 == 0 ? x[j] : 2)
                                        .toArray()));
    }

    /** Most rows of one class are left out, which makes no label wrong. */
    @Test
    void aClassThatIsRarerThanElsewhereIsNamed() {
        Laws.check(5, seed -> {
            GeneratedSources all = new GeneratedSources(seed, Target.TWO_CLASSES, GeneratedSources.equal(12, 1000));
            GeneratedSources.Source own = all.sources.get(7);
            int[] kept = IntStream.range(0, own.rows())
                    .filter(j -> own.y()[j] == 0 || j % 10 == 0)
                    .toArray();
            all.sources.set(
                    7,
                    new GeneratedSources.Source(
                            Arrays.stream(kept).mapToObj(j -> own.x()[j]).toArray(double[][]::new),
                            Arrays.stream(kept).mapToDouble(j -> own.y()[j]).toArray()));
            assertThat(named(all.verdicts())).isEqualTo(Map.of("s7", List.of("PREVALENCE")));
        });
    }

    /** Its labels follow its rows well, only by other coefficients. */
    @Test
    void aSourceWithItsOwnWayIsNoNoise() {
        Laws.check(5, seed -> {
            GeneratedSources all = new GeneratedSources(seed, Target.TWO_CLASSES, GeneratedSources.equal(12, 600));
            GeneratedSources others =
                    new GeneratedSources(seed.child("others"), Target.TWO_CLASSES, GeneratedSources.equal(1, 600));
            all.sources.set(7, others.sources.get(0));
            assertThat(named(all.verdicts()).getOrDefault("s7", List.of())).doesNotContain("LABEL_NOISE");
        });
    }

    @ParameterizedTest
    @EnumSource(Target.class)
    void honestSourcesAreNotNamed(Target target) {
        int clean = 0;
        for (int i = 0; i < 20; i++) {
            GeneratedSources all = GeneratedSources.of(Seed.of(1).child("clean", i), target)
                    .text(4)
                    .missing(2);
            clean += named(all.verdicts()).isEmpty() ? 1 : 0;
        }
        assertThat(clean).as("Seed.of(1)").isGreaterThanOrEqualTo(19);
    }

    /** A quarter of the sources, all in one half of the numbers. */
    @Test
    void fourFlippersAreNamedAndNobodyElse() {
        Laws.check(5, seed -> {
            GeneratedSources all = new GeneratedSources(seed, Target.TWO_CLASSES, GeneratedSources.equal(14, 200));
            assertThat(named(all.flipped(0, 2, 4, 6).verdicts())).containsOnlyKeys("s0", "s2", "s4", "s6");
        });
    }

    @Test
    void aThirdOfTheSourcesMayBeNamed() {
        Laws.check(3, seed -> {
            for (int third : new int[] {2, 3, 4}) {
                int[] liars = IntStream.range(0, third).toArray();
                assertThat(named(new GeneratedSources(seed, Target.TWO_CLASSES, GeneratedSources.equal(3 * third, 200))
                                .flipped(liars)
                                .verdicts()))
                        .hasSize(third)
                        .containsKeys("s0", "s1");
            }
        });
    }

    /** They have ten times the rows of all others together. */
    @Test
    void largeFlippersDoNotTurnTheOthersRound() {
        Laws.check(5, seed -> {
            int[] rows = GeneratedSources.equal(14, 100);
            Arrays.fill(rows, 0, 4, 2500);
            assertThat(named(new GeneratedSources(seed, Target.TWO_CLASSES, rows)
                            .flipped(0, 1, 2, 3)
                            .verdicts()))
                    .containsOnlyKeys("s0", "s1", "s2", "s3");
        });
    }

    @Test
    void poisonsThatMaskEachOtherAreAllNamed() {
        Laws.check(5, seed -> {
            GeneratedSources all = new GeneratedSources(seed, Target.TWO_CLASSES, GeneratedSources.equal(14, 300))
                    .flipped(0)
                    .random(3, 1)
                    .times(6, 1, 1000)
                    .times(6, 2, 1000)
                    .random(9, 0.6);
            Map<String, List<String>> named = named(all.verdicts());
            assertThat(named).containsOnlyKeys("s0", "s3", "s6", "s9");
            assertThat(named.get("s0")).contains("CONTRADICTION");
            assertThat(named.get("s3")).containsExactly("LABEL_NOISE");
            assertThat(named.get("s6")).contains("UNIT x1", "UNIT x2");
            assertThat(named.get("s9")).containsExactly("LABEL_NOISE");
        });
    }

    private static double[] agreements(List<Verdict> verdicts, int... without) {
        return IntStream.range(0, verdicts.size())
                .filter(s -> Arrays.stream(without).noneMatch(w -> w == s))
                .mapToDouble(s -> verdicts.get(s).agreement())
                .toArray();
    }

    /** Whatever else a source with a wrong unit says, no fit hears it. */
    @Test
    void aSourceWithAColumnInAnotherUnitTeachesNobody() {
        Laws.check(5, seed -> {
            List<Verdict> one = sources(seed, Target.TWO_CLASSES, all -> all.times(7, 3, 1000))
                    .verdicts();
            List<Verdict> other = sources(
                            seed,
                            Target.TWO_CLASSES,
                            all -> all.times(7, 3, 1000).flipped(7))
                    .verdicts();
            assertThat(agreements(other, 7)).isEqualTo(agreements(one, 7));
        });
    }

    /** Once its labels are found to mislead, no fit hears them either, however little they contradict. */
    @Test
    void aSourceWithMisleadingLabelsTeachesNobodyInTheEnd() {
        Laws.check(5, seed -> {
            int[] rows = GeneratedSources.equal(12, 600);
            List<Verdict> one = new GeneratedSources(seed, Target.TWO_CLASSES, rows)
                    .flipped(7)
                    .verdicts();
            List<Verdict> other = new GeneratedSources(seed, Target.TWO_CLASSES, rows)
                    .random(7, 0.5)
                    .verdicts();
            assertThat(named(one)).containsOnlyKeys("s7");
            assertThat(named(other)).containsOnlyKeys("s7");
            assertThat(agreements(other, 7)).isEqualTo(agreements(one, 7));
        });
    }

    /** Labels without any meaning: a model that had seen the rows would still rank them well. */
    @Test
    void noSourceTakesPartInTheModelThatJudgesIt() {
        double auc = 0;
        for (int i = 0; i < 20; i++) {
            Seed seed = Seed.of(2).child("coin", i);
            Dataset rows = Samples.dataset(seed, 120, 20, 4);
            double[] coin = seed.random().gaussians(120);
            Table table = Table.of(rows.relabel(r -> coin[r] > 0 ? 1 : 0));
            auc += Arrays.stream(agreements(SourceVerdicts.of(table, Target.TWO_CLASSES, seed)))
                            .sum()
                    / 80;
        }
        assertThat(auc).isCloseTo(0.5, within(0.05));
    }

    private static GeneratedSources poisoned(Seed seed) {
        return sources(
                seed,
                Target.TWO_CLASSES,
                all -> all.text(4).missing(2).flipped(1).random(5, 1).times(8, 3, 1000));
    }

    @Test
    void theOrderOfSourcesDoesNotMatter() {
        Laws.check(5, seed -> {
            GeneratedSources all = poisoned(seed);
            int[] order = IntStream.range(0, 12).toArray();
            seed.child("order").random().shuffle(order);
            Map<String, List<String>> expected = named(all.verdicts());
            assertThat(expected).containsOnlyKeys("s1", "s5", "s8");
            List<Verdict> verdicts = SourceVerdicts.of(all.table(order, false), all.target, seed);
            assertThat(verdicts).extracting(Verdict::source).element(3).isEqualTo("s" + order[3]);
            assertThat(named(verdicts)).isEqualTo(expected);
        });
    }

    @Test
    void theOrderOfRowsDoesNotMatter() {
        Laws.check(5, seed -> {
            Table table = poisoned(seed).table();
            int[] order = IntStream.range(0, table.rows()).toArray();
            seed.child("order").random().shuffle(order);
            Table shuffled = table.with(table.columns(), table.cells().select(order));
            assertThat(named(SourceVerdicts.of(shuffled, Target.TWO_CLASSES, seed)))
                    .isEqualTo(named(SourceVerdicts.of(table, Target.TWO_CLASSES, seed)));
        });
    }

    @ParameterizedTest
    @EnumSource(Target.class)
    void threadsDoNotChangeABit(Target target) {
        GeneratedSources all =
                sources(Seed.of(3), target, g -> g.text(4).missing(2).random(5, 1));
        List<Verdict> expected = all.verdicts();
        for (int count : new int[] {2, 5}) {
            try (Threads threads = Threads.of(count)) {
                assertThat(threads.call(all::verdicts)).isEqualTo(expected);
            }
        }
    }

    /** In all sources alike: another unit, and a shift too, which changes how many times a value is another. */
    @Test
    void theUnitOfAColumnDoesNotMatter() {
        Laws.check(5, seed -> {
            Map<String, List<String>> expected = named(poisoned(seed).verdicts());
            assertThat(named(poisoned(seed)
                            .cells(0, x -> Arrays.stream(x).map(v -> 1000 * v).toArray())
                            .cells(3, x -> Arrays.stream(x).map(v -> -0.001 * v).toArray())
                            .verdicts()))
                    .isEqualTo(expected);
            assertThat(named(poisoned(seed)
                            .cells(
                                    0,
                                    x -> Arrays.stream(x)
                                            .map(v -> 1e4 - 100 * v)
                                            .toArray())
                            .cells(1, x -> Arrays.stream(x).map(v -> v + 20).toArray())
                            .verdicts()))
                    .isEqualTo(expected);
        });
    }

    @Test
    void theUnitOfNumbersDoesNotMatter() {
        Laws.check(5, seed -> {
            Consumer<GeneratedSources> poison = all -> all.random(5, 1)
                    .labels(8, y -> Arrays.stream(y).map(v -> v + 50).toArray());
            Map<String, List<String>> expected =
                    named(sources(seed, Target.NUMBER, poison).verdicts());
            assertThat(expected).containsOnlyKeys("s5", "s8");
            GeneratedSources other = sources(seed, Target.NUMBER, poison);
            for (int s = 0; s < 12; s++) {
                other.labels(s, y -> Arrays.stream(y).map(v -> 1e6 - 1000 * v).toArray());
            }
            assertThat(named(other.verdicts())).isEqualTo(expected);
        });
    }

    /** Sparse rows are judged by their labels alone. */
    @Test
    void sparseRowsAreJudgedByTheirLabels() {
        Laws.check(5, seed -> {
            GeneratedSources all = sources(
                    seed,
                    Target.TWO_CLASSES,
                    g -> g.flipped(1)
                            .random(5, 1)
                            .cells(8, 3, x -> Arrays.stream(x).map(v -> v + 10).toArray()));
            assertThat(named(SourceVerdicts.of(all.sparse(), all.target, seed))).containsKeys("s1", "s5");
            assertThat(named(all.verdicts()).get("s8")).contains("SHIFT x3");
            assertThat(SourceVerdicts.of(all.sparse(), all.target, seed))
                    .allSatisfy(v -> assertThat(v.findings())
                            .allSatisfy(f -> assertThat(f.column()).isEqualTo(Optional.empty())));
        });
    }

    @ParameterizedTest
    @EnumSource(Target.class)
    void awkwardSourcesAreJudgedToo(Target target) {
        Laws.check(3, seed -> {
            int[] rows = {200, 200, 200, 200, 200, 200, 1, 2, 9, 19, 25};
            GeneratedSources all = new GeneratedSources(seed, target, rows)
                    .missing(1)
                    .missing(2)
                    .text(3)
                    .cells(0, x -> new double[x.length])
                    .cells(4, 1, x -> nothing(x.length))
                    .cells(5, 4, x -> new double[x.length])
                    .labels(2, y -> new double[y.length])
                    .labels(3, y -> ones(y.length));
            List<Verdict> verdicts = all.verdicts();
            assertThat(verdicts).hasSize(11);
            assertThat(verdicts.get(2).agreement()).isNaN();
            assertThat(verdicts.get(3).agreement()).isNaN();
            assertThat(verdicts.get(6).agreement()).isNaN();
            assertThat(verdicts.get(6).named()).isFalse();
            // A column without any cell, and one that is the same everywhere.
            GeneratedSources.of(seed, target)
                    .missing(1)
                    .cells(1, x -> nothing(x.length))
                    .cells(0, x -> ones(x.length))
                    .verdicts();
        });
    }

    private static double[] nothing(int n) {
        double[] all = new double[n];
        Arrays.fill(all, Double.NaN);
        return all;
    }

    private static double[] ones(int n) {
        double[] all = new double[n];
        Arrays.fill(all, 1);
        return all;
    }

    /** Then no source is left to learn from. */
    @Test
    void everySourceMayBeNamedForAColumnOfItsOwn() {
        GeneratedSources all = new GeneratedSources(Seed.of(1), Target.TWO_CLASSES, GeneratedSources.equal(5, 200));
        for (int s = 0; s < 5; s++) {
            all.times(s, s, 1e6);
        }
        assertThat(named(all.verdicts()))
                .hasSize(5)
                .allSatisfy((s, kinds) -> assertThat(kinds).containsExactly("UNIT x" + s.substring(1)));
    }

    @Test
    void aColumnMayHoldHugeAndTinyNumbers() {
        GeneratedSources all = sources(
                Seed.of(1), Target.TWO_CLASSES, g -> g.times(7, 3, 1e200).times(2, 1, 1e-200));
        assertThat(named(all.verdicts()).get("s7")).contains("UNIT x3");
        assertThat(named(all.verdicts()).get("s2")).contains("UNIT x1");
    }

    private static List<Verdict> verdicts(Table table, Plan plan) {
        try (PreparedRun prepared = PreparedData.of(table, plan).startWorkers(plan, 1)) {
            return SourceVerdicts.of(prepared);
        }
    }

    /** Simulated liars are judged by the rows they train on. */
    @Test
    void simulatedLiarsAreNamed() {
        Table table = GeneratedSources.of(Seed.of(1), Target.TWO_CLASSES).table();
        assertThat(named(verdicts(table, BY_SOURCE))).isEmpty();
        for (String attack : List.of("label-flip", "units")) {
            Plan plan =
                    BY_SOURCE.with("attack", attack).with("byzantine", "2,9").with("screened", "2");
            assertThat(named(verdicts(table, plan))).as(attack).containsOnlyKeys("s2", "s9");
        }
    }

    @Test
    void fewerThanFourSourcesHaveNoMajority() {
        assertThatThrownBy(() -> verdicts(Table.of(Samples.dataset(Seed.of(1), 100, 2, 3)), BY_SOURCE))
                .isInstanceOf(InputException.class)
                .hasMessage("verdicts on sources need at least 4 sources, got 3");
        assertThat(verdicts(Table.of(Samples.dataset(Seed.of(1), 400, 2, 4)), BY_SOURCE))
                .hasSize(4);
    }

    @Test
    void replicasWouldSpeakForOneAnother() {
        assertThatThrownBy(() ->
                        verdicts(Table.of(Samples.dataset(Seed.of(1), 400, 2, 4)), BY_SOURCE.with("replicas", "2")))
                .isInstanceOf(InputException.class)
                .hasMessage("verdicts on sources need one worker per source, got --replicas 2");
    }

    @Test
    void enoughRowsAreNeitherFewNorMany() {
        assertThat(SourceVerdicts.rowsPerSource(10, 10)).isEqualTo(2000);
        assertThat(SourceVerdicts.rowsPerSource(1 << 10, 1 << 7)).isEqualTo(128);
        assertThat(SourceVerdicts.rowsPerSource(1 << 20, 1 << 20)).isEqualTo(20);
    }

    /** Ten classes in order along one direction: a linear model ranks some pairs of them wrongly, in every source. */
    @Test
    void whatTheModelGetsWrongEverywhereAccusesNobody() {
        Laws.check(5, seed -> {
            Randomness random = seed.random();
            DatasetBuilder builder = new DatasetBuilder(4);
            int[] groups = new int[12 * 500];
            for (int r = 0; r < groups.length; r++) {
                double[] x = random.gaussians(4);
                double place = 2 * x[0] + x[1] + 0.5 * random.nextGaussian();
                builder.add(x, Math.max(0, Math.min(9, Math.floor(5 + 1.3 * place))));
                groups[r] = r % 12;
            }
            Dataset data = builder.build(
                    new Schema(
                            List.of("a", "b", "c", "d"),
                            "y",
                            IntStream.range(0, 10).mapToObj(c -> "k" + c).toList(),
                            List.of()),
                    DataSource.MEMORY);
            List<String> names = IntStream.range(0, 12).mapToObj(i -> "s" + i).toList();
            assertThat(SourceVerdicts.of(Table.of(data.grouped(names, groups)), Target.CLASSES, seed))
                    .noneMatch(Verdict::named);
        });
    }

    @Test
    void anotherUnitIsNotSaidToBeAShiftToo() {
        Laws.check(5, seed -> {
            List<Verdict> verdicts = sources(seed, Target.TWO_CLASSES, all -> all.times(7, 3, 1000))
                    .verdicts();
            assertThat(named(verdicts).get("s7")).contains("UNIT x3").doesNotContain("SHIFT x3");
        });
    }
}
