package holdfast.theory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import holdfast.InputException;
import holdfast.Randomness;
import holdfast.testkit.Laws;
import org.junit.jupiter.api.Test;

/** The formulas of Lemma 2 and Theorems 2 to 4, against each other and against numbers worked out by hand. */
class RatesTest {
    private static final double THETA_Z = 3;

    private static RoundError error(int workers, int liars, int screened, double sigma, double epsilon) {
        return RoundError.of(
                new ErrorBound(ScreeningBound.influence(workers, liars, screened), 1), THETA_Z, sigma, epsilon);
    }

    @Test
    void lemmaTwoAddsTheErrorOfInexactWorstCasesToTheSpread() {
        RoundError error = error(10, 2, 2, 0.5, 0.1);
        assertThat(error.influence()).isEqualTo(0.5);
        assertThat(error.offset()).isCloseTo(3 * 0.1 + 0.5, within(1e-15));
        assertThat(error.at(4)).isCloseTo(0.5 * 4 + 0.8, within(1e-15));
        assertThat(error.stationaryGradient()).isCloseTo(1.6, within(1e-15));
        assertThat(error(10, 2, 2, 0.5, 0).offset()).isEqualTo(0.5);
        assertThat(RoundError.of(ErrorBound.ofKappa(3), THETA_Z, 0.5, 0.1).offset())
                .isCloseTo(1.6, within(1e-15));
        assertThat(RoundError.of(ErrorBound.ofKappa(0), Double.POSITIVE_INFINITY, 0.5, 0)
                        .offset())
                .isEqualTo(0.5);
    }

    @Test
    void theoremTwoInNumbers() {
        NonconvexRate rate = NonconvexRate.of(4, new RoundError(0.5, 0.2));
        // r = 1: 1 - 2/4 = 1/2 is left; 2 * 4 * 3/(0.5 * 10) + 2 * 0.04/0.5
        assertThat(rate.bound(3, 10, 1)).isCloseTo(4.8 + 0.16, within(1e-12));
        assertThat(rate.maxR()).isEqualTo(3);
        assertThat(rate.bestR()).isEqualTo(1);
        assertThat(rate.bound(3, 10)).isCloseTo(4.96, within(1e-12));
        assertThat(rate.rounds(3, 0.48)).isEqualTo(100);
        assertThatThrownBy(() -> rate.bound(3, 10, 3)).isInstanceOf(InputException.class);
        assertThatThrownBy(() -> rate.bound(3, 10, 0)).isInstanceOf(InputException.class);
        NonconvexRate honest = NonconvexRate.of(4, new RoundError(0, 0.2));
        assertThat(honest.bound(3, 10)).isCloseTo(2.4 + 0.04, within(1e-12));
        assertThat(honest.bestR()).isEqualTo(Double.POSITIVE_INFINITY);
    }

    @Test
    void theoremThreeInNumbers() {
        ConvexRate rate = new ConvexRate(NonconvexRate.of(4, new RoundError(0.5, 0.2)), 3);
        // 4 * 4 * 9/(0.5 T) against sqrt(2 * 2/0.5) * 3 * 0.2 + 2 * 0.04/8
        double floor = Math.sqrt(8) * 0.6 + 0.01;
        assertThat(rate.bound(1)).isCloseTo(288, within(1e-9));
        assertThat(rate.bound(100_000)).isCloseTo(floor, within(1e-12));
        assertThat(rate.bound(100_000, 1)).isCloseTo(floor, within(1e-12));
        assertThat(rate.floor()).isCloseTo(floor, within(1e-12));
    }

    @Test
    void theoremFourInNumbers() {
        StronglyConvexRate rate = new StronglyConvexRate(4, 2, new RoundError(0.25, 0.2));
        assertThat(rate.isPapers()).isTrue();
        assertThat(rate.papersStep()).isCloseTo(1.0 / 3, within(1e-15));
        // (2 * 4/4 + 4 - 2)/6 = 2/3, floor 0.2/(2 - 1)
        assertThat(rate.papersFactor()).isCloseTo(2.0 / 3, within(1e-15));
        assertThat(rate.distance(9, 2)).isCloseTo(4.2, within(1e-12));
        // 1 - 0.75/2, floor (0.2/0.75)^2/4
        assertThat(rate.factor()).isEqualTo(0.625);
        assertThat(rate.floor()).isCloseTo(0.04 / 0.5625 / 4, within(1e-15));
        assertThat(rate.bound(64, 2)).isCloseTo(25 + rate.floor(), within(1e-12));
        assertThat(rate.rounds(64, 25)).isEqualTo(2);
        StronglyConvexRate beyond = new StronglyConvexRate(4, 2, new RoundError(0.5, 0.2));
        assertThat(beyond.isPapers()).isFalse();
        assertThat(beyond.factor()).isEqualTo(0.75);
        assertThatThrownBy(beyond::papersFactor).hasMessageContaining("C < lambda_F/L_F = 0.5, got C = 0.5");
    }

    @Test
    void noRIsBetterThanTheBest() {
        Laws.check(2000, seed -> {
            Randomness random = seed.random();
            NonconvexRate rate = new NonconvexRate(random.nextDouble() + 0.1, new RoundError(random.nextDouble(), 1));
            double r = rate.maxR() * random.nextDouble();
            assertThat(rate.floor()).isLessThanOrEqualTo(rate.floor(r) * (1 + 1e-12));
            assertThat(rate.bound(5, 7)).isCloseTo(rate.bound(5, 7, rate.bestR()), within(1e-6 * rate.bound(5, 7)));
            ConvexRate convex = new ConvexRate(rate, 2);
            assertThat(convex.floor())
                    .isCloseTo(convex.bound(Integer.MAX_VALUE, rate.bestR()), within(1e-6 * convex.floor()));
        });
    }

    @Test
    void moreLiarsSlowTheRunAndRaiseTheFloorAndEpsilonOnlyRaisesTheFloor() {
        Laws.check(500, seed -> {
            Randomness random = seed.random();
            int m = 7 + random.nextInt(30);
            int screened = 2 + random.nextInt((m - 1) / 3 - 1);
            int liars = random.nextInt(screened);
            double epsilon = random.nextDouble();
            RoundError few = error(m, liars, screened, 0.3, epsilon);
            RoundError more = error(m, liars + 1, screened, 0.3, epsilon);
            RoundError coarse = error(m, liars, screened, 0.3, epsilon + 0.1);
            NonconvexRate rate = NonconvexRate.of(5, few);
            assertThat(NonconvexRate.of(5, more).progress(1, 10)).isGreaterThan(rate.progress(1, 10));
            assertThat(NonconvexRate.of(5, more).floor()).isGreaterThan(rate.floor());
            assertThat(NonconvexRate.of(5, coarse).progress(1, 10)).isEqualTo(rate.progress(1, 10));
            assertThat(NonconvexRate.of(5, coarse).floor()).isGreaterThan(rate.floor());
            StronglyConvexRate linear = new StronglyConvexRate(5, 1, few);
            assertThat(new StronglyConvexRate(5, 1, more).factor()).isGreaterThan(linear.factor());
            assertThat(new StronglyConvexRate(5, 1, coarse).factor()).isEqualTo(linear.factor());
            assertThat(new StronglyConvexRate(5, 1, coarse).floor()).isGreaterThan(linear.floor());
        });
    }

    @Test
    void theLargestNumberOfLiarsIsTheLastWithAnInfluenceBelowTheLimit() {
        assertThat(ScreeningBound.maxLiars(20, 6, 1)).isEqualTo(6);
        assertThat(ScreeningBound.maxLiars(20, 7, 1)).isEqualTo(6);
        // The paper's condition alpha < 1/3 does not see that 0.2 and beta = 0.6 fail.
        assertThat(ScreeningBound.maxLiars(10, 6, 1)).isEqualTo(1);
        assertThat(ScreeningBound.maxLiars(20, 3, 0.25)).isEqualTo(2);
        assertThat(ScreeningBound.maxLiars(3, 0, 1)).isZero();
        for (int m = 1; m < 40; m++) {
            int best = 0;
            for (int s = 0; s < m; s++) {
                best = Math.max(best, ScreeningBound.maxLiars(m, s, 1));
            }
            assertThat(best).isEqualTo(ScreeningBound.maxTolerated(m));
        }
    }

    @Test
    void aWrongNumberToScreenCosts() {
        assertThat(ScreeningBound.costOfScreening(20, 3, 3)).isEqualTo(1);
        assertThat(ScreeningBound.costOfScreening(20, 3, 6)).isCloseTo(Math.pow(11.0 / 17 * 14 / 8, 2), within(1e-12));
        assertThat(ScreeningBound.costOfScreening(20, 3, 2)).isEqualTo(Double.POSITIVE_INFINITY);
        assertThat(ScreeningBound.costOfScreening(20, 3, 14)).isEqualTo(Double.POSITIVE_INFINITY);
        assertThat(ScreeningBound.costOfScreening(20, 0, 5)).isEqualTo(1);
    }
}
