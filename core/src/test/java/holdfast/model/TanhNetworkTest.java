package holdfast.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import example.TanhNetwork;
import holdfast.InputException;
import holdfast.Randomness;
import holdfast.Seed;
import holdfast.data.Block;
import holdfast.data.DataSource;
import holdfast.data.Dataset;
import holdfast.data.DatasetBuilder;
import holdfast.data.DenseBlock;
import holdfast.evaluation.Evaluation;
import holdfast.objective.Box;
import holdfast.objective.Effort;
import holdfast.objective.GradientAscent;
import holdfast.objective.Objective;
import holdfast.objective.RobustLoss;
import holdfast.objective.SquaredL2;
import holdfast.objective.Wasserstein;
import holdfast.objective.WorstCase;
import holdfast.plan.Plan;
import holdfast.preparation.LabelScaling;
import holdfast.rounds.InProcessPool;
import holdfast.rounds.Loops;
import holdfast.rounds.TrainingLoop;
import holdfast.rounds.TrainingState;
import holdfast.rounds.Worker;
import holdfast.shift.Noise;
import holdfast.shift.Shift;
import holdfast.testkit.Laws;
import holdfast.testkit.ModelContract;
import holdfast.testkit.Samples;
import holdfast.training.Checkpoint;
import holdfast.training.Training;
import holdfast.training.TrainingRun;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** A model that is neither linear nor convex goes the whole way: contract, worst case, training among liars, evaluation. */
class TanhNetworkTest {
    private static final TanhNetwork CLASSES = new TanhNetwork(Target.TWO_CLASSES, 8);

    @Nested
    class TwoClasses extends ModelContract {
        @Override
        protected Model model() {
            return new TanhNetwork(Target.TWO_CLASSES, 4);
        }

        @Override
        protected boolean hasCurvature() {
            return false;
        }
    }

    @Nested
    class Numbers extends ModelContract {
        @Override
        protected Model model() {
            return new TanhNetwork(Target.NUMBER, 3);
        }

        @Override
        protected double label(Randomness random) {
            return random.nextGaussian();
        }

        @Override
        protected boolean hasCurvature() {
            return false;
        }
    }

    /** The label is whether two features have the same sign: no linear model sees anything in it. */
    private static Dataset sameSign(Seed seed, int rows) {
        Randomness random = seed.child("same-sign").random();
        DatasetBuilder builder = new DatasetBuilder(2);
        for (int r = 0; r < rows; r++) {
            double[] x = random.gaussians(2);
            builder.add(x, x[0] * x[1] > 0 ? 1 : 0);
        }
        return builder.build(Samples.TWO_CLASSES, DataSource.MEMORY);
    }

    private static double[] train(Objective objective, Plan plan, Dataset rows) {
        int m = 8;
        List<Worker> workers = IntStream.range(0, m)
                .mapToObj(w -> new Worker(
                        w,
                        rows.select(IntStream.range(0, rows.rows())
                                .filter(r -> r % m == w)
                                .toArray()),
                        objective))
                .toList();
        double[] start = objective.model().start(rows.columns(), plan.seed());
        try (InProcessPool pool = new InProcessPool(workers, 2)) {
            TrainingLoop loop = Loops.of(plan, pool, rows.schema());
            return loop.run(TrainingState.start(start, new double[0]), round -> {})
                    .theta();
        }
    }

    private static double error(Model model, double[] theta, Dataset rows, Shift shift) {
        return Evaluation.ofScaled(model, theta, 0.5, LabelScaling.NONE, rows, shift)
                .error();
    }

    @Test
    void aNetworkLearnsAmongLiarsWhatNoLinearModelCan() {
        Dataset training = sameSign(Seed.of(1), 2000);
        Dataset test = sameSign(Seed.of(2), 1000);
        Plan plan = Plan.defaults()
                .with("rounds", "300")
                .with("tolerance", "0")
                .with("learning-rate", "2")
                .with("screened", "1")
                .with("attack", "aggressive")
                .with("liars", "1");
        for (Wasserstein choices : List.of(Wasserstein.none(), new Wasserstein(100).withAscentSteps(3))) {
            double[] theta = train(choices.on(CLASSES, 1e-4), plan, training);
            assertThat(error(CLASSES, theta, test, Shift.NONE)).isLessThan(0.12);
            assertThat(error(CLASSES, theta, test, new Noise(0.1))).isBetween(0.001, 0.2);
            Evaluation evaluation = Evaluation.ofScaled(CLASSES, theta, 0.5, LabelScaling.NONE, test, Shift.NONE);
            assertThat(evaluation.auc()).isGreaterThan(0.95);
            assertThat(evaluation.calibration()).isNotEmpty();
        }
        LogisticRegression linear = new LogisticRegression(true);
        double[] theta = train(RobustLoss.plain(linear), plan, training);
        assertThat(error(linear, theta, test, Shift.NONE)).isGreaterThan(0.4);
    }

    /** By the library, with a rate found by trial; stopped half way and resumed, to the same bits. */
    @Test
    void aNetworkIsTrainedResumedAndEvaluatedByTheLibrary() {
        Dataset data = sameSign(Seed.of(3), 1200);
        Plan plan = Plan.defaults()
                .withModel(CLASSES)
                .with("workers", "6")
                .with("rounds", "150")
                .with("tolerance", "0")
                .with("lambda", "200")
                .with("ascent-steps", "2");
        List<Checkpoint> saved = new ArrayList<>();
        TrainingRun whole =
                Training.of(data, plan).threads(2).checkpoints(70, saved::add).run();
        assertThat(whole.evaluate(Shift.NONE).error()).isLessThan(0.2);
        assertThat(whole.learningRate()).isBetween(1e-4, 10.0);
        assertThat(whole.guarantee().holds()).isFalse();
        TrainingRun resumed = Training.of(data, plan).resume(saved.get(0)).run();
        assertThat(saved.get(0).state().round()).isEqualTo(70);
        assertThat(Laws.bits(resumed.model().theta()))
                .isEqualTo(Laws.bits(whole.model().theta()));
        assertThat(resumed.model().predict(data).hasProbabilities()).isTrue();
    }

    @Test
    void aModelGivenAsAnObjectRefusesLabelsThatItDoesNotPredict() {
        Plan plan = Plan.defaults().withModel(CLASSES);
        assertThatThrownBy(() ->
                        plan.model(Samples.classes(Seed.of(1), 30, 2, 3, 0).schema()))
                .isInstanceOf(InputException.class)
                .hasMessage("model tanh predicts two classes, but y has 3 classes");
        assertThatThrownBy(() -> Plan.defaults()
                        .withModel(new SoftmaxRegression(4, true))
                        .model(Samples.classes(Seed.of(1), 30, 2, 3, 0).schema()))
                .isInstanceOf(InputException.class)
                .hasMessage("model softmax is for 4 classes, but y has 3");
    }

    @Test
    void whatOnlyLinearScoresCanSayIsRefusedInOneLine() {
        for (Wasserstein.Maximisation fast :
                List.of(Wasserstein.Maximisation.EXACT, Wasserstein.Maximisation.RECURRENCE)) {
            assertThatThrownBy(() -> new Wasserstein(8).withMaximisation(fast).on(CLASSES, 0))
                    .isInstanceOf(InputException.class)
                    .hasMessage("--maximiser " + fast
                            + ": there is none for model tanh under the cost (1/2)||z - x||^2; use auto or ascent");
        }
    }

    /** f is not convex in z, so nothing but the choice of the rate makes the ascent rise. */
    @Test
    void theAscentRisesAndNothingIsCertainAboutItsResult() {
        Laws.check(40, seed -> {
            Randomness random = seed.random();
            int d = 1 + random.nextInt(4);
            double[] theta = CLASSES.start(d, seed);
            double lambda = 2 + 10 * random.nextDouble();
            Block block = Samples.block(seed, 1, d, false);
            GradientAscent ascent = new GradientAscent(CLASSES, lambda, new SquaredL2(), Optional.empty(), Box.NONE);
            double gain = CLASSES.loss(theta, block);
            for (int steps = 1; steps <= 8; steps++) {
                WorstCase worst = ascent.maximise(theta, block, new Effort.Steps(steps));
                double next = CLASSES.loss(theta, worst.rows()) - lambda * worst.costs()[0];
                assertThat(next).isGreaterThanOrEqualTo(gain - 1e-12);
                assertThat(worst.precision()).isInfinite();
                gain = next;
            }
        });
    }

    @Test
    void aRateIsLimitedByTheModelsShape() {
        assertThat(new GradientAscent(CLASSES, 4, 0.25).rate()).contains(0.25);
        assertThatThrownBy(() -> new GradientAscent(CLASSES, 4, 0.26))
                .isInstanceOf(InputException.class)
                .hasMessage(
                        "--ascent-rate must be at most 1/lambda = 0.25 for a model that is not convex in its rows; got 0.26");
        assertThat(new GradientAscent(new LogisticRegression(true), 4, 0.49).rate())
                .contains(0.49);
    }

    @Test
    void biasesAreZeroAtTheStart() {
        double[] theta = CLASSES.start(2, Seed.of(5));
        double[] score = new double[1];
        CLASSES.scores(theta, new DenseBlock(2, new double[2], new double[1], null), score);
        assertThat(score[0]).isZero();
    }
}
