package holdfast.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import holdfast.InputException;
import holdfast.Seed;
import holdfast.attack.LabelFlip;
import holdfast.data.DataSource;
import holdfast.data.Dataset;
import holdfast.data.DatasetBuilder;
import holdfast.data.Schema;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.plan.ResolvedPlan;
import holdfast.rounds.LocalWork;
import holdfast.rounds.RoundRequest;
import holdfast.rounds.RowSampling;
import holdfast.rounds.Worker;
import holdfast.rounds.WorkerPool;
import holdfast.rounds.WorkerReply;
import holdfast.testkit.Laws;
import holdfast.testkit.Samples;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PreparedDataTest {
    private static final Plan PLAN = Plan.defaults()
            .with("workers", "7")
            .with("screened", "2")
            .with("rounds", "15")
            .with("init", "normal");

    private final Dataset data = Samples.dataset(Seed.of(3), 400, 4);

    /** Every row with its label, as text. */
    private static List<String> rows(Dataset... parts) {
        List<String> all = new ArrayList<>();
        for (Dataset part : parts) {
            for (int r = 0; r < part.rows(); r++) {
                all.add(part.label(r) + " " + Arrays.toString(part.row(r)));
            }
        }
        return all;
    }

    @Test
    void onlyTheShardsOfLiarsArePoisoned() {
        Plan attacked = PLAN.with("attack", "label-flip(share=0.5)").with("byzantine", "1,4");
        PreparedData clean = PreparedData.of(data, PLAN);
        List<List<String>> before =
                clean.shards().stream().map(PreparedDataTest::rows).toList();
        PreparedData poisoned = clean.poisoned(attacked);
        for (int w = 0; w < 7; w++) {
            Dataset shard = clean.shards().get(w);
            assertThat(rows(shard)).isEqualTo(before.get(w));
            Dataset expected = w == 1 || w == 4
                    ? new LabelFlip(0.5)
                            .poison(shard, attacked.seed().child("poison").child("worker", w))
                    : shard;
            assertThat(rows(poisoned.shards().get(w))).isEqualTo(rows(expected));
            assertThat(rows(shard).equals(rows(expected))).isEqualTo(w != 1 && w != 4);
        }
        assertThat(poisoned.training()).isSameAs(clean.training());
        assertThat(poisoned.heldOut().orElseThrow()).isSameAs(clean.heldOut().orElseThrow());
        PreparedData atOnce = PreparedData.of(data, attacked);
        assertThat(atOnce.shards().stream().map(PreparedDataTest::rows).toList())
                .isEqualTo(
                        poisoned.shards().stream().map(PreparedDataTest::rows).toList());
    }

    @Test
    void attacksOnUpdatesPoisonNothing() {
        PreparedData clean = PreparedData.of(data, PLAN);
        assertThat(clean.poisoned(PLAN)).isSameAs(clean);
        assertThat(clean.poisoned(PLAN.with("attack", "aggressive").with("liars", "2")))
                .isSameAs(clean);
    }

    @Test
    void theServersRowsAreTakenFromTheWorkers() {
        // By robust statistics other shards would be scaled otherwise.
        Plan pooled = PLAN.with("statistics", "pooled");
        PreparedData without = PreparedData.of(data, pooled);
        PreparedData prepared = PreparedData.of(data, pooled.with(PlanKey.ROOT, 30));
        assertThat(prepared.root().orElseThrow().rows()).isEqualTo(30);
        assertThat(prepared.training().rows()).isEqualTo(without.training().rows() - 30);
        assertThat(rows(prepared.shards().toArray(Dataset[]::new)))
                .containsExactlyInAnyOrderElementsOf(rows(prepared.training()));
        assertThat(rows(prepared.root().orElseThrow(), prepared.training()))
                .containsExactlyInAnyOrderElementsOf(rows(without.training()));
        assertThat(rows(prepared.heldOut().orElseThrow()))
                .isEqualTo(rows(without.heldOut().orElseThrow()));
        assertThat(rows(PreparedData.of(data, PLAN.with(PlanKey.ROOT, 30).with("seed", "2"))
                        .root()
                        .orElseThrow()))
                .isNotEqualTo(rows(prepared.root().orElseThrow()));
    }

    @Test
    void theServerAnswersForItsRows() {
        PreparedData prepared = PreparedData.of(data, PLAN.with(PlanKey.ROOT, 30));
        double[] theta = {1, -1, 2, 0, 0.5};
        RoundRequest request = new RoundRequest(0, theta, false);
        WorkerReply.Update own =
                (WorkerReply.Update) prepared.root(PLAN).orElseThrow().answer(request);
        WorkerReply.Update same = (WorkerReply.Update)
                new Worker(0, prepared.root().orElseThrow(), PLAN.loss(Samples.TWO_CLASSES)).answer(request);
        assertThat(Laws.bits(own.vector())).isEqualTo(Laws.bits(same.vector()));
        Plan steps = PLAN.with("update", "delta").with("local-steps", "3").with("batch", "5");
        WorkerReply.Update walked =
                (WorkerReply.Update) prepared.root(steps).orElseThrow().answer(request);
        LocalWork work = ResolvedPlan.localWork(prepared.resolve(steps), RowSampling.ALL);
        WorkerReply.Update alike = (WorkerReply.Update)
                new Worker(0, prepared.root().orElseThrow(), Optional.empty(), PLAN.loss(Samples.TWO_CLASSES), work)
                        .answer(request);
        assertThat(Laws.bits(walked.vector())).isEqualTo(Laws.bits(alike.vector()));
        PreparedData without = PreparedData.of(data, PLAN);
        assertThat(without.root()).isEmpty();
        assertThat(without.root(PLAN)).isEmpty();
    }

    @Test
    void theWorkersMustKeepARow() {
        int training = PreparedData.of(data, PLAN).training().rows();
        assertThatThrownBy(() -> PreparedData.of(data, PLAN.with(PlanKey.ROOT, training)))
                .isInstanceOf(InputException.class)
                .hasMessage("--root must be below the %d training rows, got %d", training, training);
    }

    /** One preparation serves all plans that split, scale and deal alike; each poisons its own copy. */
    @ParameterizedTest
    @CsvSource({
        "norm-screening, none, 0",
        "median, alie, 2",
        "median, label-flip, 2",
        "fltrust, backdoor, 3",
        "adaptive-screening, nan, 1"
    })
    void trainsToTheBitsOfARun(String rule, String attack, String liars) {
        Plan common = PLAN.with(PlanKey.ROOT, 30);
        Plan plan = common.with("rule", rule).with("attack", attack).with("liars", liars);
        PreparedData prepared = PreparedData.of(data, common);
        double[] once = prepared.train(plan);
        assertThat(Laws.bits(once))
                .isEqualTo(Laws.bits(Training.of(data, plan).run().state().theta()));
        assertThat(Laws.bits(prepared.train(plan))).isEqualTo(Laws.bits(once));
    }

    /** Every row of the data so often or, as a weight, so many times as much, in the same order. */
    private static Dataset counted(Dataset data, boolean repeated, double unit) {
        DatasetBuilder builder = new DatasetBuilder(data.columns());
        for (int r = 0; r < data.rows(); r++) {
            int count = 1 + r % 4;
            for (int i = 0; i < (repeated ? count : 1); i++) {
                builder.add(data.row(r), data.label(r), 0, repeated ? 1 : unit * count);
            }
        }
        return builder.build(data.schema(), data.source());
    }

    @ParameterizedTest
    @ValueSource(doubles = {1, 1e-3, 1e6})
    void wholeWeightsAreRepeatedRows(double unit) {
        Plan plan = Plan.defaults()
                .with("workers", "1")
                .with("scale", "none")
                .with("test-share", "0")
                .with("lambda", "5")
                .with("l2", "0.1")
                .with("tolerance", "0")
                .with("rounds", "100");
        TrainingRun repeated = Training.of(counted(data, true, unit), plan).run();
        TrainingRun weighted = Training.of(counted(data, false, unit), plan).run();
        assertThat(weighted.objective()).isCloseTo(repeated.objective(), within(1e-10));
        assertThat(weighted.state().theta()).containsExactly(repeated.state().theta(), within(1e-10));
        assertThat(Training.of(data, plan).run().state().theta()[0])
                .isNotCloseTo(repeated.state().theta()[0], within(1e-4));
    }

    @Test
    void weightsOfRowsAndOfClassesMultiply() {
        Plan plan = PLAN.with("test-share", "0")
                .with("workers", "1")
                .with("screened", "0")
                .with("class-weights", "3,0.5");
        Dataset counted = counted(data, false, 7);
        double mean =
                IntStream.range(0, data.rows()).map(r -> 1 + r % 4).average().orElseThrow();
        Dataset training = PreparedData.of(counted, plan).training();
        for (int r = 0; r < data.rows(); r++) {
            double weight = training.blocks().get(r / 256).weights()[r % 256];
            assertThat(weight).isCloseTo((1 + r % 4) / mean * (data.label(r) == 0 ? 3 : 0.5), within(1e-12));
        }
    }

    @Test
    void everyOfManyClassesHasItsWeight() {
        Dataset four = Samples.classes(Seed.of(5), 300, 3, 4, 0);
        double[] counts = new double[4];
        IntStream.range(0, 300).forEach(r -> counts[(int) four.label(r)]++);
        Plan plan = PLAN.with("test-share", "0");
        double[] balanced =
                Arrays.stream(counts).map(count -> 300 / (4 * count)).toArray();
        assertThat(weights(four, plan.with("class-weights", "balanced"))).containsExactly(balanced, within(1e-12));
        assertThat(weights(four, plan.with("class-weights", "1,2,0.5,9"))).containsExactly(1, 2, 0.5, 9);
        assertThatThrownBy(() -> PreparedData.of(four, plan.with("class-weights", "1,2")))
                .isInstanceOf(InputException.class)
                .hasMessage("--class-weights must be 4 numbers, one per class, got 2");
        Dataset numbers = Samples.numbers(Seed.of(5), 300, 3, 0);
        assertThatThrownBy(() -> PreparedData.of(numbers, plan.with("class-weights", "balanced")))
                .isInstanceOf(InputException.class)
                .hasMessage("--class-weights need classes, but y has numbers");
    }

    /** By class; all rows of one must weigh the same. */
    private static double[] weights(Dataset data, Plan plan) {
        Dataset training = PreparedData.of(data, plan).training();
        double[] byClass = new double[data.schema().classes().size()];
        for (int r = 0; r < training.rows(); r++) {
            double weight = training.blocks().get(r / 256).weights()[r % 256];
            int c = (int) training.label(r);
            assertThat(byClass[c] == 0 || byClass[c] == weight).isTrue();
            byClass[c] = weight;
        }
        return byClass;
    }

    @Test
    void labelsThatTheModelCannotLearnAreNamedByTheirRow() {
        DatasetBuilder counts = new DatasetBuilder(1);
        counts.add(new double[] {1}, 0);
        counts.add(new double[] {2}, 3);
        counts.add(new double[] {3}, -1);
        Dataset data = counts.build(new Schema(List.of("x"), "y", List.of(), List.of()), DataSource.MEMORY);
        Plan plan = Plan.defaults()
                .with("model", "poisson")
                .with("workers", "1")
                .with("screened", "0")
                .with("test-share", "0");
        assertThatThrownBy(() -> PreparedData.of(data, plan))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("row 3, y");
    }

    @Test
    void closingAPreparedRunClosesItsPool() {
        int[] closed = new int[1];
        WorkerPool pool = new WorkerPool() {
            @Override
            public int workers() {
                return 0;
            }

            @Override
            public List<WorkerReply> ask(RoundRequest request) {
                return List.of();
            }

            @Override
            public void close() {
                closed[0]++;
            }
        };
        new PreparedRun(null, pool, null, null, null, null, 0, null, null, null, null, null, null, null).close();
        assertThat(closed[0]).isOne();
    }
}
