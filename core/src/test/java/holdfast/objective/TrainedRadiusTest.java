package holdfast.objective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import holdfast.Randomness;
import holdfast.Seed;
import holdfast.data.Block;
import holdfast.data.Dataset;
import holdfast.model.LogisticRegression;
import holdfast.rounds.RoundRequest;
import holdfast.rounds.Worker;
import holdfast.rounds.WorkerReply;
import holdfast.testkit.Laws;
import holdfast.testkit.Samples;
import org.junit.jupiter.api.Test;

/** An objective with a variable of its own, from the sums over rows to the worker's reply. */
class TrainedRadiusTest {
    private static final double STEP = 1e-5;
    private static final LogisticRegression MODEL = new LogisticRegression(true);

    private static TrainedRadius radius(double rho) {
        return new TrainedRadius(MODEL, rho, 5, 0.01);
    }

    private static Iterate at(double lambda, double... theta) {
        return new Iterate(0, theta, new double[] {lambda});
    }

    private static double value(Objective objective, Iterate at, Dataset data) {
        return objective.value(at, objective.sums(at, data, true), data.columns());
    }

    /** sup over a grid of moves of one feature, row by row. */
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
            assertThat(value(radius(0.1), at(lambda, theta), data))
                    .isCloseTo(bruteForce(0.1, lambda, theta, data), within(1e-5));
        });
    }

    @Test
    void bothGradientsAreThoseOfTheValue() {
        Laws.check(30, seed -> {
            Randomness random = seed.random();
            Dataset data = Samples.dataset(seed, 300, 3);
            double[] theta = random.gaussians(4);
            double lambda = 1 + 5 * random.nextDouble();
            TrainedRadius objective = radius(random.nextDouble() + 0.01);
            Iterate here = at(lambda, theta);
            ShardSums sums = objective.sums(here, data, false);
            double[] gradient = objective.gradient(here, sums, 3);
            for (int i = 0; i < 4; i++) {
                double[] up = theta.clone();
                double[] down = theta.clone();
                up[i] += STEP;
                down[i] -= STEP;
                double slope = value(objective, at(lambda, up), data) - value(objective, at(lambda, down), data);
                assertThat(gradient[i]).isCloseTo(slope / (2 * STEP), within(1e-7));
            }
            double slope =
                    value(objective, at(lambda + STEP, theta), data) - value(objective, at(lambda - STEP, theta), data);
            assertThat(objective.dualGradient(here, sums)[0]).isCloseTo(slope / (2 * STEP), within(1e-7));
        });
    }

    /** At the best price rows move exactly as far as the radius allows; the value is convex in the price. */
    @Test
    void descentInThePriceUsesUpTheRadius() {
        Laws.check(5, seed -> {
            Dataset data = Samples.dataset(seed, 200, 2);
            double[] theta = seed.child("theta").random().gaussians(3);
            TrainedRadius objective = radius(0.01);
            double[] duals = objective.startDuals();
            double[] slope = {1};
            for (int step = 0; step < 2000 && Math.abs(slope[0]) > 1e-9; step++) {
                Iterate here = new Iterate(step, theta, duals);
                slope = objective.dualGradient(here, objective.sums(here, data, false));
                duals = objective.nextDuals(duals, slope, 50);
            }
            assertThat(slope[0]).isCloseTo(0, within(1e-8));
            double best = value(objective, at(duals[0], theta), data);
            for (double lambda = 0.2; lambda < 60; lambda *= 1.1) {
                assertThat(value(objective, at(lambda, theta), data)).isGreaterThanOrEqualTo(best - 1e-9);
            }
        });
    }

    @Test
    void piecesOfAShardMergeToTheSameBitsAndTheWorkerReportsBoth() {
        Dataset data = Samples.dataset(Seed.of(1), 1000, 3);
        TrainedRadius objective = radius(0.05);
        Iterate here = at(3, Seed.of(2).random().gaussians(4));
        ShardSums whole = objective.sums(here, data, true);
        ShardSums first = objective.sums(here, data.blocks().subList(0, 2), true);
        ShardSums merged = first.merge(objective.sums(here, data.blocks().subList(2, 4), true));
        assertThat(Laws.bits(merged.duals())).isEqualTo(Laws.bits(whole.duals()));
        assertThat(Laws.bits(merged.gradient())).isEqualTo(Laws.bits(whole.gradient()));
        WorkerReply.Update reply =
                (WorkerReply.Update) new Worker(0, data, objective).answer(new RoundRequest(here, true));
        assertThat(reply.duals()).containsExactly(objective.dualGradient(here, whole));
        assertThat(reply.vector()).containsExactly(objective.gradient(here, whole, 3));
        assertThat(reply.loss()).isEqualTo(objective.value(here, whole, 3));
    }

    @Test
    void thePriceStaysInItsDomain() {
        assertThat(radius(1).nextDuals(new double[] {2}, new double[] {0.5}, 1)).containsExactly(1.5);
        assertThat(radius(1).nextDuals(new double[] {2}, new double[] {5}, 1)).containsExactly(0.01);
    }
}
