package holdfast.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import holdfast.InputException;
import holdfast.Randomness;
import holdfast.Seed;
import holdfast.math.Threads;
import holdfast.preparation.AcrossSources;
import holdfast.testkit.Laws;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Calibrations of more than two classes. */
class ClassCalibrationFitTest {
    /** Labels are drawn with the probabilities softmax(slope u + offset). */
    private static ScoredSource source(Randomness random, int rows, double slope, double[] offsets, double[] shift) {
        int k = offsets.length;
        double[] scores = new double[rows * k];
        double[] labels = new double[rows];
        for (int j = 0; j < rows; j++) {
            double[] p = new double[k];
            double sum = 0;
            for (int c = 0; c < k; c++) {
                scores[j * k + c] = 2 * random.nextGaussian() + shift[c];
                p[c] = Math.exp(slope * scores[j * k + c] + offsets[c]);
                sum += p[c];
            }
            double left = random.nextDouble() * sum;
            while (labels[j] < k - 1 && (left -= p[(int) labels[j]]) > 0) {
                labels[j]++;
            }
        }
        return new ScoredSource(scores, labels);
    }

    private static ScoredSource source(Randomness random, int rows, double slope, double... offsets) {
        return source(random, rows, slope, offsets, new double[offsets.length]);
    }

    private static double[] centred(double[] values) {
        double mean = Arrays.stream(values).average().orElseThrow();
        return Arrays.stream(values).map(v -> v - mean).toArray();
    }

    private static double[] offsets(Randomness random, int k) {
        return centred(Arrays.stream(random.gaussians(k)).map(v -> 1.5 * v).toArray());
    }

    /** Targets as documented, written anew. */
    private static double target(double[] counts, int label, int c) {
        double own = (counts[label] + 1) / (counts[label] + 2);
        return label == c ? own : (1 - own) / (counts.length - 1);
    }

    private static double[] counts(int k, ScoredSource source) {
        double[] counts = new double[k];
        Arrays.stream(source.labels()).forEach(label -> counts[(int) label]++);
        return counts;
    }

    private static double[] softmax(double[] scores, int from, double slope, double[] offsets) {
        double[] p = new double[offsets.length];
        double sum = 0;
        double most = Double.NEGATIVE_INFINITY;
        for (int c = 0; c < p.length; c++) {
            p[c] = slope * scores[from + c] + offsets[c];
            most = Math.max(most, p[c]);
        }
        for (int c = 0; c < p.length; c++) {
            p[c] = Math.exp(p[c] - most);
            sum += p[c];
        }
        for (int c = 0; c < p.length; c++) {
            p[c] /= sum;
        }
        return p;
    }

    /** Maximises the likelihood by Newton's method in the slope and all offsets but the first; returns slope and offsets. */
    private static double[] newton(ScoredSource source, int k) {
        double[] counts = counts(k, source);
        int n = source.labels().length;
        double[] theta = new double[k];
        theta[0] = 0.1;
        for (int step = 0; step < 200; step++) {
            double[] gradient = new double[k];
            double[][] hessian = new double[k][k];
            double[] offsets = theta.clone();
            offsets[0] = 0;
            for (int j = 0; j < n; j++) {
                double[] p = softmax(source.scores(), j * k, theta[0], offsets);
                // x[c] is the gradient of the score of class c.
                double[][] x = new double[k][k];
                double[] mean = new double[k];
                for (int c = 0; c < k; c++) {
                    x[c][0] = source.scores()[j * k + c];
                    x[c][c] += c == 0 ? 0 : 1;
                    for (int i = 0; i < k; i++) {
                        mean[i] += p[c] * x[c][i];
                    }
                }
                for (int c = 0; c < k; c++) {
                    double gap = p[c] - target(counts, (int) source.labels()[j], c);
                    for (int i = 0; i < k; i++) {
                        gradient[i] += gap * x[c][i];
                        for (int l = 0; l < k; l++) {
                            hessian[i][l] += p[c] * (x[c][i] - mean[i]) * (x[c][l] - mean[l]);
                        }
                    }
                }
            }
            double[] change = solve(hessian, gradient);
            double largest = Arrays.stream(change).map(Math::abs).max().orElseThrow();
            for (int i = 0; i < k; i++) {
                theta[i] -= change[i] / Math.max(1, 4 * largest);
            }
        }
        double slope = theta[0];
        theta[0] = 0;
        return IntStream.range(0, k + 1)
                .mapToDouble(i -> i == 0 ? slope : centred(theta)[i - 1])
                .toArray();
    }

    private static double[] solve(double[][] a, double[] b) {
        int n = b.length;
        for (int i = 0; i < n; i++) {
            for (int r = i + 1; r < n; r++) {
                double factor = a[r][i] / a[i][i];
                for (int c = i; c < n; c++) {
                    a[r][c] -= factor * a[i][c];
                }
                b[r] -= factor * b[i];
            }
        }
        for (int i = n - 1; i >= 0; i--) {
            for (int c = i + 1; c < n; c++) {
                b[i] -= a[i][c] * b[c];
            }
            b[i] /= a[i][i];
        }
        return b;
    }

    @Test
    void oneSourceGivesTheMaximumLikelihood() {
        Laws.check(25, seed -> {
            Randomness random = seed.random();
            int k = 3 + random.nextInt(4);
            double[] shift = Arrays.stream(random.gaussians(k)).map(v -> 4 * v).toArray();
            double slope = Math.exp(random.nextGaussian() / 2);
            double[] offsets = offsets(random, k);
            Arrays.setAll(offsets, c -> offsets[c] - slope * shift[c]);
            ScoredSource source = source(random, 400, slope, offsets, shift);
            Calibration found = Calibration.fit(List.of(source), AcrossSources.POOLED);
            double[] expected = newton(source, k);
            assertThat(found.slope()).isCloseTo(expected[0], within(1e-6));
            for (int c = 0; c < k; c++) {
                assertThat(found.offsets().get(c)).isCloseTo(expected[c + 1], within(2e-6));
            }
        });
    }

    /**
     * Against SciPy 1.17.1:
     *
     * <pre>
     * import numpy as np
     * from scipy.optimize import minimize
     * from scipy.special import logsumexp
     * y = np.array([0,0,0,0,0,0,0,1,1,1,1,2,2,2]); i = np.arange(14)
     * u = np.c_[i % 5 - 2 + (y==0), i % 4 - 1.5 + (y==1), i % 3 - 1 + 2*(y==2)]
     * n = np.bincount(y); t = np.repeat((1/(n+2))[y,None]/2, 3, 1); t[i,y] = ((n+1)/(n+2))[y]
     * def loss(v):
     *     z = v[0]*u + np.r_[v[1:], -v[1:].sum()]; return (logsumexp(z, axis=1) - (t*z).sum(1)).sum()
     * def gradient(v):
     *     z = v[0]*u + np.r_[v[1:], -v[1:].sum()]; d = np.exp(z - logsumexp(z, axis=1)[:,None]) - t; g = d.sum(0)
     *     return np.array([(d*u).sum(), g[0] - g[2], g[1] - g[2]])
     * print(minimize(loss, [1,0,0], jac=gradient, method='BFGS', options={'gtol': 1e-11}).x)
     * </pre>
     */
    @Test
    void slopeAndOffsetsAreThoseOfSciPy() {
        double[] labels = {0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2};
        double[] scores = new double[3 * 14];
        for (int i = 0; i < 14; i++) {
            scores[3 * i] = i % 5 - 2 + (labels[i] == 0 ? 1 : 0);
            scores[3 * i + 1] = i % 4 - 1.5 + (labels[i] == 1 ? 1 : 0);
            scores[3 * i + 2] = i % 3 - 1 + (labels[i] == 2 ? 2 : 0);
        }
        Calibration found = Calibration.fit(List.of(new ScoredSource(scores, labels)), AcrossSources.POOLED);
        assertThat(found.slope()).isCloseTo(0.5380095138146562, within(1e-6));
        assertThat(found.offsets().get(0)).isCloseTo(0.4592557574274956, within(1e-6));
        assertThat(found.offsets().get(1)).isCloseTo(-0.026595628914061153, within(1e-6));
    }

    @Test
    void theTrueSlopeAndOffsetsAreFound() {
        Laws.check(8, seed -> {
            Randomness random = seed.random();
            double slope = Math.exp(random.nextGaussian() / 2);
            double[] offsets = offsets(random, 4);
            List<ScoredSource> sources = IntStream.range(0, 12)
                    .mapToObj(s -> source(random, 1000, slope, offsets))
                    .toList();
            Calibration found = Calibration.fit(sources, new AcrossSources(2));
            assertThat(found.slope()).isCloseTo(slope, within(0.1 + 0.1 * slope));
            for (int c = 0; c < 4; c++) {
                assertThat(found.offsets().get(c)).isCloseTo(offsets[c], within(0.3));
            }
        });
    }

    private static ScoredSource liar(Randomness random, int k) {
        int rows = 1 + random.nextInt(200);
        double scale = Math.pow(10, random.nextInt(9) - 3);
        double[] labels = new double[rows];
        int kind = random.nextInt(k + 1);
        Arrays.setAll(labels, j -> kind < k ? kind : random.nextInt(k));
        return new ScoredSource(
                Arrays.stream(random.gaussians(rows * k)).map(s -> s * scale).toArray(), labels);
    }

    /** Honest sources that agree leave liars no room at all. */
    @Test
    void liarsMoveNothingWhereTheOthersAgree() {
        Laws.check(20, seed -> {
            Randomness random = seed.random();
            int k = 3 + random.nextInt(3);
            int f = 1 + random.nextInt(3);
            int honest = f + 1 + random.nextInt(4);
            ScoredSource one = source(random, 150, 0.7, offsets(random, k));
            List<ScoredSource> sources = new ArrayList<>(Collections.nCopies(honest, one));
            for (int i = 0; i < f; i++) {
                sources.add(random.nextInt(sources.size() + 1), liar(random, k));
            }
            AcrossSources across = new AcrossSources(f);
            Calibration alone = Calibration.fit(Collections.nCopies(honest + f, one), across);
            Calibration found = Calibration.fit(sources, across);
            assertThat(found.slope()).isCloseTo(alone.slope(), within(1e-6));
            for (int c = 0; c < k; c++) {
                assertThat(found.offsets().get(c)).isCloseTo(alone.offsets().get(c), within(1e-6));
            }
        });
    }

    private static double bisected(DoubleUnaryOperator growing, double low, double high) {
        for (int i = 0; i < 60; i++) {
            double middle = (low + high) / 2;
            if (growing.applyAsDouble(middle) < 0) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Returns a source's mean of p_c - t_c. */
    private static double excess(ScoredSource source, int c, double[] counts, double slope, double[] offsets) {
        return IntStream.range(0, source.labels().length)
                .mapToDouble(j -> softmax(source.scores(), offsets.length * j, slope, offsets)[c]
                        - target(counts, (int) source.labels()[j], c))
                .average()
                .orElseThrow();
    }

    @Test
    void offsetsAreBetweenThoseOfHonestSources() {
        Laws.check(15, seed -> {
            Randomness random = seed.random();
            int k = 3;
            int f = 1 + random.nextInt(2);
            int honest = f + 1 + random.nextInt(3);
            double[] truth = offsets(random, k);
            List<ScoredSource> sources = new ArrayList<>();
            for (int s = 0; s < honest; s++) {
                sources.add(source(random, 300, 0.5 + random.nextDouble(), truth));
            }
            for (int s = 0; s < f; s++) {
                sources.add(liar(random, k));
            }
            AcrossSources across = new AcrossSources(f);
            Calibration found = Calibration.fit(sources, across);
            assertThat(found).isNotEqualTo(Calibration.NONE);
            double[] counts = counts(k, sources, across);
            double[][] excess = IntStream.range(0, k)
                    .mapToObj(c -> sources.stream()
                            .mapToDouble(s -> excess(s, c, counts, found.slope(), found.offsets(k)))
                            .toArray())
                    .toArray(double[][]::new);
            double mu =
                    Arrays.stream(excess).mapToDouble(across::mean).average().orElseThrow();
            double range = Arrays.stream(excess)
                    .map(all -> Arrays.copyOf(all, honest))
                    .mapToDouble(own -> Arrays.stream(own).max().orElseThrow()
                            - Arrays.stream(own).min().orElseThrow())
                    .average()
                    .orElseThrow();
            assertThat(Math.abs(mu)).isLessThanOrEqualTo(range + 1e-9);
            for (int c = 0; c < k; c++) {
                int at = c;
                assertThat(across.mean(excess[c])).isCloseTo(mu, within(1e-8));
                double[] wanted = sources.stream()
                        .limit(honest)
                        .mapToDouble(s -> bisected(
                                offset -> {
                                    double[] offsets = found.offsets(k);
                                    offsets[at] = offset;
                                    return excess(s, at, counts, found.slope(), offsets) - mu;
                                },
                                -30,
                                30))
                        .sorted()
                        .toArray();
                assertThat(found.offsets().get(c)).isBetween(wanted[0] - 1e-6, wanted[honest - 1] + 1e-6);
            }
        });
    }

    private static ScoredSource ofOneClass(Randomness random, int k, int label) {
        double[] scores = random.gaussians(50 * k);
        double[] labels = new double[50];
        for (int j = 0; j < 50; j++) {
            scores[j * k + label] += 2;
            labels[j] = label;
        }
        return new ScoredSource(scores, labels);
    }

    /** The combined mean of no class is right where each source has one class, but all are wrong by the same. */
    @Test
    void sourcesMayHaveDifferentClasses() {
        Laws.check(15, seed -> {
            Randomness random = seed.random();
            int k = 3 + random.nextInt(3);
            List<ScoredSource> sources = IntStream.range(0, 2 * k)
                    .mapToObj(s -> ofOneClass(random, k, s % k))
                    .toList();
            double trained = loss(sources, Calibration.NONE);
            double pooled = loss(sources, Calibration.fit(sources, AcrossSources.POOLED));
            double trimmed = loss(sources, Calibration.fit(sources, new AcrossSources(1)));
            assertThat(pooled).isLessThan(0.93 * trained);
            assertThat(trimmed).isLessThan(pooled + 0.005);
            assertThat(Calibration.fit(sources, new AcrossSources(2)))
                    .as("rows of a class in two sources may be lies")
                    .isEqualTo(Calibration.NONE);
        });
    }

    private static double[] counts(int k, List<ScoredSource> sources, AcrossSources across) {
        return IntStream.range(0, k)
                .mapToDouble(c -> sources.size()
                        * across.mean(sources.stream()
                                .mapToDouble(s -> counts(k, s)[c])
                                .toArray()))
                .toArray();
    }

    /** Trimmed means of few sources that are very different may mislead; then probabilities stay as trained. */
    @Test
    void theCombinedLossNeverRises() {
        Laws.check(100, seed -> {
            Randomness random = seed.random();
            int k = 3 + random.nextInt(3);
            int f = random.nextInt(4);
            List<ScoredSource> sources = IntStream.range(0, 2 * f + 1 + random.nextInt(5))
                    .mapToObj(s -> random.nextInt(3) == 0
                            ? source(random, 3 + random.nextInt(60), 1, offsets(random, k))
                            : ofOneClass(random, k, s % k))
                    .toList();
            AcrossSources across = new AcrossSources(f);
            Calibration found = Calibration.fit(sources, across);
            assertThat(combinedLoss(k, sources, across, found))
                    .isLessThanOrEqualTo(combinedLoss(k, sources, across, Calibration.NONE));
        });
    }

    private static double combinedLoss(
            int k, List<ScoredSource> sources, AcrossSources across, Calibration calibration) {
        double[] counts = counts(k, sources, across);
        return across.mean(sources.stream()
                .mapToDouble(source -> {
                    double sum = 0;
                    for (int j = 0; j < source.labels().length; j++) {
                        double[] p = softmax(source.scores(), j * k, calibration.slope(), calibration.offsets(k));
                        for (int c = 0; c < k; c++) {
                            sum -= target(counts, (int) source.labels()[j], c) * Math.log(p[c]);
                        }
                    }
                    return sum / source.labels().length;
                })
                .toArray());
    }

    private static double loss(List<ScoredSource> sources, Calibration calibration) {
        return sources.stream()
                .mapToDouble(source -> {
                    int k = source.scores().length / source.labels().length;
                    return IntStream.range(0, source.labels().length)
                            .mapToDouble(j -> -Math.log(
                                    softmax(source.scores(), j * k, calibration.slope(), calibration.offsets(k))[
                                            (int) source.labels()[j]]))
                            .average()
                            .orElseThrow();
                })
                .average()
                .orElseThrow();
    }

    @Test
    void scoresThatSayNothingAreLeftAlone() {
        double[] labels = {0, 1, 2, 0, 1, 2};
        double[] same = new double[18];
        Arrays.fill(same, 3);
        double[] wrong = new double[18];
        for (int j = 0; j < 6; j++) {
            wrong[3 * j + (int) labels[j]] = -5;
        }
        for (double[] scores : List.of(same, wrong)) {
            assertThat(Calibration.fit(List.of(new ScoredSource(scores, labels)), AcrossSources.POOLED))
                    .isEqualTo(Calibration.NONE);
        }
    }

    /** One class is always found, one never occurs. */
    @Test
    void separatedAndAbsentClassesStayFinite() {
        double[] labels = {0, 0, 0, 0, 1, 1, 1, 1};
        double[] scores = new double[8 * 3];
        for (int j = 0; j < 8; j++) {
            scores[3 * j + (int) labels[j]] = 4 + 0.1 * j;
        }
        Calibration found = Calibration.fit(List.of(new ScoredSource(scores, labels)), AcrossSources.POOLED);
        double[] p = softmax(scores, 0, found.slope(), found.offsets(3));
        assertThat(p[0]).isBetween(0.7, 0.95);
        assertThat(p[2]).isBetween(0.01, 0.2);
    }

    /** What training does must not depend on the JIT or on threads. */
    @Test
    void bitsDoNotChange() {
        List<ScoredSource> sources = IntStream.range(0, 5)
                .mapToObj(s -> source(Seed.of(s).random(), 200, 0.8, 1, 0, -1))
                .toList();
        Calibration first = Calibration.fit(sources, new AcrossSources(1));
        for (int i = 0; i < 5; i++) {
            assertThat(Calibration.fit(sources, new AcrossSources(1))).isEqualTo(first);
        }
        try (Threads threads = Threads.of(3)) {
            assertThat(threads.call(() -> Calibration.fit(sources, new AcrossSources(1))))
                    .isEqualTo(first);
        }
    }

    @Test
    void rootsAreFoundWithinTheRange() {
        assertThat(ClassCalibrationFit.root(x -> Math.expm1(x - 3), 0, -20, 20)).isCloseTo(3, within(1e-12));
        assertThat(ClassCalibrationFit.root(x -> Math.tanh(x + 17) + 1e-9, 5, -20, 20))
                .isCloseTo(-17, within(1e-8));
        assertThat(ClassCalibrationFit.root(x -> Math.cbrt(x - 0.3), 0, -20, 20))
                .isCloseTo(0.3, within(1e-9));
        assertThat(ClassCalibrationFit.root(x -> x - 30, 0, -20, 20)).isEqualTo(20);
        assertThat(ClassCalibrationFit.root(x -> x + 30, 0, -20, 20)).isEqualTo(-20);
        assertThat(ClassCalibrationFit.root(x -> x, 0, -20, 20)).isZero();
    }

    @Test
    void aSourceHasAScoreForEachClass() {
        for (int scores : new int[] {0, 4, 5}) {
            assertThatThrownBy(() -> new ScoredSource(new double[scores], new double[2]))
                    .isInstanceOf(InputException.class)
                    .hasMessageEndingWith("got " + scores + " scores and 2 labels");
        }
    }
}
