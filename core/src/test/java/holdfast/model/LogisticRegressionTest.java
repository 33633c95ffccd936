package holdfast.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import holdfast.Randomness;
import holdfast.Seed;
import holdfast.data.DenseBlock;
import holdfast.math.Scratch;
import holdfast.math.Vectors;
import holdfast.testkit.Laws;
import holdfast.testkit.LinearModelContract;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class LogisticRegressionTest {
    private static final MathContext DIGITS = new MathContext(60);

    private final LogisticRegression model = new LogisticRegression(true);

    @Nested
    class WithIntercept extends LinearModelContract {
        @Override
        protected LinearModel model() {
            return new LogisticRegression(true);
        }
    }

    @Nested
    class WithoutIntercept extends LinearModelContract {
        @Override
        protected LinearModel model() {
            return new LogisticRegression(false);
        }
    }

    @Test
    void theInterceptIsTheLastElement() {
        assertThat(model.parameters(3)).isEqualTo(4);
        assertThat(new LogisticRegression(false).parameters(3)).isEqualTo(3);
        double[] score = new double[1];
        model.scores(new double[] {2, 5}, new DenseBlock(1, new double[] {3}, new double[1], null), score);
        assertThat(score[0]).isEqualTo(11);
    }

    @Test
    void theLossIsTheCrossEntropyOfTheProbability() {
        Laws.check(100, seed -> {
            double u = 5 * seed.random().nextGaussian();
            assertThat(model.loss(u, 1)).isCloseTo(-Math.log(model.expected(u)), within(1e-12));
            assertThat(model.loss(u, 0)).isCloseTo(-Math.log(model.expected(-u)), within(1e-12));
        });
    }

    @Test
    void theLossIsFiniteAndRightFarFromTheBoundary() {
        assertThat(model.loss(1000, 0)).isEqualTo(1000);
        assertThat(model.loss(-1000, 1)).isEqualTo(1000);
        assertThat(model.loss(1000, 1)).isBetween(0.0, 1e-300);
        assertThat(model.loss(-1000, 0)).isBetween(0.0, 1e-300);
        assertThat(model.expected(1000)).isEqualTo(1);
        assertThat(model.expected(-1000)).isBetween(0.0, 1e-300);
    }

    private static double gain(double u, double label, double n, double lambda, double s) {
        double a = label == 1 ? -(u + s * n) : u + s * n;
        return Math.max(a, 0) + Math.log1p(Math.exp(-Math.abs(a))) - lambda * s * s * n / 2;
    }

    private record Problem(double u, double label, double n, double lambda) {
        /** Half of them with lambda far below L_zz = n/4, where there are several stationary points. */
        static Problem draw(Randomness random) {
            double n = Math.pow(10, 4 * random.nextDouble() - 2);
            double lambda = n / 4 * Math.pow(10, 3 * random.nextDouble() - 2);
            double label = random.nextInt(2);
            double aroundTheTurn = n / (2 * lambda) * (2 * random.nextDouble() - 0.5);
            return new Problem((label == 1 ? 1 : -1) * aroundTheTurn, label, n, lambda);
        }
    }

    @Test
    void noPointOfADenseGridIsWorseThanTheWorstMove() {
        int[] several = new int[1];
        Laws.check(1000, seed -> {
            Problem p = Problem.draw(seed.random());
            double s = model.worstMove(p.u, p.label, p.n, p.lambda).length();
            double best = gain(p.u, p.label, p.n, p.lambda, s);
            double sign = p.label == 1 ? -1 : 1;
            int turns = 0;
            double last = gain(p.u, p.label, p.n, p.lambda, 0);
            boolean rising = true;
            for (int i = 1; i <= 2000; i++) {
                double value = gain(p.u, p.label, p.n, p.lambda, sign * i / (2000 * p.lambda));
                assertThat(value).isLessThanOrEqualTo(best + 1e-12 * (1 + Math.abs(best)));
                turns += rising && value < last ? 1 : 0;
                rising = value > last;
                last = value;
            }
            several[0] += turns > 1 ? 1 : 0;
        });
        assertThat(several[0]).as("problems with several local maxima").isGreaterThan(20);
    }

    @Test
    void theBracketHoldsTheExactMove() {
        Laws.check(2000, seed -> {
            Problem p = Problem.draw(seed.random());
            LinearModel.Move move = model.worstMove(p.u, p.label, p.n, p.lambda);
            double t = Math.abs(move.length());
            assertThat(move.bracket()).isBetween(0.0, 1e-13 / p.lambda);
            double w = p.label == 1 ? p.u : -p.u;
            double exact = bisect(w, p.n, p.lambda);
            double p1 = 1 / (1 + Math.exp(w - exact * p.n));
            // Where the root itself is ill-conditioned, h is known no better than its rounding error over its slope.
            double rounding = 4e-16 * (1 + Math.abs(w) * p1 * (1 - p1)) / Math.abs(p.n * p1 * (1 - p1) - p.lambda);
            assertThat(t).isCloseTo(exact, within(move.bracket() + rounding));
        });
    }

    /** The root of sigma(t n - w) = lambda t on the side of the global maximum. */
    private static double bisect(double w, double n, double lambda) {
        boolean beyond = w < n / (2 * lambda);
        double low = beyond ? Math.max(0, w / n) : 0;
        double high = beyond ? 1 / lambda : Math.min(1 / lambda, w / n);
        for (int i = 0; i < 200; i++) {
            double t = (low + high) / 2;
            if (1 / (1 + StrictMath.exp(w - t * n)) > lambda * t) {
                low = t;
            } else {
                high = t;
            }
        }
        return low;
    }

    /** All scales of n, lambda and u, the turn, the triple root, rows that nothing moves. */
    private static Problem nasty(Randomness random) {
        double n = random.nextInt(20) == 0 ? 0 : Math.pow(10, 20 * random.nextDouble() - 10);
        double kappa = random.nextInt(4) == 0
                ? 4 + Math.pow(10, -8 * random.nextDouble()) * random.nextGaussian()
                : Math.pow(10, 9 * random.nextDouble() - 3);
        double lambda = n == 0 ? Math.pow(10, 20 * random.nextDouble() - 10) : n / kappa;
        double turn = n / (2 * lambda);
        double w = switch (random.nextInt(5)) {
            case 0 -> turn;
            case 1 -> random.nextInt(2) == 0 ? Math.nextUp(turn) : Math.nextDown(turn);
            case 2 -> turn + Math.pow(10, -8 * random.nextDouble()) * random.nextGaussian();
            case 3 -> turn * 2 * random.nextDouble();
            default -> Math.pow(10, 10 * random.nextDouble() - 4) * random.nextGaussian();
        };
        double label = random.nextInt(2);
        return new Problem(label == 1 ? w : -w, label, n, lambda);
    }

    private double move(Problem p, double[] s) {
        return model.worstMoves(new double[] {p.u}, new double[] {p.label}, p.n, p.lambda, s, 1, new Scratch());
    }

    @Test
    void rowsTogetherMoveToTheSameMaximum() {
        Laws.check(20_000, seed -> {
            Problem p = nasty(seed.random());
            double[] s = new double[1];
            double bracket = move(p, s);
            LinearModel.Move one = model.worstMove(p.u, p.label, p.n, p.lambda);
            assertThat(bracket).isBetween(0.0, Math.max(1e-13 / p.lambda, one.bracket()));
            // Near the triple root the scalar search is known no better than the rounding of h over its slope.
            double v = p.u + one.length() * p.n;
            double curvature = model.expected(v) * model.expected(-v);
            double g = Math.max(1e-9, 1 - p.n / p.lambda * curvature);
            double rounding = 1e-15 * (1 + curvature * Math.abs(p.u)) / (g * p.lambda);
            assertThat(s[0]).isCloseTo(one.length(), within(bracket + one.bracket() + rounding));
        });
    }

    /** In 50 digits: sigma(t n - w) - lambda t changes its sign between t - bracket and t + bracket. */
    @Test
    void theirBracketHoldsTheExactMoveWithAllRounding() {
        int[] settled = new int[1];
        Laws.check(400, seed -> {
            Problem p = Problem.draw(seed.random());
            double[] s = new double[1];
            double bracket = move(p, s);
            if (bracket >= 0x1p-50 / p.lambda) {
                settled[0]++;
                double t = p.label == 1 ? -s[0] : s[0];
                assertThat(pull(p, t, -bracket).signum()).isGreaterThanOrEqualTo(0);
                assertThat(pull(p, t, bracket).signum()).isLessThanOrEqualTo(0);
            }
        });
        assertThat(settled[0]).as("rows not left to the scalar search").isGreaterThan(390);
    }

    private static BigDecimal pull(Problem p, double t, double shift) {
        BigDecimal at = new BigDecimal(t).add(new BigDecimal(shift));
        BigDecimal w = new BigDecimal(p.label == 1 ? p.u : -p.u);
        BigDecimal e = exp(w.subtract(at.multiply(new BigDecimal(p.n))));
        return BigDecimal.ONE
                .divide(BigDecimal.ONE.add(e), DIGITS)
                .subtract(at.multiply(new BigDecimal(p.lambda)), DIGITS);
    }

    /** (e^(x/2^20))^(2^20) */
    private static BigDecimal exp(BigDecimal x) {
        BigDecimal small = x.divide(new BigDecimal(1 << 20), DIGITS);
        BigDecimal sum = BigDecimal.ONE;
        for (int i = 20; i > 0; i--) {
            sum = BigDecimal.ONE.add(small.multiply(sum).divide(new BigDecimal(i), DIGITS), DIGITS);
        }
        for (int i = 0; i < 20; i++) {
            sum = sum.multiply(sum, DIGITS);
        }
        return sum;
    }

    @Test
    void theBitsOfTheMovesStayAsTheyAre() {
        // Frozen: the same with every kernel.
        double[] u = Vectors.scaled(5, Seed.of(1).random().gaussians(1000));
        double[] labels = new double[1000];
        Arrays.setAll(labels, j -> j % 2);
        double[] all = new double[3000];
        double[] s = new double[1000];
        for (int i = 0; i < 3; i++) {
            model.worstMoves(u, labels, new double[] {0.5, 4.1, 20}[i], 1, s, 1000, new Scratch());
            System.arraycopy(s, 0, all, 1000 * i, 1000);
        }
        assertThat(Arrays.hashCode(all)).isEqualTo(849471121);
    }

    @Test
    void whereNothingIsLearntYetTheWorstMoveIsFinite() {
        LinearModel.Move move = model.worstMove(0, 1, 0, 3);
        assertThat(move.length()).isCloseTo(-1 / 6.0, within(1e-15));
    }

    @Test
    void aScoreIsPositiveWhereTheSecondClassIsTheLikelierOne() {
        Laws.check(100, seed -> {
            double u = 5 * seed.random().nextGaussian();
            assertThat(u > 0).isEqualTo(model.loss(u, 1) < model.loss(u, 0)).isEqualTo(model.expected(u) > 0.5);
        });
    }
}
