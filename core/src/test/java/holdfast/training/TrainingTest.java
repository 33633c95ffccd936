package holdfast.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import holdfast.InputException;
import holdfast.Randomness;
import holdfast.Seed;
import holdfast.attack.Attacks;
import holdfast.data.DataSource;
import holdfast.data.Dataset;
import holdfast.data.DatasetBuilder;
import holdfast.data.Schema;
import holdfast.evaluation.Predictions;
import holdfast.evaluation.TrainedModel;
import holdfast.math.Vectors;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.preparation.Scaling;
import holdfast.preparation.Split;
import holdfast.rounds.LocalWork;
import holdfast.shift.Shift;
import holdfast.testkit.Laws;
import holdfast.testkit.Logged;
import holdfast.testkit.Samples;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class TrainingTest {
    private static final Plan ATTACKED = Plan.defaults()
            .with("workers", "9")
            .with("screened", "2")
            .with("rounds", "35")
            .with("tolerance", "0")
            .with("attack", "intelligent")
            .with("liars", "2")
            .with("lambda", "3")
            .with("init", "normal");

    private final Dataset data = Samples.dataset(Seed.of(1), 3000, 11);

    @ParameterizedTest
    @ValueSource(strings = {"exact", "recurrence", "ascent"})
    void anyNumberOfThreadsGivesTheSameBits(String maximiser) {
        Plan plan = maximiser.equals("exact")
                ? ATTACKED
                : ATTACKED.with("maximiser", maximiser).with("ascent-steps", "10");
        TrainingRun one = Training.of(data, plan).threads(1).run();
        for (int threads : new int[] {2, 8}) {
            TrainingRun many = Training.of(data, plan).threads(threads).run();
            assertThat(Laws.bits(many.state().theta()))
                    .isEqualTo(Laws.bits(one.state().theta()));
            assertThat(many.ledger()).isEqualTo(one.ledger());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "batch=9",
                "server-momentum=0.8",
                "schedule=inverse(rounds=5)",
                "batch=5 server-momentum=0.5",
                "worker-momentum=0.9",
                "local-steps=3",
                "update=newton(damping=0.01) learning-rate=auto batch=12",
                "local-steps=2 local-rate=0.1 batch=6 worker-momentum=0.5",
                "update=delta local-steps=2 local-rate=0.3 learning-rate=0.7",
                "worker-momentum=0.5 batch=7 rule=centered-clipping",
                "replicas=3 batch=20",
                "validation=0.2 patience=1",
                "replicas=3 validation=0.1 update=delta local-steps=2 batch=8 worker-momentum=0.5"
            })
    void everyWayOfTrainingGivesTheSameBitsOnAnyThreadsAndAfterAResume(String settings) {
        Plan plan = ATTACKED.with("tolerance", "0").with("rule", "adaptive-screening");
        for (String setting : settings.split(" ")) {
            String[] parts = setting.split("=", 2);
            plan = plan.with(parts[0], parts[1]);
        }
        List<Checkpoint> checkpoints = new ArrayList<>();
        TrainingRun whole =
                Training.of(data, plan).checkpoints(4, checkpoints::add).run();
        assertThat(Laws.bits(whole.state().theta()))
                .isNotEqualTo(Laws.bits(
                        Training.of(data, ATTACKED.with("tolerance", "0").with("rule", "adaptive-screening"))
                                .run()
                                .state()
                                .theta()));
        assertSame(Training.of(data, plan).threads(8).run(), whole);
        assertThat(checkpoints).hasSizeGreaterThan(3);
        for (Checkpoint checkpoint : checkpoints) {
            assertSame(Training.of(data, plan).resume(checkpoint).run(), whole);
        }
    }

    private static void assertSame(TrainingRun one, TrainingRun other) {
        assertThat(Laws.bits(one.model().theta()))
                .isEqualTo(Laws.bits(other.model().theta()));
        assertThat(Laws.bits(one.state().theta()))
                .isEqualTo(Laws.bits(other.state().theta()));
        assertThat(Laws.bits(one.state().velocity()))
                .isEqualTo(Laws.bits(other.state().velocity()));
        assertThat(one.state().round()).isEqualTo(other.state().round());
        assertThat(one.chosen()).isEqualTo(other.chosen());
        assertThat(one.objective()).isEqualTo(Double.valueOf(other.objective()));
        assertThat(one.ledger()).isEqualTo(other.ledger());
    }

    private static final String[][] CHOICES = {
        {"replicas=1", "replicas=3"},
        {"rule=norm-screening", "rule=median", "rule=adaptive-screening", "rule=centered-clipping"},
        {"update=gradient", "update=delta", "update=newton"},
        {"local-steps=1", "local-steps=3"},
        {"batch=all", "batch=11"},
        {"worker-momentum=0", "worker-momentum=0.6"},
        {"server-momentum=0", "server-momentum=0.4"},
        {"validation=0", "validation=0.15"},
        {"tolerance=0", "tolerance=0.02"},
        {"attack=intelligent", "attack=gaussian", "attack=label-flip", "attack=alie"},
    };

    @Test
    void anyCombinationGivesTheSameBitsOnAnyThreadsAndAfterAResumeAtAnyRound() {
        Dataset few = Samples.dataset(Seed.of(4), 300, 5);
        Laws.check(60, seed -> {
            Randomness random = seed.random();
            Plan plan = ATTACKED.with(PlanKey.SEED, seed.value()).with("learning-rate", "0.1");
            for (String[] choice : CHOICES) {
                String[] parts = choice[random.nextInt(choice.length)].split("=");
                plan = plan.with(parts[0], parts[1]);
            }
            if (plan.get(PlanKey.VALIDATION) > 0) {
                plan = plan.with("patience", "1");
            }
            if (plan.get(PlanKey.UPDATE).value() instanceof LocalWork.Newton) {
                plan = plan.with("local-steps", "1");
            }
            List<Checkpoint> checkpoints = new ArrayList<>();
            TrainingRun whole =
                    Training.of(few, plan).checkpoints(1, checkpoints::add).run();
            assertSame(Training.of(few, plan).threads(2).run(), whole);
            assertSame(Training.of(few, plan).threads(3).run(), whole);
            for (int i = 0; i < 3; i++) {
                Checkpoint at = checkpoints.get(random.nextInt(checkpoints.size()));
                assertSame(Training.of(few, plan).resume(at).run(), whole);
            }
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.02", "0.5"})
    void aRadiusLeadsToTheSameBitsOnAnyThreadsAndAfterAResumeAtAnyRound(String radius) {
        Plan plan = ATTACKED.without(PlanKey.LAMBDA)
                .with("learning-rate", "auto")
                .with("rounds", "20")
                .with("radius", radius);
        List<Checkpoint> checkpoints = new ArrayList<>();
        TrainingRun whole =
                Training.of(data, plan).checkpoints(1, checkpoints::add).run();
        assertThat(whole.radius()).isPresent();
        TrainingRun threaded = Training.of(data, plan).threads(3).run();
        assertThat(Laws.bits(threaded.state().theta()))
                .isEqualTo(Laws.bits(whole.state().theta()));
        assertThat(threaded.radius()).isEqualTo(whole.radius());
        for (Checkpoint checkpoint : checkpoints) {
            TrainingRun resumed = Training.of(data, plan).resume(checkpoint).run();
            assertThat(Laws.bits(resumed.state().theta()))
                    .as("resumed at round %d", checkpoint.state().round())
                    .isEqualTo(Laws.bits(whole.state().theta()));
            assertThat(resumed.radius()).isEqualTo(whole.radius());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "0.01"})
    void aRunResumedAtAnyRoundEndsWithTheSameBitsAndLedger(String tolerance) {
        Plan plan = ATTACKED.with("tolerance", tolerance);
        List<Checkpoint> checkpoints = new ArrayList<>();
        TrainingRun whole =
                Training.of(data, plan).checkpoints(1, checkpoints::add).run();
        assertThat(whole.stopped()).isEqualTo(!tolerance.equals("0"));
        assertThat(checkpoints).hasSizeGreaterThan(5);
        for (Checkpoint checkpoint : checkpoints) {
            TrainingRun resumed = Training.of(data, plan).resume(checkpoint).run();
            assertThat(resumed.state().round())
                    .as("resumed at round %d", checkpoint.state().round())
                    .isEqualTo(whole.state().round());
            assertThat(Laws.bits(resumed.state().theta()))
                    .isEqualTo(Laws.bits(whole.state().theta()));
            assertThat(resumed.ledger()).isEqualTo(whole.ledger());
        }
    }

    /** All but those that need text or weights, for which see {@link RawAttackTrainingTest}. */
    static List<String> attacks() {
        return Attacks.catalogue().names().stream()
                .filter(name ->
                        !List.of("none", "category-flood", "wild-weights").contains(name))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("attacks")
    void everyAttackChangesTheModelAndNoneBreaksTheRun(String attack) {
        Plan plan = ATTACKED.with("rounds", "5");
        double[] attacked =
                Training.of(data, plan.with("attack", attack)).run().state().theta();
        double[] truthful = Training.of(data, plan.with("attack", "none").with("liars", "0"))
                .run()
                .state()
                .theta();
        assertThat(Vectors.finite(attacked)).isTrue();
        assertThat(Laws.bits(attacked)).isNotEqualTo(Laws.bits(truthful));
    }

    @Test
    void aCheckpointOfAnotherRunIsRefused() {
        List<Checkpoint> checkpoints = new ArrayList<>();
        Plan plan = ATTACKED.with("rounds", "2");
        Training.of(data, plan).checkpoints(1, checkpoints::add).run();
        Checkpoint checkpoint = checkpoints.get(0);
        assertThatThrownBy(() -> Training.of(data, plan.with("lambda", "4")).resume(checkpoint))
                .isInstanceOf(InputException.class)
                .hasMessage("the checkpoint was made with --lambda 3, not 4");
        Checkpoint elsewhere = new Checkpoint(
                plan,
                new DataSource("memory", "other"),
                checkpoint.state(),
                checkpoint.ledger(),
                checkpoint.failures());
        assertThatThrownBy(() -> Training.of(data, plan).resume(elsewhere))
                .hasMessageStartingWith("the checkpoint was made on other data");
        assertThat(Training.of(data, plan.with("rounds", "4"))
                        .resume(checkpoint)
                        .run()
                        .state()
                        .round())
                .isEqualTo(4);
    }

    @Test
    void learnsWhatThereIsToLearnThoughWorkersLie() {
        Plan plan = Plan.defaults()
                .with("attack", "aggressive")
                .with("liars", "2")
                .with("screened", "2")
                .with("lambda", "none");
        double error = Training.of(data, plan).run().evaluate(Shift.NONE).error();
        assertThat(error).isLessThan(0.15);
        double withoutScreening = Training.of(
                        data, plan.with("screened", "0").with("tolerance", "0").with("rounds", "100"))
                .run()
                .evaluate(Shift.NONE)
                .error();
        assertThat(withoutScreening).isGreaterThan(0.5);
    }

    @Test
    void nothingIsLearntFromPermutedLabels() {
        double error = 0;
        for (int i = 0; i < 5; i++) {
            Seed seed = Seed.of(2).child("shuffle", i);
            int[] order = new int[data.rows()];
            Arrays.setAll(order, r -> r);
            seed.random().shuffle(order);
            DatasetBuilder builder = new DatasetBuilder(data.columns());
            for (int r = 0; r < order.length; r++) {
                builder.add(data.row(r), data.label(order[r]));
            }
            error += Training.of(builder.build(data.schema(), data.source()), Plan.defaults())
                            .run()
                            .evaluate(Shift.NONE)
                            .error()
                    / 5;
        }
        // Half of the labels are 1; 5 * 900 held-out rows: standard error 0.0075, some more for the fit.
        assertThat(error).isCloseTo(0.5, within(0.04));
    }

    @Test
    void everythingIsFittedOnTheTrainingRowsAlone() {
        PreparedData prepared = PreparedData.of(data, Plan.defaults().with("statistics", "pooled"));
        int[] training = Split.stratified(data, 0.3, Plan.defaults().seed()).training();
        Scaling expected = Scaling.fit(Scaling.Kind.STANDARDISE, data.select(training));
        assertThat(prepared.scaling().offsets()).isEqualTo(expected.offsets());
        assertThat(prepared.scaling().divisors()).isEqualTo(expected.divisors());
        assertThat(prepared.training().rows()).isEqualTo(training.length);
        assertThat(prepared.heldOut().orElseThrow().rows()).isEqualTo(data.rows() - training.length);
    }

    @ParameterizedTest
    @ValueSource(strings = {"logistic", "linear", "huber"})
    void aRowOfZerosScoresZeroWithoutAnIntercept(String model) {
        Dataset rows = model.equals("logistic") ? data : Samples.numbers(Seed.of(4), 300, 3, 0);
        DatasetBuilder shifted = new DatasetBuilder(rows.columns());
        for (int r = 0; r < rows.rows(); r++) {
            double[] x = Arrays.stream(rows.row(r)).map(v -> v + 3).toArray();
            shifted.add(x, model.equals("logistic") ? rows.label(r) : rows.label(r) + 50);
        }
        Plan plan =
                Plan.defaults().with("model", model).with("intercept", "false").with("rounds", "5");
        TrainedModel trained = Training.of(shifted.build(rows.schema(), rows.source()), plan)
                .run()
                .model();
        assertThat(trained.theta()).doesNotContain(0);
        Dataset zeros = new DatasetBuilder(rows.columns())
                .add(new double[rows.columns()], 0)
                .build(rows.schema(), rows.source());
        Predictions predicted = trained.predict(zeros);
        assertThat(predicted.score(0)).isZero();
        assertThat(model.equals("logistic") ? 0 : predicted.label(0)).isZero();
    }

    @Test
    void balancedWeightsMakeTheClassesEqual() {
        PreparedData prepared = PreparedData.of(data, Plan.defaults().with("class-weights", "balanced"));
        double[] byClass = new double[2];
        prepared.training().blocks().forEach(b -> {
            for (int j = 0; j < b.rows(); j++) {
                byClass[(int) b.labels()[j]] += b.weights()[j];
            }
        });
        assertThat(byClass[0]).isCloseTo(prepared.training().rows() / 2.0, within(1e-9));
        assertThat(byClass[1]).isCloseTo(prepared.training().rows() / 2.0, within(1e-9));
    }

    @Test
    void theSecondMomentIsTheLargestEigenvalue() {
        // Columns with variances 1 and 9 and nothing else: after scaling by none the largest eigenvalue is known.
        DatasetBuilder builder = new DatasetBuilder(2);
        for (int r = 0; r < 400; r++) {
            builder.add(new double[] {r % 2 == 0 ? 1 : -1, r % 4 < 2 ? 3 : -3}, r / 4 % 2);
        }
        Dataset square =
                builder.build(new Schema(List.of("a", "b"), "y", List.of("0", "1"), List.of()), DataSource.MEMORY);
        Plan plan =
                Plan.defaults().with("scale", "none").with("test-share", "0").with("statistics", "pooled");
        assertThat(new PlanResolver(PreparedData.of(square, plan).training()).curvature(plan))
                .isCloseTo(9 / 4.0, within(1e-9));
    }

    @Test
    void fromConstantColumnsNothingIsLearnt() {
        DatasetBuilder builder = new DatasetBuilder(2);
        for (int r = 0; r < 100; r++) {
            builder.add(new double[] {5, -1}, r % 2);
        }
        Dataset constant =
                builder.build(new Schema(List.of("a", "b"), "y", List.of("0", "1"), List.of()), DataSource.MEMORY);
        for (String lambda : new String[] {"none", "8"}) {
            Plan plan = Plan.defaults()
                    .with("intercept", "false")
                    .with("scale", "standardise")
                    .with("lambda", lambda);
            assertThat(Training.of(constant, plan).run().state().theta()).containsExactly(0, 0);
        }
    }

    @Test
    void withoutHeldOutRowsThereIsNothingToEvaluateOn() {
        TrainingRun run = Training.of(
                        data, Plan.defaults().with("test-share", "0").with("rounds", "1"))
                .run();
        assertThatThrownBy(() -> run.evaluate(Shift.NONE))
                .isInstanceOf(InputException.class)
                .hasMessage("no rows were held out: --test-share is 0");
    }

    @Test
    void aSingleClassIsRefused() {
        DatasetBuilder builder = new DatasetBuilder(1);
        for (int r = 0; r < 20; r++) {
            builder.add(new double[] {r}, 1);
        }
        Dataset one =
                builder.build(new Schema(List.of("x"), "spam", List.of("no", "yes"), List.of()), DataSource.MEMORY);
        assertThatThrownBy(() -> Training.of(one, Plan.defaults()).run())
                .isInstanceOf(InputException.class)
                .hasMessage("memory: there must be rows of both classes, but every spam is yes");
    }

    @Test
    void workersByNeedsASource() {
        assertThatThrownBy(() -> PreparedData.of(data, Plan.defaults().with("workers-by", "hospital")))
                .hasMessage("--workers-by is 'hospital', but the data name no source");
        Dataset sources = Samples.dataset(Seed.of(1), 300, 2, 5);
        assertThat(PreparedData.of(sources, Plan.defaults().with("workers-by", "s"))
                        .partition()
                        .workers())
                .containsExactly("s0", "s1", "s2", "s3", "s4");
    }

    @Test
    void valuesOfSourcesThatAreCutOffAreSaidWhereLabelsAreNumbers() {
        Dataset numbers = Samples.numbers(Seed.of(5), 900, 3, 6);
        Dataset skewed =
                numbers.changed(IntStream.range(0, 900).filter(r -> r % 41 == 7).toArray(), (r, row) -> row[1] = 60);
        String warning =
                "beyond 5 spreads, which counts as 5; with trusted sources, --statistics pooled cuts nothing off";
        Training bySource = Training.on(skewed).workersBy("source").rounds(3);
        assertThat(Logged.during(bySource::run)).anyMatch(line -> line.contains(warning));
        assertThat(Logged.during(Training.on(skewed.withoutGroups()).rounds(3)::run))
                .noneMatch(line -> line.contains(warning));
        assertThat(Logged.during(Training.on(numbers).workersBy("source").rounds(3)::run))
                .noneMatch(line -> line.contains(warning));
    }
}
