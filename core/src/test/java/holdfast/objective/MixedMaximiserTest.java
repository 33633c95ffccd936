package holdfast.objective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import holdfast.InputException;
import holdfast.Randomness;
import holdfast.Seed;
import holdfast.data.Block;
import holdfast.data.DenseBlock;
import holdfast.data.SparseBlock;
import holdfast.math.Vectors;
import holdfast.model.HuberRegression;
import holdfast.model.LinearModel;
import holdfast.model.LinearRegression;
import holdfast.model.LogisticRegression;
import holdfast.model.PoissonRegression;
import holdfast.model.SmoothedHinge;
import holdfast.model.SoftmaxRegression;
import holdfast.testkit.Laws;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class MixedMaximiserTest {
    private static final Effort NONE = new Effort.Steps(0);

    private record Problem(LinearModel model, MixedCost cost, double[] theta, Block block, double lambda) {
        static Problem draw(Seed seed, int columns, int maxRows) {
            Randomness random = seed.child("problem").random();
            boolean intercept = random.nextInt(2) == 0;
            LinearModel model = switch (random.nextInt(4)) {
                case 0 -> new LogisticRegression(intercept);
                case 1 -> new SmoothedHinge(intercept, 0.2 + random.nextDouble());
                case 2 -> new HuberRegression(intercept, 0.2 + random.nextDouble());
                default -> new LinearRegression(intercept);
            };
            MixedCost cost = MixedCases.cost(random, columns);
            int d = cost.features().columns();
            double[] theta = Vectors.scaled(0.2 + random.nextDouble(), random.gaussians(model.parameters(d)));
            int rows = 1 + random.nextInt(maxRows);
            double[] x = new double[rows * d];
            double[] labels = new double[rows];
            double[] weights = new double[rows];
            for (int j = 0; j < rows; j++) {
                System.arraycopy(MixedCases.row(cost, random), 0, x, j * d, d);
                labels[j] = model.target().isClass() ? random.nextInt(2) : 2 * random.nextGaussian();
                weights[j] = 0.2 + random.nextDouble();
            }
            double zz = cost.features().zz(model, theta, d, 0, 0);
            double least = model instanceof LinearRegression ? 1.05 : 0.2;
            double lambda = zz * (least + 2 * random.nextDouble()) + 0.01 + random.nextDouble() / 3;
            return new Problem(
                    model, cost, theta, new DenseBlock(d, x, labels, random.nextInt(2) == 0 ? weights : null), lambda);
        }

        InnerMaximiser maximiser() {
            return new Wasserstein(lambda).withCost(cost).on(model, 0).maximiser();
        }

        RobustLoss loss() {
            return new Wasserstein(lambda).withCost(cost).on(model, 0);
        }

        double[] row(int j) {
            return MixedMaximiserTest.row(block, j);
        }

        double loss(double[] z, int j) {
            return model.loss(theta, new DenseBlock(z.length, z, new double[] {block.label(j)}, null));
        }

        /** Returns the largest gain over all combinations of categories, each with its exact worst case. */
        double bruteForce(int j) {
            double best = Double.NEGATIVE_INFINITY;
            double[] x = row(j);
            for (double[] start : MixedCases.combinations(cost, x)) {
                double paid = cost.cost(start, x, 0, x.length);
                WorstCase worst = new ExactMaximiser(model, lambda, cost.features())
                        .maximise(theta, new DenseBlock(x.length, start, new double[] {block.label(j)}, null), NONE);
                best = Math.max(
                        best, loss(MixedMaximiserTest.row(worst.rows(), 0), j) - lambda * (worst.costs()[0] + paid));
            }
            return best;
        }
    }

    private static double[] row(Block block, int j) {
        double[] x = new double[block.columns()];
        block.copyRow(j, x, 0);
        return x;
    }

    @Test
    void equalsAllCombinationsOfCategories() {
        int[] several = new int[1];
        int[] changed = new int[1];
        Laws.check(600, seed -> {
            Problem p = Problem.draw(seed, 4, 4);
            WorstCase worst = p.maximiser().maximise(p.theta, p.block, NONE);
            for (int j = 0; j < p.block.rows(); j++) {
                double[] x = p.row(j);
                double[] z = row(worst.rows(), j);
                double best = p.bruteForce(j);
                double slack = 1e-9 * (1 + Math.abs(best));
                assertThat(p.loss(z, j) - p.lambda * worst.costs()[j]).isCloseTo(best, within(slack));
                assertThat(worst.costs()[j]).isCloseTo(p.cost.cost(z, x, 0, x.length), within(slack));
                long moved = p.cost.changes().stream()
                        .filter(change -> !change.column().same(z, x, 0))
                        .count();
                changed[0] += moved > 0 ? 1 : 0;
                several[0] += moved > 1 ? 1 : 0;
            }
        });
        assertThat(changed[0]).as("rows whose categories change").isGreaterThan(300);
        assertThat(several[0]).as("rows in which several do").isGreaterThan(50);
    }

    /** The gradients of one pass and of moved rows are the same bits; columns so wide that a block is taken in parts. */
    @Test
    void onePassHasTheBitsOfTheWorstCaseAndItsGradient() {
        Laws.check(60, seed -> {
            Problem p = Problem.draw(seed, 4, 20_000 / (1 + seed.random().nextInt(200)));
            RobustLoss loss = p.loss();
            double[] pass =
                    loss.sums(Iterate.of(p.theta), List.of(p.block), false).gradient();
            double[] apart =
                    loss.sums(Iterate.of(p.theta), List.of(p.block), true).gradient();
            assertThat(Laws.bits(pass)).isEqualTo(Laws.bits(apart));
        });
    }

    @Test
    void theGradientIsThatOfTheObjective() {
        int[] checked = new int[1];
        Laws.check(200, seed -> {
            Problem p = Problem.draw(seed, 3, 3);
            RobustLoss loss = p.loss();
            double[] gradient =
                    loss.sums(Iterate.of(p.theta), List.of(p.block), false).gradient();
            double step = 1e-6;
            for (int i = 0; i < gradient.length; i++) {
                double[] values = new double[3];
                for (int side = 0; side < 3; side++) {
                    double[] at = p.theta.clone();
                    at[i] += (side - 1) * step;
                    values[side] =
                            loss.sums(Iterate.of(at), List.of(p.block), true).loss();
                }
                double left = (values[1] - values[0]) / step;
                double right = (values[2] - values[1]) / step;
                // Where categories change there is a kink, and the subgradient is between both slopes.
                double slack = 1e-3 * (1 + Math.abs(left) + Math.abs(right));
                assertThat(gradient[i]).isBetween(Math.min(left, right) - slack, Math.max(left, right) + slack);
                checked[0] += Math.abs(left - right) < slack ? 1 : 0;
            }
        });
        assertThat(checked[0]).as("slopes without a kink").isGreaterThan(500);
    }

    /** Zeros stay zeros when sparse rows are scaled. */
    @Test
    void sparseRowsChangeAsDenseOnesDo() {
        int[] changed = new int[1];
        Laws.check(200, seed -> {
            Problem drawn = Problem.draw(seed, 4, 12);
            List<MixedCost.Change> sparse = drawn.cost.changes().stream()
                    .map(change -> new MixedCost.Change(
                            new CategoryColumn(
                                    change.column().name(),
                                    change.column().first(),
                                    change.column().zero().stream()
                                            .map(zero -> 0.0)
                                            .toList(),
                                    change.column().one(),
                                    change.column().marked()),
                            change.price()))
                    .toList();
            MixedCost cost = new MixedCost(drawn.cost.features(), sparse);
            int d = drawn.block.columns();
            Randomness random = seed.child("sparse").random();
            double[] x = new double[drawn.block.rows() * d];
            SparseBlock.Builder builder = new SparseBlock.Builder(d);
            for (int j = 0; j < drawn.block.rows(); j++) {
                double[] own = MixedCases.row(cost, random);
                for (int i = 0; i < d; i++) {
                    x[j * d + i] = random.nextInt(3) == 0 ? 0 : own[i];
                    builder.put(i, x[j * d + i]);
                }
                builder.endRow();
            }
            Block dense = new DenseBlock(d, x, drawn.block.labels(), drawn.block.weights());
            Problem p = new Problem(drawn.model, cost, drawn.theta, dense, drawn.lambda);
            Block same = builder.build(dense.labels(), dense.weights());
            WorstCase one = p.maximiser().maximise(p.theta, dense, NONE);
            WorstCase other = p.maximiser().maximise(p.theta, same, NONE);
            assertThat(other.rows().sparse()).isTrue();
            for (int j = 0; j < dense.rows(); j++) {
                assertThat(row(other.rows(), j)).containsExactly(row(one.rows(), j), within(1e-9));
                changed[0] += Arrays.equals(row(other.rows(), j), p.row(j)) ? 0 : 1;
            }
            assertThat(other.costs()).containsExactly(one.costs(), within(1e-9));
        });
        assertThat(changed[0]).isGreaterThan(300);
    }

    @Test
    void labelsMayChangeAsWell() {
        Laws.check(60, seed -> {
            Problem p = Problem.draw(seed, 3, 3);
            if (!p.model.target().isClass()) {
                return;
            }
            double kappa = 0.1 + seed.random().nextDouble();
            double loss = p.loss()
                    .withLabelPrice(kappa, 2)
                    .sums(Iterate.of(p.theta), List.of(p.block), true)
                    .loss();
            double[] other = Arrays.stream(p.block.labels()).map(y -> 1 - y).toArray();
            Problem flipped = new Problem(p.model, p.cost, p.theta, p.block.relabelled(other), p.lambda);
            double expected = 0;
            for (int j = 0; j < other.length; j++) {
                expected += p.block.weight(j) * Math.max(p.bruteForce(j), flipped.bruteForce(j) - p.lambda * kappa);
            }
            assertThat(loss).isCloseTo(expected, within(1e-9 * (1 + Math.abs(expected))));
        });
    }

    @Test
    void costsOfChangesAreTheirPrices() {
        CategoryColumn region =
                new CategoryColumn("region", 1, List.of(-0.5, -0.25, -0.125), List.of(1.5, 2.5, 3.5), true);
        MixedCost cost = MixedCost.of(new double[] {2, 1, 1, 1, 1}, List.of(new MixedCost.Change(region, 3)));
        double[] north = {0, 1.5, -0.25, -0.125, 0};
        double[] south = {1, -0.5, 2.5, -0.125, 2};
        double[] missing = {0, 0.5, 1, 3.5, 0};
        assertThat(cost.cost(south, north, 0, 5)).isEqualTo(1 + 2 + 3);
        assertThat(cost.cost(north, north, 0, 5)).isZero();
        assertThat(cost.cost(north, missing, 0, 5)).isEqualTo(3);
        assertThat(cost.cost(missing, missing, 0, 5)).isZero();
        assertThat(cost.cost(missing, north, 0, 5)).isInfinite();
        assertThat(cost.cost(new double[] {0, 1.5, -0.25, 3.5, 0}, north, 0, 5)).isInfinite();
        assertThat(cost.cost(new double[] {0, 1.5, -0.25, 3.5, 0}, missing, 0, 5))
                .isInfinite();
        double[] slope = new double[5];
        cost.gradient(south, north, 0, 5, slope);
        assertThat(slope).containsExactly(2, 0, 0, 0, 2);
        assertThat(cost.strongConvexity()).isZero();
        assertThat(cost.smoothness()).isInfinite();
    }

    @Test
    void whatHasNoWorstCaseIsRefused() {
        CategoryColumn region = new CategoryColumn("region", 0, List.of(0.0, 0.0), List.of(1.0, 1.0), false);
        MixedCost cost = MixedCost.of(new double[] {1, 1, 1}, List.of(new MixedCost.Change(region, 2)));
        Wasserstein how = new Wasserstein(5).withCost(cost);
        refused("training has no worst case for categories", () -> how.on(new SoftmaxRegression(3, true), 0));
        refused(
                "training has no worst case for categories",
                () -> how.withBox(new Box(3)).on(new PoissonRegression(true), 0));
        refused("leave out --box", () -> how.withBox(new Box(3)).on(new LogisticRegression(true), 0));
        refused("leave out --ascent-steps", () -> how.withAscentSteps(3).on(new LogisticRegression(true), 0));
        refused(
                "leave out --ascent-steps",
                () -> how.withMaximisation(Wasserstein.Maximisation.ASCENT).on(new LogisticRegression(true), 0));
        refused("the price of changing region must be finite and > 0, got 0.0", () -> new MixedCost.Change(region, 0));
        refused("must have no price of their own", () -> new MixedCost(WeightedL2.of(1, 1), cost.changes()));
        refused("must begin at feature 0 or later and end at 1", () -> MixedCost.of(new double[] {1}, cost.changes()));
    }

    private static void refused(String message, Runnable choice) {
        assertThatThrownBy(choice::run).isInstanceOf(InputException.class).hasMessageContaining(message);
    }
}
