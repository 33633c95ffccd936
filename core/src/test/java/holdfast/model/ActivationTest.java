package holdfast.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import holdfast.Randomness;
import holdfast.math.Logistic;
import holdfast.testkit.Laws;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ActivationTest {
    private static final double[] ODD = {
        0, -0.0, 1e-300, -1e-300, 1e-9, -1e-9, 7, -7, 20, -20, 700, -700, 800, -800, 1e300, -1e300, 1e308, -1e308
    };

    private static double exact(Activation activation, double a) {
        return switch (activation) {
            case SOFTPLUS -> Math.max(a, 0) + StrictMath.log1p(StrictMath.exp(-Math.abs(a)));
            case TANH -> StrictMath.tanh(a);
            case GELU -> a * 0.5 * (1 + StrictMath.tanh(Math.sqrt(2 / Math.PI) * (a + 0.044715 * a * a * a)));
            case ELU -> a > 0 ? a : StrictMath.expm1(a);
            case RELU -> Math.max(a, 0);
        };
    }

    /** The derivative of {@link #exact}, in a form that loses no digits. */
    private static double exactSlope(Activation activation, double a) {
        return switch (activation) {
            case SOFTPLUS -> 1 / (1 + StrictMath.exp(-a));
            case TANH -> 1 / (StrictMath.cosh(a) * StrictMath.cosh(a));
            case GELU -> {
                double x = Math.max(-50, Math.min(50, a));
                double less = 1 / (1 + StrictMath.exp(Math.sqrt(8 / Math.PI) * Math.abs(x + 0.044715 * x * x * x)));
                double along = Math.sqrt(8 / Math.PI) * (1 + 3 * 0.044715 * x * x);
                yield (a > 0 ? 1 - less : less) + x * less * (1 - less) * along;
            }
            case ELU -> a > 0 ? 1 : StrictMath.exp(a);
            case RELU -> a < 0 || 1 / a < 0 ? 0 : 1;
        };
    }

    private static double slope(Activation activation, double a) {
        double[] slope = new double[1];
        activation.apply(new double[] {a}, new double[1], slope, 1);
        return slope[0];
    }

    private static double value(Activation activation, double a) {
        double[] value = new double[1];
        activation.apply(new double[] {a}, value, new double[1], 1);
        return value[0];
    }

    /** Against the JDK's StrictMath, which is within 1 ulp; many at once and one by one have the same bits. */
    @ParameterizedTest
    @EnumSource
    void valuesAreThoseOfStrictMath(Activation activation) {
        Laws.check(200, seed -> {
            Randomness random = seed.random();
            double[] a = random.gaussians(1 + random.nextInt(60));
            double size = Math.pow(10, 3 * random.nextDouble() - 1);
            for (int i = 0; i < a.length; i++) {
                a[i] = random.nextInt(10) == 0 ? ODD[random.nextInt(ODD.length)] : size * a[i];
            }
            double[] before = a.clone();
            double[] value = new double[a.length];
            double[] slope = new double[a.length];
            activation.apply(a, value, slope, a.length);
            assertThat(a).isEqualTo(before);
            for (int i = 0; i < a.length; i++) {
                double exact = exact(activation, a[i]);
                assertThat(value[i]).as("at %s", a[i]).isCloseTo(exact, within(1e-15 * Math.max(1, Math.abs(exact))));
                assertThat(Math.abs(value[i])).isLessThanOrEqualTo(activation.bound());
                assertThat(slope[i]).as("at %s", a[i]).isCloseTo(exactSlope(activation, a[i]), within(1e-15));
                assertThat(Double.doubleToLongBits(value(activation, a[i])))
                        .isEqualTo(Double.doubleToLongBits(value[i]));
                assertThat(slope(activation, a[i])).isEqualTo(slope[i]);
            }
        });
    }

    private static double difference(DoubleUnaryOperator f, double a) {
        double step = 1e-5;
        return (f.applyAsDouble(a + step) - f.applyAsDouble(a - step)) / (2 * step);
    }

    @ParameterizedTest
    @EnumSource
    void slopesAndBendsAreDerivativesWithinTheirBounds(Activation activation) {
        double steepest = 0;
        double sharpest = 0;
        for (double a = -9.9995; a < 10; a += 0.001) {
            double slope = slope(activation, a);
            double[] bend = new double[1];
            activation.bends(new double[] {a}, bend, 1);
            assertThat(slope).as("at %s", a).isCloseTo(difference(x -> exact(activation, x), a), within(1e-9));
            if (Math.abs(a) > 1e-4) {
                assertThat(bend[0]).as("at %s", a).isCloseTo(difference(x -> slope(activation, x), a), within(1e-8));
            }
            steepest = Math.max(steepest, Math.abs(slope));
            sharpest = Math.max(sharpest, Math.abs(bend[0]));
        }
        assertThat(steepest).isBetween(0.998 * activation.slopeBound(), activation.slopeBound());
        if (activation.smooth()) {
            assertThat(sharpest).isBetween(0.998 * activation.bendBound(), activation.bendBound());
        }
        assertThat(activation.smooth()).isEqualTo(activation != Activation.RELU);
        assertThat(activation.atZero()).isCloseTo(activation == Activation.SOFTPLUS ? Math.log(2) : 0, within(1e-15));
    }

    @Test
    void theLogarithmIsThatOfStrictMath() {
        double[] worst = new double[1];
        for (double e = 1e-18; e <= 1; e = Math.min(e * 1.001, e + 1e-4)) {
            double exact = StrictMath.log1p(e);
            worst[0] = Math.max(worst[0], Math.abs(Logistic.log1p(e) - exact) / exact);
        }
        assertThat(worst[0]).isLessThan(1e-15);
        assertThat(Logistic.log1p(0)).isZero();
    }
}
