package holdfast.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import holdfast.InputException;
import holdfast.Randomness;
import holdfast.Seed;
import holdfast.testkit.Laws;
import java.util.Arrays;
import java.util.function.DoubleBinaryOperator;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.assertj.core.api.AbstractDoubleAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IntervalTest {
    private static final int SAMPLES = 4000;

    /** The share of samples whose interval contains the truth; a seed makes a sample. */
    private static AbstractDoubleAssert<?> coverage(String what, Predicate<Randomness> contains) {
        Seed seed = Seed.of(7).child(what);
        double share = IntStream.range(0, SAMPLES)
                        .filter(i -> contains.test(seed.child("sample", i).random()))
                        .count()
                / (double) SAMPLES;
        return assertThat(share).as("coverage, %s, Seed.of(%dL)", what, seed.value());
    }

    /** Newcombe, Statistics in Medicine 17 (1998), table I, method 3. */
    @ParameterizedTest
    @CsvSource({"81,263,0.2553,0.3662", "15,148,0.0624,0.1605", "0,20,0.0000,0.1611", "1,29,0.0061,0.1718"})
    void sharesAsPublished(int k, int n, double low, double high) {
        Interval found = Interval.ofShare(k, n);
        assertThat(found.low()).isCloseTo(low, within(5e-5));
        assertThat(found.high()).isCloseTo(high, within(5e-5));
    }

    @Test
    void sharesOfAllOrNothingReachTheEnd() {
        assertThat(Interval.ofShare(0, 7).low()).isZero();
        assertThat(Interval.ofShare(7, 7).high()).isEqualTo(1);
        assertThat(Interval.ofShare(7, 7).low())
                .isCloseTo(1 - Interval.ofShare(0, 7).high(), within(1e-15));
    }

    /** Standard errors of the coverage are 0.0034; Wilson's own deviates with p and n. */
    @ParameterizedTest
    @CsvSource({"0.3,50", "0.1,100", "0.02,300"})
    void sharesCoverTheTruth(double p, int n) {
        coverage("share " + p, random -> {
                    int k = (int) IntStream.range(0, n)
                            .filter(i -> random.nextDouble() < p)
                            .count();
                    return Interval.ofShare(k, n).contains(p);
                })
                .isBetween(0.93, 0.975);
    }

    /** From the tables of any textbook. */
    @ParameterizedTest
    @CsvSource({"1,12.7062", "2,4.3027", "4,2.7764", "5,2.5706", "10,2.2281", "30,2.0423", "120,1.9799"})
    void studentsQuantiles(int degrees, double expected) {
        assertThat(Interval.student(degrees)).isCloseTo(expected, within(3e-4));
    }

    /** Student's data on sleep (1908), group 2: R's t.test gives 0.8976775 to 3.7623225. */
    @Test
    void meansAsRComputesThem() {
        Interval found = Interval.ofMean(1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4);
        assertThat(found.low()).isCloseTo(0.8976775, within(1e-4));
        assertThat(found.high()).isCloseTo(3.7623225, within(1e-4));
    }

    @ParameterizedTest
    @CsvSource({"5", "30", "200"})
    void meansCoverTheTruth(int n) {
        coverage(
                        "mean " + n,
                        random -> Interval.ofMean(IntStream.range(0, n)
                                        .mapToDouble(i -> 10 + random.nextGaussian())
                                        .toArray())
                                .contains(10))
                .isBetween(0.935, 0.965);
    }

    /** Losses are skewed; for exponential ones the interval of 200 covers a little less than it says. */
    @Test
    void skewedMeansAndRootsCoverNearlyAsOften() {
        coverage("skewed", random -> Interval.ofMean(losses(random, 200)).contains(1))
                .isBetween(0.925, 0.96);
        coverage(
                        "root",
                        random -> Interval.ofRootMeanSquare(gaussians(random, 200))
                                .contains(1))
                .isBetween(0.925, 0.96);
    }

    private static double[] losses(Randomness random, int n) {
        return IntStream.range(0, n)
                .mapToDouble(i -> -StrictMath.log(1 - random.nextDouble()))
                .toArray();
    }

    private static double[] gaussians(Randomness random, int n) {
        return IntStream.range(0, n).mapToDouble(i -> random.nextGaussian()).toArray();
    }

    @Test
    void oneValueBoundsNothingAndNoMeanIsNegative() {
        assertThat(Interval.ofMean(3)).isEqualTo(new Interval(0, Double.POSITIVE_INFINITY));
        assertThat(Interval.ofMean(0, 1)).isEqualTo(new Interval(0, 0.5 + Interval.student(1) * 0.5));
        assertThat(Interval.ofMean(1e308, 1e308).high()).isEqualTo(Double.POSITIVE_INFINITY);
        assertThat(Interval.ofMean(2, 2, 2)).isEqualTo(new Interval(2, 2));
    }

    /** The same formulas over all pairs, in Python: AUC 0.845238, standard error 0.113855. */
    @Test
    void anAucAsOverAllPairs() {
        double[] scores = {0.9, 0.8, 0.7, 0.6, 0.55, 0.4, 0.75, 0.55, 0.5, 0.3, 0.2, 0.1, 0.05};
        double[] labels = {1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0};
        Interval found = Interval.ofAuc(scores, labels);
        assertThat(found.low()).isCloseTo(0.4979542, within(1e-6));
        assertThat(found.high()).isCloseTo(0.9678182, within(1e-6));
    }

    @ParameterizedTest
    @CsvSource({"0,20,60", "1,30,30", "1,15,150", "2,40,40"})
    void aucsCoverTheTruth(double distance, int ones, int zeros) {
        // P(X > Y) of two normal distributions this far apart.
        double truth = distance == 0 ? 0.5 : distance == 1 ? 0.7602499 : 0.9213504;
        coverage("AUC " + distance + " " + ones, random -> {
                    double[] labels = IntStream.range(0, ones + zeros)
                            .mapToDouble(i -> i < ones ? 1 : 0)
                            .toArray();
                    double[] scores = Arrays.stream(labels)
                            .map(y -> distance * y + random.nextGaussian())
                            .toArray();
                    return Interval.ofAuc(scores, labels).contains(truth);
                })
                .isBetween(0.925, 0.975);
    }

    @Test
    void separatedClassesAndSingleRowsAreNotCertain() {
        Interval separated = Interval.ofAuc(new double[] {1, 2, 3, 4}, new double[] {0, 0, 1, 1});
        assertThat(separated.high()).isEqualTo(1);
        assertThat(separated.low()).isBetween(0.2, 0.6);
        Interval wrong = Interval.ofAuc(new double[] {1, 2, 3, 4}, new double[] {1, 1, 0, 0});
        assertThat(wrong.low()).isZero();
        assertThat(wrong.high()).isCloseTo(1 - separated.low(), within(1e-12));
        Interval single = Interval.ofAuc(new double[] {1, 2, 3, 4}, new double[] {0, 0, 1, 0});
        assertThat(single.high() - single.low()).isGreaterThan(0.5);
        Interval ties = Interval.ofAuc(new double[] {5, 5, 5, 5}, new double[] {0, 0, 1, 1});
        assertThat(ties.low()).isCloseTo(1 - ties.high(), within(1e-12));
        assertThat(Interval.ofAuc(new double[] {1, 2}, new double[] {1, 1})).isEqualTo(new Interval(0, 1));
    }

    @Test
    void everyIntervalContainsItsOwnFigure() {
        Laws.check(300, seed -> {
            Randomness random = seed.random();
            int n = 2 + random.nextInt(60);
            double[] scores =
                    IntStream.range(0, n).mapToDouble(i -> random.nextInt(12)).toArray();
            double[] labels = IntStream.range(0, n)
                    .mapToDouble(i -> i < 2 ? i : random.nextInt(2))
                    .toArray();
            assertThat(Interval.ofAuc(scores, labels).contains(Evaluation.auc(scores, labels)))
                    .isTrue();
            int k = random.nextInt(n + 1);
            assertThat(Interval.ofShare(k, n).contains((double) k / n)).isTrue();
            Interval mean = Interval.ofMean(scores);
            assertThat(mean.contains(Arrays.stream(scores).sum() / n)).isTrue();
            assertThat(mean.low()).isNotNegative();
        });
    }

    @Test
    void whatIsNoIntervalIsRefused() {
        assertThatThrownBy(() -> new Interval(1, 0)).isInstanceOf(InputException.class);
        assertThatThrownBy(() -> new Interval(Double.NaN, 0)).isInstanceOf(InputException.class);
        assertThatThrownBy(() -> Interval.ofShare(3, 2)).isInstanceOf(InputException.class);
        assertThatThrownBy(Interval::ofMean).isInstanceOf(InputException.class);
    }

    /** Rows are of the class with probability 0.3, found with 0.7 and flagged in error with 0.1. */
    @ParameterizedTest
    @CsvSource({"60", "300"})
    void f1ScoresCoverTheTruth(int n) {
        double truth = 2 * 0.21 / (2 * 0.21 + 0.07 + 0.09);
        coverage("F1 " + n, random -> {
                    int found = 0;
                    int others = 0;
                    for (int i = 0; i < n; i++) {
                        boolean one = random.nextDouble() < 0.3;
                        boolean flagged = random.nextDouble() < (one ? 0.7 : 0.1);
                        found += one && flagged ? 1 : 0;
                        others += one != flagged ? 1 : 0;
                    }
                    return Interval.ofF1(found, others).contains(truth);
                })
                .isBetween(0.93, 0.975);
    }

    /** The precision after a shift that makes the class, 1 in 5 rows here, as frequent as the other. */
    @Test
    void sharesOfTwoSharesCoverTheTruth() {
        DoubleBinaryOperator precision = (recall, fallOut) -> recall / (recall + fallOut);
        coverage("precision", random -> {
                    int found = (int) IntStream.range(0, 40)
                            .filter(i -> random.nextDouble() < 0.7)
                            .count();
                    int alarms = (int) IntStream.range(0, 160)
                            .filter(i -> random.nextDouble() < 0.1)
                            .count();
                    return Interval.ofShare(
                                    precision,
                                    found / 40.0,
                                    Interval.ofShare(found, 40),
                                    alarms / 160.0,
                                    Interval.ofShare(alarms, 160))
                            .contains(0.7 / 0.8);
                })
                .isBetween(0.93, 0.975);
    }

    /**
     * 50 rows of class 1 with scores N(2, 1) among 450 with scores N(0, 1); the truth is the mean over the class of
     * 0.1 S(s - 2)/(0.1 S(s - 2) + 0.9 S(s)), S the normal survival function: in scipy
     * {@code quad(lambda s: norm.pdf(s-2)*.1*norm.sf(s-2)/(.1*norm.sf(s-2)+.9*norm.sf(s)), -9, 9)}.
     */
    @Test
    void averagePrecisionsCoverTheTruth() {
        coverage("average precision", random -> {
                    double[] scores = random.gaussians(500);
                    double[] labels = new double[500];
                    for (int i = 0; i < 50; i++) {
                        scores[i] += 2;
                        labels[i] = 1;
                    }
                    double found = ClassEvaluation.averagePrecision(scores, labels, j -> 1);
                    return Interval.ofAveragePrecision(found, 50).contains(0.6654712780688337);
                })
                .isBetween(0.92, 0.985);
        assertThat(Interval.ofAveragePrecision(1, 7)).isEqualTo(Interval.ofShare(7, 7));
    }
}
