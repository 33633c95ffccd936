package holdfast.certificate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import holdfast.InputException;
import holdfast.Randomness;
import holdfast.Seed;
import holdfast.data.Dataset;
import holdfast.evaluation.Predictions;
import holdfast.evaluation.TrainedModel;
import holdfast.math.Logistic;
import holdfast.model.LinearRegression;
import holdfast.plan.Plan;
import holdfast.preparation.LabelScaling;
import holdfast.testkit.Laws;
import holdfast.testkit.Samples;
import holdfast.training.Training;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ConformalScoresTest {
    private static ConformalScores scores(int tolerated, double[]... bySource) {
        return scores(tolerated, List.of(bySource));
    }

    private static ConformalScores scores(int tolerated, List<double[]> bySource) {
        return new ConformalScores(
                tolerated,
                IntStream.range(0, bySource.size()).mapToObj(s -> "s" + s).toList(),
                bySource);
    }

    private static double[] uniforms(int n, Randomness random) {
        return IntStream.range(0, n).mapToDouble(i -> random.nextDouble()).toArray();
    }

    /** What liars send once they have seen everybody's scores. */
    enum Lie {
        TINY,
        HUGE,
        /** As the honest do, but smaller. */
        MIMIC,
        /** Very many rows, half of which are just below where the honest threshold is. */
        FLOOD,
        /** Several equal scores, just below the middle. */
        PILE;

        double[] scores(int n, Randomness random) {
            return switch (this) {
                case TINY -> new double[n];
                case HUGE -> IntStream.range(0, n).mapToDouble(i -> 1e9).toArray();
                case MIMIC -> Arrays.stream(uniforms(n, random)).map(x -> x * x).toArray();
                case FLOOD ->
                    IntStream.range(0, 40 * n)
                            .mapToDouble(i -> i % 2 == 0 ? 0 : 0.75)
                            .toArray();
                case PILE -> IntStream.range(0, n).mapToDouble(i -> 0.4).toArray();
            };
        }
    }

    private record Mean(double value, double error) {
        static Mean of(int runs, Function<Randomness, Double> draw) {
            double sum = 0;
            double squares = 0;
            for (int i = 0; i < runs; i++) {
                double x = draw.apply(Seed.of(11).child("run", i).random());
                sum += x;
                squares += x * x;
            }
            double mean = sum / runs;
            return new Mean(mean, Math.sqrt((squares / runs - mean * mean) / runs));
        }
    }

    private static final int RUNS = 4000;

    /**
     * Honest scores are uniform, so a threshold t covers a new one with probability min(t, 1): only the thresholds are
     * random. Two honest sources of five rows and a level of 0.8 leave little room: split conformal prediction takes the 9th
     * of 10 and covers 9/11; without the + 1 it would be the 8th, 8/11 = 0.73. The error of the mean is about 0.002.
     */
    @ParameterizedTest
    @EnumSource
    void liarsDoNotSpoilTheCoverageOfThePool(Lie lie) {
        Mean covered = Mean.of(RUNS, random -> {
            List<double[]> all = new ArrayList<>(List.of(uniforms(5, random), uniforms(5, random)));
            all.add(1, lie.scores(5, random));
            all.add(lie.scores(5, random));
            return Math.min(1, scores(2, all).forPool(0.8).value());
        });
        assertThat(covered.error).isLessThan(0.0025);
        assertThat(covered.value).isGreaterThan(9.0 / 11 - 4 * covered.error);
        if (lie == Lie.TINY) {
            assertThat(covered.value).isCloseTo(9.0 / 11, within(4 * covered.error));
        }
    }

    /** One liar more than tolerated takes the coverage away, so the law above has teeth. */
    @Test
    void oneLiarTooManySpoilsTheCoverage() {
        Mean covered = Mean.of(500, random -> {
            List<double[]> all = List.of(uniforms(5, random), uniforms(5, random), new double[5], new double[5]);
            return Math.min(1, scores(1, all).forPool(0.8).value());
        });
        assertThat(covered.value).isLessThan(0.75);
    }

    /** Sources whose rows all have the source's own score. */
    private static Stream<double[]> uniform(int sources, Randomness random) {
        return IntStream.range(0, sources).mapToObj(s -> {
            double own = random.nextDouble();
            return IntStream.range(0, 1 + random.nextInt(4))
                    .mapToDouble(r -> own)
                    .toArray();
        });
    }

    /**
     * Sources could not differ more: all rows of one have the same score, so ten honest sources are worth ten rows. A new
     * source's score is then covered with probability min(t, 1): 10/11 at the level 0.82, where 9 of 10 would do without the + 1
     * or if one of the liars were believed, and cover 9/11 = 0.818.
     */
    @ParameterizedTest
    @EnumSource
    void liarsDoNotSpoilTheCoverageOfANewSource(Lie lie) {
        Mean covered = Mean.of(RUNS, random -> {
            List<double[]> all = new ArrayList<>(uniform(10, random).toList());
            all.add(3, lie.scores(4, random));
            all.add(lie.scores(4, random));
            return Math.min(1, scores(2, all).forNewSource(0.82).value());
        });
        assertThat(covered.error).isLessThan(0.0025);
        assertThat(covered.value).isGreaterThan(10.0 / 11 - 4 * covered.error);
        if (lie == Lie.TINY) {
            assertThat(covered.value).isCloseTo(10.0 / 11, within(4 * covered.error));
        }
    }

    /** Rows that differ within their source and between sources: b + u/4, b and u uniform. */
    @Test
    void aNewSourceIsCoveredIfRowsDifferToo() {
        Mean covered = Mean.of(RUNS, random -> {
            List<double[]> all = new ArrayList<>(List.of(new double[30], new double[30]));
            for (int s = 0; s < 10; s++) {
                double own = random.nextDouble();
                all.add(Arrays.stream(uniforms(1 + random.nextInt(6), random))
                        .map(u -> own + u / 4)
                        .toArray());
            }
            double t = scores(2, all).forNewSource(0.8).value();
            double fresh = random.nextDouble();
            return Math.max(0, Math.min(1, (t - fresh) * 4));
        });
        assertThat(covered.error).isLessThan(0.007);
        assertThat(covered.value).isGreaterThan(0.8 - 3 * covered.error);
    }

    /** Whoever the liars are, the threshold is at least that of the honest rows alone, and some set of liars reaches it. */
    @Test
    void noThresholdIsSmallerThanThatOfTheHonestRowsAlone() {
        Laws.check(300, seed -> {
            Randomness random = seed.random();
            int m = 2 + random.nextInt(5);
            int f = random.nextInt(m);
            double level = (1 + random.nextInt(9)) / 10.0;
            List<double[]> all = IntStream.range(0, m)
                    .mapToObj(s -> Arrays.stream(uniforms(1 + random.nextInt(12), random))
                            .map(x -> Math.rint(x * 20) / 20)
                            .toArray())
                    .toList();
            int fewest = all.stream()
                    .mapToInt(own -> own.length)
                    .sorted()
                    .limit(m - f)
                    .sum();
            if (level * (fewest + 1) > fewest + 1e-9) {
                assertThatThrownBy(() -> scores(f, all).forPool(level)).isInstanceOf(InputException.class);
                return;
            }
            double needed = Double.NEGATIVE_INFINITY;
            for (int set = 0; set < 1 << m; set++) {
                if (Integer.bitCount(set) >= m - f) {
                    int chosen = set;
                    double[] honest = IntStream.range(0, m)
                            .filter(s -> (chosen >> s & 1) == 1)
                            .mapToObj(all::get)
                            .flatMapToDouble(Arrays::stream)
                            .sorted()
                            .toArray();
                    int k = (int) Math.ceil(level * (honest.length + 1) - 1e-9);
                    needed = Math.max(needed, honest[k - 1]);
                }
            }
            double t = scores(f, all).forPool(level).value();
            assertThat(t).isEqualTo(needed);
            assertThat(t).isLessThanOrEqualTo(simpleRule(all, f, level));
        });
    }

    /** The k-th smallest of all scores, k = L + ceil((1-a)(N - L + 1)), L the f largest N_i together. */
    private static double simpleRule(List<double[]> all, int f, double level) {
        double[] sorted = all.stream().flatMapToDouble(Arrays::stream).sorted().toArray();
        int[] sizes = all.stream().mapToInt(own -> own.length).sorted().toArray();
        int lies = Arrays.stream(sizes, sizes.length - f, sizes.length).sum();
        return sorted[lies + (int) Math.ceil(level * (sorted.length - lies + 1) - 1e-9) - 1];
    }

    /** The same by brute force for the shares of sources. */
    @Test
    void noThresholdForANewSourceIsSmallerThanThatOfTheHonestAlone() {
        Laws.check(300, seed -> {
            Randomness random = seed.random();
            int m = 3 + random.nextInt(5);
            int f = random.nextInt(m - 1);
            double level = (1 + random.nextInt(9)) / 10.0;
            List<double[]> all = IntStream.range(0, m)
                    .mapToObj(s -> uniforms(1 + random.nextInt(5), random))
                    .toList();
            if (level * (m - f + 1) > m - f + 1e-9) {
                assertThatThrownBy(() -> scores(f, all).forNewSource(level)).isInstanceOf(InputException.class);
                return;
            }
            double[] sorted =
                    all.stream().flatMapToDouble(Arrays::stream).sorted().toArray();
            double needed = Double.NEGATIVE_INFINITY;
            for (int set = 0; set < 1 << m; set++) {
                int honest = Integer.bitCount(set);
                if (honest >= m - f) {
                    int chosen = set;
                    needed = Math.max(
                            needed,
                            Arrays.stream(sorted)
                                    .filter(t -> IntStream.range(0, m)
                                                    .filter(s -> (chosen >> s & 1) == 1)
                                                    .mapToDouble(s -> share(all.get(s), t))
                                                    .sum()
                                            >= level * (honest + 1) - 1e-9)
                                    .min()
                                    .orElseThrow());
                }
            }
            assertThat(scores(f, all).forNewSource(level).value()).isEqualTo(needed);
        });
    }

    private static double share(double[] scores, double t) {
        return (double) Arrays.stream(scores).filter(x -> x <= t).count() / scores.length;
    }

    @Test
    void thresholdsGrowWithTheLevelAndWithTheLiars() {
        Laws.check(50, seed -> {
            Randomness random = seed.random();
            List<double[]> all = IntStream.range(0, 12)
                    .mapToObj(s -> uniforms(10 + random.nextInt(20), random))
                    .toList();
            List<Function<Double, List<ConformalThreshold>>> kinds = List.of(
                    level -> IntStream.range(0, 3)
                            .mapToObj(f -> scores(f, all).forPool(level))
                            .toList(),
                    level -> IntStream.range(0, 3)
                            .mapToObj(f -> scores(f, all).forNewSource(level))
                            .toList());
            for (Function<Double, List<ConformalThreshold>> kind : kinds) {
                double[] before = new double[3];
                for (double level = 0.05; level < 0.9; level = Math.rint(100 * level + 5) / 100) {
                    List<ConformalThreshold> found = kind.apply(level);
                    for (int f = 0; f < 3; f++) {
                        double t = found.get(f).value();
                        assertThat(t).isGreaterThanOrEqualTo(before[f]);
                        assertThat(f == 0 || t >= found.get(f - 1).value()).isTrue();
                        before[f] = t;
                    }
                }
            }
        });
    }

    /**
     * By hand. Nine rows at 0.9 need the 9th: 0.9 * 10 is 9 exactly, though 0.9 is not a binary number. Two sources of 4
     * and 5 rows and one liar of 5 zeros at 0.5, f = 1: d at 0.3 is (2 - 2, 3 - 2.5, 5 - 2.5), less the largest 0.5 = 1 - a.
     */
    @Test
    void knownValues() {
        double[] nine = {9, 1, 8, 2, 7, 3, 6, 4, 5};
        assertThat(new ConformalScores(0, List.of(), List.of(nine)).forPool(0.9).value())
                .isEqualTo(9);
        assertThat(new ConformalScores(0, List.of(), List.of(nine)).forPool(0.8).value())
                .isEqualTo(8);
        assertThat(scores(1, nine, nine).forSource("s1", 0.7).value()).isEqualTo(7);
        // 0.8 (10 + 1) = 8.8
        assertThat(scores(0, new double[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
                        .forSource("s0", 0.8)
                        .value())
                .isEqualTo(9);
        ConformalScores three =
                scores(1, new double[] {0.1, 0.3, 0.5, 0.7}, new double[] {0.1, 0.2, 0.3, 0.8, 0.9}, new double[5]);
        assertThat(three.forPool(0.5).value()).isEqualTo(0.3);
        // Shares at 0.8: 1, 0.8 and 1; the two smallest are 1.8 >= 0.6 * 3. At 0.7 they are 1.6.
        assertThat(three.forNewSource(0.6).value()).isEqualTo(0.8);
        assertThat(three.forPool(0.5))
                .hasToString(
                        "the label is covered with probability at least 0.5 for a row like the calibration rows of the"
                                + " honest sources together, if at most 1 of 3 sources lies (14 calibration rows)");
        assertThat(three.forNewSource(0.5))
                .hasToString(
                        "the label is covered with probability at least 0.5 for a row of a new source like the honest"
                                + " ones, if at most 1 of 3 sources lies (14 calibration rows)");
        assertThat(three.forSource("s0", 0.5))
                .hasToString(
                        "the label is covered with probability at least 0.5 for a row of source s0 like its 4 calibration"
                                + " rows, if that source is honest");
        assertThat(scores(0, nine, nine).forPool(0.5).about())
                .endsWith("together, if none of 2 sources lies (18 calibration rows)");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "pool | 0.95 | --coverage 0.95 needs more rows: without the 1 largest of the sources, which may lie, there are"
                        + " 9, so that at most 0.9000 is possible",
                "new | 0.7 | --coverage 0.7 needs more sources: there are 3, of which 1 may lie, so that at most 0.6666 is"
                        + " possible",
                "s0 | 0.9 | --coverage 0.9 needs more rows of source s0: there are 4, so that at most 0.8000 is possible",
                "other | 0.5 | --coverage-for must be pool, new-source or a source with held-out rows, got 'other'; known: s0,"
                        + " s1, s2",
                "pool | 1 | --coverage must be between 0 and 1, got 1.0",
                "pool | NaN | --coverage must be between 0 and 1, got NaN",
                "pool | 0.12345678901 | --coverage must have at most 9 decimals, got 0.12345678901"
            })
    void refuses(String what, double level, String message) {
        ConformalScores three = scores(1, new double[4], new double[5], new double[5]);
        assertThatThrownBy(() -> {
                    switch (what) {
                        case "pool" -> three.forPool(level);
                        case "new" -> three.forNewSource(level);
                        default -> three.forSource(what, level);
                    }
                })
                .isInstanceOf(InputException.class)
                .hasMessage(message);
    }

    @Test
    void scoresMustBeNumbersOfKnownSources() {
        assertThatThrownBy(() -> scores(0, new double[] {Double.NaN})).isInstanceOf(InputException.class);
        assertThatThrownBy(() -> scores(0, new double[0])).isInstanceOf(InputException.class);
        assertThatThrownBy(() -> new ConformalScores(1, List.of(), List.of(new double[1])))
                .isInstanceOf(InputException.class);
        assertThatThrownBy(() -> new ConformalScores(0, List.of("a", "a"), List.of(new double[1], new double[1])))
                .isInstanceOf(InputException.class);
        assertThatThrownBy(() -> new ConformalScores(0, List.of(), List.of(new double[1])).forNewSource(0.5))
                .hasMessage("--coverage-for new-source needs rows that name their source, and these do not; use pool");
        assertThatThrownBy(() -> scores(2, new double[9], new double[9]).forPool(0.5))
                .hasMessage(
                        "--coverage 0.5 needs more rows: without the 2 largest of the sources, which may lie, there are 0,"
                                + " so that at most 0.0000 is possible");
    }

    private static TrainedModel trained(Dataset rows, String model) {
        return Training.of(
                        rows,
                        Plan.defaults()
                                .with("model", model)
                                .with("rounds", "20")
                                .with("recalibration", "none"))
                .run()
                .model();
    }

    @Test
    void scoresAreWhatTheModelSaysOfTheLabel() {
        Dataset two = Samples.dataset(Seed.of(2), 60, 3);
        Predictions said = trained(two, "logistic").predict(two);
        double p = Logistic.sigmoid(said.scores()[7]);
        assertThat(ConformalScores.of(said, 7, 1)).isEqualTo(1 - p);
        assertThat(ConformalScores.of(said, 7, 0)).isEqualTo(1 - (1 - p));

        Predictions margins = trained(two, "svm").predict(two);
        assertThat(ConformalScores.of(margins, 7, 1)).isEqualTo(-margins.scores()[7]);
        assertThat(ConformalScores.of(margins, 7, 0)).isEqualTo(margins.scores()[7]);

        Dataset three = Samples.classes(Seed.of(2), 90, 3, 3, 0);
        Predictions classes = trained(three, "softmax").predict(three);
        assertThat(ConformalScores.of(classes, 4, 2)).isEqualTo(1 - classes.probabilities(4)[2]);
        ConformalThreshold wide = new ConformalThreshold(0.5, 1, "");
        assertThat(wide.classes(classes, 4)).containsExactly(0, 1, 2);
        assertThat(new ConformalThreshold(0.5, -1, "").classes(classes, 4)).isEmpty();
        double middle = 1 - Arrays.stream(classes.probabilities(4)).sorted().toArray()[1];
        assertThat(new ConformalThreshold(0.5, middle, "").classes(classes, 4)).hasSize(2);

        Dataset numbers = Samples.numbers(Seed.of(2), 60, 3, 0).relabel(r -> 1000.0 * r);
        Predictions expected = trained(numbers, "linear").predict(numbers);
        assertThat(ConformalScores.of(expected, 5, 7000)).isEqualTo(Math.abs(7000 - expected.label(5)));
        ConformalThreshold range = new ConformalThreshold(0.5, 12, "");
        assertThat(range.low(expected, 5)).isCloseTo(expected.label(5) - 12, within(1e-9));
        assertThat(range.high(expected, 5)).isCloseTo(expected.label(5) + 12, within(1e-9));
    }

    /** Rows that are the same have the same score, so a label at the very end of its range is no rare case. */
    @Test
    void aRangeHasTheLabelWhoseScoreIsTheThreshold() {
        Laws.check(2000, seed -> {
            Randomness random = seed.random();
            double prediction = random.nextGaussian() * Math.pow(10, random.nextInt(12) - 6);
            double label = random.nextGaussian() * Math.pow(10, random.nextInt(12) - 6);
            Predictions said =
                    new Predictions(new LinearRegression(true), 0.5, LabelScaling.NONE, new double[] {prediction});
            ConformalThreshold range =
                    scores(0, new double[] {ConformalScores.of(said, 0, label)}).forPool(0.5);
            assertThat(label).isBetween(range.low(said, 0), range.high(said, 0));
        });
    }

    @Test
    void everySourceGivesAtMostTwoHundredScores() {
        Dataset rows = Samples.dataset(Seed.of(2), 1500, 3, 5);
        TrainedModel model = trained(rows, "logistic");
        ConformalScores drawn = ConformalScores.of(model, rows, 1, Seed.of(9));
        assertThat(drawn.scores()).extracting(own -> own.length).containsOnly(200);
        assertThat(drawn.sources()).containsExactly("s0", "s1", "s2", "s3", "s4");
        assertThat(drawn.tolerated()).isEqualTo(1);
        assertThat(drawn.rows()).isEqualTo(1000);
        // By name: another source's rows change nothing.
        int[] without =
                IntStream.range(0, rows.rows()).filter(r -> rows.group(r) != 2).toArray();
        ConformalScores four = ConformalScores.of(model, rows.select(without), 1, Seed.of(9));
        assertThat(four.sources()).containsExactly("s0", "s1", "s3", "s4");
        assertThat(four.scores().get(2)).containsExactly(drawn.scores().get(3));
        assertThat(ConformalScores.of(model, rows, 1, Seed.of(10)).scores().get(0))
                .isNotEqualTo(drawn.scores().get(0));
        ConformalScores pooled = ConformalScores.of(model, rows.withoutGroups(), 1, Seed.of(9));
        assertThat(pooled.tolerated()).isZero();
        assertThat(pooled.sources()).isEmpty();
        assertThat(pooled.rows()).isEqualTo(1500);
        Dataset many = Samples.dataset(Seed.of(2), 2100, 3);
        assertThat(ConformalScores.of(model, many, 0, Seed.of(9)).rows()).isEqualTo(2000);
        Dataset small = Samples.dataset(Seed.of(2), 9000, 3, 150);
        // 60 rows of 150 sources are fewer than 20,000.
        assertThat(ConformalScores.of(model, small, 0, Seed.of(9)).rows()).isEqualTo(9000);
    }
}
