package holdfast.aggregate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import holdfast.InputException;
import holdfast.Randomness;
import holdfast.Seed;
import holdfast.math.Vectors;
import holdfast.testkit.AggregatorContract;
import holdfast.testkit.Laws;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CenteredClippingTest extends AggregatorContract {
    @Override
    protected Aggregator rule(int budget, Randomness random) {
        double[] radii = {1e-300, 0.1, 1, 100, 1e200, Double.MAX_VALUE};
        return new CenteredClipping(budget, radii[random.nextInt(radii.length)], 1 + random.nextInt(5));
    }

    /** The centre stays where it is. */
    @Override
    protected boolean translates() {
        return false;
    }

    /** Tau is a length. */
    @Override
    protected boolean scales() {
        return false;
    }

    /** Updates far from the centre are not reached in a few steps. */
    @Override
    protected boolean faithful() {
        return false;
    }

    /** Liars gain a distance, not a factor; see the law below. */
    @Override
    protected int boundedLiars(int budget) {
        return 0;
    }

    @Test
    void everyStepComesAsNearToEveryTargetAsTheRuleSays() {
        Laws.check(500, seed -> {
            Randomness random = seed.random();
            int f = random.nextInt(4);
            int n = 2 * f + 1 + random.nextInt(5);
            double tau = Math.exp(random.nextGaussian());
            double[] target = random.gaussians(2);
            double[] v = Vectors.scaled(2, random.gaussians(2));
            double[][] x = new double[n][];
            double delta = 0;
            for (int i = 0; i < n; i++) {
                x[i] = Vectors.add(Vectors.scaled(i < f ? 100 : 0.3, random.gaussians(2)), target);
                delta = i < f ? delta : Math.max(delta, distance(x[i], target));
            }
            Round round = new Round(0, n, Round.of(x).updates(), target, seed, new Carry(v), null);
            double before = distance(v, target);
            assertThat(distance(new CenteredClipping(f, tau, 1).aggregate(round).direction(), target))
                    .isLessThanOrEqualTo((delta + Math.max(0, before - tau) + f * (before + tau) / n) * (1 + 1e-12));
        });
    }

    private static double distance(double[] a, double[] b) {
        return Math.hypot(a[0] - b[0], a[1] - b[1]);
    }

    @Test
    void inEveryStepLiarsGainNoMoreThanTheirShareOfTau() {
        Laws.check(200, seed -> {
            Randomness random = seed.random();
            int f = random.nextInt(4);
            int n = 2 * f + 1 + random.nextInt(5);
            double[][] x = new double[n][];
            Arrays.setAll(x, i -> random.gaussians(3));
            double longest = IntStream.range(f, n)
                    .mapToDouble(i -> Vectors.norm(x[i]))
                    .max()
                    .orElseThrow();
            for (int i = 0; i < f; i++) {
                x[i] = Vectors.scaled(Math.pow(10, random.nextInt(308)), x[i]);
            }
            double tau = 2 * random.nextDouble() + 0.01;
            int steps = 1 + random.nextInt(20);
            double[] made =
                    new CenteredClipping(f, tau, steps).aggregate(Round.of(x)).direction();
            assertThat(Vectors.norm(made)).isLessThanOrEqualTo((longest + steps * tau * f / n) * (1 + 1e-12));
        });
    }

    @Test
    void goesOnFromWhereItWas() {
        double[][] x = {{10, 0}, {13, 4}, {10, 0}};
        CenteredClipping rule = new CenteredClipping(1, 1, 1);
        Carry carry = Carry.NONE;
        for (int t = 0; t < 4; t++) {
            Round first = Round.of(x);
            Round round = new Round(t, 3, first.updates(), first.theta(), Seed.of(0), carry, null);
            Aggregate made = rule.aggregate(round);
            assertThat(made.carry().values()).isEqualTo(made.direction()).isNotSameAs(made.direction());
            carry = made.carry();
        }
        Aggregate atOnce = new CenteredClipping(1, 1, 4).aggregate(Round.of(x));
        assertThat(carry.values()).containsExactly(atOnce.direction(), within(1e-15));
        assertThat(Vectors.norm(atOnce.direction())).isBetween(3.9, 4.0);
        assertThat(atOnce.explanation()).isEqualTo("clipped [0, 1, 2] to 1.0");
    }

    @Test
    void withinTauItIsTheMean() {
        double[][] x = {{1, 2}, {3, 5}, {-1, 2}};
        Aggregate made = new CenteredClipping(1, 100, 1).aggregate(Round.of(x));
        assertThat(made.direction()).containsExactly(new double[] {1, 3}, within(1e-15));
        assertThat(made.explanation()).isEqualTo("none clipped");
    }

    @Test
    void aCarryOfAnotherLengthIsRefused() {
        Round round = new Round(
                1,
                1,
                List.of(new WorkerUpdate(0, new double[2])),
                new double[2],
                Seed.of(0),
                new Carry(new double[3]),
                null);
        assertThatThrownBy(() -> new CenteredClipping(0, 1, 1).aggregate(round))
                .isInstanceOf(InputException.class)
                .hasMessage("centered-clipping: carries 3 numbers, updates have 2");
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, -1, Double.NaN, Double.POSITIVE_INFINITY})
    void refusesWhatIsNoRadius(double tau) {
        assertThatThrownBy(() -> new CenteredClipping(0, tau, 1))
                .isInstanceOf(InputException.class)
                .hasMessage("centered-clipping: tau must be finite and > 0, got " + tau);
    }

    /** Its own formula, step after step, distances measured anew each time. */
    @Test
    void everyStepIsTheFormulaFromWhereTheLastOneEnded() {
        Laws.check(100, seed -> {
            Randomness random = seed.random();
            int n = 3 + random.nextInt(5);
            int d = random.nextInt(4) == 0 ? 1500 + random.nextInt(1500) : 1 + random.nextInt(5);
            double[][] x = new double[n][];
            Arrays.setAll(x, i -> Vectors.scaled(1 + random.nextInt(3), random.gaussians(d)));
            double tau = Math.sqrt(d) * (0.2 + 2 * random.nextDouble());
            int steps = 1 + random.nextInt(5);
            double[] v = new double[d];
            for (int step = 0; step < steps; step++) {
                double[] next = v.clone();
                for (double[] own : x) {
                    double[] gap = own.clone();
                    Vectors.addScaled(gap, -1, v, d);
                    Vectors.addScaled(next, Math.min(1, tau / Vectors.norm(gap)) / n, gap, d);
                }
                v = next;
            }
            assertThat(new CenteredClipping(1, tau, steps)
                            .aggregate(Round.of(x))
                            .direction())
                    .containsExactly(v, within(1e-12));
        });
    }

    @Test
    void whoIsClippedIsSaid() {
        double[][] x = {{0.5}, {3}, {-4}};
        assertThat(new CenteredClipping(1, 2, 1).aggregate(Round.of(x)).explanation())
                .isEqualTo("clipped [1, 2] to 2.0");
        assertThat(new CenteredClipping(1, 5, 1).aggregate(Round.of(x)).explanation())
                .isEqualTo("none clipped");
    }

    /** Where the parts of a sum round up, it would be beyond the largest double. */
    @Test
    void updatesOfTheLargestSizeGiveAFiniteDirection() {
        for (int n = 3; n < 100; n++) {
            double[][] x = new double[n][1];
            for (double[] own : x) {
                own[0] = Double.MAX_VALUE;
            }
            double made = new CenteredClipping(1, Double.MAX_VALUE, 2)
                    .aggregate(Round.of(x))
                    .direction()[0];
            assertThat(made).isCloseTo(Double.MAX_VALUE, within(1e-12 * Double.MAX_VALUE));
        }
    }
}
