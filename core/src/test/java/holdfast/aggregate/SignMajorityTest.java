package holdfast.aggregate;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.Randomness;
import holdfast.math.Vectors;
import holdfast.testkit.AggregatorContract;
import holdfast.testkit.Laws;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class SignMajorityTest extends AggregatorContract {
    @Override
    protected Aggregator rule(int budget, Randomness random) {
        return new SignMajority(budget);
    }

    @Override
    protected boolean translates() {
        return false;
    }

    /** Lengths are lost. */
    @Override
    protected boolean scales() {
        return false;
    }

    /** Signs lose the lengths. */
    @Override
    protected boolean faithful() {
        return false;
    }

    /** Every element is at most 1, however short the honest are; what holds exactly is tested below. */
    @Override
    protected double growth(int workers, int length) {
        return 1e6 * Math.sqrt(length);
    }

    @Test
    void countsOneVotePerCoordinate() {
        Aggregate made = new SignMajority(1)
                .aggregate(Round.of(
                        new double[] {1e300, -2, 0, 5}, new double[] {-1e-310, -1, 0, -5}, new double[] {-3, 4, 7, -0.0
                        }));
        assertThat(made.direction()).containsExactly(-1, -1, 1, 0);
        assertThat(made.kept()).containsExactly(0, 1, 2);
        assertThat(made.explanation()).isEqualTo("all kept; 1 liars could have turned 4 of 4 coordinates");
    }

    @Test
    void liarsTurnNoCoordinateOnWhichTheHonestLeadByMoreThanTheirNumber() {
        Laws.check(300, seed -> {
            Randomness random = seed.random();
            int f = random.nextInt(5);
            int n = 2 * f + 1 + random.nextInt(6);
            double[][] g = new double[n][];
            Arrays.setAll(g, i -> Vectors.scaled(i < f ? 1e9 : 1, random.gaussians(8)));
            double[] made = new SignMajority(f).aggregate(Round.of(g)).direction();
            for (int k = 0; k < 8; k++) {
                double lead = 0;
                for (int i = f; i < n; i++) {
                    lead += g[i][k] > 0 ? 1 : -1;
                }
                if (Math.abs(lead) > f) {
                    assertThat(made[k]).isEqualTo(Math.signum(lead));
                }
            }
        });
    }

    /** Margins 1, 2 and 3: one liar that changes sides turns the first, and of the second makes a draw at most. */
    @Test
    void saysHowManyCoordinatesTheLiarsCouldHaveTurned() {
        double[][] x = {{1, 1, 1}, {1, 1, 1}, {-1, 0, 1}};
        assertThat(new SignMajority(1).aggregate(Round.of(x)).explanation())
                .isEqualTo("all kept; 1 liars could have turned 1 of 3 coordinates");
    }
}
