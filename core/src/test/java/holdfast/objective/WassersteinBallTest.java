package holdfast.objective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import holdfast.InputException;
import holdfast.Randomness;
import holdfast.Seed;
import holdfast.data.Block;
import holdfast.data.DataSource;
import holdfast.data.Dataset;
import holdfast.data.DatasetBuilder;
import holdfast.data.Schema;
import holdfast.model.LinearRegression;
import holdfast.model.LogisticRegression;
import holdfast.model.Model;
import holdfast.model.PoissonRegression;
import holdfast.testkit.Laws;
import holdfast.testkit.ObjectiveContract;
import holdfast.testkit.Samples;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An objective whose variable is the price of moving rows. */
class WassersteinBallTest extends ObjectiveContract {
    private static final double STEP = 1e-5;
    private static final LogisticRegression MODEL = new LogisticRegression(true);

    @Override
    protected ObjectiveFamily family(Randomness random) {
        return new WassersteinBall(0.01 + random.nextDouble());
    }

    @Override
    protected Model model() {
        return MODEL;
    }

    @Override
    protected double[] duals(Randomness random) {
        return duals(1 + 5 * random.nextDouble());
    }

    private static double[] duals(double excess) {
        return new double[] {excess, 1, 0.5};
    }

    private static Iterate at(double excess, double... theta) {
        return new Iterate(1, theta, duals(excess));
    }

    private static double value(Objective objective, Iterate at, Dataset data) {
        return objective.value(at, objective.sums(at, data, true), data.columns());
    }

    private static Dataset numbers(Seed seed, int rows) {
        Randomness random = seed.child("numbers").random();
        DatasetBuilder builder = new DatasetBuilder(3);
        for (int r = 0; r < rows; r++) {
            double[] x = random.gaussians(3);
            builder.add(x, x[0] - 2 * x[1] + random.nextGaussian());
        }
        return builder.build(new Schema(List.of("a", "b", "c"), "y", List.of(), List.of()), DataSource.MEMORY);
    }

    /** lambda rho + mean of sup over a grid of moves of one feature, row by row. */
    private static double bruteForce(double rho, double lambda, double[] theta, Dataset data) {
        double sum = 0;
        for (Block block : data.blocks()) {
            for (int j = 0; j < block.rows(); j++) {
                double[] x = new double[1];
                block.copyRow(j, x, 0);
                double best = Double.NEGATIVE_INFINITY;
                for (int i = -4000; i <= 4000; i++) {
                    double move = i / 1000.0;
                    double u = theta[0] * (x[0] + move) + theta[1];
                    double loss = Math.log1p(Math.exp(block.label(j) == 1 ? -u : u));
                    best = Math.max(best, loss - lambda * move * move / 2);
                }
                sum += best;
            }
        }
        return lambda * rho + sum / data.rows();
    }

    @Test
    void theValueIsThatOfTheWorstMovesOnAGrid() {
        Laws.check(10, seed -> {
            Randomness random = seed.random();
            Dataset data = Samples.dataset(seed, 30, 1);
            double[] theta = random.gaussians(2);
            double lambda = 0.5 + 3 * random.nextDouble();
            assertThat(value(new WassersteinBall(0.1).on(MODEL, 0), at(lambda, theta), data))
                    .isCloseTo(bruteForce(0.1, lambda, theta, data), within(1e-5));
        });
    }

    /** (1/2) mean r^2 lambda/(lambda - ||theta||^2), for the squared loss at any excess of lambda, however small. */
    @Test
    void theSquaredLossIsFiniteAtEveryTheta() {
        Laws.check(20, seed -> {
            Randomness random = seed.random();
            Dataset data = numbers(seed, 50);
            double[] theta = random.gaussians(4);
            theta[1] *= 30;
            double excess = Math.exp(3 * random.nextGaussian());
            double n = theta[0] * theta[0] + theta[1] * theta[1] + theta[2] * theta[2];
            double squares = 0;
            for (int r = 0; r < 50; r++) {
                double[] x = data.row(r);
                double u = theta[0] * x[0] + theta[1] * x[1] + theta[2] * x[2] + theta[3] - data.label(r);
                squares += u * u / 50;
            }
            BallLoss objective = new WassersteinBall(0.3).on(new LinearRegression(true), 0);
            double lambda = n + excess;
            assertThat(objective.price(at(excess, theta), 3)).isCloseTo(lambda, within(1e-9 * lambda));
            double expected = 0.3 * lambda + squares / 2 * lambda / excess;
            assertThat(value(objective, at(excess, theta), data)).isCloseTo(expected, within(1e-6 * expected));
        });
    }

    @Test
    void bothGradientsAreThoseOfTheValue() {
        Laws.check(30, seed -> {
            Randomness random = seed.random();
            boolean linear = seed.child("kind").random().nextInt(2) == 0;
            Dataset data = linear ? numbers(seed, 300) : Samples.dataset(seed, 300, 3);
            double[] theta = random.gaussians(4);
            double excess = 1 + 5 * random.nextDouble();
            double rho = 0.01 + random.nextDouble();
            Objective objective = new WassersteinBall(rho).on(linear ? new LinearRegression(true) : MODEL, 0.2);
            Iterate here = at(excess, theta);
            ShardSums sums = objective.sums(here, data, false);
            double[] gradient = objective.gradient(here, sums, 3);
            for (int i = 0; i < 4; i++) {
                double[] up = theta.clone();
                double[] down = theta.clone();
                up[i] += STEP;
                down[i] -= STEP;
                double slope = (value(objective, at(excess, up), data) - value(objective, at(excess, down), data))
                        / (2 * STEP);
                assertThat(gradient[i]).isCloseTo(slope, within(1e-6 * (1 + Math.abs(slope))));
            }
            double slope =
                    value(objective, at(excess + STEP, theta), data) - value(objective, at(excess - STEP, theta), data);
            assertThat(rho - objective.dualGradient(here, sums)[0]).isCloseTo(slope / (2 * STEP), within(1e-6));
        });
    }

    /** At the best price rows move exactly as far as the radius allows; the value is convex in the price. */
    @Test
    void stepsInThePriceUseUpTheRadius() {
        Laws.check(10, seed -> {
            boolean linear = seed.child("kind").random().nextInt(2) == 0;
            Dataset data = linear ? numbers(seed, 200) : Samples.dataset(seed, 200, 3);
            double[] theta = seed.child("theta").random().gaussians(4);
            BallLoss objective = new WassersteinBall(0.03).on(linear ? new LinearRegression(true) : MODEL, 0);
            double[] duals = objective.startDuals();
            double[] reports = {0};
            for (int step = 0; step < 60; step++) {
                Iterate here = new Iterate(step, theta, duals);
                assertThat(objective.isComparable(duals)).isEqualTo(step > 0);
                reports = objective.dualGradient(here, objective.sums(here, data, false));
                duals = objective.nextDuals(duals, reports, 50);
            }
            assertThat(reports[0]).isCloseTo(0.03, within(1e-6));
            assertThat(objective.dualGap(duals, reports)).isLessThan(1e-8);
            double best = value(objective, new Iterate(1, theta, duals), data);
            for (double factor = 0.02; factor < 60; factor *= 1.1) {
                assertThat(value(objective, at(duals[0] * factor, theta), data)).isGreaterThanOrEqualTo(best - 1e-9);
            }
        });
    }

    /** A report is bounded in what it does, whatever it is; the price never reaches 0. */
    @Test
    void noReportMovesThePriceFar() {
        BallLoss objective = new WassersteinBall(0.1).on(MODEL, 0);
        double[] first = objective.nextDuals(objective.startDuals(), new double[] {0.7, 0, 0}, 1);
        assertThat(first[0]).isCloseTo(7, within(1e-12));
        assertThat(objective.nextDuals(first, new double[] {1e300, 0, 0}, 1)[0])
                .isCloseTo(7 * Math.exp(0.5), within(1e-9));
        double[] duals = first;
        for (int round = 0; round < 100; round++) {
            duals = objective.nextDuals(duals, new double[] {-1e300, 0, 0}, 1);
        }
        assertThat(duals[0]).isCloseTo(7e-4, within(1e-12));
        assertThat(objective.dualGap(duals, new double[] {0, 0, 0})).isZero();
        assertThat(objective.dualGap(objective.startDuals(), new double[] {0, 0, 0}))
                .isInfinite();
    }

    @Test
    void refusesWhatIsNoBall() {
        for (double rho : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
            assertThatThrownBy(() -> new WassersteinBall(rho))
                    .isInstanceOf(InputException.class)
                    .hasMessage("--radius must be finite and > 0, got " + rho);
        }
        assertThatThrownBy(() -> new WassersteinBall(1, new Wasserstein(2).withAscentRate(0.1)))
                .hasMessage(
                        "--ascent-rate is one over lambda with --radius, which finds lambda; leave it out, got 0.1");
        assertThatThrownBy(() ->
                        new WassersteinBall(1, new Wasserstein(2).withBox(Box.NONE)).on(new PoissonRegression(true), 0))
                .hasMessageContaining("model poisson needs --box");
    }
}
