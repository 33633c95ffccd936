package holdfast.sources;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import holdfast.Randomness;
import holdfast.math.Normal;
import holdfast.testkit.Laws;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AgreementTest {
    /** Against all n! orders of the labels. */
    @Test
    void theStatisticIsStandardAmongAllPermutationsOfTheLabels() {
        Laws.check(10, seed -> {
            Randomness random = seed.random();
            double[] one = random.gaussians(6);
            double[][] three = {random.gaussians(6), random.gaussians(6), random.gaussians(6)};
            for (double[] ofClass : three) {
                ofClass[1] = ofClass[0]; // two rows tie
            }
            Map.<double[], ToDoubleFunction<double[]>>of(
                            new double[] {0, 1, 2, 2, 1, 1},
                                    y -> Agreement.ofClasses(three, y).z(),
                            new double[] {0, 1, 1, 0, 1, 1},
                                    y -> Agreement.ofScores(one, y, true).z(),
                            new double[] {5, 5, 1, 7, 2, 9},
                                    y -> Agreement.ofScores(one, y, false).z())
                    .forEach((labels, z) -> {
                        double[] moments = new double[3];
                        permute(labels.clone(), 6, y -> {
                            double value = z.applyAsDouble(y);
                            moments[0]++;
                            moments[1] += value;
                            moments[2] += value * value;
                        });
                        assertThat(moments[0]).isEqualTo(720);
                        assertThat(moments[1] / 720).isCloseTo(0, within(1e-12));
                        assertThat(moments[2] / 720).isCloseTo(1, within(1e-12));
                    });
        });
    }

    /** Visits all orders (Heap 1963). */
    private static void permute(double[] labels, int n, Consumer<double[]> visit) {
        if (n == 1) {
            visit.accept(labels);
            return;
        }
        for (int i = 0; i < n; i++) {
            permute(labels, n - 1, visit);
            int other = n % 2 == 0 ? i : 0;
            double swapped = labels[other];
            labels[other] = labels[n - 1];
            labels[n - 1] = swapped;
        }
    }

    /** Against all choices of the rows that are of the second class. */
    @Test
    void countsPairsAsAllSubsetsDo() {
        for (int n = 2; n <= 12; n++) {
            for (int a = 1; a < n; a++) {
                int b = n - a;
                long[] withPairs = new long[a * b + 1];
                long all = 0;
                for (int subset = 0; subset < 1 << n; subset++) {
                    if (Integer.bitCount(subset) == a) {
                        withPairs[pairs(subset, n)]++;
                        all++;
                    }
                }
                double sum = 0;
                for (int u = 0; u <= a * b; u++) {
                    sum += withPairs[u];
                    assertThat(Agreement.atMost(u, a, b))
                            .as("%d of %d and %d", u, a, b)
                            .isCloseTo(sum / all, within(1e-13));
                }
            }
        }
    }

    /** Returns for how many pairs the row of the second class comes later. */
    private static int pairs(int subset, int n) {
        int pairs = 0;
        int zeros = 0;
        for (int j = 0; j < n; j++) {
            if ((subset >> j & 1) == 1) {
                pairs += zeros;
            } else {
                zeros++;
            }
        }
        return pairs;
    }

    /** scipy 1.10.1, the exact distribution of mannwhitneyu. */
    @ParameterizedTest
    @CsvSource({
        "3, 4, 2, 0.11428571428571428",
        "5, 7, 6, 0.036616161616161616",
        "8, 8, 13, 0.02494172494172494",
        "10, 12, 30, 0.0251621443571908",
        "20, 15, 80, 0.009548818890044861",
        "30, 40, 350, 0.00134149940476723",
        "50, 60, 1000, 0.0012448295643760117",
        "1, 3000, 100, 0.03365544818393865"
    })
    void isTheExactDistributionOfMannAndWhitney(int a, int b, int u, double probability) {
        assertThat(Agreement.atMost(u, a, b)).isCloseTo(probability, within(1e-12 * probability));
        assertThat(Agreement.atMost(u, b, a)).isCloseTo(probability, within(1e-12 * probability));
    }

    /** A half counts as a whole pair more, which never makes a p-value smaller. */
    @Test
    void halvesOfPairsAreRoundedUp() {
        assertThat(Agreement.atMost(6.5, 5, 7)).isEqualTo(Agreement.atMost(7, 5, 7));
        assertThat(Agreement.atMost(35, 5, 7)).isCloseTo(1, within(1e-14));
    }

    /** Ten rows the wrong way round: one order of C(10, 5) = 252 is as bad, while a normal one would say 0.0045. */
    @Test
    void aFewRowsHaveTheExactProbability() {
        double[] scores = IntStream.range(0, 10).mapToDouble(j -> -j).toArray();
        double[] labels = IntStream.range(0, 10).mapToDouble(j -> j < 5 ? 0 : 1).toArray();
        Agreement worst = Agreement.ofScores(scores, labels, true);
        assertThat(worst.agreement()).isZero();
        assertThat(worst.pValue()).isCloseTo(1 / 252.0, within(1e-15));
        Agreement best = Agreement.ofScores(Arrays.stream(scores).map(u -> -u).toArray(), labels, true);
        assertThat(best.agreement()).isOne();
        assertThat(best.pValue()).isEqualTo(Normal.below(best.z())).isGreaterThan(0.99);
    }

    @Test
    void agreementIsTheAucOfClassesAndFollowsTheRanksOfNumbers() {
        double[] up = {1, 2, 3, 4};
        assertThat(Agreement.ofScores(up, new double[] {0, 1, 0, 1}, true).agreement())
                .isEqualTo(0.75);
        assertThat(Agreement.ofScores(up, new double[] {10, 20, 30, 1e9}, false).agreement())
                .isCloseTo(1, within(1e-15));
        assertThat(Agreement.ofScores(up, new double[] {4, 3, 2, -7}, false).agreement())
                .isCloseTo(0, within(1e-15));
        double[][] each = {{2, 0, 0}, {0, 2, 0}, {0, 0, 2}};
        assertThat(Agreement.ofClasses(each, new double[] {0, 1, 2}).agreement())
                .isEqualTo(1);
    }

    /** The third class has no row; the two others are told apart. */
    @Test
    void aClassWithoutRowsDoesNotCount() {
        double[][] p = {{0.9, 0, 0.9, 0}, {0, 0.9, 0, 0.9}, {0.1, 0.1, 0.1, 0.1}};
        assertThat(Agreement.ofClasses(p, new double[] {0, 1, 0, 1}).agreement())
                .isEqualTo(1);
    }

    @Test
    void equalLabelsSayNothing() {
        double[] up = {1, 2, 3, 4};
        for (Agreement nothing : new Agreement[] {
            Agreement.ofScores(up, new double[4], false),
            Agreement.ofScores(up, new double[] {1, 1, 1, 1}, true),
            Agreement.ofClasses(new double[][] {up, up, up}, new double[] {1, 1, 1, 1})
        }) {
            assertThat(nothing.agreement()).isNaN();
            assertThat(nothing.z()).isNaN();
            assertThat(nothing.pValue()).isOne();
        }
    }

    @Test
    void equalScoresNeitherAgreeNorContradict() {
        Agreement none = Agreement.ofScores(new double[4], new double[] {0, 1, 0, 1}, true);
        assertThat(none.z()).isZero();
        assertThat(none.agreement()).isEqualTo(0.5);
        assertThat(none.pValue()).isEqualTo(0.5);
    }
}
