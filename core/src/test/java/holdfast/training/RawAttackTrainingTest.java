package holdfast.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import holdfast.InputException;
import holdfast.Randomness;
import holdfast.Seed;
import holdfast.Spec;
import holdfast.attack.Attacks;
import holdfast.attack.RawAttack;
import holdfast.data.Dataset;
import holdfast.data.Table;
import holdfast.data.TableColumn;
import holdfast.math.Vectors;
import holdfast.plan.Plan;
import holdfast.rounds.TrainingException;
import holdfast.shift.Shift;
import holdfast.testkit.Laws;
import holdfast.testkit.Samples;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Poisons rows before anything is learnt from them, and trains. */
class RawAttackTrainingTest {
    private static final int SOURCES = 10;
    private static final int LIARS = 2;
    private static final int SEEDS = 3;
    private static final Plan PLAN = Plan.defaults()
            .with("workers-by", "source")
            .with("tolerated", "" + LIARS)
            .with("rounds", "200");

    static Stream<String> rawAttacks() {
        return Attacks.catalogue().names().stream()
                .filter(name -> Attacks.catalogue().create(Spec.parse(name)) instanceof RawAttack);
    }

    /** Gives the features different units, turns the last one into text, and weights rows. */
    private static Table table(Dataset data) {
        Randomness random = Seed.of(1).random();
        int text = data.columns() - 1;
        List<TableColumn> columns = new ArrayList<>(Table.of(data).columns());
        columns.set(text, new TableColumn(columns.get(text).name(), List.of("a", "b", "c"), TableColumn.Missing.FAIL));
        int[] all = IntStream.range(0, data.rows()).toArray();
        return Table.of(columns, data.reweigh(r -> 0.5 + random.nextDouble()).changed(all, (r, x) -> {
            for (int c = 0; c < text; c++) {
                x[c] = (x[c] + c) * Math.pow(10, c - 2);
            }
            x[text] = x[text] < -0.5 ? 0 : x[text] < 0.5 ? 1 : 2;
        }));
    }

    private static Table classes(long seed) {
        return table(Samples.dataset(Seed.of(seed), 2000, 6, SOURCES));
    }

    private static Table numbers(long seed) {
        return table(Samples.numbers(Seed.of(seed), 2000, 6, SOURCES));
    }

    private static Plan attacked(String attack) {
        return PLAN.with("attack", attack).with("liars", "" + LIARS);
    }

    /** Returns the mean error over seeds on held-out rows, which are never poisoned. */
    private static double error(LongFunction<Table> data, Plan plan) {
        return LongStream.rangeClosed(1, SEEDS)
                .mapToDouble(seed -> {
                    try {
                        return Training.of(data.apply(seed), plan.with("seed", "" + seed))
                                .run()
                                .evaluate(Shift.NONE)
                                .headline();
                    } catch (TrainingException e) {
                        return Double.POSITIVE_INFINITY;
                    }
                })
                .average()
                .orElseThrow();
    }

    /**
     * {@code ./holdfast-bench preparation} holds five rules to 0.02 and 1.05 with ten seeds. Here, the error of a mean of
     * three seeds with 600 held-out rows each has a standard error of 0.007 or so.
     */
    @ParameterizedTest
    @MethodSource("rawAttacks")
    void twoOfTenSourcesDoLittleHarm(String attack) {
        for (String rule : List.of("norm-screening", "trimmed-mean")) {
            Plan clean = PLAN.with("rule", rule);
            Plan poisoned = attacked(attack).with("rule", rule);
            assertThat(error(RawAttackTrainingTest::classes, poisoned))
                    .as("%s, classes", rule)
                    .isLessThanOrEqualTo(error(RawAttackTrainingTest::classes, clean) + 0.03);
            assertThat(error(RawAttackTrainingTest::numbers, poisoned))
                    .as("%s, numbers", rule)
                    .isLessThanOrEqualTo(error(RawAttackTrainingTest::numbers, clean) * 1.05);
        }
    }

    @ParameterizedTest
    @MethodSource("rawAttacks")
    void everyAttackChangesTheModel(String attack) {
        Plan plan = PLAN.with("rounds", "5");
        double[] truthful = Training.of(classes(1), plan).run().state().theta();
        double[] poisoned = Training.of(classes(1), plan.with("attack", attack).with("liars", "2"))
                .run()
                .state()
                .theta();
        assertThat(Vectors.finite(poisoned)).isTrue();
        assertThat(Laws.bits(poisoned)).isNotEqualTo(Laws.bits(truthful));
    }

    /** Else nothing above would show that sources are kept apart. */
    @ParameterizedTest
    @ValueSource(strings = {"units", "wild-row", "sentinel"})
    void twoOfTenSourcesSpoilPooledStatistics(String attack) {
        assertThat(error(RawAttackTrainingTest::numbers, attacked(attack).with("statistics", "pooled")))
                .isGreaterThan(1.5 * error(RawAttackTrainingTest::numbers, PLAN.with("statistics", "pooled")));
    }

    private static List<String> rows(Dataset data) {
        return IntStream.range(0, data.rows())
                .mapToObj(r -> data.label(r) + " " + data.weight(r) + " " + Arrays.toString(data.row(r)))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("rawAttacks")
    void rowsAreDealtAndHeldOutAsIfNobodyLied(String attack) {
        Laws.check(3, seed -> {
            Table table = table(Samples.dataset(seed, 600, 4, SOURCES));
            for (Plan plan : List.of(PLAN, PLAN.with("workers-by", "").with("workers", "7"))) {
                // With these settings, prepared numbers are those of the table.
                Plan unscaled =
                        plan.with("scale", "none").with("statistics", "pooled").with("root", "20");
                PreparedData clean = PreparedData.of(table, unscaled);
                PreparedData poisoned =
                        PreparedData.of(table, unscaled.with("attack", attack).with("byzantine", "1,4"));
                assertThat(poisoned.partition().workers())
                        .isEqualTo(clean.partition().workers());
                for (int w = 0; w < clean.shards().size(); w++) {
                    assertThat(poisoned.partition().rows().get(w))
                            .isEqualTo(clean.partition().rows().get(w));
                }
                if (!attack.equals("category-flood")) {
                    assertThat(rows(poisoned.heldOut().orElseThrow()))
                            .isEqualTo(rows(clean.heldOut().orElseThrow()));
                }
                if (!attack.equals("category-flood") && !attack.equals("wild-weights")) {
                    for (int w = 0; w < clean.shards().size(); w++) {
                        assertThat(rows(poisoned.shards().get(w))
                                        .equals(rows(clean.shards().get(w))))
                                .as("worker %d", w)
                                .isEqualTo(w != 1 && w != 4);
                    }
                    assertThat(rows(poisoned.root().orElseThrow()))
                            .isEqualTo(rows(clean.root().orElseThrow()));
                }
            }
        });
    }

    @Test
    void heavyRowsDoNotMakeTheOthersLight() {
        for (String statistics : List.of("pooled", "robust")) {
            Plan plan = attacked("wild-weights(rows=all)").with("statistics", statistics);
            for (Dataset shard : PreparedData.of(classes(1), plan).shards()) {
                assertThat(IntStream.range(0, shard.rows())
                                .mapToDouble(shard::weight)
                                .average())
                        .hasValueCloseTo(1.0, within(1e-12));
            }
        }
    }

    /** Where sources are named, a category that only liars know is no feature; where rows are dealt, it is one. */
    @Test
    void aFloodOfCategoriesReachesDealtRowsOnly() {
        Table table = classes(1);
        int features = PreparedData.of(table, PLAN).training().columns();
        PreparedData named = PreparedData.of(table, attacked("category-flood"));
        assertThat(named.training().columns()).isEqualTo(features);
        Plan dealt = attacked("category-flood").with("workers-by", "").with("workers", "10");
        assertThat(PreparedData.of(table, dealt).training().columns()).isGreaterThan(features + 200);
    }

    /** A simulated liar's held-out rows are not poisoned and would speak for it. */
    @Test
    void theHeldOutRowsOfASourceAreJudgedUnlessItLies() {
        Plan plan = PLAN.with("attack", "label-shift").with("byzantine", "2");
        PreparedData prepared = PreparedData.of(classes(1), plan);
        List<int[]> sampled =
                prepared.probe().sample(Integer.MAX_VALUE).table().cells().rowsBySource();
        for (int w = 0; w < SOURCES; w++) {
            assertThat(sampled.get(w).length > prepared.shards().get(w).rows()).isEqualTo(w != 2);
        }
    }

    @Test
    void replicasWouldAllHoldThePoison() {
        Plan plan = attacked("units").with("replicas", "2");
        assertThatThrownBy(() -> PreparedData.of(classes(1), plan))
                .isInstanceOf(InputException.class)
                .hasMessage("--attack units poisons rows before they are dealt, so all replicas would hold them;"
                        + " it needs --replicas 1, got 2");
    }
}
