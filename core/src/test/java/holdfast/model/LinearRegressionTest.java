package holdfast.model;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.InputException;
import holdfast.Randomness;
import holdfast.testkit.LinearModelContract;
import org.junit.jupiter.api.Test;

class LinearRegressionTest extends LinearModelContract {
    @Override
    protected LinearModel model() {
        return new LinearRegression(true);
    }

    @Override
    protected double label(Randomness random) {
        return 2 * random.nextGaussian();
    }

    @Override
    protected double price(double n, Randomness random) {
        return n * (1 + Math.pow(10, 3 * random.nextDouble() - 2));
    }

    @Test
    void whereTheWorstCaseIsInfiniteItIsRefused() {
        for (double lambda : new double[] {1, 2}) {
            assertThatThrownBy(() -> model().worstMove(1, 0, 2, lambda))
                    .isInstanceOf(InputException.class)
                    .hasMessage(
                            "model linear needs --lambda above ||theta||^2, or the worst case is infinite; got --lambda "
                                    + lambda + ", ||theta||^2 is 2.0");
        }
    }
}
