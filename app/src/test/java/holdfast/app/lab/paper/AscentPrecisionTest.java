package holdfast.app.lab.paper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import holdfast.data.DataSource;
import holdfast.data.Dataset;
import holdfast.data.DenseBlock;
import holdfast.data.Schema;
import holdfast.model.LogisticRegression;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class AscentPrecisionTest {
    private static final double LAMBDA = 3;
    private static final double RATE = 0.05;
    private static final int D = 6;
    private static final int ROWS = 200;

    private final Random random = new Random(3);
    private final double[] theta = random.doubles(D, -0.8, 0.8).toArray();
    private final double[] x = random.doubles(ROWS * D, -2, 2).toArray();
    private final double[] labels = random.ints(ROWS, 0, 2).asDoubleStream().toArray();

    private AscentPrecision measured() {
        Dataset rows = Dataset.of(
                new Schema(List.of("a", "b", "c", "d", "e", "f"), "y", List.of("no", "yes"), List.of()),
                List.of(new DenseBlock(D, x, labels, null)),
                DataSource.MEMORY);
        return AscentPrecision.measure(new LogisticRegression(false), theta, rows, LAMBDA, RATE);
    }

    private double squared() {
        double n = 0;
        for (double t : theta) {
            n += t * t;
        }
        return n;
    }

    private double slope(int row, double s) {
        double u = s * squared();
        for (int i = 0; i < D; i++) {
            u += theta[i] * x[row * D + i];
        }
        return 1 / (1 + Math.exp(-u)) - labels[row] - LAMBDA * s;
    }

    /** The root of the derivative, by bisection. */
    private double exact(int row) {
        double low = -1 / LAMBDA;
        double high = 1 / LAMBDA;
        for (int k = 0; k < 100; k++) {
            double middle = (low + high) / 2;
            if (slope(row, middle) > 0) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** The first number of steps after which no row is farther than this from its worst case. */
    private int steps(double epsilon, double rate) {
        int most = 0;
        for (int j = 0; j < ROWS; j++) {
            double goal = exact(j);
            double s = 0;
            int t = 0;
            while (Math.abs(s - goal) * Math.sqrt(squared()) > epsilon) {
                s += rate * slope(j, s);
                t++;
            }
            most = Math.max(most, t);
        }
        return most;
    }

    @Test
    void countsTheStepsThatBruteForceTakes() {
        AscentPrecision measured = measured();
        assertThat(measured.levels()).hasSize(6);
        for (AscentPrecision.Level level : measured.levels()) {
            assertThat(level.steps()).isEqualTo(steps(level.epsilon(), RATE));
            assertThat(level.fastSteps()).isEqualTo(steps(level.epsilon(), 1 / LAMBDA));
        }
    }

    @Test
    void noPrecisionTakesMoreStepsThanTheFormulaSays() {
        AscentPrecision measured = measured();
        assertThat(measured.zz()).isCloseTo(squared() / 4, within(1e-12)).isLessThan(LAMBDA);
        double farthest = 0;
        for (int j = 0; j < ROWS; j++) {
            farthest = Math.max(farthest, Math.abs(exact(j)) * Math.sqrt(squared()));
        }
        assertThat(measured.distance()).isCloseTo(farthest, within(1e-12));
        double p = 1 - RATE * (LAMBDA - squared() / 4);
        assertThat(measured.afterTen()).isLessThan(Math.pow(p, 10) * farthest).isGreaterThan(0.1 * farthest);
        for (AscentPrecision.Level level : measured.levels()) {
            assertThat(level.bound())
                    .isEqualTo((int) Math.max(0, Math.ceil(Math.log(farthest / level.epsilon()) / -Math.log(p))))
                    .isGreaterThanOrEqualTo(level.steps());
            assertThat(level.fastBound()).isGreaterThanOrEqualTo(level.fastSteps());
        }
    }

    @Test
    void theWorseOfTwoIsTheWorseInEachRespect() {
        AscentPrecision.Level few = new AscentPrecision.Level(0.1, 3, 9, 1, 5);
        AscentPrecision.Level many = new AscentPrecision.Level(0.1, 4, 8, 2, 4);
        assertThat(new AscentPrecision(1, 5, 2, List.of(few)).worse(new AscentPrecision(2, 4, 3, List.of(many))))
                .isEqualTo(new AscentPrecision(2, 5, 3, List.of(new AscentPrecision.Level(0.1, 4, 9, 2, 5))));
    }
}
