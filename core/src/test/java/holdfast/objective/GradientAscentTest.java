package holdfast.objective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import holdfast.Randomness;
import holdfast.Seed;
import holdfast.data.Block;
import holdfast.data.DenseBlock;
import holdfast.model.Activation;
import holdfast.model.HiddenLayers;
import holdfast.model.HuberRegression;
import holdfast.model.LinearRegression;
import holdfast.model.LogisticRegression;
import holdfast.model.NeuralNetwork;
import holdfast.testkit.Laws;
import holdfast.testkit.Samples;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The ascent under models whose curvature in the rows is only bounded. */
class GradientAscentTest {
    private static final int D = 2;

    private static GradientAscent ascent(NeuralNetwork model, double lambda, TransportCost cost) {
        return new GradientAscent(model, lambda, cost, Optional.empty(), Box.NONE);
    }

    private static double[] rows(GradientAscent ascent, double[] theta, Block block, Effort effort) {
        return ascent.maximise(theta, block, effort).rows().filled("");
    }

    /** Where lambda is above L_zz there is one worst case, to which a long ascent comes as close as can be. */
    @Test
    void theWorstCaseIsAsCloseAsThePrecisionSays() {
        double[] closest = new double[1];
        Laws.check(30, seed -> {
            Randomness random = seed.random();
            Activation activation = List.of(Activation.SOFTPLUS, Activation.TANH, Activation.GELU, Activation.ELU)
                    .get(random.nextInt(4));
            NeuralNetwork model = new NeuralNetwork(HiddenLayers.of(4), activation, new HuberRegression(true, 0.7));
            double[] theta = random.gaussians(model.parameters(D));
            Block block = Samples.block(seed, 5, D, false);
            WeightedL2 cost = random.nextInt(2) == 0 ? WeightedL2.EQUAL : WeightedL2.of(0.01, 1);
            double lambda = 1.05 * cost.zz(model, theta, D, Double.POSITIVE_INFINITY, 1);
            GradientAscent ascent = ascent(model, lambda, cost);
            double[] exact = rows(ascent, theta, block, new Effort.Steps(1000));
            for (Effort effort :
                    List.of(new Effort.Steps(random.nextInt(8)), new Effort.Precision(0.01 * random.nextDouble()))) {
                WorstCase found = ascent.maximise(theta, block, effort);
                if (effort instanceof Effort.Precision wanted) {
                    assertThat(found.precision()).isLessThanOrEqualTo(wanted.epsilon());
                }
                double[] z = found.rows().filled("");
                for (int j = 0; j < block.rows(); j++) {
                    double far = Math.hypot(z[D * j] - exact[D * j], z[D * j + 1] - exact[D * j + 1]);
                    assertThat(far).isLessThanOrEqualTo(found.precision() * (1 + 1e-9) + 1e-9);
                    closest[0] = Math.max(closest[0], far / (found.precision() + 1e-9));
                }
            }
        });
        assertThat(closest[0]).isGreaterThan(0.01);
    }

    /** At the row itself the cost has no slope: the precision is that of the loss, divided by how strongly concave g is. */
    @Test
    void thePrecisionIsTheLongestSlopeInTheNormOfTheCost() {
        NeuralNetwork model = new NeuralNetwork(HiddenLayers.of(3), Activation.ELU, new LogisticRegression(true));
        double[] theta = model.start(D, Seed.of(9));
        Block block = Samples.block(Seed.of(10), 20, D, false);
        double[] slope = new double[20 * D];
        model.gradientInRows(theta, block, slope);
        for (WeightedL2 cost : List.of(WeightedL2.EQUAL, WeightedL2.of(0.01, 1))) {
            double zz = cost.zz(model, theta, D, Double.POSITIVE_INFINITY, 1);
            double longest = 0;
            for (int j = 0; j < 20; j++) {
                longest = Math.max(
                        longest,
                        Math.hypot(
                                slope[D * j] / Math.sqrt(cost.price(0)), slope[D * j + 1] / Math.sqrt(cost.price(1))));
            }
            assertThat(ascent(model, 3 * zz, cost)
                            .maximise(theta, block, new Effort.Steps(0))
                            .precision())
                    .isCloseTo(longest / Math.sqrt(cost.least()) / (2 * zz), withinPercentage(1e-6));
        }
    }

    /** The slope of the squared loss grows with the label, and with it L_zz of a network with tanh. */
    @Test
    void theRateFollowsLzzOfTheBlockUpToLambda() {
        NeuralNetwork model = new NeuralNetwork(HiddenLayers.of(4), Activation.TANH, new LinearRegression(true));
        double[] theta = model.start(D, Seed.of(5));
        Block block = new DenseBlock(D, Seed.of(6).random().gaussians(3 * D), new double[] {1, -7, 2}, null);
        double zz = model.smoothness(theta, D, Double.POSITIVE_INFINITY, 7).zz();
        for (double lambda : new double[] {0.5 * zz, zz, 4 * zz}) {
            double rate = 1 / (lambda + Math.min(zz, lambda));
            Effort effort = new Effort.Steps(3);
            assertThat(Laws.bits(rows(ascent(model, lambda, new SquaredL2()), theta, block, effort)))
                    .isEqualTo(Laws.bits(rows(new GradientAscent(model, lambda, rate), theta, block, effort)));
        }
    }

    @Test
    void thePrecisionIsThatOfTheWorstRowAndUnknownInABoxOrBelowLzz() {
        NeuralNetwork model = new NeuralNetwork(HiddenLayers.of(3), Activation.GELU, new LogisticRegression(true));
        double[] theta = model.start(D, Seed.of(7));
        Block block = Samples.block(Seed.of(8), 150, D, false);
        double zz = model.smoothness(theta, D, Double.POSITIVE_INFINITY, 1).zz();
        Effort effort = new Effort.Steps(2);
        GradientAscent ascent = ascent(model, 2 * zz, new SquaredL2());
        double worst = 0;
        double least = Double.POSITIVE_INFINITY;
        double[] x = block.filled("");
        for (int j = 0; j < block.rows(); j++) {
            Block one =
                    new DenseBlock(D, Arrays.copyOfRange(x, D * j, D * j + D), new double[] {block.labels()[j]}, null);
            double alone = ascent.maximise(theta, one, effort).precision();
            worst = Math.max(worst, alone);
            least = Math.min(least, alone);
        }
        assertThat(ascent.maximise(theta, block, effort).precision())
                .isEqualTo(worst)
                .isGreaterThan(least);
        assertThat(ascent(model, zz, new SquaredL2())
                        .maximise(theta, block, effort)
                        .precision())
                .isInfinite();
        assertThat(new GradientAscent(model, 2 * zz, new SquaredL2(), Optional.empty(), new Box(3))
                        .maximise(theta, block, effort)
                        .precision())
                .isInfinite();
    }
}
