package holdfast.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import holdfast.InputException;
import holdfast.Spec;
import holdfast.testkit.Laws;
import holdfast.testkit.LinearModelContract;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class SmoothedHingeTest {

    @Nested
    class WithIntercept extends LinearModelContract {
        @Override
        protected LinearModel model() {
            return new SmoothedHinge(true, 1);
        }
    }

    @Nested
    class Sharp extends LinearModelContract {
        @Override
        protected LinearModel model() {
            return new SmoothedHinge(false, 0.25);
        }
    }

    @Nested
    class Soft extends LinearModelContract {
        @Override
        protected LinearModel model() {
            return new SmoothedHinge(true, 3);
        }
    }

    @Test
    void aSharpOneIsTheHingeLoss() {
        SmoothedHinge sharp = new SmoothedHinge(true, 1e-9);
        Laws.check(100, seed -> {
            double u = 2 * seed.random().nextGaussian();
            assertThat(sharp.loss(u, 1)).isCloseTo(Math.max(0, 1 - u), within(1e-9));
            assertThat(sharp.loss(u, 0)).isCloseTo(Math.max(0, 1 + u), within(1e-9));
        });
    }

    @Test
    void smoothingMustBePositive() {
        for (String bad : new String[] {"0", "-1", "NaN", "Infinity"}) {
            assertThatThrownBy(() -> Models.catalogue().create(Spec.parse("svm(smoothing=" + bad + ")")))
                    .isInstanceOf(InputException.class)
                    .hasMessageStartingWith("svm: smoothing must be finite and > 0, got ");
        }
    }
}
