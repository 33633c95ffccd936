package holdfast.sources;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import holdfast.Seed;
import holdfast.data.Dataset;
import holdfast.data.Table;
import holdfast.evaluation.Evaluation;
import holdfast.evaluation.Interval;
import holdfast.evaluation.Metric;
import holdfast.evaluation.TrainedModel;
import holdfast.math.Threads;
import holdfast.model.Target;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.plan.ResolvedPlan;
import holdfast.rounds.InProcessPool;
import holdfast.rounds.TrainingLoop;
import holdfast.rounds.TrainingState;
import holdfast.shift.Shift;
import holdfast.testkit.Laws;
import holdfast.training.PreparedData;
import holdfast.training.PreparedRun;
import holdfast.training.Training;
import holdfast.training.TrainingRun;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SourceValueTest {
    private static final Plan PLAN = Plan.defaults()
            .with("workers-by", "s")
            .with("rule", "mean")
            .with("statistics", "pooled")
            .with("lambda", "none")
            .with("test-share", "0.3");

    /** A finished run, with its values. */
    private record Finished(TrainingRun run, PreparedData data, List<SourceValue> values) {
        static Finished of(Table table, Plan plan, Set<String> named) {
            Training training = Training.of(table, plan);
            PreparedData data = training.prepare();
            try (PreparedRun prepared = data.startWorkers(plan, 1)) {
                TrainingRun run = training.run(prepared);
                return new Finished(
                        run, data, SourceValue.of(prepared, run.model().theta(), named));
            }
        }

        /** Returns the headline on the held-out rows of all sources but one. */
        double headline(TrainedModel model, int without) {
            Dataset rows = data.heldOut().orElseThrow();
            int[] others = IntStream.range(0, rows.rows())
                    .filter(r -> !rows.schema().groups().get(rows.group(r)).equals("s" + without))
                    .toArray();
            return Evaluation.of(model, rows.select(others), Shift.NONE).headline();
        }
    }

    /** Eight sources, of which the last one harms: wrong classes of rows with much leverage, or too large numbers. */
    private static GeneratedSources harmful(Seed seed, Target target) {
        GeneratedSources all = new GeneratedSources(seed, target, GeneratedSources.equal(8, 200));
        if (target.isClass()) {
            IntStream.range(0, GeneratedSources.FEATURES).forEach(c -> all.times(7, c, 20));
        }
        int classes = all.classes().size();
        return all.labels(
                7,
                y -> Arrays.stream(y)
                        .map(v -> target.isClass() ? (v + 1) % classes : v + 100)
                        .toArray());
    }

    @ParameterizedTest
    @EnumSource(Target.class)
    void aHarmfulSourceHasAValueBelowZeroAndLeavingItOutHelps(Target target) {
        Laws.check(3, seed -> {
            GeneratedSources all = harmful(seed, target);
            Plan plan = target == Target.COUNT ? PLAN.with("model", "poisson") : PLAN;
            Finished with = Finished.of(all.table(), plan, Set.of("s7"));
            assertThat(with.values).hasSize(8);
            SourceValue value = with.values.get(7);
            assertThat(value.source()).isEqualTo("s7");
            assertThat(value.metric()).isEqualTo(Metric.of(target).get(0));
            assertThat(value.change()).isNegative();
            assertThat(value.interval().contains(value.change())).isTrue();
            assertThat(value.harms()).isTrue();
            assertThat(value.helps()).isFalse();
            // Nobody else is as bad.
            assertThat(with.values.subList(0, 7))
                    .allSatisfy(v -> assertThat(v.change()).isGreaterThan(value.change()));
            Table others = all.table(IntStream.range(0, 7).toArray(), false);
            TrainedModel without = Training.of(others, plan).run().model();
            assertThat(with.headline(without, 7)).isLessThan(with.headline(with.run.model(), 7));
        });
    }

    /** At 5 % for each of 160 sources, one was said to help. */
    @Test
    void nobodyIsNamedAmongHonestSources() {
        List<SourceValue> values = IntStream.range(0, 20)
                .mapToObj(i ->
                        new GeneratedSources(Seed.of(i), Target.TWO_CLASSES, GeneratedSources.equal(8, 60)).table())
                .flatMap(table -> Finished.of(table, PLAN, Set.of()).values.stream())
                .toList();
        assertThat(values).hasSize(160).noneMatch(value -> value.helps() || value.harms());
    }

    /** One says too much and one too little: together they do little harm, and each of them seems to help. */
    @Test
    void namedSourcesDoNotHideEachOthersHarm() {
        Laws.check(3, seed -> {
            GeneratedSources all = new GeneratedSources(seed, Target.NUMBER, GeneratedSources.equal(8, 200))
                    .labels(5, y -> Arrays.stream(y).map(v -> v - 200).toArray())
                    .labels(7, y -> Arrays.stream(y).map(v -> v + 200).toArray());
            List<SourceValue> values = Finished.of(all.table(), PLAN, Set.of("s5", "s7")).values;
            for (int s : new int[] {5, 7}) {
                assertThat(values.get(s).harms()).as("%s", values.get(s)).isTrue();
                assertThat(values.get(s).helps()).isFalse();
            }
        });
    }

    /** With twins, neither is missed: the others' figure stays nearly as it is. */
    @Test
    void aDuplicateIsWorthLittle() {
        Laws.check(3, seed -> {
            GeneratedSources all = harmful(seed, Target.NUMBER);
            all.sources.set(7, all.sources.get(3));
            List<SourceValue> values = Finished.of(all.table(), PLAN, Set.of()).values;
            double rmse = 4;
            assertThat(values.get(7).change()).isCloseTo(0, within(0.02 * rmse));
            assertThat(values.get(7).change()).isCloseTo(values.get(3).change(), within(0.02 * rmse));
        });
    }

    /** A run that stopped too early would improve by more rounds, with or without a source. */
    @Test
    void moreRoundsAreNoValue() {
        Laws.check(3, seed -> {
            GeneratedSources all = new GeneratedSources(seed, Target.NUMBER, GeneratedSources.equal(8, 200));
            Plan early = PLAN.with("rounds", "3").with("learning-rate", "0.003").with("tolerance", "0");
            Finished finished = Finished.of(all.table(), early, Set.of());
            double headline = finished.headline(finished.run.model(), -1);
            assertThat(finished.values)
                    .hasSize(8)
                    .allSatisfy(v -> assertThat(v.change()).isCloseTo(0, within(0.02 * headline)));
            assertThat(finished.values.stream().filter(v -> v.change() > 0).count())
                    .isBetween(1L, 7L);
        });
    }

    /** Trained again by hand from the same parameters, and judged on the same rows. */
    @ParameterizedTest
    @EnumSource(
            value = Target.class,
            names = {"TWO_CLASSES", "NUMBER"})
    void theChangeIsTheDifferenceOfTwoHeadlines(Target target) {
        Laws.check(3, seed -> {
            Finished finished = Finished.of(harmful(seed, target).table(), PLAN, Set.of());
            Plan plan = finished.data.resolve(PLAN).with(PlanKey.ROUNDS, 40);
            TrainedModel with = refit(finished, plan, -1);
            for (int s : new int[] {2, 7}) {
                double expected = finished.headline(refit(finished, plan, s), s) - finished.headline(with, s);
                assertThat(finished.values.get(s).change()).isCloseTo(expected, within(1e-9));
            }
        });
    }

    private static TrainedModel refit(Finished finished, Plan plan, int without) {
        List<Dataset> shards = finished.data.shards();
        int[] taking =
                IntStream.range(0, shards.size()).filter(s -> s != without).toArray();
        TrainedModel start = finished.run.model();
        try (InProcessPool pool = new InProcessPool(
                IntStream.range(0, taking.length)
                        .mapToObj(w -> ResolvedPlan.worker(
                                plan,
                                w,
                                shards.get(taking[w]),
                                plan.loss(finished.data.training().schema())))
                        .toList(),
                1)) {
            TrainingLoop loop = new TrainingLoop(
                    plan.resolve(finished.data.training().schema(), taking.length)
                            .loop(finished.data.root(plan)),
                    pool);
            double[] theta = loop.run(
                            TrainingState.start(start.theta(), loop.start().duals()), round -> {})
                    .theta();
            return new TrainedModel(
                    start.kind(),
                    start.intercept(),
                    theta,
                    start.encoding(),
                    start.scaling(),
                    start.labels(),
                    start.schema(),
                    0.5);
        }
    }

    @Test
    void threadsDoNotChangeABit() {
        Table table = harmful(Seed.of(1), Target.TWO_CLASSES).table();
        Training training = Training.of(table, PLAN);
        try (PreparedRun prepared = training.prepare().startWorkers(PLAN, 1)) {
            double[] theta = training.run(prepared).model().theta();
            List<SourceValue> expected = SourceValue.of(prepared, theta, Set.of());
            for (int count : new int[] {2, 5}) {
                try (Threads threads = Threads.of(count)) {
                    assertThat(threads.call(() -> SourceValue.of(prepared, theta, Set.of())))
                            .isEqualTo(expected);
                }
            }
        }
    }

    /** What a named source holds back says nothing about the others. */
    @Test
    void heldOutRowsOfNamedSourcesDoNotCount() {
        Table table = harmful(Seed.of(1), Target.TWO_CLASSES).table();
        List<SourceValue> one = Finished.of(table, PLAN, Set.of("s7")).values;
        List<SourceValue> all = Finished.of(table, PLAN, Set.of()).values;
        assertThat(one.get(7)).isEqualTo(all.get(7));
        assertThat(one.get(0)).isNotEqualTo(all.get(0));
    }

    @Test
    void withoutHeldOutRowsOrWorkersToSpareThereAreNoValues() {
        Table table = harmful(Seed.of(1), Target.TWO_CLASSES).table();
        assertThat(Finished.of(table, PLAN.with("test-share", "0"), Set.of()).values)
                .isEmpty();
        Table four = new GeneratedSources(Seed.of(1), Target.TWO_CLASSES, 100, 100, 100, 100).table();
        assertThat(Finished.of(four, PLAN, Set.of("s0", "s1")).values)
                .as("one other source is not enough")
                .extracting(SourceValue::source)
                .containsExactly("s0", "s1");
        Table seven = new GeneratedSources(Seed.of(1), Target.TWO_CLASSES, GeneratedSources.equal(7, 100)).table();
        Plan krum = PLAN.with("rule", "bulyan").with("screened", "1");
        assertThat(Finished.of(seven, krum, Set.of()).values)
                .as("the rule needs seven workers")
                .isEmpty();
    }

    @Test
    void aValueHelpsOrHarmsIfItsIntervalSaysSo() {
        assertThat(new SourceValue("s", Metric.ERROR, 0.2, new Interval(0.1, 0.3)).helps())
                .isTrue();
        assertThat(new SourceValue("s", Metric.ERROR, 0.2, new Interval(0, 0.4)).helps())
                .isFalse();
        assertThat(new SourceValue("s", Metric.ERROR, -0.2, new Interval(-0.4, 0)).harms())
                .isFalse();
        assertThat(new SourceValue("s", Metric.ERROR, -0.2, new Interval(-0.3, -0.1)).harms())
                .isTrue();
    }
}
