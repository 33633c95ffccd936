package holdfast.aggregate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import holdfast.Randomness;
import holdfast.math.Vectors;
import holdfast.testkit.AggregatorContract;
import holdfast.testkit.Laws;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class SignGuardTest extends AggregatorContract {
    @Override
    protected Aggregator rule(int budget, Randomness random) {
        return new SignGuard(budget);
    }

    @Override
    protected boolean translates() {
        return false;
    }

    @Test
    void dropsUnusualNormsAndShortensToTheMedian() {
        // Norms 1, 2, 4, 6.1, 0.19; the median 2 allows 0.2 to 6.
        double[][] g = {{1, 0}, {0, 2}, {4, 0}, {0, 6.1}, {0.19, 0}};
        Aggregate made = new SignGuard(1).aggregate(Round.of(g));
        assertThat(made.kept()).containsExactly(0, 1, 2);
        assertThat(made.direction()).containsExactly(new double[] {(1 + 2) / 3.0, 2 / 3.0}, within(1e-15));
        assertThat(made.explanation())
                .isEqualTo("dropped [3, 4]: 2 by norm, 0 by signs; norms up to 3.050 times the median");
    }

    @Test
    void atTheEndsOfTheUsualRangeNobodyIsDropped() {
        double[][] g = {{0.2}, {2}, {2}, {2}, {6}};
        Aggregate made = new SignGuard(1).aggregate(Round.of(g));
        assertThat(made.kept()).containsExactly(0, 1, 2, 3, 4);
        assertThat(made.direction()).containsExactly(new double[] {8.2 / 5}, within(1e-15));
    }

    @Test
    void turnedSignsOfUsualNormAreDropped() {
        Laws.check(100, seed -> {
            Randomness random = seed.random();
            double[][] g = new double[12][100];
            for (int i = 0; i < g.length; i++) {
                for (int k = 0; k < 100; k++) {
                    g[i][k] = 0.7 + random.nextGaussian();
                }
            }
            for (int liar = 0; liar < 5; liar++) {
                g[liar] = Vectors.scaled(-1, g[liar]);
            }
            assertThat(new SignGuard(5).aggregate(Round.of(g)).kept())
                    .isNotEmpty()
                    .doesNotContain(0, 1, 2, 3, 4);
        });
    }

    @Test
    void theFullestWindowIsTheCluster() {
        // Radius: the mean of 2, 1, 2, 7, 8, times sqrt(2).
        int[][] two = {{10, 0, 0}, {9, 0, 1}, {8, 0, 2}, {1, 0, 9}, {0, 0, 10}};
        assertThat(SignGuard.largestCluster(two)).containsExactly(0, 1, 2);
        int[][] tie = {{0, 0, 4}, {4, 0, 0}, {0, 0, 4}, {4, 0, 0}};
        assertThat(SignGuard.largestCluster(tie)).as("the more positive").containsExactly(1, 3);
    }

    @Test
    void neverLongerThanTheMedianNorm() {
        Laws.check(200, seed -> {
            Randomness random = seed.random();
            double[][] g = new double[5 + random.nextInt(9)][];
            Arrays.setAll(g, i -> Vectors.scaled(Math.pow(10, random.nextInt(5) - 2), random.gaussians(4)));
            double[] norms =
                    Arrays.stream(g).mapToDouble(Vectors::norm).sorted().toArray();
            assertThat(Vectors.norm(new SignGuard(2).aggregate(Round.of(g)).direction()))
                    .isLessThanOrEqualTo(norms[norms.length / 2] * (1 + 1e-12));
        });
    }
}
