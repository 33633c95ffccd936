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
import org.junit.jupiter.api.Test;

class FlTrustTest extends AggregatorContract {
    @Override
    protected Aggregator rule(int budget, Randomness random) {
        return new FlTrust(budget);
    }

    @Override
    protected boolean translates() {
        return false;
    }

    /** The direction is as long as the server's own gradient. */
    @Override
    protected boolean scales() {
        return false;
    }

    /** As long as the server's own gradient, not as the votes. */
    @Override
    protected boolean faithful() {
        return false;
    }

    /** Short against any honest update drawn, so that the contract's bound has a meaning: the direction is no longer. */
    @Override
    protected double[] trusted(int length) {
        double[] own = new double[length];
        Arrays.fill(own, 1e-6);
        return own;
    }

    private static Aggregate made(double[] own, double[]... g) {
        return new FlTrust(0)
                .aggregate(new Round(0, g.length, Round.of(g).updates(), own, Seed.of(0), Carry.NONE, own));
    }

    /** Unlike other rules it may keep nobody. */
    @Test
    @Override
    protected void keptIdsAscendAndAreVoters() {
        double[] own = {2, 0};
        Aggregate some = made(own, new double[] {1, 5}, new double[] {-1, 1}, new double[] {0, 1}, new double[] {9, 0});
        assertThat(some.kept()).containsExactly(0, 3);
        Aggregate none = made(own, new double[] {-1, 5}, new double[] {0, 0});
        assertThat(none.kept()).isEmpty();
        assertThat(none.direction()).containsExactly(0, 0);
    }

    /** Workers are judged one by one: the missing are as if never asked. */
    @Test
    @Override
    protected void missingUpdatesWithinTheBudgetAreBorne() {
        Round all = Round.of(new double[] {1, 5}, new double[] {4, 3});
        double[] own = {2, 0};
        Round some = new Round(0, 4, all.updates(), own, Seed.of(0), Carry.NONE, own);
        assertThat(Laws.bits(new FlTrust(2).aggregate(some).direction()))
                .isEqualTo(Laws.bits(
                        made(own, new double[] {1, 5}, new double[] {4, 3}).direction()));
    }

    @Test
    void weighsUnitVectorsByTheirCosine() {
        // Cosines 1, 0.6, none; ||g_0|| = 2.
        Aggregate made =
                made(new double[] {2, 0}, new double[] {7, 0}, new double[] {3e200, 4e200}, new double[] {-1, 0});
        assertThat(made.direction())
                .containsExactly(new double[] {2 * (1 + 0.6 * 0.6) / 1.6, 2 * 0.6 * 0.8 / 1.6}, within(1e-15));
        assertThat(made.explanation()).isEqualTo("no trust in [2]; cosines of the others 0.6000 to 1.000");
    }

    @Test
    void isNeverLongerThanTheServersOwnAndNeverAgainstIt() {
        Laws.check(300, seed -> {
            Randomness random = seed.random();
            double[] own = Vectors.scaled(Math.pow(10, random.nextInt(9) - 4), random.gaussians(5));
            double[][] g = new double[1 + random.nextInt(9)][];
            Arrays.setAll(g, i -> Vectors.scaled(Math.pow(10, random.nextInt(600) - 300), random.gaussians(5)));
            double[] direction = made(own, g).direction();
            assertThat(Vectors.norm(direction)).isLessThanOrEqualTo(Vectors.norm(own) * (1 + 1e-12));
            assertThat(Vectors.dot(direction, own, 5)).isNotNegative();
        });
    }

    @Test
    void aHugeOwnGradientStaysFinite() {
        double[] own = {Double.MAX_VALUE, Double.MAX_VALUE};
        assertThat(made(own, new double[] {1, 0}).direction()).containsExactly(Double.MAX_VALUE, 0);
    }

    @Test
    void withoutTrustedRowsItSaysWhatToSet() {
        assertThatThrownBy(() -> new FlTrust(0).aggregate(Round.of(new double[] {1})))
                .isInstanceOf(InputException.class)
                .hasMessage(
                        "fltrust: needs the server's own gradient: --root 100 keeps rows for it, for vectors there is --trusted");
    }

    @Test
    void theDirectionIsNearTheServersOwnWhateverIsSent() {
        double farthest = 0;
        for (int i = 0; i < 500; i++) {
            Randomness random = Seed.of(2).child("case", i).random();
            double[] own = random.gaussians(2);
            double[] g = made(own, random.gaussians(2), random.gaussians(2)).direction();
            farthest = Math.max(farthest, Math.hypot(g[0] - own[0], g[1] - own[1]) / Vectors.norm(own));
        }
        assertThat(farthest).isBetween(1.3, Math.sqrt(2));
    }
}
