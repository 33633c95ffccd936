package holdfast.objective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import holdfast.InputException;
import holdfast.Randomness;
import holdfast.Seed;
import holdfast.data.Block;
import holdfast.data.DenseBlock;
import holdfast.math.Vectors;
import holdfast.model.LinearRegression;
import holdfast.model.LinearScores;
import holdfast.model.LogisticRegression;
import holdfast.model.SmoothedHinge;
import holdfast.model.SoftmaxRegression;
import holdfast.testkit.Laws;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class LabelFlipsTest {
    /** One row, with lambda a little above L_zz for many classes and anything for two. */
    private record Problem(
            LinearScores model, double[] theta, double[] x, int y, int classes, double lambda, double kappa) {
        static Problem draw(Seed seed, int d) {
            Randomness random = seed.child("problem").random();
            int classes = 2 + random.nextInt(3);
            boolean intercept = random.nextInt(2) == 0;
            LinearScores model = classes > 2
                    ? new SoftmaxRegression(classes, intercept)
                    : random.nextInt(2) == 0
                            ? new LogisticRegression(intercept)
                            : new SmoothedHinge(intercept, 0.2 + random.nextDouble());
            double[] theta = Vectors.scaled(1 + random.nextDouble(), random.gaussians(model.parameters(d)));
            double zz = model.smoothness(theta, d, 0, 0).zz();
            double lambda = zz * ((classes > 2 ? 1.1 : 0.3) + 2 * random.nextDouble());
            return new Problem(
                    model,
                    theta,
                    random.gaussians(d),
                    random.nextInt(classes),
                    classes,
                    lambda,
                    0.05 + random.nextDouble() * 2 / lambda);
        }

        RobustLoss loss() {
            Wasserstein how = new Wasserstein(lambda);
            return (model instanceof SoftmaxRegression ? how.withPrecision(1e-9) : how)
                    .on(model, 0)
                    .withLabelPrice(kappa, classes);
        }

        double value(double[] at) {
            return loss().sums(Iterate.of(at), List.of(block(x, y)), true).loss();
        }

        Block block(double[] row, int label) {
            return new DenseBlock(x.length, row, new double[] {label}, null);
        }

        double gain(double[] z, int label) {
            double[] gap = z.clone();
            Vectors.addScaled(gap, -1, x, x.length);
            return model.loss(theta, block(z, label))
                    - lambda * (Vectors.dot(gap, gap, x.length) / 2 + (label == y ? 0 : kappa));
        }
    }

    @Test
    void noLabelAndNoPointOfAGridAreWorse() {
        int[] flipped = new int[1];
        Laws.check(200, seed -> {
            int d = 1 + seed.random().nextInt(2);
            Problem p = Problem.draw(seed, d);
            WorstCase worst = p.loss().maximiser().maximise(p.theta, p.block(p.x, p.y), new Effort.Precision(1e-9));
            double[] z = new double[d];
            worst.rows().copyRow(0, z, 0);
            int label = (int) worst.rows().label(0);
            flipped[0] += label == p.y ? 0 : 1;
            double best = p.value(p.theta);
            assertThat(best).isCloseTo(p.gain(z, label), within(1e-12 * (1 + Math.abs(best))));
            int points = d == 1 ? 1000 : 50;
            for (int cell = 0; cell < Math.pow(points + 1, d); cell++) {
                double[] rival = p.x.clone();
                int rest = cell;
                for (int i = 0; i < d; i++) {
                    rival[i] += 6.0 * (rest % (points + 1)) / points - 3;
                    rest /= points + 1;
                }
                for (int other = 0; other < p.classes; other++) {
                    assertThat(p.gain(rival, other)).isLessThanOrEqualTo(best + 1e-9 * (1 + Math.abs(best)));
                }
            }
        });
        assertThat(flipped[0]).as("rows with another label").isBetween(20, 180);
    }

    @Test
    void theGradientIsThatAtTheWorstLabel() {
        int[] checked = new int[1];
        Laws.check(200, seed -> {
            Problem p = Problem.draw(seed, 1 + seed.random().nextInt(4));
            double[] gradient = p.loss()
                    .sums(Iterate.of(p.theta), List.of(p.block(p.x, p.y)), false)
                    .gradient();
            double step = 1e-6;
            for (int i = 0; i < gradient.length; i++) {
                double[] up = p.theta.clone();
                double[] down = p.theta.clone();
                up[i] += step;
                down[i] -= step;
                double left = (p.value(p.theta) - p.value(down)) / step;
                double right = (p.value(up) - p.value(p.theta)) / step;
                double slack = 1e-3 * (1 + Math.abs(left) + Math.abs(right));
                // Where labels change there is a kink, and the subgradient is between both slopes.
                assertThat(gradient[i]).isBetween(Math.min(left, right) - slack, Math.max(left, right) + slack);
                checked[0]++;
            }
        });
        assertThat(checked[0]).isGreaterThan(300);
    }

    @Test
    void rowsOfABlockAreMovedAsEachByItself() {
        int[] flipped = new int[1];
        Laws.check(100, seed -> {
            Randomness random = seed.child("rows").random();
            int d = 1 + random.nextInt(3);
            int n = 2 + random.nextInt(5);
            Problem p = Problem.draw(seed, d);
            double[] x = random.gaussians(n * d);
            double[] y = random.gaussians(n);
            Arrays.setAll(y, j -> random.nextInt(p.classes));
            double[] w = random.gaussians(n);
            Arrays.setAll(w, j -> 0.1 + Math.abs(w[j]));
            double[] weights = random.nextInt(3) == 0 ? null : w;
            Block block = new DenseBlock(d, x, y, weights);
            WorstCase all = p.loss().maximiser().maximise(p.theta, block, new Effort.Precision(1e-9));
            assertThat(all.rows().weights()).isEqualTo(weights);
            ShardSums sums = p.loss().sums(Iterate.of(p.theta), List.of(block), true);
            double[] gradient = new double[p.theta.length];
            double loss = 0;
            for (int j = 0; j < n; j++) {
                Block row = p.block(Arrays.copyOfRange(x, j * d, (j + 1) * d), (int) y[j]);
                WorstCase one = p.loss().maximiser().maximise(p.theta, row, new Effort.Precision(1e-9));
                double[] expected = new double[d];
                double[] found = new double[d];
                one.rows().copyRow(0, expected, 0);
                all.rows().copyRow(j, found, 0);
                assertThat(found).containsExactly(expected, within(1e-6));
                assertThat(all.rows().label(j)).isEqualTo(one.rows().label(0));
                assertThat(all.costs()[j]).isCloseTo(one.costs()[0], within(1e-6));
                flipped[0] += one.rows().label(0) == y[j] ? 0 : 1;
                ShardSums own = p.loss().sums(Iterate.of(p.theta), List.of(row), true);
                Vectors.addScaled(gradient, block.weight(j), own.gradient(), gradient.length);
                loss += block.weight(j) * own.loss();
            }
            assertThat(sums.gradient()).containsExactly(gradient, within(1e-6));
            assertThat(sums.loss()).isCloseTo(loss, within(1e-6));
        });
        assertThat(flipped[0]).as("rows with another label").isBetween(50, 350);
    }

    /** Every label's worst case decides, so the least precise one counts, whichever turn it is. */
    @Test
    void thePrecisionIsThatOfTheWorstLabel() {
        int[] turns = new int[4];
        Laws.check(100, seed -> {
            Problem p = Problem.draw(seed, 2);
            InnerMaximiser features =
                    new Wasserstein(p.lambda).withPrecision(1e-3).on(p.model, 0).maximiser();
            Effort rough = new Effort.Precision(1e-3);
            double[] precisions = new double[p.classes];
            Arrays.setAll(
                    precisions,
                    label -> features.maximise(p.theta, p.block(p.x, label), rough)
                            .precision());
            double most = Arrays.stream(precisions).max().orElseThrow();
            assertThat(new LabelFlips(p.model, features, p.kappa, p.classes)
                            .maximise(p.theta, p.block(p.x, p.y), rough)
                            .precision())
                    .isEqualTo(most);
            for (int label = 0; label < p.classes; label++) {
                turns[label] += precisions[label] == most ? 1 : 0;
            }
        });
        assertThat(turns).as("labels of the least precise worst case").doesNotContain(0);
    }

    @Test
    void labelsThatCostTooMuchStay() {
        Laws.check(50, seed -> {
            Problem p = Problem.draw(seed, 3);
            RobustLoss plain = new Wasserstein(p.lambda).on(p.model, 0);
            List<Block> rows = List.of(p.block(p.x, p.y));
            ShardSums expected = plain.sums(Iterate.of(p.theta), rows, true);
            ShardSums dear = plain.withLabelPrice(1e9, p.classes).sums(Iterate.of(p.theta), rows, true);
            assertThat(dear.gradient()).containsExactly(expected.gradient(), within(1e-12));
            assertThat(dear.loss()).isCloseTo(expected.loss(), within(1e-12 * (1 + Math.abs(expected.loss()))));
        });
    }

    @Test
    void whatCannotChangeIsRefused() {
        RobustLoss numbers = new Wasserstein(50).on(new LinearRegression(true), 0);
        assertThatThrownBy(() -> numbers.withLabelPrice(1, 0))
                .isInstanceOf(InputException.class)
                .hasMessage("--label-price needs labels that are classes, and linear has numbers");
        RobustLoss classes = new Wasserstein(5).on(new LogisticRegression(true), 0);
        for (double bad : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
            assertThatThrownBy(() -> classes.withLabelPrice(bad, 2))
                    .hasMessage("--label-price must be finite and > 0, got " + bad);
        }
        RobustLoss still = Wasserstein.none().on(new LogisticRegression(true), 0);
        assertThat(still.withLabelPrice(1, 2)).isSameAs(still);
    }
}
