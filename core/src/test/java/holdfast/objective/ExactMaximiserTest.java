package holdfast.objective;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.Randomness;
import holdfast.data.Block;
import holdfast.data.DenseBlock;
import holdfast.math.Vectors;
import holdfast.model.HuberRegression;
import holdfast.model.LinearModel;
import holdfast.model.LinearRegression;
import holdfast.model.LogisticRegression;
import holdfast.model.SmoothedHinge;
import holdfast.testkit.Laws;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExactMaximiserTest {

    /**
     * Least squares have z* = x + (u - y) theta/(lambda - n) in closed form. With x = 0 and a power of two as weight all
     * rounding is in the division, and a row divided exactly would need no precision: many rows, so that some is not.
     */
    @Test
    void thePrecisionHoldsInExactArithmeticAndIsAFewRoundings() {
        Laws.check(200, seed -> {
            Randomness random = seed.random();
            double weight = Math.scalb(1.0, random.nextInt(21) - 10);
            double[] theta = {weight, random.nextInt(64) - 32};
            double lambda = weight * weight * (3 + random.nextInt(100));
            double[] labels = new double[20];
            Arrays.setAll(labels, j -> random.nextInt(200) - 100);
            Block block = new DenseBlock(1, new double[20], labels, null);
            WorstCase worst =
                    new ExactMaximiser(new LinearRegression(true), lambda).maximise(theta, block, new Effort.Steps(0));
            BigDecimal widest = BigDecimal.ZERO;
            double longest = 0;
            for (int j = 0; j < labels.length; j++) {
                double[] z = new double[1];
                worst.rows().copyRow(j, z, 0);
                BigDecimal exact = new BigDecimal(theta[1] - labels[j])
                        .multiply(new BigDecimal(weight))
                        .divide(new BigDecimal(lambda - weight * weight), MathContext.DECIMAL128);
                widest = widest.max(new BigDecimal(z[0]).subtract(exact).abs());
                longest = Math.max(longest, Math.abs(z[0]));
            }
            assertThat(new BigDecimal(worst.precision())).isGreaterThanOrEqualTo(widest);
            assertThat(worst.precision()).isBetween(Math.ulp(longest) / 2, 16 * Math.ulp(longest));
        });
    }

    /** A move in the features is theta times longer than the one along it. */
    @Test
    void thePrecisionIsThatOfTheRowsWhateverTheLengthOfTheta() {
        for (LinearModel model :
                List.of(new LogisticRegression(false), new HuberRegression(false, 1), new SmoothedHinge(false, 1))) {
            for (double length : new double[] {1e-3, 1, 1e3}) {
                // Both problems are the same one in other units: z grows as theta shrinks.
                Block block = new DenseBlock(1, new double[] {0.3 / length}, new double[] {0}, null);
                WorstCase worst = new ExactMaximiser(model, 5 * length * length)
                        .maximise(new double[] {length}, block, new Effort.Steps(0));
                double[] move = new double[1];
                worst.rows().copyRow(0, move, 0);
                move[0] -= 0.3 / length;
                assertThat(worst.precision()).isBetween(1e-17 * Vectors.norm(move), 1e-12 * Vectors.norm(move));
            }
        }
    }
}
