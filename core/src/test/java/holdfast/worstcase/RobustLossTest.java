package holdfast.worstcase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import holdfast.Laws;
import holdfast.Samples;
import holdfast.data.Dataset;
import holdfast.math.Vectors;
import holdfast.model.LinearModel;
import holdfast.model.LogisticRegression;
import org.junit.jupiter.api.Test;

class RobustLossTest {
    private static final LinearModel MODEL = new LogisticRegression(true);

    private static RobustLoss loss(double l2) {
        return new RobustLoss(MODEL, new ExactMaximiser(MODEL, 3), Effort.always(new Effort.Steps(0)), l2);
    }

    private static double value(RobustLoss loss, double[] theta, Dataset data) {
        return loss.value(theta, loss.sums(theta, data, 0, true), data.columns());
    }

    /** The envelope theorem (the paper, eq. 4): the gradient at the worst case is that of the supremum itself. */
    @Test
    void theGradientIsThatOfTheValuePenaltyIncluded() {
        Laws.check(20, seed -> {
            Dataset data = Samples.dataset(seed, 300, 3);
            double[] theta = seed.child("theta").random().gaussians(4);
            RobustLoss loss = loss(0.7);
            double[] gradient = loss.gradient(theta, loss.sums(theta, data, 0, false), data.columns());
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
}
