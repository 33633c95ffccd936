package holdfast.sources;

import holdfast.preparation.AcrossSources;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Tests of labels, by a model of the other sources. */
final class LabelTests {
    private static final int MIN_ROWS = 20;

    private LabelTests() {}

    /**
     * Returns the slopes with the variances that they have if a source is like the others: what its own predictions
     * say, times how much larger the variance of a typical source is. A source with random labels has a larger one, which
     * would hide it.
     */
    private static Statistic slopes(LabelFit... fits) {
        Statistic slopes = Statistic.unknown(fits.length);
        double larger = AcrossSources.POOLED.median(Arrays.stream(fits)
                .mapToDouble(f -> f.variance() / f.expected())
                .toArray());
        for (int s = 0; s < fits.length; s++) {
            slopes.x()[s] = fits[s].slope();
            slopes.v()[s] = fits[s].expected() * Math.max(1, larger);
        }
        return slopes;
    }

    private static Statistic slopes(SourceComparison sources) {
        return slopes(IntStream.range(0, sources.count())
                .mapToObj(s -> LabelFit.of(sources, s))
                .toArray(LabelFit[]::new));
    }

    /** Labels that have less to do with their rows than elsewhere. */
    record Noise() implements SourceTest {
        private static final OutlierTest TEST = new OutlierTest(0.03, 0.15, OutlierTest.Side.LOW);
        /** The slope of fewer labels of a class is far from normal. */
        private static final int MIN_OF_CLASS = 10;

        @Override
        public int share() {
            return 20;
        }

        @Override
        public List<Finding> find(SourceComparison sources, double level) {
            if (!sources.target().isClass()) {
                return residuals(sources, level);
            }
            Statistic slopes = slopes(sources);
            for (int s = 0; s < sources.count(); s++) {
                if (sources.classes().size() == 2 && rarer(sources.labels()[s]) < MIN_OF_CLASS) {
                    slopes.x()[s] = Double.NaN;
                }
            }
            return TEST.find(slopes.x(), slopes.v(), sources.misleading(), level).stream()
                    .filter(o -> !hasItsOwnWay(sources, o))
                    .map(o -> noise(o.index(), Math.min(1, -o.distance() / Math.max(o.centre(), 1e-3)), o.pValue()))
                    .toList();
        }

        /** Returns whether a model that follows the source makes up for half of what is missing. */
        private static boolean hasItsOwnWay(SourceComparison sources, OutlierTest.Outlier outlier) {
            double slope = LabelFit.of(
                            sources, outlier.index(), sources.adapted().apply(outlier.index()))
                    .slope();
            return slope > outlier.centre() + outlier.distance() / 2;
        }

        /** Returns how many labels are of the rarer of two classes. */
        private static double rarer(double[] labels) {
            double ones = Arrays.stream(labels).sum();
            return Math.min(ones, labels.length - ones);
        }

        private static Finding noise(int source, double share, double p) {
            return new Finding(
                    source,
                    Finding.Kind.LABEL_NOISE,
                    Optional.empty(),
                    share > 0.95
                            ? "its labels look random"
                            : String.format(Locale.ROOT, "about %.0f %% of its labels look random", 100 * share),
                    p);
        }

        /** Numbers: residuals spread wider than elsewhere. */
        private static List<Finding> residuals(SourceComparison sources, double level) {
            OutlierTest test = new OutlierTest(0.1, StrictMath.log(1.5), OutlierTest.Side.HIGH);
            Statistic spread = Statistic.unknown(sources.count());
            for (int s = 0; s < sources.count(); s++) {
                double[] r = residualsOf(sources, s);
                if (r.length >= MIN_ROWS) {
                    double mad = deviation(r);
                    spread.x()[s] = mad > 0 ? StrictMath.log(mad) : Double.NaN;
                    spread.v()[s] = 1.36 / r.length;
                }
            }
            return test.find(spread.x(), spread.v(), sources.misleading(), level).stream()
                    .map(o -> new Finding(
                            o.index(),
                            Finding.Kind.LABEL_NOISE,
                            Optional.empty(),
                            String.format(
                                    Locale.ROOT,
                                    "its labels are %s times as far from what its rows suggest as the others'",
                                    ColumnTests.rounded(StrictMath.exp(o.distance()))),
                            o.pValue()))
                    .toList();
        }
    }

    private static double[] residualsOf(SourceComparison sources, int source) {
        double[] labels = sources.labels()[source];
        double[] scores = sources.scores()[source];
        return IntStream.range(0, labels.length)
                .mapToDouble(j -> labels[j] - scores[j])
                .toArray();
    }

    private static double deviation(double[] values) {
        double middle = AcrossSources.POOLED.median(values);
        return 1.4826
                * AcrossSources.POOLED.median(
                        Arrays.stream(values).map(v -> Math.abs(v - middle)).toArray());
    }

    /** Numbers higher or lower than their rows suggest, or in another unit. */
    record Numbers() implements SourceTest {
        private static final OutlierTest SHIFT = new OutlierTest(0.1, 1, OutlierTest.Side.BOTH);
        private static final OutlierTest UNIT = new OutlierTest(0.1, 0.5, OutlierTest.Side.BOTH);

        @Override
        public int share() {
            return 6;
        }

        @Override
        public boolean applies(SourceComparison sources) {
            return !sources.target().isClass();
        }

        @Override
        public List<Finding> find(SourceComparison sources, double level) {
            List<Finding> found = new ArrayList<>();
            Statistic slopes = slopes(sources);
            for (OutlierTest.Outlier o : UNIT.find(slopes.x(), slopes.v(), sources.misleading(), level / 2)) {
                found.add(new Finding(
                        o.index(),
                        Finding.Kind.LABEL_UNIT,
                        Optional.empty(),
                        String.format(
                                Locale.ROOT,
                                "its labels change %s times as much with its rows as the others'",
                                ColumnTests.rounded(1 + o.distance() / o.centre())),
                        o.pValue()));
            }
            Statistic shift = Statistic.unknown(sources.count());
            for (int s = 0; s < sources.count(); s++) {
                double[] r = residualsOf(sources, s);
                if (r.length >= MIN_ROWS) {
                    double deviation = deviation(r);
                    shift.x()[s] = AcrossSources.POOLED.median(r);
                    shift.v()[s] = 1.57 * deviation * deviation / r.length;
                }
            }
            for (OutlierTest.Outlier o : SHIFT.find(shift.x(), shift.v(), sources.misleading(), level / 2)) {
                found.add(new Finding(
                        o.index(),
                        Finding.Kind.LABEL_SHIFT,
                        Optional.empty(),
                        String.format(
                                Locale.ROOT,
                                "its labels are %.1f standard deviations %s than its rows suggest",
                                Math.abs(o.distance()),
                                o.distance() > 0 ? "higher" : "lower"),
                        o.pValue()));
            }
            return found;
        }
    }

    /** Classes that are more common or rarer than elsewhere. */
    record Prevalence() implements SourceTest {
        @Override
        public boolean applies(SourceComparison sources) {
            return sources.target().isClass();
        }

        @Override
        public int share() {
            return 1;
        }

        @Override
        public List<Finding> find(SourceComparison sources, double level) {
            int classes = sources.classes().size();
            int tests = classes == 2 ? 1 : classes;
            List<Finding> found = new ArrayList<>();
            for (int c = classes - tests; c < classes; c++) {
                int own = c;
                found.addAll(ColumnTests.shares(
                        Arrays.stream(sources.labels())
                                .mapToDouble(labels -> Arrays.stream(labels)
                                        .filter(y -> y == own)
                                        .count())
                                .toArray(),
                        Arrays.stream(sources.labels())
                                .mapToDouble(labels -> labels.length)
                                .toArray(),
                        sources.misleading(),
                        Finding.Kind.PREVALENCE,
                        Optional.empty(),
                        "the label is '" + sources.classes().get(c) + "'",
                        level / tests));
            }
            return found;
        }
    }

    /** Labels that say the opposite of what the others say. */
    record Contradiction() implements SourceTest {
        private static final OutlierTest TEST = new OutlierTest(0.03, 0, OutlierTest.Side.LOW);
        /** The level at which the slope must be an outlier too: contradiction alone may be a difference. */
        private static final double OUTLIER = 0.05;
        /** The median agreement, as z, of the sources that are not named: there must be something to contradict. */
        private static final double SIGNAL = 1;

        @Override
        public int share() {
            return 4;
        }

        @Override
        public List<Finding> find(SourceComparison sources, double level) {
            int k = sources.count();
            Agreement[] all = IntStream.range(0, k)
                    .mapToObj(s -> Agreement.of(sources, s))
                    .toArray(Agreement[]::new);
            double[] others = IntStream.range(0, k)
                    .filter(s -> !sources.misleading().contains(s))
                    .mapToDouble(s -> all[s].z())
                    .filter(z -> !Double.isNaN(z))
                    .sorted()
                    .toArray();
            if (others.length == 0 || !(others[(others.length - 1) / 2] >= SIGNAL)) {
                return List.of();
            }
            Statistic slopes = slopes(sources);
            Set<Integer> low = TEST.find(slopes.x(), slopes.v(), sources.misleading(), OUTLIER).stream()
                    .map(OutlierTest.Outlier::index)
                    .collect(Collectors.toSet());
            List<Finding> found = new ArrayList<>();
            for (int s = 0; s < k; s++) {
                double p = k * all[s].pValue() * (sources.scoresPerRow() > 1 ? 4 : 1);
                if (p < level && low.contains(s)) {
                    found.add(new Finding(
                            s,
                            Finding.Kind.CONTRADICTION,
                            Optional.empty(),
                            String.format(
                                    Locale.ROOT,
                                    "its labels contradict the others': agreement %.2f, by chance 0.50",
                                    all[s].agreement()),
                            p * SourceVerdicts.LEVEL / level));
                } else if (sources.scoresPerRow() > 1) {
                    swapped(sources, s, level * 3 / 4).ifPresent(found::add);
                }
            }
            return found;
        }

        /** Two classes whose labels look exchanged: within them, the model ranks rows the wrong way round. */
        private static Optional<Finding> swapped(SourceComparison sources, int source, double level) {
            int k = sources.scoresPerRow();
            double tests = sources.count() * (k * (k - 1) / 2.0);
            List<Finding> found = new ArrayList<>();
            for (int a = 0; a < k; a++) {
                for (int b = a + 1; b < k; b++) {
                    Pair pair = Pair.of(sources, source, a, b);
                    double p = tests
                            * Agreement.ofScores(pair.scores, pair.labels, true).pValue();
                    if (p < level && pair.isOutlier(sources, source)) {
                        found.add(new Finding(
                                source,
                                Finding.Kind.CONTRADICTION,
                                Optional.empty(),
                                "its labels '" + sources.classes().get(a) + "' and '"
                                        + sources.classes().get(b) + "' look swapped",
                                p * SourceVerdicts.LEVEL / level));
                    }
                }
            }
            return found.stream().min(Comparator.comparingDouble(Finding::pValue));
        }
    }

    /**
     * The rows of two classes of a source.
     *
     * @param scores how much more each is of the second class
     * @param labels 1 for the second class
     */
    private record Pair(int first, int second, double[] scores, double[] labels) {
        static Pair of(SourceComparison sources, int source, int first, int second) {
            double[] all = sources.labels()[source];
            double[] scores = sources.scores()[source];
            int k = sources.scoresPerRow();
            int[] rows = IntStream.range(0, all.length)
                    .filter(j -> all[j] == first || all[j] == second)
                    .toArray();
            return new Pair(
                    first,
                    second,
                    Arrays.stream(rows)
                            .mapToDouble(j -> scores[j * k + second] - scores[j * k + first])
                            .toArray(),
                    Arrays.stream(rows)
                            .mapToDouble(j -> all[j] == second ? 1 : 0)
                            .toArray());
        }

        /** Returns whether the source ranks these classes worse than the others do: the model may be wrong about them. */
        boolean isOutlier(SourceComparison sources, int source) {
            Statistic slopes = slopes(IntStream.range(0, sources.count())
                    .mapToObj(s -> of(sources, s, first, second))
                    .map(pair -> LabelFit.ofTwoClasses(pair.scores, pair.labels))
                    .toArray(LabelFit[]::new));
            return Contradiction.TEST.find(slopes.x(), slopes.v(), sources.misleading(), Contradiction.OUTLIER).stream()
                    .anyMatch(o -> o.index() == source);
        }
    }

    /** Returns how well the labels of each source agree with a model of the others. */
    static Agreement[] agreements(SourceComparison sources) {
        return IntStream.range(0, sources.count())
                .mapToObj(s -> Agreement.of(sources, s))
                .toArray(Agreement[]::new);
    }
}
