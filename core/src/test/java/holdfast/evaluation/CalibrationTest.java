package holdfast.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import holdfast.InputException;
import holdfast.Randomness;
import holdfast.math.Logistic;
import holdfast.preparation.AcrossSources;
import holdfast.testkit.Laws;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Calibrations and thresholds against scikit-learn 1.2.1 and NumPy:
 *
 * <pre>
 * import numpy as np
 * from sklearn.calibration import _sigmoid_calibration
 * from sklearn.metrics import f1_score
 * y = np.array([0,0,1,0,1,1,0,1,0,0,1,0,1,0,0,0,1,0,0,1,0,0,0,1])
 * s = np.array([-3,-2,-2,-1,-1,0,0,.5,.5,-1.5,2,1,3,-.5,-.5,-2.5,1,-4,-1,-1,.5,-3,-2,2])
 * print(_sigmoid_calibration(s, y))   # -slope, -intercept to about 1e-6; the digits below are by Newton's method:
 * t = np.where(y==1, (y.sum()+1)/(y.sum()+2), 1/((1-y).sum()+2)); X = np.c_[s, np.ones(24)]; theta = np.zeros(2)
 * for _ in range(50):
 *     p = 1/(1+np.exp(-X@theta)); theta -= np.linalg.solve((X*(p*(1-p))[:,None]).T@X, X.T@(p-t))
 * for p in 1/(1+np.exp(-s)), 1/(1+np.exp(-X@theta)):
 *     f = [f1_score(y, p >= k/1000) for k in range(1,1000)]; b = [k for k in range(1,1000) if f[k-1]==max(f)]
 *     print(max(f), b[0], b[-1], b[(len(b)-1)//2])
 * </pre>
 */
class CalibrationTest {
    private static final ScoredSource GOLDEN = new ScoredSource(
            new double[] {
                -3, -2, -2, -1, -1, 0, 0, 0.5, 0.5, -1.5, 2, 1, 3, -0.5, -0.5, -2.5, 1, -4, -1, -1, 0.5, -3, -2, 2
            },
            new double[] {0, 0, 1, 0, 1, 1, 0, 1, 0, 0, 1, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 1});

    @Test
    void oneSourceGivesPlattsMaximumLikelihood() {
        Calibration found = Calibration.fit(List.of(GOLDEN), AcrossSources.POOLED);
        assertThat(found.slope()).isCloseTo(0.6063390240558223, within(1e-7));
        assertThat(found.intercept()).isCloseTo(-0.2419531664104436, within(1e-7));
    }

    @Test
    void theThresholdIsTheMiddleOfThoseWithTheLargestF1() {
        assertThat(ThresholdChoice.largestF1(List.of(GOLDEN), Calibration.NONE, AcrossSources.POOLED))
                .hasValue(0.225);
        Calibration platt = new Calibration(0.6063390240558223, -0.2419531664104436);
        assertThat(ThresholdChoice.largestF1(List.of(GOLDEN), platt, AcrossSources.POOLED))
                .hasValue(0.27);
    }

    private static ScoredSource liar(Randomness random) {
        int rows = 1 + random.nextInt(300);
        double scale = Math.pow(10, random.nextInt(9) - 3);
        double[] labels = new double[rows];
        int kind = random.nextInt(3);
        Arrays.setAll(labels, j -> kind < 2 ? kind : random.nextInt(2));
        return new ScoredSource(
                Arrays.stream(random.gaussians(rows)).map(s -> s * scale).toArray(), labels);
    }

    /** Honest sources that agree leave liars no room at all. */
    @Test
    void liarsMoveNothingWhereTheOthersAgree() {
        Laws.check(40, seed -> {
            Randomness random = seed.random();
            int f = 1 + random.nextInt(3);
            int honest = f + 1 + random.nextInt(4);
            List<ScoredSource> sources = new ArrayList<>(Collections.nCopies(honest, GOLDEN));
            for (int i = 0; i < f; i++) {
                sources.add(random.nextInt(sources.size() + 1), liar(random));
            }
            AcrossSources across = new AcrossSources(f);
            Calibration alone = Calibration.fit(Collections.nCopies(honest + f, GOLDEN), across);
            Calibration found = Calibration.fit(sources, across);
            assertThat(found.slope()).isCloseTo(alone.slope(), within(1e-6));
            assertThat(found.intercept()).isCloseTo(alone.intercept(), within(1e-6));
            assertThat(ThresholdChoice.largestF1(sources, Calibration.NONE, across))
                    .hasValue(0.225);
        });
    }

    /** Labels are drawn with probability sigma(slope s + intercept). */
    @Test
    void theTrueSlopeAndInterceptAreFound() {
        Laws.check(20, seed -> {
            Randomness random = seed.random();
            double slope = Math.exp(random.nextGaussian());
            double intercept = 2 * random.nextGaussian();
            List<ScoredSource> sources = new ArrayList<>();
            for (int s = 0; s < 12; s++) {
                double[] scores = Arrays.stream(random.gaussians(1500))
                        .map(v -> 2 * v - 1)
                        .toArray();
                sources.add(new ScoredSource(
                        scores,
                        Arrays.stream(scores)
                                .map(v -> random.nextDouble() < Logistic.sigmoid(slope * v + intercept) ? 1 : 0)
                                .toArray()));
            }
            Calibration found = Calibration.fit(sources, new AcrossSources(2));
            assertThat(found.slope()).isCloseTo(slope, within(0.1 + 0.1 * slope));
            assertThat(found.intercept()).isCloseTo(intercept, within(0.15 + 0.1 * Math.abs(intercept)));
        });
    }

    @Test
    void scoresThatSayNothingAreLeftAlone() {
        double[] labels = {0, 1, 0, 1};
        for (double[] scores : new double[][] {{2, 2, 2, 2}, {4, 1, 4, 1}}) {
            assertThat(Calibration.fit(List.of(new ScoredSource(scores, labels)), AcrossSources.POOLED))
                    .isEqualTo(Calibration.NONE);
        }
        assertThat(ThresholdChoice.largestF1(
                        List.of(new ScoredSource(new double[] {1, 2}, new double[2])),
                        Calibration.NONE,
                        AcrossSources.POOLED))
                .isEmpty();
    }

    @Test
    void separatedClassesGetAFiniteSlope() {
        Calibration found = Calibration.fit(
                List.of(new ScoredSource(new double[] {-3, -2, 2, 3}, new double[] {0, 0, 1, 1})),
                AcrossSources.POOLED);
        assertThat(found.probability(3)).isBetween(0.6, 0.9);
        assertThat(found.probability(-3)).isBetween(0.1, 0.4);
    }

    @Test
    void aCalibrationKeepsTheOrder() {
        for (double slope : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
            assertThatThrownBy(() -> new Calibration(slope, 0))
                    .isInstanceOf(InputException.class)
                    .hasMessageStartingWith("calibration: the slope must be > 0");
        }
        assertThatThrownBy(() -> new ScoredSource(new double[0], new double[0])).isInstanceOf(InputException.class);
    }

    @Test
    void twoClassesHaveOppositeOffsets() {
        Calibration two = new Calibration(2, 0.3);
        assertThat(two.offsets()).containsExactly(-0.15, 0.15);
        assertThat(two.intercept()).isEqualTo(0.3);
        assertThat(new Calibration(1, 0)).isEqualTo(Calibration.NONE);
        assertThat(new Calibration(1, List.of(0.0, 0.0, 0.0))).isEqualTo(Calibration.NONE);
        assertThat(Calibration.NONE.offsets(3)).containsExactly(0, 0, 0);
        assertThatThrownBy(() -> new Calibration(1, List.of(1.0, 2.0, -2.5)))
                .isInstanceOf(InputException.class)
                .hasMessage("calibration: the offsets must add up to 0, got [1.0, 2.0, -2.5]");
        assertThatThrownBy(() -> new Calibration(1, List.of(1.0, Double.NaN))).isInstanceOf(InputException.class);
    }
}
