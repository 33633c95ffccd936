package holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import holdfast.InputException;
import holdfast.Randomness;
import holdfast.data.DenseBlock;
import holdfast.math.Scratch;
import holdfast.model.LinearModel;
import org.junit.jupiter.api.Test;

/**
 * The laws of every linear model with one score, besides those of {@link LinearScoresContract}: slopes and curvatures
 * are those of the convex loss l(u; y), their bounds hold, and no move along theta is worse than the worst move.
 *
 * <p>To test a linear model, extend this class and implement {@link #model}. If the worst case is finite only for some
 * prices, override {@link #price} so that it draws those.
 */
public abstract class LinearModelContract extends LinearScoresContract {
    private static final double STEP = 1e-5;
    private static final int GRID = 3000;

    @Override
    protected abstract LinearModel model();

    /**
     * Draws a price lambda at which the worst case is finite, both below and above the price from which there is only
     * one local maximum.
     *
     * @param n the squared length of theta's features
     */
    protected double price(double n, Randomness random) {
        return random.nextInt(10) == 0 ? n : n * Math.pow(10, 4 * random.nextDouble() - 3);
    }

    /** Draws a score, sometimes one where losses have a kink or a minimum. */
    private double score(double label, Randomness random) {
        return switch (random.nextInt(8)) {
            case 0 -> label;
            case 1 -> 0;
            case 2 -> 1 - 2 * label;
            case 3 -> 2 * label - 1;
            default -> 3 * random.nextGaussian();
        };
    }

    /** Returns l(u; y), computed with a row of one feature whose weight is 1. */
    private double loss(double u, double label) {
        double[] theta = new double[model().parameters(1)];
        theta[0] = 1;
        return model().loss(theta, new DenseBlock(1, new double[] {u}, new double[] {label}, null));
    }

    private double slope(double u, double label) {
        double[] out = new double[1];
        model().slopes(new double[] {u}, new double[] {label}, out, 1);
        return out[0];
    }

    private double curvature(double u, double label) {
        double[] out = new double[1];
        model().curvatures(new double[] {u}, new double[] {label}, out, 1);
        return out[0];
    }

    @Test
    protected void slopesAreThoseOfAConvexLossAlsoAtKinks() {
        Laws.check(1000, seed -> {
            Randomness random = seed.random();
            double label = label(random);
            double u = score(label, random);
            double chord = (loss(u + STEP, label) - loss(u - STEP, label)) / (2 * STEP);
            double slack = 1e-9 * (1 + Math.abs(loss(u, label)));
            assertThat(chord).isBetween(slope(u - STEP, label) - slack, slope(u + STEP, label) + slack);
            assertThat(slope(u, label)).isCloseTo(chord, within(STEP * (1 + curvature(u, label)) + slack));
        });
    }

    @Test
    protected void curvaturesAreTheSlopesOfTheSlopesAndOneOfTheTwoAtKinks() {
        Laws.check(1000, seed -> {
            Randomness random = seed.random();
            double label = label(random);
            double u = score(label, random);
            double below = (slope(u, label) - slope(u - STEP, label)) / STEP;
            double above = (slope(u + STEP, label) - slope(u, label)) / STEP;
            double slack = 1e-9 * (1 + Math.abs(label)) + 2 * STEP * curvature(u, label);
            assertThat(curvature(u, label)).isBetween(Math.min(below, above) - slack, Math.max(below, above) + slack);
        });
    }

    @Test
    protected void theBoundsHoldWhereTheyAreSaidToHold() {
        Laws.check(1000, seed -> {
            Randomness random = seed.random();
            double label = label(random);
            double reach = 6 * random.nextDouble();
            double u = random.nextInt(4) == 0 ? reach : reach * (2 * random.nextDouble() - 1);
            double slack = 1e-14 * Math.exp(reach);
            assertThat(Math.abs(slope(u, label)))
                    .isLessThanOrEqualTo(model().slopeBound(reach, Math.abs(label)) + slack);
            assertThat(curvature(u, label)).isLessThanOrEqualTo(model().curvatureBound(reach, Math.abs(label)) + slack);
        });
    }

    /** At the expected label a loss has no slope, because l' is linear in the label. */
    @Test
    protected void theExpectedLabelIsTheOneThatPullsAtNothing() {
        Laws.check(200, seed -> {
            double u = 3 * seed.random().nextGaussian();
            double expected = model().expected(u);
            if (!Double.isNaN(expected)) {
                assertThat(slope(u, expected)).isCloseTo(0, within(1e-12 * (1 + Math.abs(expected))));
            } else {
                assertThat(model().target().isClass()).isTrue();
            }
        });
    }

    @Test
    protected void theWorseSideIsWorse() {
        Laws.check(500, seed -> {
            Randomness random = seed.random();
            double label = label(random);
            double u = score(label, random);
            double reach = 3 * random.nextDouble();
            double move = model().worseSide(u, label, reach) * reach;
            assertThat(Math.abs(move)).isEqualTo(reach);
            assertThat(loss(u + move, label)).isGreaterThanOrEqualTo(loss(u - move, label));
        });
    }

    @Test
    protected void noPointOfADenseGridIsWorseThanTheWorstMove() {
        if (model().needsBox()) {
            assertThatThrownBy(() -> model().worstMove(1, 1, 1, 1e9)).isInstanceOf(InputException.class);
            return;
        }
        Laws.check(1000, seed -> {
            Randomness random = seed.random();
            double n = random.nextInt(20) == 0 ? 0 : Math.pow(10, 4 * random.nextDouble() - 2);
            double lambda = n == 0 ? 2 : price(n, random);
            double label = label(random);
            double u = random.nextInt(2) == 0
                    ? score(label, random)
                    : n / lambda * (2 * random.nextDouble() - 1); // Where the best maximum changes sides.
            LinearModel.Move move = model().worstMove(u, label, n, lambda);
            double best = gain(u, label, n, lambda, move.length());
            double slack = 1e-11 * (1 + Math.abs(best) + lambda * move.length() * move.length() * n);
            double widest = 3 * Math.abs(move.length()) + 3 / lambda;
            double rival = Double.NEGATIVE_INFINITY;
            for (int i = -GRID; i <= GRID; i++) {
                rival = Math.max(rival, gain(u, label, n, lambda, widest * i / GRID));
            }
            assertThat(rival).isLessThanOrEqualTo(best + slack);
            assertThat(move.bracket()).isBetween(0.0, 1e-13 * (1 / lambda + Math.abs(move.length())));
            double pull = slope(u + move.length() * n, label);
            assertThat(pull - lambda * move.length())
                    .as("stationary")
                    .isCloseTo(0, within(1e-11 * (1 + Math.abs(pull)) * (1 + n / lambda)));
        });
    }

    @Test
    protected void manyRowsMoveAsEachAlone() {
        if (model().needsBox()) {
            return;
        }
        Laws.check(200, seed -> {
            Randomness random = seed.random();
            int rows = 1 + random.nextInt(40);
            double n = random.nextInt(20) == 0 ? 0 : Math.pow(10, 4 * random.nextDouble() - 2);
            double lambda = n == 0 ? 2 : price(n, random);
            double[] labels = new double[rows];
            double[] u = new double[rows];
            for (int j = 0; j < rows; j++) {
                labels[j] = label(random);
                u[j] = score(labels[j], random);
            }
            double[] before = u.clone();
            double[] s = new double[rows];
            double widest = model().worstMoves(u, labels, n, lambda, s, rows, new Scratch());
            assertThat(Laws.bits(u)).isEqualTo(Laws.bits(before));
            double bracket = 0;
            for (int j = 0; j < rows; j++) {
                double[] alone = new double[1];
                double own = model().worstMoves(
                                new double[] {u[j]}, new double[] {labels[j]}, n, lambda, alone, 1, new Scratch());
                assertThat(Double.doubleToRawLongBits(s[j])).isEqualTo(Double.doubleToRawLongBits(alone[0]));
                bracket = Math.max(bracket, own);
                LinearModel.Move move = model().worstMove(u[j], labels[j], n, lambda);
                assertThat(s[j]).isCloseTo(move.length(), within(own + move.bracket()));
            }
            assertThat(widest).isEqualTo(bracket).isLessThanOrEqualTo(1e-12 / lambda);
        });
    }

    private double gain(double u, double label, double n, double lambda, double s) {
        return loss(u + s * n, label) - lambda * s * s * n / 2;
    }
}
