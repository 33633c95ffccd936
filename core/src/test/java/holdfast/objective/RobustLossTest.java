package holdfast.objective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import holdfast.Seed;
import holdfast.data.Dataset;
import holdfast.math.Vectors;
import holdfast.model.LinearModel;
import holdfast.model.LogisticRegression;
import holdfast.model.PoissonRegression;
import holdfast.model.SoftmaxRegression;
import holdfast.testkit.Laws;
import holdfast.testkit.Samples;
import java.util.List;
import org.junit.jupiter.api.Test;

class RobustLossTest {
    private static final LinearModel MODEL = new LogisticRegression(true);

    private static RobustLoss loss(double l2) {
        return new RobustLoss(MODEL, new ExactMaximiser(MODEL, 3), Effort.always(new Effort.Steps(0)), l2);
    }

    private static double value(RobustLoss loss, double[] theta, Dataset data) {
        return loss.value(Iterate.of(theta), loss.sums(Iterate.of(theta), data, true), data.columns());
    }

    /** The envelope theorem (the paper, eq. 4): the gradient at the worst case is that of the supremum itself. */
    @Test
    void theGradientIsThatOfTheValuePenaltyIncluded() {
        Laws.check(20, seed -> {
            Dataset data = Samples.dataset(seed, 300, 3);
            double[] theta = seed.child("theta").random().gaussians(4);
            RobustLoss loss = loss(0.7);
            double[] gradient =
                    loss.gradient(Iterate.of(theta), loss.sums(Iterate.of(theta), data, false), data.columns());
            for (int i = 0; i < theta.length; i++) {
                double[] up = theta.clone();
                double[] down = theta.clone();
                up[i] += 1e-5;
                down[i] -= 1e-5;
                assertThat(gradient[i])
                        .isCloseTo((value(loss, up, data) - value(loss, down, data)) / 2e-5, within(1e-7));
            }
        });
    }

    @Test
    void thePenaltyLeavesTheInterceptAlone() {
        Laws.check(20, seed -> {
            Dataset data = Samples.dataset(seed, 50, 3);
            double[] theta = seed.child("theta").random().gaussians(4);
            assertThat(value(loss(2), theta, data) - value(loss(0), theta, data))
                    .isCloseTo(Vectors.dot(theta, theta, 3), within(1e-12));
        });
    }

    /** Softmax and Poisson regression, the ascent: what has no way of its own through a shard, beside what has. */
    @Test
    void theGradientIsThatOfTheValueForEveryModelAndMaximiser() {
        SoftmaxRegression softmax = new SoftmaxRegression(2, true);
        PoissonRegression poisson = new PoissonRegression(true);
        Effort.Schedule full = Effort.always(new Effort.Precision(1e-9));
        for (RobustLoss loss : List.of(
                RobustLoss.plain(MODEL),
                RobustLoss.plain(softmax),
                new RobustLoss(MODEL, new GradientAscent(MODEL, 3, 0.3), full, 0.1),
                new RobustLoss(MODEL, new ScalarRecurrence(MODEL, 3, 0.3), full, 0.1),
                new RobustLoss(softmax, new SubspaceRecurrence(softmax, 3, 0.3), full, 0.1),
                new RobustLoss(poisson, new BoxMaximiser(poisson, 3, new Box(2)), full, 0.1))) {
            Laws.check(5, seed -> {
                Dataset data = Samples.dataset(seed, 300, 3);
                double[] theta = Vectors.scaled(
                        0.5, seed.child("theta").random().gaussians(loss.model().parameters(3)));
                double[] gradient = loss.gradient(Iterate.of(theta), loss.sums(Iterate.of(theta), data, false), 3);
                for (int i = 0; i < theta.length; i++) {
                    double[] up = theta.clone();
                    double[] down = theta.clone();
                    up[i] += 1e-5;
                    down[i] -= 1e-5;
                    assertThat(gradient[i])
                            .as("%s", loss.maximiser())
                            .isCloseTo((value(loss, up, data) - value(loss, down, data)) / 2e-5, within(1e-6));
                }
            });
        }
    }

    /** (H + (damping + l2) I) step = g, with H step as the difference of gradients and rows that stay where they are. */
    @Test
    void aNewtonStepSolvesItsEquations() {
        Laws.check(20, seed -> {
            Dataset data = Samples.dataset(seed, 600, 3);
            double[] theta = seed.child("theta").random().gaussians(4);
            double[] g = seed.child("g").random().gaussians(4);
            double l2 = 0.7;
            double damping = 0.2;
            RobustLoss loss = new RobustLoss(MODEL, InnerMaximiser.none(), Effort.always(new Effort.Steps(0)), l2);
            double[] step = loss.newton(Iterate.of(theta), data, g, damping);
            double h = 1e-5;
            double[] up = theta.clone();
            double[] down = theta.clone();
            Vectors.addScaled(up, h, step, 4);
            Vectors.addScaled(down, -h, step, 4);
            double[] above = loss.gradient(Iterate.of(up), loss.sums(Iterate.of(up), data, false), 3);
            double[] below = loss.gradient(Iterate.of(down), loss.sums(Iterate.of(down), data, false), 3);
            for (int i = 0; i < 4; i++) {
                assertThat((above[i] - below[i]) / (2 * h) + damping * step[i]).isCloseTo(g[i], within(1e-7));
            }
        });
    }

    @Test
    void plainIsTheMeanLossOfTheRowsAsTheyAre() {
        Dataset data = Samples.dataset(Seed.of(1), 300, 3);
        double[] theta = Seed.of(2).random().gaussians(4);
        double sum = data.blocks().stream()
                .mapToDouble(block -> MODEL.loss(theta, block))
                .sum();
        assertThat(value(RobustLoss.plain(MODEL), theta, data)).isCloseTo(sum / 300, within(1e-13));
        assertThat(InnerMaximiser.none().lambda()).isInfinite();
    }
}
