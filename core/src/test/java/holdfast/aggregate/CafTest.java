package holdfast.aggregate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import holdfast.Randomness;
import holdfast.math.Vectors;
import holdfast.testkit.AggregatorContract;
import holdfast.testkit.Laws;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class CafTest extends AggregatorContract {
    @Override
    protected Aggregator rule(int budget, Randomness random) {
        return new Caf(budget);
    }

    @Override
    protected boolean translates() {
        return true;
    }

    /**
     * In some step the honest lose at least what the liars do, else all would stop sooner: there l &lt;= 2(n-f)/(n-2f) R^2,
     * the mean is within sqrt(l) of an honest mean, and later ones within sqrt(l 2f/(n-2f)) of it.
     */
    @Override
    protected double growth(int workers, int length) {
        return 1 + Math.sqrt(2 * workers) * (1 + Math.sqrt(workers));
    }

    /** The definition in the plane, with the covariance itself and its eigenpair in closed form. */
    private static double[] plane(double[][] g, int f) {
        int n = g.length;
        double[] c = new double[n];
        Arrays.fill(c, 1);
        double smallest = Double.POSITIVE_INFINITY;
        double[] best = null;
        while (Arrays.stream(c).sum() > n - 2 * f) {
            double total = Arrays.stream(c).sum();
            double x = 0;
            double y = 0;
            for (int i = 0; i < n; i++) {
                x += c[i] * g[i][0] / total;
                y += c[i] * g[i][1] / total;
            }
            double xx = 0;
            double xy = 0;
            double yy = 0;
            for (int i = 0; i < n; i++) {
                xx += c[i] * (g[i][0] - x) * (g[i][0] - x) / total;
                xy += c[i] * (g[i][0] - x) * (g[i][1] - y) / total;
                yy += c[i] * (g[i][1] - y) * (g[i][1] - y) / total;
            }
            double l = (xx + yy) / 2 + Math.hypot((xx - yy) / 2, xy);
            double angle = Math.atan2(2 * xy, xx - yy) / 2;
            if (l < smallest) {
                smallest = l;
                best = new double[] {x, y};
            }
            double[] tau = new double[n];
            double max = 0;
            for (int i = 0; i < n; i++) {
                tau[i] = Math.pow(Math.cos(angle) * (g[i][0] - x) + Math.sin(angle) * (g[i][1] - y), 2);
                max = c[i] > 0 ? Math.max(max, tau[i]) : max;
            }
            for (int i = 0; i < n; i++) {
                c[i] = Math.max(0, c[i] * (1 - tau[i] / max));
            }
        }
        return best;
    }

    @Test
    void isItsDefinitionInThePlane() {
        Laws.check(500, seed -> {
            Randomness random = seed.random();
            int f = 1 + random.nextInt(4);
            double[][] g = new double[2 * f + 1 + random.nextInt(8)][];
            for (int i = 0; i < g.length; i++) {
                g[i] = Vectors.scaled(i < f ? 5 : 1, random.gaussians(2));
            }
            assertThat(new Caf(f).aggregate(Round.of(g)).direction()).containsExactly(plane(g, f), within(1e-9));
        });
    }

    @Test
    void leavesOutWhoeverIsFarInAnyDirectionOneAfterTheOther() {
        Laws.check(50, seed -> {
            Randomness random = seed.random();
            double[][] g = new double[11][];
            Arrays.setAll(g, i -> random.gaussians(30));
            g[2][4] = 1e250;
            g[5][0] = -1e9;
            g[7][9] = 1e4;
            assertThat(new Caf(3).aggregate(Round.of(g)).kept()).doesNotContain(2, 5, 7);
        });
    }

    @Test
    void tellsWhoHasNoWeightAndHowTheSpreadShrank() {
        // Mean 3, l = 25.2, tau = 9, 4, 9, 4, 100: weights .91, .96, .91, .96, 0. A second step would leave .19 < 3.
        Aggregate made = new Caf(1).aggregate(Round.of(new double[][] {{0}, {1}, {0}, {1}, {13}}));
        assertThat(made.kept()).containsExactly(0, 1, 2, 3);
        assertThat(made.direction()).containsExactly(new double[] {1.92 / 3.74}, within(1e-14));
        assertThat(made.explanation()).isEqualTo("weight 0 for [4], 3.740 of 5 left: deviation 0.4998, 5.020 of all");
    }

    @Test
    void withoutLiarsItIsTheMean() {
        Aggregate made = new Caf(0).aggregate(Round.of(new double[] {1}, new double[] {2}, new double[] {6}));
        assertThat(made.direction()).containsExactly(3);
        assertThat(made.kept()).containsExactly(0, 1, 2);
    }
}
