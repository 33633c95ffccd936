package holdfast.objective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import example.ConditionalValueAtRisk;
import example.TanhNetwork;
import holdfast.InputException;
import holdfast.Randomness;
import holdfast.Seed;
import holdfast.aggregate.Mean;
import holdfast.aggregate.NormScreening;
import holdfast.data.Dataset;
import holdfast.model.LinearRegression;
import holdfast.model.LogisticRegression;
import holdfast.model.Model;
import holdfast.model.Target;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.testkit.Laws;
import holdfast.testkit.Samples;
import holdfast.training.Checkpoint;
import holdfast.training.Training;
import holdfast.training.TrainingRun;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An objective from outside: it needs the losses of single rows and trains a variable of its own. */
class ConditionalValueAtRiskTest {
    private static final double LEVEL = 0.8;
    private static final double STEP = 1e-6;

    private static Iterate at(double mu, double[] theta) {
        return new Iterate(0, theta, new double[] {mu});
    }

    private static double value(Objective objective, Iterate at, Dataset data) {
        return objective.value(at, objective.sums(at, data, true), data.columns());
    }

    /** The mean of the largest losses, with a part of the row on the edge where their number is not whole. */
    private static double worst(double[] losses, double level) {
        double[] sorted = Arrays.stream(losses).sorted().toArray();
        double left = (1 - level) * sorted.length;
        double sum = 0;
        for (int j = sorted.length - 1; left > 0; j--, left--) {
            sum += Math.min(left, 1) * sorted[j];
        }
        return sum / ((1 - level) * sorted.length);
    }

    /** Squared losses of u = a x + b, by a formula of their own. */
    private static double[] losses(double a, double b, Dataset rows) {
        double[] losses = new double[rows.rows()];
        Arrays.setAll(losses, r -> Math.pow(a * rows.row(r)[0] + b - rows.label(r), 2) / 2);
        return losses;
    }

    /** The value is convex in mu, and its least is that of the worst rows. */
    @Test
    void theBestThresholdGivesTheMeanLossOfTheWorstRows() {
        Laws.check(20, seed -> {
            Dataset data = Samples.numbers(seed, 90, 1, 0);
            double[] theta = seed.child("theta").random().gaussians(2);
            double[] losses = losses(theta[0], theta[1], data);
            Objective objective = new ConditionalValueAtRisk(LEVEL).on(new LinearRegression(true), 0);
            double least = Arrays.stream(losses)
                    .map(mu -> value(objective, at(mu, theta), data))
                    .min()
                    .orElseThrow();
            assertThat(least).isCloseTo(worst(losses, LEVEL), within(1e-12 * (1 + least)));
        });
    }

    @Test
    void bothGradientsAreThoseOfTheValue() {
        for (Model model : List.of(new LogisticRegression(true), new TanhNetwork(Target.TWO_CLASSES, 3))) {
            Laws.check(20, seed -> {
                Dataset data = Samples.dense(seed, 300, 3, 2);
                assertThat(data.weighted()).isTrue();
                Randomness random = seed.child("theta").random();
                double[] theta = random.gaussians(model.parameters(3));
                double mu = random.nextDouble();
                Objective objective = new ConditionalValueAtRisk(LEVEL).on(model, 0.3);
                Iterate here = at(mu, theta);
                ShardSums sums = objective.sums(here, data, false);
                double[] gradient = objective.gradient(here, sums, 3);
                for (int i = 0; i < theta.length; i++) {
                    double[] up = theta.clone();
                    double[] down = theta.clone();
                    up[i] += STEP;
                    down[i] -= STEP;
                    double slope = value(objective, at(mu, up), data) - value(objective, at(mu, down), data);
                    assertThat(gradient[i]).isCloseTo(slope / (2 * STEP), within(1e-5));
                }
                double slope =
                        value(objective, at(mu + STEP, theta), data) - value(objective, at(mu - STEP, theta), data);
                assertThat(objective.dualGradient(here, sums)[0]).isCloseTo(slope / (2 * STEP), within(1e-5));
            });
        }
    }

    private static Training training(Dataset data) {
        return Training.of(
                        data,
                        Plan.defaults()
                                .with("statistics", "pooled")
                                .with("partition", "in-turn")
                                .with("schedule", "inverse(rounds=20)"))
                .workers(4)
                .with(PlanKey.TEST_SHARE, 0.0)
                .with(PlanKey.TOLERANCE, 0.0)
                .objective(new ConditionalValueAtRisk(LEVEL));
    }

    @Test
    void trainingArrivesAtTheBestOfAGrid() {
        Dataset data = Samples.numbers(Seed.of(5), 204, 1, 0);
        Training training = training(data).rule(new Mean()).rounds(20_000);
        Dataset rows = training.prepare().training();
        TrainingRun run = training.run();
        double[] best = {0, 0};
        for (double width = 4; width > 1e-6; width /= 2) {
            double[] middle = best.clone();
            for (int i = -10; i <= 10; i++) {
                for (int j = -10; j <= 10; j++) {
                    double[] tried = {middle[0] + i * width / 10, middle[1] + j * width / 10};
                    if (worst(losses(tried[0], tried[1], rows), LEVEL) < worst(losses(best[0], best[1], rows), LEVEL)) {
                        best = tried;
                    }
                }
            }
        }
        double[] losses = Arrays.stream(losses(best[0], best[1], rows)).sorted().toArray();
        assertThat(run.model().theta()).containsExactly(best, within(1e-4));
        assertThat(run.state().duals()).containsExactly(new double[] {losses[163]}, within(1e-4));
        assertThat(run.objective()).isCloseTo(worst(losses, LEVEL), within(1e-6));
    }

    /** With liars screened out, stopped and resumed, on any number of threads. */
    @Test
    void aRunIsResumedToTheSameBits() {
        Dataset data = Samples.dataset(Seed.of(6), 1200, 3);
        List<Checkpoint> saved = new ArrayList<>();
        TrainingRun whole = training(data)
                .rule(new NormScreening(1))
                .rounds(40)
                .checkpoints(15, saved::add)
                .run();
        assertThat(saved).hasSize(3);
        assertThat(whole.state().duals()).hasSize(1).isNotEqualTo(new double[1]);
        for (Checkpoint checkpoint : saved) {
            assertThat(checkpoint.state().duals()).hasSize(1);
            TrainingRun resumed = training(data)
                    .rule(new NormScreening(1))
                    .rounds(40)
                    .threads(2)
                    .resume(checkpoint)
                    .run();
            assertThat(Laws.bits(resumed.state().theta()))
                    .isEqualTo(Laws.bits(whole.state().theta()));
            assertThat(Laws.bits(resumed.state().duals()))
                    .isEqualTo(Laws.bits(whole.state().duals()));
        }
    }

    @Test
    void theLevelIsAShare() {
        for (double level : new double[] {-0.1, 1, Double.NaN}) {
            assertThatThrownBy(() -> new ConditionalValueAtRisk(level))
                    .isInstanceOf(InputException.class)
                    .hasMessage("cvar: level must be at least 0 and below 1, got %s", level);
        }
    }
}
