package holdfast.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import holdfast.Randomness;
import holdfast.data.Block;
import holdfast.data.DenseBlock;
import holdfast.math.SymmetricEigen;
import holdfast.testkit.Laws;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RowCurvatureTest {
    private static double[] ones(int d) {
        double[] ones = new double[d];
        Arrays.fill(ones, 1);
        return ones;
    }

    private static double[] random(Randomness random, double scale, int count) {
        double[] values = random.gaussians(count);
        Arrays.setAll(values, i -> scale * values[i]);
        return values;
    }

    /** The Hessian by differences of the loss alone, its eigenvalues by Jacobi's rotations; the bound from all layers. */
    @ParameterizedTest
    @ValueSource(strings = {"softplus", "tanh", "gelu", "elu"})
    void itIsTheLargestEigenvalueOfTheHessianAndNotAboveTheBound(String activation) {
        Laws.check(60, seed -> {
            Randomness random = seed.random();
            int d = 1 + random.nextInt(5);
            LinearScores top = List.of(
                            new LogisticRegression(true),
                            new SoftmaxRegression(3, true),
                            new HuberRegression(true, 0.8))
                    .get(random.nextInt(3));
            NeuralNetwork model = new NeuralNetwork(
                    random.nextInt(2) == 0 ? HiddenLayers.of(4) : HiddenLayers.of(3, 4),
                    Activation.valueOf(activation.toUpperCase(Locale.ROOT)),
                    top);
            double[] theta = random(random, 0.7, model.parameters(d));
            int rows = 1 + random.nextInt(3);
            double[] x = random.gaussians(rows * d);
            double[] labels = new double[rows];
            double largest = 0;
            for (int j = 0; j < rows; j++) {
                labels[j] = random.nextInt(Math.max(2, top.scoresPerRow()));
                largest = Math.max(largest, norm(model, theta, Arrays.copyOfRange(x, j * d, (j + 1) * d), labels[j]));
            }
            double found = RowCurvature.largest(model, theta, new DenseBlock(d, x, labels, null), ones(d));
            assertThat(found).isCloseTo(largest, within(1e-4 + 0.02 * largest));
            assertThat(found)
                    .isLessThanOrEqualTo(model.smoothness(theta, d, Double.POSITIVE_INFINITY, 1)
                                    .zz()
                            * (1 + 1e-9));
        });
    }

    /** Gradients in the rows ahead and behind, in every loss and with one to three hidden layers. */
    @ParameterizedTest
    @ValueSource(strings = {"softplus", "tanh", "gelu", "elu"})
    void productsWithTheHessianAreHowGradientsChange(String activation) {
        Laws.check(60, seed -> {
            Randomness random = seed.random();
            int d = 1 + random.nextInt(5);
            LinearScores top = List.of(
                            new LogisticRegression(true),
                            new SoftmaxRegression(4, true),
                            new HuberRegression(true, 0.8),
                            new LinearRegression(true))
                    .get(random.nextInt(4));
            NeuralNetwork model = new NeuralNetwork(
                    List.of(HiddenLayers.of(4), HiddenLayers.of(3, 5), HiddenLayers.of(2, 3, 4))
                            .get(random.nextInt(3)),
                    Activation.valueOf(activation.toUpperCase(Locale.ROOT)),
                    top);
            double[] theta = random(random, 0.7, model.parameters(d));
            int rows = 1 + random.nextInt(4);
            double[] labels = new double[rows];
            Arrays.setAll(labels, j -> random.nextInt(Math.max(2, top.scoresPerRow())));
            Block block = new DenseBlock(d, random.gaussians(rows * d), labels, random.gaussians(rows));
            double[] v = random.gaussians(rows * d);
            double[] exact = new double[rows * d];
            model.rowHessian(theta, d).times(block, v, exact);
            double[] ahead = gradients(model, theta, block, v, 1e-5);
            double[] behind = gradients(model, theta, block, v, -1e-5);
            for (int i = 0; i < exact.length; i++) {
                assertThat(exact[i]).isCloseTo((ahead[i] - behind[i]) / 2e-5, within(1e-4 * (1 + Math.abs(exact[i]))));
            }
        });
    }

    private static double[] gradients(Model model, double[] theta, Block block, double[] v, double by) {
        double[] z = block.filled("");
        Arrays.setAll(z, i -> z[i] + by * v[i]);
        double[] out = new double[z.length];
        model.gradientInRows(theta, new DenseBlock(block.columns(), z, block.labels(), null), out);
        return out;
    }

    /** The norm of the Hessian in one row, from second differences of the loss. */
    private static double norm(Model model, double[] theta, double[] x, double label) {
        int d = x.length;
        double h = 1e-3;
        double[][] hessian = new double[d][d];
        for (int i = 0; i < d; i++) {
            for (int k = 0; k < d; k++) {
                hessian[i][k] = (at(model, theta, x, label, i, h, k, h)
                                - at(model, theta, x, label, i, h, k, -h)
                                - at(model, theta, x, label, i, -h, k, h)
                                + at(model, theta, x, label, i, -h, k, -h))
                        / (4 * h * h);
            }
        }
        double[] values = SymmetricEigen.of(hessian).values();
        return Math.max(Math.abs(values[0]), Math.abs(values[d - 1]));
    }

    private static double at(Model model, double[] theta, double[] x, double label, int i, double a, int k, double b) {
        double[] moved = x.clone();
        moved[i] += a;
        moved[k] += b;
        return model.loss(theta, new DenseBlock(x.length, moved, new double[] {label}, null));
    }

    /** For the logistic loss it is known: p (1 - p) ||w||^2, at most ||w||^2/4. */
    @Test
    void ofALogisticModelItIsTheFormula() {
        LogisticRegression model = new LogisticRegression(false);
        double[] theta = {3, -4};
        Block block = new DenseBlock(2, new double[] {0.1, 0.2, 2, 2}, new double[] {0, 1}, null);
        double p = 1 / (1 + Math.exp(0.5));
        assertThat(RowCurvature.largest(model, theta, block, ones(2))).isCloseTo(p * (1 - p) * 25, within(1e-6));
    }

    /** In other units rows are others and weights too: the first feature counts a tenth, the second never moves. */
    @Test
    void distancesAreMeasuredInTheUnitsOfTheFeatures() {
        LogisticRegression model = new LogisticRegression(false);
        double[] theta = {3, -4};
        Block block = new DenseBlock(2, new double[] {0, 0}, new double[] {0}, null);
        assertThat(RowCurvature.largest(model, theta, block, new double[] {0.1, 0}))
                .isCloseTo(0.25 * 0.3 * 0.3, within(1e-6));
    }

    @Test
    void whereNothingBendsItIsZero() {
        LogisticRegression model = new LogisticRegression(true);
        Block block = new DenseBlock(2, new double[] {1, 2}, new double[] {1}, null);
        assertThat(RowCurvature.largest(model, new double[3], block, ones(2))).isZero();
    }
}
