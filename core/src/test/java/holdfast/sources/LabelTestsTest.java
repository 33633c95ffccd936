package holdfast.sources;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import holdfast.Randomness;
import holdfast.Seed;
import holdfast.math.Logistic;
import holdfast.model.Target;
import holdfast.testkit.Laws;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Who is named, by sources whose scores are chosen. */
class LabelTestsTest {
    private static final int ROWS = 100;
    private static final double LEVEL = 0.005;

    /** Sources of 100 rows, 50 of each class, whose score is 1 or -1. With a rows right, z = (a/50 - 1) sqrt(99). */
    private static SourceComparison chosen(int sources, IntUnaryOperator right, Integer... found) {
        double[][] labels = new double[sources][ROWS];
        double[][] scores = new double[sources][ROWS];
        for (int s = 0; s < sources; s++) {
            for (int j = 0; j < ROWS; j++) {
                labels[s][j] = j % 2;
                scores[s][j] = (j < right.applyAsInt(s) ? 1 : -1) * (2 * labels[s][j] - 1);
            }
        }
        return new SourceComparison(
                List.of(),
                new double[sources][0][],
                labels,
                scores,
                s -> scores[s],
                1,
                List.of("no", "yes"),
                Target.TWO_CLASSES,
                Set.of(found));
    }

    private static List<Integer> contradicting(SourceComparison sources) {
        return new LabelTests.Contradiction()
                .find(sources, LEVEL).stream().map(Finding::source).toList();
    }

    /** 35 of 100 rows have a p-value of 0.0014, 29 one of 0.000015, which ten sources make 0.00015. */
    @Test
    void sourcesShareTheLevel() {
        assertThat(contradicting(chosen(10, s -> s == 4 ? 35 : 80))).isEmpty();
        assertThat(contradicting(chosen(10, s -> s == 4 ? 29 : 80))).containsExactly(4);
        List<Finding> found = new LabelTests.Contradiction().find(chosen(10, s -> s == 4 ? 29 : 80), LEVEL);
        Agreement agreement = Agreement.of(chosen(10, s -> s == 4 ? 29 : 80), 4);
        assertThat(found.get(0).pValue()).isCloseTo(10 * agreement.pValue(), within(1e-15));
        assertThat(found.get(0).words()).isEqualTo("its labels contradict the others': agreement 0.29, by chance 0.50");
    }

    /** 54 of 100 rows are z = 0.8, 56 z = 1.2. */
    @Test
    void theTypicalSourceMustHaveSomethingToSay() {
        assertThat(contradicting(chosen(10, s -> s == 4 ? 15 : 54))).isEmpty();
        assertThat(contradicting(chosen(10, s -> s == 4 ? 15 : 56))).containsExactly(4);
    }

    /** Five of nine others say nothing; so do four of nine, but they do not decide. */
    @Test
    void typicalIsTheMedianOfTheSourcesThatAreNotKnown() {
        assertThat(contradicting(chosen(10, s -> s == 9 ? 5 : s < 5 ? 54 : 60, 9)))
                .isEmpty();
        assertThat(contradicting(chosen(10, s -> s == 9 ? 5 : s < 4 ? 54 : 60, 9)))
                .containsExactly(9);
    }

    /** A contradiction that is not unusual among these sources is a difference. */
    @Test
    void aSourceAmongManyDifferentOnesIsNoContradiction() {
        int[] right = {26, 99, 40, 98, 55, 97, 70, 96, 85, 60};
        SourceComparison sources = chosen(10, s -> right[s]);
        assertThat(10 * Agreement.of(sources, 0).pValue()).isLessThan(LEVEL);
        assertThat(contradicting(sources)).isEmpty();
    }

    /** Labels drawn from the predictions have slope 1, random ones 0, flipped ones below. */
    @Test
    void theSlopeSaysHowMuchLabelsFollowTheModel() {
        for (int k : new int[] {1, 3}) {
            for (double right : new double[] {1, 0.5, 0}) {
                double sum = 0;
                double squares = 0;
                double variances = 0;
                double expected = 0;
                int runs = 200;
                for (int run = 0; run < runs; run++) {
                    LabelFit fit = fit(Seed.of(1).child("fit", run).random(), k, right);
                    sum += fit.slope() / runs;
                    squares += fit.slope() * fit.slope() / runs;
                    variances += fit.variance() / runs;
                    expected += fit.expected() / runs;
                }
                double variance = squares - sum * sum;
                assertThat(sum).as("k %d, right %s", k, right).isCloseTo(right, within(0.05));
                // The variance of 200 draws is known to a tenth.
                assertThat(variances / variance).as("k %d, right %s", k, right).isBetween(0.7, 1.4);
                if (right == 1) {
                    assertThat(expected / variance).as("k %d", k).isBetween(0.7, 1.4);
                }
            }
        }
    }

    private static LabelFit fit(Randomness random, int k, double right) {
        int n = 300;
        double[] scores =
                Arrays.stream(random.gaussians(n * k)).map(z -> 1.5 * z).toArray();
        double[] labels = new double[n];
        for (int j = 0; j < n; j++) {
            int row = random.nextDouble() < right ? j : random.nextInt(n);
            labels[j] = k == 1
                    ? random.nextDouble() < Logistic.sigmoid(scores[row]) ? 1 : 0
                    : draw(Arrays.copyOfRange(scores, row * k, row * k + k), random);
        }
        return LabelFit.of(
                new SourceComparison(
                        List.of(),
                        new double[1][0][],
                        new double[][] {labels},
                        new double[][] {scores},
                        null,
                        k,
                        k == 1 ? List.of("no", "yes") : List.of("a", "b", "c"),
                        k == 1 ? Target.TWO_CLASSES : Target.CLASSES,
                        Set.of()),
                0);
    }

    private static int draw(double[] scores, Randomness random) {
        double[] p = new double[scores.length];
        Logistic.softmax(scores, 0, scores.length, p);
        double u = random.nextDouble();
        int c = 0;
        while (c < p.length - 1 && u >= p[c]) {
            u -= p[c++];
        }
        return c;
    }

    /** Against least squares written out: the slope, and White's variance of it. */
    @Test
    void theSlopeOfNumbersIsThatOfLeastSquares() {
        Laws.check(20, seed -> {
            int n = 50;
            double[] u = seed.child("u").random().gaussians(n);
            double[] noise = seed.child("noise").random().gaussians(n);
            double[] y = IntStream.range(0, n)
                    .mapToDouble(j -> 3 - 2 * u[j] + noise[j])
                    .toArray();
            LabelFit fit = LabelFit.of(
                    new SourceComparison(
                            List.of(),
                            new double[1][0][],
                            new double[][] {y},
                            new double[][] {u},
                            null,
                            1,
                            List.of(),
                            Target.NUMBER,
                            Set.of()),
                    0);
            double su = Arrays.stream(u).sum();
            double suu = Arrays.stream(u).map(v -> v * v).sum();
            double sy = Arrays.stream(y).sum();
            double suy = IntStream.range(0, n).mapToDouble(j -> u[j] * y[j]).sum();
            double slope = (n * suy - su * sy) / (n * suu - su * su);
            double intercept = (sy - slope * su) / n;
            double spread = suu - su * su / n;
            double white = IntStream.range(0, n)
                            .mapToDouble(j -> Math.pow((u[j] - su / n) * (y[j] - intercept - slope * u[j]), 2))
                            .sum()
                    / (spread * spread);
            assertThat(fit.slope()).isCloseTo(slope, within(1e-10));
            assertThat(fit.variance()).isCloseTo(white, within(1e-10));
            assertThat(fit.expected()).isEqualTo(fit.variance());
        });
    }

    @Test
    void tooFewRowsHaveNoSlope() {
        SourceComparison few = new SourceComparison(
                List.of(),
                new double[3][0][],
                new double[][] {new double[19], new double[100], labels(100, 2)},
                new double[][] {new double[19], new double[100], new double[100]},
                null,
                1,
                List.of("no", "yes"),
                Target.TWO_CLASSES,
                Set.of());
        for (int s = 0; s < 3; s++) {
            assertThat(LabelFit.of(few, s).slope()).isNaN();
        }
    }

    private static double[] labels(int n, int ones) {
        double[] y = new double[n];
        Arrays.fill(y, 0, ones, 1);
        return y;
    }

    /** The means of the probabilities become the shares of the classes, up to half a row, and their order stays. */
    @Test
    void probabilitiesFitTheSharesOfASource() {
        Laws.check(50, seed -> {
            int n = 60;
            int k = seed.random().nextInt(2) == 0 ? 1 : 3;
            double[] scores = seed.child("scores").random().gaussians(n * k);
            double[] labels = IntStream.range(0, n)
                    .mapToDouble(j -> k == 1 ? (j % 5 == 0 ? 1 : 0) : j % 6 == 0 ? 1 : j % 6 == 1 ? 2 : 0)
                    .toArray();
            double[][] p = OwnShares.probabilities(scores, labels, k);
            for (int c = 0; c < k; c++) {
                int wanted = k == 1 ? 1 : c;
                double share = Arrays.stream(labels).filter(y -> y == wanted).count();
                assertThat(Arrays.stream(p[c]).sum()).isCloseTo(share, within(0.01));
            }
            for (int j = 1; j < n; j++) {
                if (k == 1) {
                    assertThat(p[0][j] > p[0][0]).isEqualTo(scores[j] > scores[0]);
                } else {
                    // One intercept per class: log odds differ between rows as scores do.
                    assertThat(Math.log(p[1][j] / p[0][j]) - Math.log(p[1][0] / p[0][0]))
                            .isCloseTo(scores[3 * j + 1] - scores[3 * j] - scores[1] + scores[0], within(1e-9));
                }
            }
        });
    }

    @Test
    void oneClassAloneHasProbabilities() {
        for (double p : OwnShares.probabilities(new double[] {1, -1, 3}, new double[3], 1)[0]) {
            assertThat(p).isBetween(0.0, 0.5);
        }
        for (double p : OwnShares.probabilities(new double[9], new double[3], 3)[0]) {
            assertThat(p).isBetween(0.5, 1.0);
        }
    }
}
