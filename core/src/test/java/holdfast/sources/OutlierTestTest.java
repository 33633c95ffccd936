package holdfast.sources;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import holdfast.Randomness;
import holdfast.Seed;
import holdfast.math.StudentT;
import holdfast.testkit.Laws;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OutlierTestTest {
    private static final double LEVEL = 0.01;
    private static final OutlierTest BOTH = new OutlierTest(0.01, 0, OutlierTest.Side.BOTH);

    /** Values of sources that differ with sd {@code tau}, each with its own sampling variance. */
    private record Values(double[] x, double[] v) {
        static Values draw(Seed seed, int n, double tau) {
            Randomness random = seed.child("values").random();
            double[] x = new double[n];
            double[] v = new double[n];
            for (int i = 0; i < n; i++) {
                v[i] = Math.pow(10, -2 + random.nextDouble());
                x[i] = 5 + Math.sqrt(tau * tau + v[i]) * random.nextGaussian();
            }
            return new Values(x, v);
        }

        Values with(int i, double value) {
            double[] changed = x.clone();
            changed[i] = value;
            return new Values(changed, v);
        }

        List<OutlierTest.Outlier> outliers(OutlierTest test, double level, Integer... known) {
            return test.find(x, v, Set.of(known), level);
        }

        List<Integer> named(OutlierTest test, double level, Integer... known) {
            return outliers(test, level, known).stream()
                    .map(OutlierTest.Outlier::index)
                    .sorted()
                    .toList();
        }
    }

    /** Paule and Mandel's tau^2 by bisection: the root of sum (x - mu)^2/(tau^2 + v) = n - 1, which falls in tau^2. */
    private static double pauleMandel(double[] x, double[] v) {
        double low = 0;
        double high = 1e6;
        for (int step = 0; step < 200; step++) {
            double middle = (low + high) / 2;
            boolean above = q(x, v, middle) > x.length - 1;
            low = above ? middle : low;
            high = above ? high : middle;
        }
        return low;
    }

    private static double q(double[] x, double[] v, double tau2) {
        double mean = centre(x, v, tau2);
        return IntStream.range(0, x.length)
                .mapToDouble(i -> (x[i] - mean) * (x[i] - mean) / (tau2 + v[i]))
                .sum();
    }

    private static double centre(double[] x, double[] v, double tau2) {
        return IntStream.range(0, x.length)
                        .mapToDouble(i -> x[i] / (tau2 + v[i]))
                        .sum()
                / precision(v, tau2);
    }

    private static double precision(double[] v, double tau2) {
        return Arrays.stream(v).map(w -> 1 / (tau2 + w)).sum();
    }

    private static double[] without(double[] values, int i) {
        return IntStream.range(0, values.length)
                .filter(j -> j != i)
                .mapToDouble(j -> values[j])
                .toArray();
    }

    /** One outlier's p-value, step by step: against the others alone, heavy tails, corrected for n values and the level. */
    @Test
    void thePValueIsThatOfAPredictionFromTheOthers() {
        Laws.check(300, seed -> {
            int n = 5 + seed.random().nextInt(30);
            double floor = 0.3 * seed.child("floor").random().nextDouble();
            Values values = Values.draw(seed, n, seed.child("tau").random().nextDouble())
                    .with(2, seed.value() % 2 == 0 ? 1e6 : -1e6);
            // At this level none of the others is a candidate.
            double level = 1e-9;
            List<OutlierTest.Outlier> found = values.outliers(new OutlierTest(floor, 0, OutlierTest.Side.BOTH), level);
            assertThat(found).hasSize(1);
            double[] x = without(values.x, 2);
            double[] v = without(values.v, 2);
            double tau2 = Math.max(floor * floor, pauleMandel(x, v));
            double centre = centre(x, v, tau2);
            double t = Math.abs(values.x[2] - centre) / Math.sqrt(tau2 + values.v[2] + 1 / precision(v, tau2));
            double p = n * 2 * StudentT.above(t, Math.min(12, n - 2)) * SourceVerdicts.LEVEL / level;
            assertThat(found.get(0).index()).isEqualTo(2);
            assertThat(found.get(0).centre()).isCloseTo(centre, within(1e-6));
            assertThat(found.get(0).distance()).isCloseTo(values.x[2] - centre, within(1e-6));
            assertThat(found.get(0).pValue()).isCloseTo(p, within(1e-5 * p));
        });
    }

    /**
     * Over sources that differ by normal amounts, with sampling variances that differ up to tenfold. Repeating the test
     * without the farthest value gives it more chances than one, so the share may be somewhat more than the level.
     */
    @ParameterizedTest
    @CsvSource({"6, 0", "6, 0.5", "14, 0", "14, 0.2", "14, 0.5", "60, 0.2", "60, 0.5"})
    void anybodyIsNamedAboutAsOftenAsTheLevelSays(int n, double tau) {
        int runs = n == 60 ? 200 : 1000;
        for (OutlierTest.Side side : OutlierTest.Side.values()) {
            OutlierTest test = new OutlierTest(0.01, 0, side);
            double named = IntStream.range(0, runs)
                    .filter(i -> !Values.draw(Seed.of(1).child("null", i), n, tau)
                            .named(test, 0.05)
                            .isEmpty())
                    .count();
            assertThat(named / runs).as("%s, Seed.of(1)", side).isLessThan(0.09);
        }
    }

    /** Differences with the tails of Student's distribution with 12 degrees of freedom, as the test assumes. */
    @Test
    void heavyTailsOfManySourcesNameFew() {
        int runs = 500;
        int n = 60;
        int named = 0;
        for (int i = 0; i < runs; i++) {
            Randomness random = Seed.of(1).child("heavy", i).random();
            double[] x = IntStream.range(0, n)
                    .mapToDouble(s -> random.nextGaussian() / Math.sqrt(chiSquare(random, 12) / 12))
                    .toArray();
            double[] v = new double[n];
            Arrays.fill(v, 0.01);
            named += BOTH.find(x, v, Set.of(), LEVEL).isEmpty() ? 0 : 1;
        }
        assertThat(named).as("of %d runs, Seed.of(1)", runs).isLessThanOrEqualTo(10);
    }

    private static double chiSquare(Randomness random, int degrees) {
        return Arrays.stream(random.gaussians(degrees)).map(z -> z * z).sum();
    }

    /** Four equal values far from ten others; removed one by one, only the last is far from the rest. */
    @Test
    void outliersThatMaskEachOtherAreAllNamed() {
        Laws.check(50, seed -> {
            double[] v = new double[14];
            Arrays.fill(v, 0.01);
            Values drawn = new Values(
                    Arrays.stream(seed.random().gaussians(14)).map(z -> 0.2 * z).toArray(), v);
            for (int i : new int[] {1, 4, 8, 13}) {
                drawn.x[i] = 4;
            }
            assertThat(drawn.named(BOTH, LEVEL)).containsExactly(1, 4, 8, 13);
            assertThat(drawn.named(new OutlierTest(0.01, 0, OutlierTest.Side.HIGH), LEVEL))
                    .containsExactly(1, 4, 8, 13);
            assertThat(drawn.named(new OutlierTest(0.01, 0, OutlierTest.Side.LOW), LEVEL))
                    .isEmpty();
        });
    }

    @Test
    void moreThanAThirdAreNeverNamed() {
        Laws.check(50, seed -> {
            int n = 4 + seed.random().nextInt(20);
            double[] x = seed.child("x").random().gaussians(n);
            for (int i = 0; i < n / 2; i++) {
                x[i] += 1000 * (i + 1);
            }
            assertThat(BOTH.find(x, new double[n], Set.of(), 0.5)).hasSizeLessThanOrEqualTo(n / 3);
        });
    }

    @Test
    void eachSideNamesItsOwn() {
        double[] x = {0, 0.1, -0.1, 0.05, -0.05, 0.02, 0, 0.07, 0.03, 0.01};
        double[] v = new double[10];
        Arrays.fill(v, 1e-4);
        for (double far : new double[] {3, -3}) {
            Values values = new Values(x, v).with(6, far);
            assertThat(values.named(BOTH, LEVEL)).containsExactly(6);
            assertThat(values.named(new OutlierTest(0.01, 0, OutlierTest.Side.HIGH), LEVEL))
                    .hasSize(far > 0 ? 1 : 0);
            assertThat(values.named(new OutlierTest(0.01, 0, OutlierTest.Side.LOW), LEVEL))
                    .hasSize(far < 0 ? 1 : 0);
            assertThat(values.outliers(BOTH, LEVEL).get(0).distance()).isCloseTo(far, within(0.1));
        }
        assertThat(new Values(x, v).with(6, 3).with(8, -3).named(BOTH, LEVEL)).containsExactly(6, 8);
    }

    @Test
    void anOutlierMustBeAsFarAsTheEffect() {
        double[] x = {0, 0, 0, 0, 0, 0, 0, 1};
        Values values = new Values(x, new double[8]);
        assertThat(values.named(new OutlierTest(0.01, 1, OutlierTest.Side.BOTH), LEVEL))
                .containsExactly(7);
        assertThat(values.named(new OutlierTest(0.01, 1.001, OutlierTest.Side.BOTH), LEVEL))
                .isEmpty();
    }

    /** A tenth of the floor is never surprising, even if all others are equal. */
    @Test
    void differencesAsSmallAsTheFloorAreNeverNamed() {
        double[] x = {0, 0, 0, 0, 0, 0, 0, 1};
        Values values = new Values(x, new double[8]);
        assertThat(values.named(new OutlierTest(0.05, 0, OutlierTest.Side.BOTH), LEVEL))
                .containsExactly(7);
        assertThat(values.named(new OutlierTest(0.5, 0, OutlierTest.Side.BOTH), LEVEL))
                .isEmpty();
    }

    /** Values without a number or a variance are as if they were not there. */
    @Test
    void unknownValuesAreLeftOut() {
        Laws.check(50, seed -> {
            Values known = Values.draw(seed, 9, 0.1).with(4, 60);
            double[] x = Arrays.copyOf(known.x, 12);
            double[] v = Arrays.copyOf(known.v, 12);
            x[9] = Double.NaN;
            v[9] = 1;
            x[10] = 100;
            v[10] = Double.NaN;
            x[11] = Double.POSITIVE_INFINITY;
            v[11] = 0.1;
            assertThat(BOTH.find(x, v, Set.of(9, 10), LEVEL)).isEqualTo(known.outliers(BOTH, LEVEL));
            assertThat(known.named(BOTH, LEVEL)).contains(4);
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 7})
    void equalOrFewValuesNameNobody(int n) {
        double[] equal = new double[n];
        Arrays.fill(equal, 3.25);
        assertThat(BOTH.find(equal, new double[n], Set.of(), 0.5)).isEmpty();
        double[] far = new double[n];
        if (n > 0) {
            far[0] = 1e9;
        }
        assertThat(BOTH.find(far, new double[n], Set.of(), 0.5)).hasSize(n < 4 ? 0 : 1);
    }

    /** Known sources are no standard for the others, and they are named only if they stand out. */
    @Test
    void knownSourcesAreComparedWithTheOthersOnly() {
        double[] x = {0, 0.1, -0.1, 0.05, -0.05, 0.02, 40, 50, 60, 0.01};
        double[] v = new double[10];
        Arrays.fill(v, 1e-4);
        Values values = new Values(x, v);
        assertThat(values.named(BOTH, LEVEL, 6, 7, 8, 9)).containsExactly(6, 7, 8);
        // Beyond a third, what is known already does not make others candidates.
        assertThat(values.named(BOTH, LEVEL, 0, 1, 2, 3)).doesNotContain(0, 1, 2, 3);
    }

    @Test
    void theOrderOfValuesDoesNotMatter() {
        Laws.check(100, seed -> {
            int n = 5 + seed.random().nextInt(25);
            Values values = Values.draw(seed, n, 0.2).with(1, 12).with(3, -8);
            int[] order = IntStream.range(0, n).toArray();
            seed.child("order").random().shuffle(order);
            Values shuffled = new Values(
                    Arrays.stream(order).mapToDouble(i -> values.x[i]).toArray(),
                    Arrays.stream(order).mapToDouble(i -> values.v[i]).toArray());
            assertThat(shuffled.named(BOTH, LEVEL).stream()
                            .map(i -> order[i])
                            .sorted()
                            .toList())
                    .isEqualTo(values.named(BOTH, LEVEL));
        });
    }

    /** Shifting all values, or changing their unit, changes no p-value. */
    @Test
    void thePValuesDoNotDependOnTheUnit() {
        Laws.check(100, seed -> {
            Values values = Values.draw(seed, 12, 0.3).with(5, 30);
            double a = -1 - 1000 * seed.random().nextDouble();
            Values other = new Values(
                    Arrays.stream(values.x).map(y -> 7 + a * y).toArray(),
                    Arrays.stream(values.v).map(w -> a * a * w).toArray());
            List<OutlierTest.Outlier> before = values.outliers(BOTH, LEVEL);
            List<OutlierTest.Outlier> after =
                    other.outliers(new OutlierTest(-0.01 * a, 0, OutlierTest.Side.BOTH), LEVEL);
            assertThat(after).extracting(OutlierTest.Outlier::index).contains(5);
            assertThat(after).hasSameSizeAs(before);
            for (int i = 0; i < before.size(); i++) {
                assertThat(after.get(i).index()).isEqualTo(before.get(i).index());
                assertThat(after.get(i).pValue())
                        .isCloseTo(
                                before.get(i).pValue(),
                                within(1e-6 * before.get(i).pValue()));
            }
        });
    }
}
