package holdfast.shift;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import holdfast.Randomness;
import holdfast.Seed;
import holdfast.data.Block;
import holdfast.data.DenseBlock;
import holdfast.math.Vectors;
import holdfast.model.Activation;
import holdfast.model.HiddenLayers;
import holdfast.model.LogisticRegression;
import holdfast.model.Model;
import holdfast.model.NeuralNetwork;
import holdfast.model.Target;
import holdfast.shift.WorstCaseShift.Norm;
import holdfast.testkit.Laws;
import holdfast.testkit.Samples;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ProjectedAscentTest {
    private static final NeuralNetwork NETWORK =
            new NeuralNetwork(HiddenLayers.of(6), Activation.TANH, new LogisticRegression(true));

    private static double length(Norm norm, double[] v) {
        return switch (norm) {
            case L1 -> Arrays.stream(v).map(Math::abs).sum();
            case L2 -> Vectors.norm(v);
            case LINF -> Vectors.maxAbs(v, v.length);
        };
    }

    private static double[] losses(Model model, double[] theta, Block block) {
        double[] losses = new double[block.rows()];
        model.losses(theta, block, losses);
        return losses;
    }

    /** No point of the ball is nearer: the angle to every other one is at least a right angle. */
    @ParameterizedTest
    @EnumSource
    void theProjectionIsTheNearestPointOfTheBall(Norm norm) {
        Laws.check(200, seed -> {
            Randomness random = seed.random();
            int d = 1 + random.nextInt(6);
            double budget = 0.1 + random.nextDouble();
            double[] v = random.gaussians(d);
            double[] p = v.clone();
            new ProjectedAscent(norm, budget).project(p);
            assertThat(length(norm, p)).isLessThanOrEqualTo(budget * (1 + 1e-12));
            for (int k = 0; k < 20; k++) {
                double[] q = random.gaussians(d);
                double factor = budget * random.nextDouble() / length(norm, q);
                double inner = 0;
                for (int i = 0; i < d; i++) {
                    inner += (v[i] - p[i]) * (factor * q[i] - p[i]);
                }
                assertThat(inner).isLessThanOrEqualTo(1e-12);
            }
        });
    }

    /** With one feature the ball is an interval, which a grid covers; with more it is at least a random search. */
    @ParameterizedTest
    @EnumSource
    void rowsStayInTheBallAndNoSearchFindsWorse(Norm norm) {
        Laws.check(30, seed -> {
            Randomness random = seed.random();
            int d = 1 + random.nextInt(3);
            double budget = 0.05 + random.nextDouble();
            double[] theta = NETWORK.start(d, seed);
            Block block = Samples.block(seed, 5, d, false);
            Block moved = new WorstCaseShift(norm, budget).apply(NETWORK, theta, block);
            double[] x = block.filled("");
            double[] z = moved.filled("");
            double[] found = losses(NETWORK, theta, moved);
            double[] before = losses(NETWORK, theta, block);
            for (int j = 0; j < 5; j++) {
                double[] move = new double[d];
                for (int i = 0; i < d; i++) {
                    move[i] = z[j * d + i] - x[j * d + i];
                }
                assertThat(length(norm, move)).isLessThanOrEqualTo(budget * (1 + 1e-9));
                assertThat(found[j]).isGreaterThanOrEqualTo(before[j]);
                for (int k = 0; k < 200; k++) {
                    double[] q = random.gaussians(d);
                    double factor = budget * (k % 2 == 0 ? 1 : random.nextDouble()) / length(norm, q);
                    double[] other = new double[d];
                    for (int i = 0; i < d; i++) {
                        other[i] = x[j * d + i] + factor * q[i];
                    }
                    Block one = new DenseBlock(d, other, new double[] {block.label(j)}, null);
                    assertThat(losses(NETWORK, theta, one)[0]).isLessThanOrEqualTo(found[j] * 1.02 + 1e-3);
                }
            }
        });
    }

    /** For a linear model the search comes to the exact worst case. */
    @ParameterizedTest
    @EnumSource
    void aLinearModelIsMovedToItsExactWorstCase(Norm norm) {
        Laws.check(30, seed -> {
            LogisticRegression model = new LogisticRegression(true);
            double[] theta = seed.random().gaussians(5);
            Block block = Samples.block(seed, 6, 4, false);
            double[] exact = losses(model, theta, new WorstCaseShift(norm, 0.4).apply(model, theta, block));
            double[] searched = losses(model, theta, new ProjectedAscent(norm, 0.4).apply(model, theta, block));
            assertThat(searched).containsExactly(exact, within(1e-6));
        });
    }

    /** A loss that is the number of the call, or less with each call; rows where it was asked for are kept. */
    private static final class Counted implements Model {
        private final List<double[]> seen = new ArrayList<>();
        private final double sign;
        private final double slope;

        Counted(double sign, double slope) {
            this.sign = sign;
            this.slope = slope;
        }

        @Override
        public Target target() {
            return Target.NUMBER;
        }

        @Override
        public int scoresPerRow() {
            return 1;
        }

        @Override
        public int parameters(int features) {
            return 1;
        }

        @Override
        public void losses(double[] theta, Block block, double[] out) {
            seen.add(block.filled("").clone());
            Arrays.fill(out, 100 + sign * seen.size());
        }

        @Override
        public void addGradient(double[] theta, Block block, double[] gradient) {}

        @Override
        public void gradientInRows(double[] theta, Block block, double[] out) {
            Arrays.setAll(out, i -> slope * Math.cos(seen.size() + 2.0 * i));
        }

        @Override
        public void scores(double[] theta, Block block, double[] out) {}
    }

    @ParameterizedTest
    @EnumSource
    void itStartsAtTheRowAndAtTwoOtherPointsAndKeepsTheWorst(Norm norm) {
        Block block = new DenseBlock(3, new double[] {1, 2, 3}, new double[] {0}, null);
        Counted flat = new Counted(1, 0);
        new ProjectedAscent(norm, 0.5).apply(flat, new double[1], block);
        assertThat(flat.seen.stream().map(Arrays::toString).distinct()).hasSize(3);
        Counted last = new Counted(1, 1);
        assertThat(new ProjectedAscent(norm, 0.5)
                        .apply(last, new double[1], block)
                        .filled(""))
                .isEqualTo(last.seen.get(last.seen.size() - 1))
                .isNotEqualTo(last.seen.get(last.seen.size() - 2));
        assertThat(new ProjectedAscent(norm, 0.5)
                        .apply(new Counted(-1, 1), new double[1], block)
                        .filled(""))
                .containsExactly(1, 2, 3);
    }

    @Test
    void aRowMovesAsItWouldAloneAndTheNameSaysLowerBound() {
        double[] theta = NETWORK.start(4, Seed.of(3));
        Block block = Samples.block(Seed.of(4), 7, 4, false);
        WorstCaseShift shift = new WorstCaseShift(Norm.L2, 0.5);
        double[] all = shift.apply(NETWORK, theta, block).filled("");
        double[] x = block.filled("");
        for (int j = 0; j < 7; j++) {
            Block one = new DenseBlock(4, Arrays.copyOfRange(x, 4 * j, 4 * j + 4), new double[] {block.label(j)}, null);
            assertThat(Laws.bits(shift.apply(NETWORK, theta, one).filled("")))
                    .isEqualTo(Laws.bits(Arrays.copyOfRange(all, 4 * j, 4 * j + 4)));
        }
        assertThat(shift.name(NETWORK)).isEqualTo("l2 0.5, lower bound");
        assertThat(shift.name(new LogisticRegression(true))).isEqualTo("l2 0.5");
    }
}
