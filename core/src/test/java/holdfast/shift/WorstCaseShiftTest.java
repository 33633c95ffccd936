package holdfast.shift;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import holdfast.InputException;
import holdfast.Randomness;
import holdfast.data.Block;
import holdfast.data.DenseBlock;
import holdfast.math.Vectors;
import holdfast.model.LogisticRegression;
import holdfast.model.SoftmaxRegression;
import holdfast.testkit.Laws;
import holdfast.testkit.Samples;
import java.util.Arrays;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class WorstCaseShiftTest {
    private static final LogisticRegression MODEL = new LogisticRegression(true);

    private static double length(WorstCaseShift.Norm norm, double[] v) {
        return switch (norm) {
            case L1 -> Arrays.stream(v).map(Math::abs).sum();
            case L2 -> Math.sqrt(Arrays.stream(v).map(x -> x * x).sum());
            case LINF -> Arrays.stream(v).map(Math::abs).max().orElseThrow();
        };
    }

    private static WorstCaseShift.Norm dual(WorstCaseShift.Norm norm) {
        return switch (norm) {
            case L1 -> WorstCaseShift.Norm.LINF;
            case L2 -> WorstCaseShift.Norm.L2;
            case LINF -> WorstCaseShift.Norm.L1;
        };
    }

    private static double[] row(Block block, int j) {
        double[] x = new double[block.columns()];
        block.copyRow(j, x, 0);
        return x;
    }

    @ParameterizedTest
    @EnumSource(WorstCaseShift.Norm.class)
    void everyMarginFallsByTheBudgetTimesTheDualNorm(WorstCaseShift.Norm norm) {
        Laws.check(100, seed -> {
            Randomness random = seed.random();
            int d = 1 + random.nextInt(8);
            Block block = Samples.block(seed, 10, d, false);
            double[] theta = random.gaussians(d + 1);
            double budget = random.nextDouble();
            Block shifted = new WorstCaseShift(norm, budget).apply(MODEL, theta, block);
            double fall = budget * length(dual(norm), Arrays.copyOf(theta, d));
            double[] before = new double[10];
            double[] after = new double[10];
            MODEL.scores(theta, block, before);
            MODEL.scores(theta, shifted, after);
            for (int j = 0; j < 10; j++) {
                double sign = block.labels()[j] == 1 ? 1 : -1;
                assertThat(sign * (before[j] - after[j])).isCloseTo(fall, within(1e-12));
                double[] move = row(shifted, j);
                double[] x = row(block, j);
                Arrays.setAll(move, i -> move[i] - x[i]);
                assertThat(length(norm, move)).isCloseTo(budget, within(1e-12));
            }
        });
    }

    @ParameterizedTest
    @EnumSource(WorstCaseShift.Norm.class)
    void nothingElseInTheBallIsWorse(WorstCaseShift.Norm norm) {
        Laws.check(50, seed -> {
            Randomness random = seed.random();
            int d = 1 + random.nextInt(6);
            Block block = Samples.block(seed, 1, d, false);
            double[] theta = random.gaussians(d + 1);
            ToDoubleFunction<double[]> loss = z -> MODEL.loss(theta, new DenseBlock(d, z, block.labels(), null));
            double worst = loss.applyAsDouble(row(new WorstCaseShift(norm, 0.5).apply(MODEL, theta, block), 0));
            for (int i = 0; i < 200; i++) {
                double[] z = row(block, 0);
                double[] v = random.gaussians(d);
                double factor = 0.5 / length(norm, v);
                for (int c = 0; c < d; c++) {
                    z[c] += factor * v[c];
                }
                assertThat(loss.applyAsDouble(z)).isLessThanOrEqualTo(worst + 1e-12);
            }
        });
    }

    /** A row that the shift leaves right, no other point of the ball makes wrong; half of the points lie on its surface. */
    @ParameterizedTest
    @EnumSource(WorstCaseShift.Norm.class)
    void ofManyClassesARowIsWrongWhereAnyInTheBallIs(WorstCaseShift.Norm norm) {
        int[] outcomes = new int[2];
        Laws.check(50, seed -> {
            Randomness random = seed.random();
            int d = 1 + random.nextInt(4);
            int k = 2 + random.nextInt(4);
            SoftmaxRegression model = new SoftmaxRegression(k, true);
            double[] theta = random.gaussians(model.parameters(d));
            Block drawn = Samples.block(seed, 10, d, false);
            double[] labels = new double[10];
            Arrays.setAll(labels, j -> best(model, theta, row(drawn, j)));
            Block block = drawn.relabelled(labels);
            double budget = 0.5 * random.nextDouble();
            Block shifted = new WorstCaseShift(norm, budget).apply(model, theta, block);
            for (int j = 0; j < 10; j++) {
                double[] move = row(shifted, j);
                Vectors.addScaled(move, -1, row(block, j), d);
                assertThat(length(norm, move)).isLessThanOrEqualTo(budget + 1e-12);
                boolean right = best(model, theta, row(shifted, j)) == labels[j];
                outcomes[right ? 1 : 0]++;
                for (int i = 0; right && i < 200; i++) {
                    double[] z = row(block, j);
                    double[] v = random.gaussians(d);
                    double size = (i % 2 == 0 ? 1 : random.nextDouble()) * budget * (1 - 1e-9);
                    Vectors.addScaled(z, size / length(norm, v), v, d);
                    assertThat((double) best(model, theta, z)).isEqualTo(labels[j]);
                }
            }
        });
        assertThat(outcomes[0]).isGreaterThan(50);
        assertThat(outcomes[1]).isGreaterThan(50);
    }

    private static int best(SoftmaxRegression model, double[] theta, double[] x) {
        double[] u = new double[model.scoresPerRow()];
        model.scores(theta, new DenseBlock(x.length, x, new double[1], null), u);
        int best = 0;
        for (int c = 1; c < u.length; c++) {
            best = u[c] > u[best] ? c : best;
        }
        return best;
    }

    @Test
    void withoutWeightsNothingMoves() {
        Block block = Samples.block(holdfast.Seed.of(1), 3, 2, false);
        for (WorstCaseShift.Norm norm : WorstCaseShift.Norm.values()) {
            assertThat(row(new WorstCaseShift(norm, 1).apply(MODEL, new double[3], block), 1))
                    .isEqualTo(row(block, 1));
        }
    }

    @Test
    void hasTheNameThatUsersWrite() {
        assertThat(new WorstCaseShift(WorstCaseShift.Norm.L2, 0.3).name()).isEqualTo("l2 0.3");
        assertThat(Shift.NONE.name()).isEqualTo("none");
        for (double budget : new double[] {-1, Double.NaN, Double.POSITIVE_INFINITY}) {
            assertThatThrownBy(() -> new WorstCaseShift(WorstCaseShift.Norm.L1, budget))
                    .isInstanceOf(InputException.class);
        }
    }
}
