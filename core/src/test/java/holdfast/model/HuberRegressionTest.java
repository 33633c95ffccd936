package holdfast.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.InputException;
import holdfast.Randomness;
import holdfast.Spec;
import holdfast.testkit.Laws;
import holdfast.testkit.LinearModelContract;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class HuberRegressionTest {

    @Nested
    class WithIntercept extends LinearModelContract {
        @Override
        protected LinearModel model() {
            return new HuberRegression(true, 1);
        }

        @Override
        protected double label(Randomness random) {
            return 2 * random.nextGaussian();
        }
    }

    @Nested
    class Narrow extends LinearModelContract {
        @Override
        protected LinearModel model() {
            return new HuberRegression(false, 0.3);
        }

        @Override
        protected double label(Randomness random) {
            return random.nextInt(3) - 1;
        }
    }

    @Test
    void aWideOneIsLeastSquares() {
        Laws.check(200, seed -> {
            Randomness random = seed.random();
            double u = random.nextGaussian();
            double y = random.nextGaussian();
            HuberRegression wide = new HuberRegression(true, 1e6);
            LinearRegression linear = new LinearRegression(true);
            assertThat(wide.loss(u, y)).isEqualTo(linear.loss(u, y));
            assertThat(wide.worstMove(u, y, 2, 3)).isEqualTo(linear.worstMove(u, y, 2, 3));
        });
    }

    @Test
    void deltaMustBePositive() {
        for (String bad : new String[] {"0", "-1", "NaN", "Infinity"}) {
            assertThatThrownBy(() -> Models.catalogue().create(Spec.parse("huber(delta=" + bad + ")")))
                    .isInstanceOf(InputException.class)
                    .hasMessageStartingWith("huber: delta must be finite and > 0, got ");
        }
    }
}
