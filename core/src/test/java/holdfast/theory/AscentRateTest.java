package holdfast.theory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import holdfast.Randomness;
import holdfast.data.DenseBlock;
import holdfast.math.Vectors;
import holdfast.model.LogisticRegression;
import holdfast.objective.Effort;
import holdfast.objective.GradientAscent;
import holdfast.objective.InnerMaximiser;
import holdfast.testkit.Laws;
import org.junit.jupiter.api.Test;

/** The contraction of the ascent and its number of steps, against real ascents. */
class AscentRateTest {
    private static InnerMaximiser ascent(DifferenceLoss loss, double lambda, double step) {
        return new GradientAscent(loss, lambda, step);
    }

    private static double[] rows(InnerMaximiser ascent, double[] theta, double[] x, int steps) {
        return ascent.maximise(theta, new DenseBlock(x.length, x.clone(), new double[1], null), new Effort.Steps(steps))
                .rows()
                .filled("a test");
    }

    private static double distance(double[] a, double[] b) {
        double[] gap = a.clone();
        Vectors.addScaled(gap, -1, b, gap.length);
        return Vectors.norm(gap);
    }

    @Test
    void thePapersFactorIsThatOfItsStep() {
        AscentRate rate = AscentRate.papers(3, 2, 1.5);
        assertThat(AscentRate.papersStep(3, 2)).isCloseTo(2.0 / 9, within(1e-15));
        // (2 L_zz + lambda L_c - lambda)/(lambda L_c + lambda) = 6/9
        assertThat(rate.factor()).isCloseTo(2.0 / 3, within(1e-12));
        assertThat(rate.steps(9, 4.001)).isEqualTo(2);
        assertThat(rate.steps(9, 3.9)).isEqualTo(3);
        assertThat(rate.steps(1, 1)).isZero();
        assertThat(AscentRate.papers(1, 1, 1).steps(1, 0.1)).isEqualTo(Double.POSITIVE_INFINITY);
        assertThat(new AscentRate(0).steps(1, 0.1)).isEqualTo(1);
    }

    @Test
    void aShortStepIsSlowWhateverTheLoss() {
        for (double zz = 0; zz < 3; zz += 0.5) {
            assertThat(AscentRate.of(3, 1, zz, 0.05, true).factor()).isCloseTo(0.85 + 0.05 * zz, within(1e-12));
        }
        // Ten of these steps can leave a fifth of the way.
        assertThat(Math.pow(AscentRate.of(3, 1, 0, 0.05, true).factor(), 10)).isCloseTo(0.197, within(1e-3));
        assertThat(AscentRate.of(40, 1, 0, 0.05, true).converges()).isFalse();
        // A step of 0.6 is too long for a curvature of lambda + L_zz = 4, which only a loss that is not convex can
        // have.
        assertThat(AscentRate.of(3, 1, 1, 0.6, true).factor()).isCloseTo(0.8, within(1e-12));
        assertThat(AscentRate.of(3, 1, 1, 0.6, false).converges()).isFalse();
    }

    @Test
    void noAscentIsSlowerThanItsFactorAndParabolasReachIt() {
        double[] slowest = new double[1];
        Laws.check(300, seed -> {
            Randomness random = seed.random();
            int d = 1 + random.nextInt(3);
            double[] h = random.gaussians(d);
            for (int i = 0; i < d; i++) {
                h[i] = Math.abs(h[i]) + 0.01;
            }
            DifferenceLoss loss = random.nextInt(2) == 0 ? DifferenceLoss.quadratic(h) : DifferenceLoss.waves(h);
            double lambda = loss.smoothness() * (1.1 + 3 * random.nextDouble());
            double step = (0.2 + (loss.convex() ? 1 : 0.8) * random.nextDouble()) * AscentRate.papersStep(lambda, 1);
            AscentRate rate = AscentRate.of(lambda, 1, loss.smoothness(), step, loss.convex());
            if (!rate.converges()) {
                return;
            }
            double[] theta = random.gaussians(d);
            double[] x = random.gaussians(d);
            InnerMaximiser ascent = ascent(loss, lambda, step);
            double[] exact = rows(ascent, theta, x, 3000);
            double start = distance(x, exact);
            int steps = 1 + random.nextInt(8);
            double left = distance(rows(ascent, theta, x, steps), exact) / start;
            assertThat(left).isLessThanOrEqualTo(Math.pow(rate.factor(), steps) * (1 + 1e-6) + 1e-9);
            double epsilon = start * Math.pow(10, -3 * random.nextDouble());
            assertThat(distance(rows(ascent, theta, x, (int) rate.steps(start, epsilon)), exact))
                    .isLessThanOrEqualTo(epsilon * (1 + 1e-6));
            slowest[0] = Math.max(slowest[0], left / Math.pow(rate.factor(), steps));
        });
        assertThat(slowest[0]).isGreaterThan(0.99);
    }

    @Test
    void logisticRegressionKeepsToTheFactorOfItsCurvature() {
        Laws.check(200, seed -> {
            Randomness random = seed.random();
            LogisticRegression model = new LogisticRegression(false);
            double[] theta = Vectors.scaled(2 * random.nextDouble(), random.gaussians(3));
            double zz = Vectors.dot(theta, theta, 3) / 4;
            double lambda = zz + 0.1 + random.nextDouble();
            AscentRate rate = AscentRate.of(lambda, 1, zz, 1 / lambda, true);
            assertThat(rate.factor()).isCloseTo(zz / lambda, within(1e-12));
            DenseBlock row = new DenseBlock(3, random.gaussians(3), new double[] {random.nextInt(2)}, null);
            InnerMaximiser ascent = new GradientAscent(model, lambda, 1 / lambda);
            double[] exact =
                    ascent.maximise(theta, row, new Effort.Steps(5000)).rows().filled("a test");
            double start = distance(row.filled("a test"), exact);
            double[] after =
                    ascent.maximise(theta, row, new Effort.Steps(4)).rows().filled("a test");
            assertThat(distance(after, exact)).isLessThanOrEqualTo(Math.pow(rate.factor(), 4) * start + 1e-9);
        });
    }
}
