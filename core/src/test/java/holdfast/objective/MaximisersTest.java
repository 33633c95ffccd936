package holdfast.objective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import holdfast.InputException;
import holdfast.Randomness;
import holdfast.Seed;
import holdfast.data.Block;
import holdfast.data.DenseBlock;
import holdfast.math.Vectors;
import holdfast.model.HuberRegression;
import holdfast.model.LinearModel;
import holdfast.model.LinearRegression;
import holdfast.model.LogisticRegression;
import holdfast.model.PoissonRegression;
import holdfast.model.SmoothedHinge;
import holdfast.model.SoftmaxRegression;
import holdfast.testkit.Laws;
import holdfast.testkit.Samples;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class MaximisersTest {

    /** A random block and parameters, lambda being this many times L_zz. */
    private record Problem(LinearModel model, Block block, double[] theta, double lambda) {
        /** Least squares are left out where they have no worst case. */
        static Problem draw(Seed seed, double least, double most) {
            Randomness random = seed.child("problem").random();
            int d = 1 + random.nextInt(12);
            boolean intercept = random.nextInt(2) == 0;
            LinearModel model = switch (random.nextInt(least > 1 ? 4 : 3)) {
                case 0 -> new LogisticRegression(intercept);
                case 1 -> new SmoothedHinge(intercept, 0.2 + random.nextDouble());
                case 2 -> new HuberRegression(intercept, 0.2 + random.nextDouble());
                default -> new LinearRegression(intercept);
            };
            double[] theta = Vectors.scaled(0.2 + random.nextDouble(), random.gaussians(model.parameters(d)));
            double zz = model.smoothness(theta, d, 0, 0).zz();
            double lambda = zz * (least + (most - least) * random.nextDouble());
            Block block = Samples.block(seed, 1 + random.nextInt(20), d, random.nextInt(2) == 0);
            return new Problem(model, block, theta, lambda);
        }

        /** f(theta; z) - lambda c(z, x_j) */
        double gain(int j, double[] z) {
            double[] gap = row(block, j);
            Vectors.addScaled(gap, -1, z, gap.length);
            Block moved = new DenseBlock(z.length, z, new double[] {block.labels()[j]}, null);
            return model.loss(theta, moved) - lambda * Vectors.dot(gap, gap, gap.length) / 2;
        }
    }

    private static double[] row(Block block, int j) {
        double[] x = new double[block.columns()];
        block.copyRow(j, x, 0);
        return x;
    }

    private static double distance(double[] a, double[] b) {
        double[] gap = a.clone();
        Vectors.addScaled(gap, -1, b, gap.length);
        return Vectors.norm(gap);
    }

    private static double[] gradient(Problem p, WorstCase worst) {
        double[] gradient = new double[p.theta.length];
        p.model.addGradient(p.theta, worst.rows(), gradient);
        return gradient;
    }

    @Test
    void theRecurrenceMakesTheIteratesOfTheAscent() {
        Laws.check(300, seed -> {
            Problem p = Problem.draw(seed, 0.5, 4);
            Randomness random = seed.child("effort").random();
            double rate = (0.05 + random.nextDouble()) / p.lambda;
            Effort steps = new Effort.Steps(random.nextInt(101));
            WorstCase slow = new GradientAscent(p.model, p.lambda, rate).maximise(p.theta, p.block, steps);
            WorstCase fast = new ScalarRecurrence(p.model, p.lambda, rate).maximise(p.theta, p.block, steps);
            for (int j = 0; j < p.block.rows(); j++) {
                assertThat(row(fast.rows(), j)).containsExactly(row(slow.rows(), j), within(1e-12));
            }
            assertThat(fast.costs()).containsExactly(slow.costs(), within(1e-12));
            assertThat(gradient(p, fast)).containsExactly(gradient(p, slow), within(1e-12 * p.block.rows() * 10));
            if (Double.isInfinite(slow.precision())) {
                assertThat(fast.precision()).isInfinite();
            } else {
                assertThat(fast.precision()).isCloseTo(slow.precision(), within(1e-11));
            }
        });
    }

    /** Few steps: without a box they go to infinity. */
    @Test
    void soItDoesForPoissonRegression() {
        Laws.check(50, seed -> {
            Randomness random = seed.child("poisson").random();
            int d = 1 + random.nextInt(5);
            PoissonRegression model = new PoissonRegression(true);
            double[] theta = Vectors.scaled(0.2, random.gaussians(d + 1));
            Block block = Samples.block(seed, 10, d, false);
            Effort steps = new Effort.Steps(random.nextInt(5));
            WorstCase slow = new GradientAscent(model, 30, 0.02).maximise(theta, block, steps);
            WorstCase fast = new ScalarRecurrence(model, 30, 0.02).maximise(theta, block, steps);
            for (int j = 0; j < block.rows(); j++) {
                assertThat(row(fast.rows(), j)).containsExactly(row(slow.rows(), j), within(1e-12));
            }
        });
    }

    @Test
    void noAscentGetsAboveTheExactMaximum() {
        Laws.check(200, seed -> {
            Problem p = Problem.draw(seed, 0.05, 3);
            Effort steps = new Effort.Steps(seed.random().nextInt(50));
            WorstCase exact = new ExactMaximiser(p.model, p.lambda).maximise(p.theta, p.block, steps);
            WorstCase near = new ScalarRecurrence(p.model, p.lambda, 1 / p.lambda).maximise(p.theta, p.block, steps);
            for (int j = 0; j < p.block.rows(); j++) {
                double best = p.gain(j, row(exact.rows(), j));
                assertThat(p.gain(j, row(near.rows(), j))).isLessThanOrEqualTo(best + 1e-12 * (1 + Math.abs(best)));
            }
        });
    }

    @Test
    void withoutStepsRowsStayWhereTheyAre() {
        Laws.check(20, seed -> {
            Problem p = Problem.draw(seed, 1.1, 4);
            WorstCase worst = new ScalarRecurrence(p.model, p.lambda, 1 / p.lambda)
                    .maximise(p.theta, p.block, new Effort.Steps(0));
            WorstCase none = InnerMaximiser.none().maximise(p.theta, p.block, new Effort.Steps(7));
            assertThat(worst.costs()).containsOnly(0);
            assertThat(none.costs()).containsOnly(0);
            for (int j = 0; j < p.block.rows(); j++) {
                assertThat(row(worst.rows(), j)).isEqualTo(row(p.block, j)).isEqualTo(row(none.rows(), j));
            }
        });
    }

    @Test
    void nothingIsWorseThanTheExactMaximumAlsoWhereTheProblemIsNotConcave() {
        Laws.check(200, seed -> {
            Problem p = Problem.draw(seed, 0.02, 2);
            int d = p.block.columns();
            double n = Vectors.dot(p.theta, p.theta, d);
            Randomness random = seed.child("rivals").random();
            WorstCase exact = new ExactMaximiser(p.model, p.lambda).maximise(p.theta, p.block, new Effort.Steps(0));
            for (int j = 0; j < p.block.rows(); j++) {
                double[] z = row(exact.rows(), j);
                double best = p.gain(j, z);
                double slack = 1e-12 * (1 + Math.abs(best));
                assertThat(exact.costs()[j])
                        .isCloseTo(
                                Math.pow(distance(z, row(p.block, j)), 2) / 2, within(1e-10 * (1 + exact.costs()[j])));
                for (int i = -200; i <= 200; i++) {
                    double[] rival = row(p.block, j);
                    Vectors.addScaled(rival, i / (200 * p.lambda), p.theta, d);
                    assertThat(p.gain(j, rival)).as("along theta").isLessThanOrEqualTo(best + slack);
                }
                for (int i = 0; i < 40; i++) {
                    double[] rival = (i % 2 == 0 ? z : row(p.block, j)).clone();
                    double size = Math.sqrt(n) / p.lambda * Math.pow(10, -3 * random.nextDouble());
                    Vectors.addScaled(rival, size / Math.sqrt(d), random.gaussians(d), d);
                    assertThat(p.gain(j, rival)).as("anywhere").isLessThanOrEqualTo(best + slack);
                }
            }
        });
    }

    @Test
    void theCertifiedPrecisionHoldsAndIsTheOneAskedFor() {
        Laws.check(200, seed -> {
            Problem p = Problem.draw(seed, 1.05, 5);
            double epsilon = Math.pow(10, -1 - 8 * seed.random().nextDouble());
            Effort effort = new Effort.Precision(epsilon);
            WorstCase exact = new ExactMaximiser(p.model, p.lambda).maximise(p.theta, p.block, effort);
            assertThat(exact.precision()).isLessThan(1e-12);
            for (InnerMaximiser ascent : List.of(
                    new ScalarRecurrence(p.model, p.lambda, 1 / p.lambda),
                    new GradientAscent(p.model, p.lambda, 1 / p.lambda))) {
                WorstCase near = ascent.maximise(p.theta, p.block, effort);
                assertThat(near.precision()).isLessThanOrEqualTo(epsilon);
                for (int j = 0; j < p.block.rows(); j++) {
                    assertThat(distance(row(near.rows(), j), row(exact.rows(), j)))
                            .isLessThanOrEqualTo(near.precision() + exact.precision() + 1e-13);
                }
            }
        });
    }

    @Test
    void anAscentCertifiesNothingWhereTheProblemIsNotConcave() {
        Laws.check(50, seed -> {
            Problem p = Problem.draw(seed, 0.1, 1);
            for (Effort effort : List.of(new Effort.Steps(5), new Effort.Precision(1e-3))) {
                assertThat(new ScalarRecurrence(p.model, p.lambda, 1 / p.lambda)
                                .maximise(p.theta, p.block, effort)
                                .precision())
                        .isInfinite();
                assertThat(new GradientAscent(p.model, p.lambda, 1 / p.lambda)
                                .maximise(p.theta, p.block, effort)
                                .precision())
                        .isInfinite();
            }
            assertThat(new ExactMaximiser(p.model, p.lambda)
                            .maximise(p.theta, p.block, new Effort.Steps(0))
                            .precision())
                    .isLessThan(1e-10 / p.lambda);
        });
    }

    @Test
    void everyMaximiserLeavesItsInputUntouched() {
        Laws.check(20, seed -> {
            Problem p = Problem.draw(seed, 0.5, 3);
            Problem same = Problem.draw(seed, 0.5, 3);
            List<InnerMaximiser> all = List.of(
                    new ScalarRecurrence(p.model, p.lambda, 1 / p.lambda),
                    new GradientAscent(p.model, p.lambda, 1 / p.lambda),
                    new ExactMaximiser(p.model, p.lambda),
                    InnerMaximiser.none());
            all.forEach(m -> m.maximise(p.theta, p.block, new Effort.Steps(10)));
            assertThat(Laws.bits(p.theta)).isEqualTo(Laws.bits(same.theta));
            for (int j = 0; j < p.block.rows(); j++) {
                assertThat(row(p.block, j)).isEqualTo(row(same.block, j));
            }
        });
    }

    @Test
    void theGradientOfTheRobustLossIsThatOfItsValue() {
        Laws.check(40, seed -> {
            Problem p = Problem.draw(seed, 1.5, 4);
            int d = p.block.columns();
            RobustLoss loss = new RobustLoss(
                    p.model, new ExactMaximiser(p.model, p.lambda), Effort.always(new Effort.Steps(0)), 0.3);
            double[] gradient =
                    loss.gradient(Iterate.of(p.theta), loss.sums(Iterate.of(p.theta), List.of(p.block), false), d);
            for (int i = 0; i < p.theta.length; i++) {
                double[] above = p.theta.clone();
                double[] below = p.theta.clone();
                above[i] += 1e-5;
                below[i] -= 1e-5;
                double slope = (loss.value(Iterate.of(above), loss.sums(Iterate.of(above), List.of(p.block), true), d)
                                - loss.value(
                                        Iterate.of(below), loss.sums(Iterate.of(below), List.of(p.block), true), d))
                        / 2e-5;
                assertThat(gradient[i]).isCloseTo(slope, within(1e-6));
            }
        });
    }

    @Test
    void twoStagesHaveTheirOwnEffort() {
        Effort first = new Effort.Precision(0.1);
        Effort second = new Effort.Precision(0.001);
        assertThat(Effort.twoStage(first, second).at(true)).isEqualTo(first);
        assertThat(Effort.twoStage(first, second).at(false)).isEqualTo(second);
        assertThat(Effort.always(second).at(true)).isEqualTo(second);
    }

    @Test
    void nonsenseIsRefused() {
        LogisticRegression model = new LogisticRegression(true);
        for (double bad : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
            assertThatThrownBy(() -> new ExactMaximiser(model, bad)).isInstanceOf(InputException.class);
            assertThatThrownBy(() -> new ScalarRecurrence(model, bad, 1)).isInstanceOf(InputException.class);
            assertThatThrownBy(() -> new GradientAscent(model, 1, bad)).isInstanceOf(InputException.class);
            assertThatThrownBy(() -> new Effort.Precision(bad)).isInstanceOf(InputException.class);
        }
        assertThatThrownBy(() -> new Effort.Steps(-1)).isInstanceOf(InputException.class);
        assertThatThrownBy(() -> new RobustLoss(model, InnerMaximiser.none(), round -> null, -1))
                .isInstanceOf(InputException.class);
    }

    /** Also where lambda is far below L_zz; rates up to 2/lambda are all that is allowed. */
    @Test
    void noStepOfAnAscentLosesAnything() {
        Laws.check(100, seed -> {
            Problem p = Problem.draw(seed, 0.05, 0.9);
            double rate = 2 * Math.sqrt(seed.child("rate").random().nextDouble()) / p.lambda;
            if (rate * p.lambda >= 2) {
                return;
            }
            for (InnerMaximiser ascent : List.of(
                    new GradientAscent(p.model, p.lambda, rate), new ScalarRecurrence(p.model, p.lambda, rate))) {
                double[] last = new double[p.block.rows()];
                Arrays.setAll(last, j -> p.gain(j, row(p.block, j)));
                for (int steps : new int[] {1, 2, 3, 10, 100}) {
                    Block moved = ascent.maximise(p.theta, p.block, new Effort.Steps(steps))
                            .rows();
                    for (int j = 0; j < last.length; j++) {
                        double gain = p.gain(j, row(moved, j));
                        assertThat(gain).isGreaterThanOrEqualTo(last[j] - 1e-9 * (1 + Math.abs(last[j])));
                        last[j] = gain;
                    }
                }
            }
        });
    }

    @Test
    void aRateAtWhichTheAscentDivergesIsRefusedWithTheLargestThatWorks() {
        LogisticRegression model = new LogisticRegression(true);
        String message = "--ascent-rate must be below 2/lambda = 0.02, or the ascent diverges; got 0.02";
        assertThatThrownBy(() -> new ScalarRecurrence(model, 100, 0.02)).hasMessage(message);
        assertThatThrownBy(() -> new GradientAscent(model, 100, 0.02)).hasMessage(message);
        assertThatThrownBy(() -> new SubspaceRecurrence(new SoftmaxRegression(3, true), 100, 0.02))
                .hasMessage(message);
        new ScalarRecurrence(model, 100, Math.nextDown(0.02));
    }
}
