package holdfast.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import holdfast.InputException;
import holdfast.Seed;
import holdfast.data.DataSource;
import holdfast.data.Dataset;
import holdfast.data.DatasetBuilder;
import holdfast.data.Schema;
import holdfast.evaluation.Evaluation;
import holdfast.math.Vectors;
import holdfast.model.Target;
import holdfast.objective.Box;
import holdfast.objective.Iterate;
import holdfast.objective.Objective;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.rounds.TrainingException;
import holdfast.shift.Shift;
import holdfast.testkit.Samples;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Numbers and counts, through all of training. */
class RegressionTrainingTest {
    private static final Plan POISSON = Plan.defaults().with("model", "poisson");

    @ParameterizedTest
    @CsvSource({
        "0.1, standardise, none",
        "5, standardise, none",
        "100, standardise, none",
        "0.1, none, none",
        "5, none, none",
        "100, none, none",
        "0.1, standardise, 8",
        "5, standardise, 8",
        "100, standardise, 8",
        "0.1, none, 8",
        "5, min-max, 100"
    })
    void theAutomaticRateLearnsSmallAndLargeCounts(double mean, String scale, String lambda) {
        Dataset data = Samples.counts(Seed.of(3), 1000, mean);
        TrainingRun run = Training.of(data, POISSON.with("scale", scale).with("lambda", lambda))
                .run();
        assertThat(run.converged()).isTrue();
        Evaluation made = Evaluation.of(run.model(), run.heldOut().orElseThrow(), Shift.NONE);
        assertThat(made.headline())
                .isLessThan(0.9 * Evaluation.guessing(run.heldOut().orElseThrow(), Target.COUNT) + 0.05);
        double[] theta = run.state().theta();
        assertThat(theta[0]).isPositive();
        assertThat(theta[1]).isNegative();
        if (lambda.equals("none")) {
            // Standardised features have about the same unit as the normal ones, counts their mean, which is e^0.19
            // times
            // that at the features' mean; of few counts little can be known.
            double intercept = scale.equals("none") ? Math.log(mean) : -0.19;
            assertThat(theta)
                    .containsExactly(new double[] {0.5, -0.3, 0.2, 0, intercept}, within(mean < 1 ? 0.3 : 0.1));
        }
    }

    @ParameterizedTest
    @CsvSource({"linear, 1e5", "huber(delta=1), 1e5", "poisson, 1e5", "poisson, 1e9"})
    void theUnitOfTheLabelChangesNothing(String model, double factor) {
        Dataset data = Samples.counts(Seed.of(3), 600, 2);
        Plan plan = Plan.defaults().with("model", model).with("rounds", "60");
        TrainingRun small = Training.of(data, plan).run();
        TrainingRun large =
                Training.of(data.relabel(r -> factor * data.label(r)), plan).run();
        assertThat(large.state().theta()).containsExactly(small.state().theta(), within(1e-9));
        double mean = small.model().predict(data).label(7);
        assertThat(large.model().predict(data).label(7)).isCloseTo(factor * mean, within(1e-9 * factor));
    }

    @Test
    void theAutomaticBoxHoldsAllTrainingRows() {
        Dataset data = Samples.counts(Seed.of(3), 300, 2);
        PreparedData prepared = PreparedData.of(data, POISSON.with("statistics", "pooled"));
        double most = IntStream.range(0, prepared.training().rows())
                .mapToDouble(r -> Vectors.maxAbs(prepared.training().row(r), 4))
                .max()
                .orElseThrow();
        assertThat(prepared.resolve(POISSON).get(PlanKey.BOX)).contains(new Box(most));
        assertThat(prepared.resolve(POISSON.with("learning-rate", "0.1")).get(PlanKey.BOX))
                .contains(new Box(most));
        assertThat(prepared.resolve(POISSON.with("box", "1.5")).get(PlanKey.BOX))
                .contains(new Box(1.5));
        assertThat(prepared.resolve(POISSON.with("lambda", "none")).get(PlanKey.BOX))
                .isEmpty();
        assertThat(prepared.resolve(Plan.defaults().with("model", "huber")).get(PlanKey.BOX))
                .isEmpty();
    }

    @Test
    void aTighterBoxOrAHigherPriceLeavesLessToFear() {
        Dataset data = Samples.counts(Seed.of(3), 300, 2);
        PreparedData prepared = PreparedData.of(data, POISSON);
        double[] theta = {0.5, -0.3, 0.2, 0, 0.7};
        double last = Double.NEGATIVE_INFINITY;
        for (String[] now : new String[][] {{"1e6", "0.1"}, {"50", "0.1"}, {"8", "0.1"}, {"8", "1"}, {"1", "3"}}) {
            Plan plan = POISSON.with("lambda", now[0]).with("box", now[1]);
            Objective loss = plan.loss(data.schema());
            double value = loss.value(Iterate.of(theta), loss.sums(Iterate.of(theta), prepared.training(), true), 4);
            assertThat(value).isGreaterThan(last);
            last = value;
        }
    }

    @Test
    void thatTrainingDivergesIsSaid() {
        Dataset data = Samples.counts(Seed.of(3), 300, 5);
        Plan plan = POISSON.with("learning-rate", "50");
        assertThatThrownBy(() -> Training.of(data, plan).run())
                .isInstanceOf(TrainingException.class)
                .hasMessageMatching(
                        "training diverged in round \\d+: no worker's update is finite any more; use a smaller"
                                + " --learning-rate \\(now 50.0\\) or a smaller --box, or let --tolerated be the number of liars");
        assertThatThrownBy(() -> Training.of(data, plan.with("lambda", "none")).run())
                .hasMessageMatching(
                        "training diverged in round \\d+: no worker's update is finite any more; use a smaller"
                                + " --learning-rate \\(now 50.0\\), or let --tolerated be the number of liars");
    }

    @Test
    void countsFromSparseRowsAreLearntWithoutWorstCaseOnly() {
        DatasetBuilder rows = DatasetBuilder.sparse(3);
        Dataset dense = Samples.counts(Seed.of(3), 200, 2);
        for (int r = 0; r < 200; r++) {
            rows.add(new double[] {dense.row(r)[0], 0, r % 5 == 0 ? 1 : 0}, dense.label(r));
        }
        Dataset data = rows.build(new Schema(List.of("a", "b", "c"), "y", List.of(), List.of()), DataSource.MEMORY);
        for (Plan plan : List.of(POISSON, POISSON.with("learning-rate", "0.01").with("box", "2"))) {
            assertThatThrownBy(() -> Training.of(data, plan).run())
                    .isInstanceOf(InputException.class)
                    .hasMessage(
                            "rows that move in a box move in every feature, so they cannot be sparse; use --lambda none");
        }
        assertThat(Training.of(data, POISSON.with("lambda", "none"))
                        .run()
                        .state()
                        .theta()[0])
                .isPositive();
    }

    @Test
    void anInfiniteWorstCaseOfLeastSquaresIsSaid() {
        Plan plan =
                Plan.defaults().with("model", "linear").with("lambda", "0.01").with("init", "normal");
        assertThatThrownBy(() ->
                        Training.of(Samples.counts(Seed.of(3), 300, 2), plan).run())
                .isInstanceOf(TrainingException.class)
                .hasMessageMatching(
                        "round 0: worker 0: model linear needs --lambda above \\|\\|theta\\|\\|\\^2, or the worst case is"
                                + " infinite; got --lambda 0.01, \\|\\|theta\\|\\|\\^2 is [0-9.]+");
    }

    private static Dataset relabelled(Dataset data, IntToDoubleFunction label) {
        DatasetBuilder rows = new DatasetBuilder(data.columns());
        IntStream.range(0, data.rows()).forEach(r -> rows.add(data.row(r), label.applyAsDouble(r)));
        return rows.build(data.schema(), data.source());
    }

    /** In the unit of the label, whatever it is. */
    @ParameterizedTest
    @CsvSource({"linear, 1", "linear, 1e6", "huber, 1", "huber, 1e-6", "'huber(delta=0.2)', 1000"})
    void numbersAreLearntInAnyUnit(String model, double unit) {
        Dataset counts = Samples.counts(Seed.of(5), 600, 4);
        Dataset data = relabelled(
                counts, r -> unit * (3 + counts.row(r)[0] - 2 * counts.row(r)[3] + 0.1 * (counts.label(r) % 3)));
        TrainingRun run =
                Training.of(data, Plan.defaults().with("model", model)).run();
        Evaluation made = Evaluation.of(run.model(), run.heldOut().orElseThrow(), Shift.NONE);
        assertThat(made.headline())
                .isLessThan(0.3 * Evaluation.guessing(run.heldOut().orElseThrow(), Target.NUMBER));
        assertThat(made.headline()).isBetween(0.05 * unit, unit);
    }

    @Test
    void outliersPullHubersRegressionLess() {
        Dataset counts = Samples.counts(Seed.of(5), 600, 4);
        Dataset wild = relabelled(counts, r -> counts.row(r)[0] + (r % 10 == 0 ? 30 : 0));
        double[] errors = new double[2];
        for (int k = 0; k < 2; k++) {
            Plan plan = Plan.defaults()
                    .with("model", k == 0 ? "linear" : "huber(delta=0.1)")
                    .with("lambda", "none")
                    .with("test-share", "0");
            TrainingRun run = Training.of(wild, plan).run();
            Dataset clean = relabelled(counts, r -> counts.row(r)[0]);
            errors[k] = Evaluation.of(run.model(), clean, Shift.NONE).headline();
        }
        assertThat(errors[1]).isLessThan(0.5 * errors[0]);
    }

    @Test
    void aSupportVectorMachineClassifiesAndClaimsNoProbability() {
        Dataset data = Samples.dataset(Seed.of(1), 600, 4);
        for (String lambda : new String[] {"none", "2"}) {
            Plan plan = Plan.defaults().with("lambda", lambda);
            TrainingRun run =
                    Training.of(data, plan.with("model", "svm(smoothing=0.5)")).run();
            Evaluation made = Evaluation.of(run.model(), run.heldOut().orElseThrow(), Shift.NONE);
            double logistic = Evaluation.of(
                            Training.of(data, plan).run().model(), run.heldOut().orElseThrow(), Shift.NONE)
                    .error();
            assertThat(made.error()).isCloseTo(logistic, within(0.05));
            assertThat(made.logLoss()).isNaN();
            assertThat(made.calibration()).isEmpty();
        }
    }
}
