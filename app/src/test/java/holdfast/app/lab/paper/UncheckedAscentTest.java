package holdfast.app.lab.paper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import holdfast.InputException;
import holdfast.data.Block;
import holdfast.data.DenseBlock;
import holdfast.math.Scratch;
import holdfast.math.Vectors;
import holdfast.model.LogisticRegression;
import holdfast.objective.AlongTheta;
import holdfast.objective.Effort;
import holdfast.objective.ExactMaximiser;
import holdfast.objective.ScalarRecurrence;
import java.util.Random;
import org.junit.jupiter.api.Test;

class UncheckedAscentTest {
    private static final int D = 5;
    private static final int ROWS = 64;
    private static final double RATE = 0.05;
    private static final LogisticRegression MODEL = new LogisticRegression(false);

    private final Random random = new Random(7);
    private final double[] theta = random.doubles(D, -1, 1).toArray();
    private final double[] x = random.doubles(ROWS * D, -2, 2).toArray();
    private final double[] labels = random.ints(ROWS, 0, 2).asDoubleStream().toArray();
    private final Block rows = new DenseBlock(D, x, labels, null);

    /** s such that z = x + s theta, by row. */
    private double[] moves(AlongTheta maximiser, int steps) {
        double n = Vectors.dot(theta, theta, D);
        double[] along = new double[ROWS];
        rows.times(theta, along);
        double[] s = new double[ROWS];
        maximiser.moves(
                new AlongTheta.Line(theta, n, 0, n / 4, 1),
                along,
                labels,
                new Effort.Steps(steps),
                s,
                ROWS,
                new Scratch());
        return s;
    }

    private double[] moves(double lambda, int steps) {
        return moves(new UncheckedAscent.Maximiser(MODEL, lambda, RATE), steps);
    }

    @Test
    void takesTheStepsOfTheRecurrenceWhereThatConverges() {
        for (int steps : new int[] {0, 1, 10, 100}) {
            for (double lambda : new double[] {0.3, 3, 30}) {
                assertThat(moves(lambda, steps)).isEqualTo(moves(new ScalarRecurrence(MODEL, lambda, RATE), steps));
            }
        }
    }

    /** The ascent as the paper states it, on the rows themselves. */
    private double[] ascended(double lambda, int steps) {
        double[] out = new double[ROWS];
        for (int j = 0; j < ROWS; j++) {
            double[] z = new double[D];
            System.arraycopy(x, j * D, z, 0, D);
            for (int t = 0; t < steps; t++) {
                double u = 0;
                for (int i = 0; i < D; i++) {
                    u += theta[i] * z[i];
                }
                double slope = 1 / (1 + Math.exp(-u)) - labels[j];
                for (int i = 0; i < D; i++) {
                    z[i] += RATE * (slope * theta[i] - lambda * (z[i] - x[j * D + i]));
                }
            }
            for (int i = 0; i < D; i++) {
                out[j] = Math.hypot(out[j], z[i] - x[j * D + i]);
            }
        }
        return out;
    }

    @Test
    void takesTheStepsOfThePaperWhereTheyDiverge() {
        for (double lambda : new double[] {41, 100, 1000}) {
            for (int steps : new int[] {3, 20, 60}) {
                double[] fast = moves(lambda, steps);
                double[] paper = ascended(lambda, steps);
                for (int j = 0; j < ROWS; j++) {
                    assertThat(Math.abs(fast[j]) * Vectors.norm(theta) / paper[j])
                            .isCloseTo(1, within(1e-9));
                }
            }
        }
    }

    @Test
    void theAscentConvergesBelowLambda40AndDivergesAbove() {
        for (double lambda : new double[] {30, 39, 41, 100, 300}) {
            double[] worst = moves(new ExactMaximiser(MODEL, lambda), 0);
            double[] before = moves(lambda, 99);
            double[] after = moves(lambda, 100);
            for (int j = 0; j < ROWS; j++) {
                double off = Math.abs(after[j] - worst[j]);
                if (lambda < 40) {
                    assertThat(off).isLessThan(0.1 * Math.abs(worst[j]));
                } else {
                    assertThat(off).isGreaterThan(10 * Math.abs(worst[j]));
                    assertThat(off / Math.abs(before[j] - worst[j])).isCloseTo(RATE * lambda - 1, within(0.05));
                }
            }
            if (lambda > 40) {
                assertThatThrownBy(() -> new ScalarRecurrence(MODEL, lambda, RATE))
                        .isInstanceOf(InputException.class)
                        .hasMessageContaining("diverges");
            }
        }
    }
}
