package holdfast.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import holdfast.InputException;
import holdfast.Randomness;
import holdfast.Seed;
import holdfast.data.Block;
import holdfast.data.DenseBlock;
import holdfast.data.MovedBlock;
import holdfast.math.Vectors;
import holdfast.objective.Effort;
import holdfast.objective.SubspaceRecurrence;
import holdfast.testkit.Laws;
import holdfast.testkit.LinearScoresContract;
import holdfast.testkit.Samples;
import java.util.Arrays;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class SoftmaxRegressionTest {
    @Nested
    class FourClasses extends LinearScoresContract {
        @Override
        protected LinearScores model() {
            return new SoftmaxRegression(4, true);
        }

        @Override
        protected double label(Randomness random) {
            return random.nextInt(4);
        }
    }

    @Nested
    class ThreeClassesWithoutIntercepts extends LinearScoresContract {
        @Override
        protected LinearScores model() {
            return new SoftmaxRegression(3, false);
        }

        @Override
        protected double label(Randomness random) {
            return random.nextInt(3);
        }
    }

    @Test
    void thetaIsOneRowPerClassAndThenTheIntercepts() {
        SoftmaxRegression model = new SoftmaxRegression(3, true);
        assertThat(model.parameters(2)).isEqualTo(9);
        assertThat(new SoftmaxRegression(3, false).parameters(2)).isEqualTo(6);
        double[] scores = new double[6];
        Block rows = new DenseBlock(2, new double[] {1, 10, 2, 0}, new double[2], null);
        model.scores(new double[] {1, 2, 3, 4, 5, 6, 0.1, 0.2, 0.3}, rows, scores);
        assertThat(scores).containsExactly(new double[] {21.1, 43.2, 65.3, 2.1, 6.2, 10.3}, within(1e-13));
    }

    /** W = (0, w): then p_1 = sigma(w . x). */
    @Test
    void withTwoClassesItIsLogisticRegression() {
        Laws.check(50, seed -> {
            int d = 1 + seed.random().nextInt(6);
            Block block = Samples.block(seed, 20, d, true);
            double[] binary = seed.child("theta").random().gaussians(d + 1);
            double[] theta = new double[2 * d + 2];
            System.arraycopy(binary, 0, theta, d, d);
            theta[2 * d + 1] = binary[d];
            LogisticRegression logistic = new LogisticRegression(true);
            SoftmaxRegression softmax = new SoftmaxRegression(2, true);
            assertThat(softmax.loss(theta, block)).isCloseTo(logistic.loss(binary, block), within(1e-12));
            double[] expected = new double[d + 1];
            logistic.addGradient(binary, block, expected);
            double[] gradient = new double[2 * d + 2];
            softmax.addGradient(theta, block, gradient);
            for (int i = 0; i < d; i++) {
                assertThat(gradient[d + i]).isCloseTo(expected[i], within(1e-12));
                assertThat(gradient[i]).isCloseTo(-expected[i], within(1e-12));
            }
            assertThat(gradient[2 * d + 1]).isCloseTo(expected[d], within(1e-12));
        });
    }

    @Test
    void theLossIsFiniteAndRightFarFromTheBoundary() {
        SoftmaxRegression model = new SoftmaxRegression(3, false);
        Block row = new DenseBlock(1, new double[] {1}, new double[] {2}, null);
        assertThat(model.loss(new double[] {5000, 0, -4000}, row)).isEqualTo(9000);
        assertThat(model.loss(new double[] {-5000, 0, 4000}, row)).isZero();
    }

    /** The largest singular value of W, found as the longest W x over many unit x. */
    @Test
    void theConstantInRowsHasTheSpectralNorm() {
        Laws.check(20, seed -> {
            SoftmaxRegression model = new SoftmaxRegression(5, false);
            Randomness random = seed.random();
            double[] theta = random.gaussians(10);
            double longest = 0;
            for (int i = 0; i < 10_000; i++) {
                double angle = Math.PI * i / 10_000;
                double[] scores = new double[5];
                model.scores(
                        theta,
                        new DenseBlock(2, new double[] {Math.cos(angle), Math.sin(angle)}, new double[1], null),
                        scores);
                longest = Math.max(longest, Vectors.norm(scores));
            }
            assertThat(model.smoothness(theta, 2, 1, 0).zz())
                    .isCloseTo(longest * longest / 2, within(1e-6 * longest * longest));
        });
    }

    @Test
    void movedRowsAreTheRowsTheyMovedTo() {
        Laws.check(20, seed -> {
            Randomness random = seed.random();
            SoftmaxRegression model = new SoftmaxRegression(2, true);
            Block block = Samples.block(seed, 10, 3, true);
            double[] theta = random.gaussians(8);
            double[][] w = model.weightsByClass(theta, 3);
            double[] first = new double[10];
            double[] second = new double[10];
            block.times(w[0], first);
            block.times(w[1], second);
            double[] along = DoubleStream.concat(Arrays.stream(first), Arrays.stream(second))
                    .toArray();
            Block moved = new MovedBlock(block, random.gaussians(20), theta, along);
            double[] values = new double[30];
            for (int j = 0; j < 10; j++) {
                moved.copyRow(j, values, 3 * j);
            }
            Block stored = new DenseBlock(3, values, block.labels(), block.weights());
            assertThat(model.loss(theta, moved)).isCloseTo(model.loss(theta, stored), within(1e-12));
            double[] quick = new double[8];
            double[] slow = new double[8];
            model.addGradient(theta, moved, quick);
            model.addGradient(theta, stored, slow);
            assertThat(quick).containsExactly(slow, within(1e-11));
        });
    }

    @Test
    void rowsWithoutTheirZerosAreTheSameRows() {
        SoftmaxRegression model = new SoftmaxRegression(2, true);
        Block sparse = Samples.sparse(Seed.of(1), 50, 30, 4).blocks().get(0);
        Block dense = Samples.dense(Seed.of(1), 50, 30, 4).blocks().get(0);
        double[] theta = Seed.of(2).random().gaussians(model.parameters(30));
        SubspaceRecurrence recurrence = new SubspaceRecurrence(model, 20, 0.05);
        Block quick = recurrence.maximise(theta, sparse, new Effort.Steps(5)).rows();
        Block slow = recurrence.maximise(theta, dense, new Effort.Steps(5)).rows();
        assertThat(model.loss(theta, quick)).isCloseTo(model.loss(theta, slow), within(1e-11));
        double[] gradient = new double[theta.length];
        double[] expected = new double[theta.length];
        model.addGradient(theta, quick, gradient);
        model.addGradient(theta, slow, expected);
        assertThat(gradient).containsExactly(expected, within(1e-11));
    }

    @Test
    void oneClassIsNone() {
        assertThatThrownBy(() -> new SoftmaxRegression(1, true))
                .isInstanceOf(InputException.class)
                .hasMessage("softmax needs at least 2 classes, got 1");
        assertThat(Arrays.asList(Models.catalogue().names().toArray())).contains("softmax");
    }

    /**
     * The steepest place of the gradient in rows is between two classes that share the probability, by intercepts here:
     * there its slope along w_a - w_b is ||w_a - w_b||^2/4. On both sides of the number of classes up to which the bound
     * is solved for.
     */
    @Test
    void theConstantInRowsBoundsTheSlopeBetweenAnyTwoClasses() {
        Laws.check(40, seed -> {
            Randomness random = seed.random();
            int k = 2 + random.nextInt(60);
            int d = 1 + random.nextInt(6);
            SoftmaxRegression model = new SoftmaxRegression(k, true);
            double[] theta = random.gaussians(model.parameters(d));
            double steepest = 0;
            for (int a = 0; a < k; a++) {
                steepest = Math.max(steepest, slopeBetween(model, theta, random.gaussians(d), a, random.nextInt(k)));
            }
            assertThat(model.smoothness(theta, d, 0, 0).zz()).isGreaterThanOrEqualTo(steepest * (1 - 1e-6));
        });
    }

    /** Reached, factor 1, where two classes have opposite weights and the others none. */
    @Test
    void theConstantInRowsIsReachedByTwoOppositeClasses() {
        for (int k : new int[] {2, 3, 30, 31, 100}) {
            SoftmaxRegression model = new SoftmaxRegression(k, true);
            double[] theta = new double[model.parameters(2)];
            theta[2 * (k - 1)] = 3;
            theta[2 * (k - 1) + 1] = -1;
            theta[0] = -3;
            theta[1] = 1;
            double slope = slopeBetween(model, theta, new double[] {0.2, 0.4}, 0, k - 1);
            assertThat(slope).isCloseTo(10, within(1e-6));
            assertThat(model.smoothness(theta, 2, 0, 0).zz()).isCloseTo(10, within(1e-12));
        }
    }

    /** Of grad_x f along w_a - w_b, by differences around x, with intercepts that leave only these two classes likely. */
    private static double slopeBetween(SoftmaxRegression model, double[] theta, double[] x, int a, int b) {
        int d = x.length;
        double[][] w = model.weightsByClass(theta, d);
        double[] v = w[a].clone();
        Vectors.addScaled(v, -1, w[b], d);
        double length = Vectors.norm(v);
        if (length == 0) {
            return 0;
        }
        double[] shifted = theta.clone();
        for (int c = 0; c < w.length; c++) {
            shifted[model.weights(d) + c] = -Vectors.dot(w[c], x, d) - (c == a || c == b ? 0 : 60);
        }
        double h = 1e-4 / length;
        double[] up = x.clone();
        double[] down = x.clone();
        Vectors.addScaled(up, h / length, v, d);
        Vectors.addScaled(down, -h / length, v, d);
        double[] above = new double[d];
        double[] below = new double[d];
        model.gradientInRows(shifted, new DenseBlock(d, up, new double[1], null), above);
        model.gradientInRows(shifted, new DenseBlock(d, down, new double[1], null), below);
        Vectors.addScaled(above, -1, below, d);
        return Vectors.norm(above) / (2 * h);
    }
}
