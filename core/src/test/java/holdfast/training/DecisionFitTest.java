package holdfast.training;

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
import holdfast.evaluation.Calibration;
import holdfast.evaluation.Evaluation;
import holdfast.evaluation.Metric;
import holdfast.evaluation.Predictions;
import holdfast.plan.Plan;
import holdfast.shift.Shift;
import holdfast.testkit.Laws;
import holdfast.testkit.Samples;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How {@code --recalibration} and {@code --threshold} change probabilities and labels. */
class DecisionFitTest {
    /** Rows of which about one in twenty is of the second class. */
    private static Dataset rare(Seed seed, int rows, int sources) {
        Randomness random = seed.child("rare").random();
        DatasetBuilder builder = new DatasetBuilder(4);
        for (int r = 0; r < rows; r++) {
            double[] x = random.gaussians(4);
            double u = -4 + 1.5 * x[0] - x[1] + 0.5 * x[2];
            builder.add(x, random.nextDouble() < 1 / (1 + Math.exp(-u)) ? 1 : 0, sources == 0 ? 0 : r % sources, 1);
        }
        return builder.build(
                new Schema(
                        Samples.schema(4).features(),
                        "y",
                        List.of("no", "yes"),
                        IntStream.range(0, sources).mapToObj(s -> "s" + s).toList()),
                DataSource.MEMORY);
    }

    private static TrainingRun run(Dataset data, Map<String, String> settings) {
        Plan plan = Plan.of(settings);
        return Training.of(data, data.hasGroups() ? plan.with("workers-by", "source") : plan)
                .run();
    }

    @Test
    void parametersAndLabelsStayAsTheyAre() {
        Laws.check(5, seed -> {
            Dataset data = rare(seed, 1500, 6);
            Map<String, String> settings = Map.of("class-weights", "balanced", "rounds", "60");
            TrainingRun with = run(data, settings);
            TrainingRun without = Training.of(
                            data, Plan.of(settings).with("workers-by", "source").with("recalibration", "none"))
                    .run();
            assertThat(with.model().theta()).isEqualTo(without.model().theta());
            assertThat(with.model().calibration()).isNotEqualTo(Calibration.NONE);
            assertThat(without.model().calibration()).isEqualTo(Calibration.NONE);
            assertThat(without.model().threshold()).isEqualTo(0.5);
            Predictions one = with.model().predict(data);
            Predictions other = without.model().predict(data);
            for (int r = 0; r < data.rows(); r++) {
                assertThat(one.label(r)).isEqualTo(other.label(r));
            }
        });
    }

    /** The intercept of balanced weights is off by the logarithm of the odds, about 3. */
    @ParameterizedTest
    @CsvSource({"balanced,none", "none,2", "balanced,8"})
    void probabilitiesAreRightAgain(String weights, String lambda) {
        Dataset data = rare(Seed.of(3), 8000, 8);
        Map<String, String> settings = Map.of("class-weights", weights, "lambda", lambda);
        Evaluation with = run(data, settings).evaluate(Shift.NONE);
        Evaluation without = Training.of(
                        data, Plan.of(settings).with("workers-by", "source").with("recalibration", "none"))
                .run()
                .evaluate(Shift.NONE);
        assertThat(with.get(Metric.CALIBRATION_ERROR))
                .isLessThan(0.02)
                .isLessThan(without.get(Metric.CALIBRATION_ERROR));
        if (weights.equals("none")) {
            assertThat(run(data, settings).model().threshold()).isEqualTo(0.5);
            assertThat(with.error()).isLessThanOrEqualTo(without.error() + 0.001);
        } else {
            assertThat(with.error()).isEqualTo(without.error());
        }
        assertThat(with.auc()).isEqualTo(without.auc());
        assertThat(with.get(Metric.BRIER)).isLessThan(without.get(Metric.BRIER));
    }

    /** Three classes, of which about 2 and 6 rows in a hundred are of the last two. */
    private static Dataset imbalanced(Seed seed, int rows, int sources) {
        Randomness random = seed.child("imbalanced").random();
        DatasetBuilder builder = new DatasetBuilder(4);
        for (int r = 0; r < rows; r++) {
            double[] x = random.gaussians(4);
            double first = Math.exp(-4.5 + 1.5 * x[0] - x[1]);
            double second = Math.exp(-3 - x[0] + 0.7 * x[2]);
            double left = random.nextDouble() * (1 + first + second);
            builder.add(x, left < first ? 1 : left < first + second ? 2 : 0, r % sources, 1);
        }
        return builder.build(
                new Schema(
                        Samples.schema(4).features(),
                        "y",
                        List.of("often", "rare", "seldom"),
                        IntStream.range(0, sources).mapToObj(s -> "s" + s).toList()),
                DataSource.MEMORY);
    }

    /**
     * On 2,400 held-out rows the ECE falls from 0.138 to 0.016 and the log-loss from 0.872 to 0.357 after balanced weights, and
     * from 0.023 to 0.014 and from 0.363 to 0.355 after lambda 2.
     */
    @ParameterizedTest
    @CsvSource({"balanced,none,0.3", "none,2,0.8", "balanced,8,0.3"})
    void probabilitiesOfManyClassesAreRightAgain(String weights, String lambda, double share) {
        Dataset data = imbalanced(Seed.of(3), 8000, 8);
        Plan plan = Plan.of(Map.of("class-weights", weights, "lambda", lambda, "workers-by", "source"));
        TrainingRun calibrated = Training.of(data, plan).run();
        TrainingRun trained =
                Training.of(data, plan.with("recalibration", "none")).run();
        assertThat(calibrated.model().theta()).isEqualTo(trained.model().theta());
        assertThat(trained.model().calibration()).isEqualTo(Calibration.NONE);
        Evaluation with = calibrated.evaluate(Shift.NONE);
        Evaluation without = trained.evaluate(Shift.NONE);
        assertThat(with.get(Metric.CALIBRATION_ERROR))
                .isLessThan(0.02)
                .isLessThan(share * without.get(Metric.CALIBRATION_ERROR));
        assertThat(with.logLoss()).isLessThan(without.logLoss());
        assertThat(with.get(Metric.BRIER)).isLessThan(without.get(Metric.BRIER));
        assertThat(with.confusion()).isDeepEqualTo(without.confusion());
    }

    /** There are 15 weights, and 70 % of the rows are for training: about 146 of 208 and 157 of 224. */
    @ParameterizedTest
    @CsvSource({"none,208,false", "none,224,true", "balanced,208,true"})
    void fewRowsOfManyClassesAreRecalibratedOnlyAfterClassWeights(String weights, int rows, boolean expected) {
        Dataset data = Samples.classes(Seed.of(11), rows, 4, 3, 0);
        TrainingRun run = run(data, Map.of("class-weights", weights, "lambda", "2", "rounds", "40"));
        assertThat(run.model().theta()).hasSize(15);
        assertThat(!run.model().calibration().equals(Calibration.NONE)).isEqualTo(expected);
    }

    /** Two of eight sources name the next class. */
    @Test
    void liarsDoNotDecideAboutManyClasses() {
        Dataset honest = imbalanced(Seed.of(6), 8000, 8);
        Dataset poisoned = honest.relabel(r -> honest.group(r) < 2 ? (honest.label(r) + 1) % 3 : honest.label(r));
        Map<String, String> settings = Map.of("tolerated", "2", "class-weights", "balanced");
        TrainingRun clean = run(honest, settings);
        Evaluation after =
                Evaluation.of(run(poisoned, settings).model(), clean.heldOut().orElseThrow(), Shift.NONE);
        Evaluation before = clean.evaluate(Shift.NONE);
        assertThat(after.get(Metric.CALIBRATION_ERROR)).isLessThan(0.03);
        assertThat(after.logLoss()).isLessThan(before.logLoss() + 0.03);
    }

    @Test
    void threadsChangeNothingAboutManyClasses() {
        Dataset data = imbalanced(Seed.of(7), 1500, 5);
        Plan plan = Plan.of(Map.of("class-weights", "balanced", "rounds", "40", "workers-by", "source"));
        TrainingRun one = Training.of(data, plan).run();
        assertThat(one.model().calibration().offsets()).hasSize(3);
        assertThat(one.model().threshold()).isEqualTo(0.5);
        assertThat(Training.of(data, plan).run().model().calibration())
                .isEqualTo(one.model().calibration());
        assertThat(Training.of(data, plan).threads(4).run().model().calibration())
                .isEqualTo(one.model().calibration());
    }

    @Test
    void plainTrainingIsNotRecalibrated() {
        TrainingRun plain = run(rare(Seed.of(4), 600, 0), Map.of("lambda", "none", "rounds", "30"));
        assertThat(plain.model().calibration()).isEqualTo(Calibration.NONE);
        assertThat(plain.model().threshold()).isEqualTo(0.5);
    }

    @Test
    void theThresholdFindsRowsThatOneHalfMisses() {
        Dataset data = rare(Seed.of(5), 8000, 8);
        Evaluation half = run(data, Map.of("threshold", "0.5")).evaluate(Shift.NONE);
        TrainingRun auto = run(data, Map.of("threshold", "auto"));
        assertThat(auto.model().threshold()).isBetween(0.1, 0.45);
        assertThat(auto.evaluate(Shift.NONE).get(Metric.F1)).isGreaterThan(half.get(Metric.F1) + 0.05);
        TrainingRun cost = run(data, Map.of("threshold", "cost(false-positive=1, false-negative=19)"));
        assertThat(cost.model().threshold()).isCloseTo(0.05, within(1e-15));
        assertThat(cost.evaluate(Shift.NONE).get(Metric.RECALL)).isGreaterThan(0.7);
    }

    /** Two of eight sources swap their labels. */
    @Test
    void liarsDoNotDecide() {
        Dataset honest = rare(Seed.of(6), 8000, 8);
        Dataset poisoned = honest.relabel(r -> honest.group(r) < 2 ? 1 - honest.label(r) : honest.label(r));
        Map<String, String> settings = Map.of("tolerated", "2", "threshold", "auto", "class-weights", "balanced");
        TrainingRun clean = run(honest, settings);
        TrainingRun lied = run(poisoned, settings);
        Evaluation before = Evaluation.of(clean.model(), clean.heldOut().orElseThrow(), Shift.NONE);
        Evaluation after = Evaluation.of(lied.model(), clean.heldOut().orElseThrow(), Shift.NONE);
        assertThat(after.get(Metric.CALIBRATION_ERROR)).isLessThan(0.03);
        assertThat(after.get(Metric.F1)).isGreaterThan(before.get(Metric.F1) - 0.05);
    }

    @Test
    void threadsChangeNothing() {
        Dataset data = rare(Seed.of(7), 1000, 5);
        Plan plan = Plan.of(Map.of("threshold", "auto", "rounds", "40", "workers-by", "source"));
        TrainingRun one = Training.of(data, plan).run();
        TrainingRun four = Training.of(data, plan).threads(4).run();
        assertThat(four.model().calibration()).isEqualTo(one.model().calibration());
        assertThat(four.model().threshold()).isEqualTo(one.model().threshold());
    }

    @ParameterizedTest
    @CsvSource({
        "batch,64",
        "validation,0.3",
        "replicas,2",
        "update,newton(damping=0.1)",
        "local-steps,3",
        "model,softmax",
        "root,50",
        "storage,float",
        "statistics,pooled"
    })
    void otherSettingsAreServed(String setting, String value) {
        Dataset data = rare(Seed.of(8), 2000, 0);
        TrainingRun run = Training.of(
                        data,
                        Plan.of(Map.of("rounds", "40", "threshold", "auto")).with(setting, value))
                .run();
        assertThat(run.model().calibration()).isNotEqualTo(Calibration.NONE);
        assertThat(run.model().threshold()).isStrictlyBetween(0.0, 0.7);
    }

    @Test
    void simulatedLiarsAreServed() {
        Dataset data = rare(Seed.of(9), 2000, 0);
        for (String attack : new String[] {"aggressive", "label-flip"}) {
            TrainingRun run = run(data, Map.of("rounds", "40", "attack", attack, "liars", "1"));
            assertThat(run.model().calibration()).isNotEqualTo(Calibration.NONE);
        }
    }

    @Test
    void aThresholdNeedsProbabilitiesOfTwoClasses() {
        Dataset two = Samples.dataset(Seed.of(1), 100, 3);
        assertThatThrownBy(() -> run(two, Map.of("threshold", "auto", "model", "svm")))
                .isInstanceOf(InputException.class)
                .hasMessage(
                        "--threshold needs two classes and a model with probabilities, such as logistic; got auto for"
                                + " model svm");
        assertThatThrownBy(() -> run(Samples.classes(Seed.of(1), 100, 3, 3, 0), Map.of("threshold", "0.2")))
                .hasMessage(
                        "--threshold needs two classes and a model with probabilities, such as logistic; got 0.2 for y,"
                                + " which has 3 classes");
        assertThatThrownBy(() -> run(Samples.counts(Seed.of(1), 100, 2), Map.of("threshold", "0.2")))
                .hasMessage(
                        "--threshold needs two classes and a model with probabilities, such as logistic; got 0.2 for y,"
                                + " which has numbers");
    }
}
