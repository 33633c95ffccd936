package holdfast.aggregate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import holdfast.InputException;
import holdfast.Randomness;
import holdfast.testkit.AggregatorContract;
import holdfast.testkit.Laws;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IterativeFilteringTest extends AggregatorContract {
    @Override
    protected Aggregator rule(int budget, Randomness random) {
        return new IterativeFiltering(budget, random.nextInt(2) * 1e-3);
    }

    @Override
    protected boolean translates() {
        return true;
    }

    /** Sigma is a length. */
    @Override
    protected boolean scales() {
        return false;
    }

    /**
     * As for caf, l &lt;= 4n R^2 where the honest lose no more than the liars; later means are within sqrt(n l) of it, l may
     * be n times as large there, and a kept vote is within sqrt(2n l) of the mean.
     */
    @Override
    protected double growth(int workers, int length) {
        return 1 + Math.sqrt(4 * workers) * (1 + Math.sqrt(workers)) + Math.sqrt(8 * Math.pow(workers, 3));
    }

    @Test
    void filtersStepByStepUntilTheSpreadIsSmall() {
        // Mean 3, l = 25.2 > 1, tau = 9, 4, 9, 4, 100.
        double[][] g = {{0}, {1}, {0}, {1}, {13}};
        Aggregate made = new IterativeFiltering(1, 1).aggregate(Round.of(g));
        assertThat(made.kept()).containsExactly(0, 1, 2, 3);
        assertThat(made.direction()).containsExactly(0.5);
        // Weights .91, .96, .91, .96: mean .5133, deviation sqrt(.5133 * .4867).
        assertThat(made.explanation()).isEqualTo("dropped [4]: deviation now 0.4998, sigma 1.000");
    }

    @Test
    void votesWithMoreThanHalfTheLargestWeightStay() {
        // Mean 17/8, tau = 4.52, 23.8, 62.0: weights 0.927, 0.617, 0 in one step, then the deviation is 2.10.
        double[][] stays = {{0}, {0}, {0}, {0}, {0}, {0}, {7}, {10}};
        assertThat(new IterativeFiltering(2, 3).aggregate(Round.of(stays)).kept())
                .containsExactly(0, 1, 2, 3, 4, 5, 6);
        // Mean 18/8, tau = 5.06, 33.1, 60.1: weights 0.916, 0.450, 0.
        double[][] goes = {{0}, {0}, {0}, {0}, {0}, {0}, {8}, {10}};
        assertThat(new IterativeFiltering(2, 3).aggregate(Round.of(goes)).kept())
                .containsExactly(0, 1, 2, 3, 4, 5);
    }

    @Test
    void theSmallestUpdatesAreFilteredToo() {
        double[][] g = {{0}, {1e-320}, {0}, {1e-320}, {13e-320}};
        assertThat(new IterativeFiltering(1, 0).aggregate(Round.of(g)).kept()).containsExactly(0, 1, 2, 3);
    }

    @Test
    void aSpreadWithinSigmaIsLeftAlone() {
        double[][] g = {{0}, {1}, {0}, {1}, {13}};
        assertThat(new IterativeFiltering(1, 6).aggregate(Round.of(g)).direction())
                .containsExactly(new double[] {3}, within(1e-15));
    }

    @Test
    void sigmaFromTheVotesIsTheMedianDistanceToTheMedian() {
        // Median (1, 0); distances 1, 0, 3, 5, 100: the third is 3.
        double[][] g = {{0, 0}, {1, 0}, {1, 3}, {1, -5}, {101, 0}};
        assertThat(new IterativeFiltering(1, 0).aggregate(Round.of(g)).explanation())
                .endsWith("sigma 3.000");
    }

    @Test
    void dropsWhoeverIsFarInAnyDirectionOneAfterTheOther() {
        Laws.check(50, seed -> {
            Randomness random = seed.random();
            double[][] g = new double[11][];
            for (int i = 0; i < g.length; i++) {
                g[i] = random.gaussians(30);
            }
            g[2][4] = 1e250;
            g[5][0] = -1e9;
            g[7][9] = 1e4;
            assertThat(new IterativeFiltering(3, 0).aggregate(Round.of(g)).kept())
                    .containsExactly(0, 1, 3, 4, 6, 8, 9, 10);
        });
    }

    @ParameterizedTest
    @ValueSource(doubles = {-1, Double.NaN, Double.POSITIVE_INFINITY})
    void refusesImpossibleSpreads(double sigma) {
        assertThatThrownBy(() -> new IterativeFiltering(1, sigma))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("sigma must be finite and >= 0, got " + sigma);
    }
}
