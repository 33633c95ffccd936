package holdfast.sources;

import holdfast.data.TableColumn;
import holdfast.math.Threads;
import holdfast.math.Vectors;
import holdfast.preparation.AcrossSources;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** Tests of the columns of a table: their values, their missing cells, their categories. */
final class ColumnTests {
    private ColumnTests() {}

    /** A question about every column of a kind, which share its level. */
    private interface ColumnTest extends SourceTest {
        /** Returns whether a column is of the kind. */
        boolean asksAbout(TableColumn column);

        List<Finding> find(SourceComparison sources, int column, double level);

        @Override
        default int share() {
            return 1;
        }

        @Override
        default boolean applies(SourceComparison sources) {
            return columns(sources).length > 0;
        }

        @Override
        default List<Finding> find(SourceComparison sources, double level) {
            int[] columns = columns(sources);
            List<List<Finding>> found = new ArrayList<>(Collections.nCopies(columns.length, List.of()));
            Threads.here().each(columns.length, c -> found.set(c, find(sources, columns[c], level / columns.length)));
            return found.stream().flatMap(List::stream).toList();
        }

        private int[] columns(SourceComparison sources) {
            return IntStream.range(0, sources.cells()[0].length)
                    .filter(c -> asksAbout(sources.columns().get(c)))
                    .toArray();
        }
    }

    private static double[] known(double[] cells) {
        return Arrays.stream(cells).filter(Double::isFinite).toArray();
    }

    private static double median(double[] values) {
        return AcrossSources.POOLED.median(values);
    }

    /** Values many times those of the others, or a small part of them: perhaps another unit. */
    record Unit() implements ColumnTest {
        private static final OutlierTest TEST = new OutlierTest(0.1, StrictMath.log(3), OutlierTest.Side.BOTH);

        @Override
        public boolean asksAbout(TableColumn column) {
            return !column.isText();
        }

        @Override
        public List<Finding> find(SourceComparison sources, int column, double level) {
            Statistic size = Statistic.unknown(sources.count());
            Statistic spread = Statistic.unknown(sources.count());
            for (int s = 0; s < sources.count(); s++) {
                double[] values = known(sources.cells()[s][column]);
                double middle = median(values);
                size.mean(s, logs(values, 0));
                spread.mean(s, logs(values, middle));
            }
            List<Finding> found = new ArrayList<>();
            for (OutlierTest.Outlier o : TEST.find(size.x(), size.v(), sources.misleading(), level)) {
                // A column whose mean is near zero changes its size when it is shifted, but not its spread.
                double typical = median(IntStream.range(0, sources.count())
                        .filter(s -> s != o.index())
                        .mapToDouble(s -> spread.x()[s])
                        .toArray());
                double moved = spread.x()[o.index()] - typical;
                if (moved * o.distance() > 0 && Math.abs(moved) >= Math.abs(o.distance()) / 2) {
                    String name = sources.columns().get(column).name();
                    found.add(new Finding(
                            o.index(),
                            Finding.Kind.UNIT,
                            Optional.of(name),
                            String.format(
                                    Locale.ROOT,
                                    "%s is %s times the others': another unit?",
                                    name,
                                    rounded(StrictMath.exp(o.distance()))),
                            o.pValue()));
                }
            }
            return found;
        }

        private static double[] logs(double[] values, double middle) {
            return Arrays.stream(values)
                    .filter(x -> x != middle)
                    .map(x -> StrictMath.log(Math.abs(x - middle)))
                    .toArray();
        }
    }

    /** Rounds a factor to two or three digits. */
    static String rounded(double factor) {
        double size = Math.abs(factor);
        if (!(size < 1e6 && (size > 1e-4 || size == 0))) {
            return Double.isInfinite(factor) ? "more than 1e300" : String.format(Locale.ROOT, "%.1e", factor);
        }
        return new BigDecimal(factor)
                .round(new MathContext(size >= 10 ? 2 : 3))
                .stripTrailingZeros()
                .toPlainString();
    }

    /** Values higher or lower than the others'. */
    record Shift() implements ColumnTest {
        private static final double CLIP = 3;
        private static final OutlierTest TEST = new OutlierTest(0.1, 1, OutlierTest.Side.BOTH);

        @Override
        public boolean asksAbout(TableColumn column) {
            return !column.isText();
        }

        @Override
        public List<Finding> find(SourceComparison sources, int column, double level) {
            int n = sources.count();
            double[] centres = new double[n];
            double[] spreads = new double[n];
            double[][] values = new double[n][];
            for (int s = 0; s < n; s++) {
                values[s] = known(sources.cells()[s][column]);
                Statistic own = Statistic.unknown(1);
                own.mean(0, values[s]);
                centres[s] = own.x()[0];
                spreads[s] = Math.sqrt(own.v()[0] * values[s].length);
            }
            double centre = median(centres);
            double scale = median(spreads);
            if (!(scale > 0)) {
                return List.of();
            }
            Statistic mean = Statistic.unknown(n);
            for (int s = 0; s < n; s++) {
                mean.mean(
                        s,
                        Arrays.stream(values[s])
                                .map(x -> Math.max(-CLIP, Math.min(CLIP, (x - centre) / scale)))
                                .toArray());
            }
            String name = sources.columns().get(column).name();
            return TEST.find(mean.x(), mean.v(), sources.misleading(), level).stream()
                    .map(o -> new Finding(
                            o.index(),
                            Finding.Kind.SHIFT,
                            Optional.of(name),
                            String.format(
                                    Locale.ROOT,
                                    "%s is %.1f standard deviations %s than the others'",
                                    name,
                                    Math.abs(o.distance()),
                                    o.distance() > 0 ? "higher" : "lower"),
                            o.pValue()))
                    .toList();
        }
    }

    /** A share of rows that is larger or smaller than the others'. */
    static final OutlierTest SHARE = new OutlierTest(0.2, 1.5, OutlierTest.Side.BOTH);

    static String percent(double share) {
        return String.format(
                Locale.ROOT, share > 0 && share < 0.1 || share > 0.9 && share < 1 ? "%.1f %%" : "%.0f %%", 100 * share);
    }

    /** Missing cells. */
    record MissingCells() implements ColumnTest {
        @Override
        public boolean asksAbout(TableColumn column) {
            return column.missing() != TableColumn.Missing.FAIL;
        }

        @Override
        public List<Finding> find(SourceComparison sources, int column, double level) {
            return shares(
                    sources,
                    column,
                    Arrays.stream(sources.cells())
                            .mapToDouble(own -> Arrays.stream(own[column])
                                    .filter(Double::isNaN)
                                    .count())
                            .toArray(),
                    Finding.Kind.MISSING,
                    sources.columns().get(column).name() + " is missing",
                    level);
        }
    }

    /** Categories. */
    record Category() implements ColumnTest {
        @Override
        public boolean asksAbout(TableColumn column) {
            return column.isText();
        }

        /**
         * Asks about every category that more than a third of the sources know, and about all others together: no source
         * can invent categories to weaken what is said about another.
         */
        @Override
        public List<Finding> find(SourceComparison sources, int column, double level) {
            TableColumn text = sources.columns().get(column);
            int n = sources.count();
            Map<Integer, double[]> counts = new TreeMap<>();
            for (int s = 0; s < n; s++) {
                for (double cell : known(sources.cells()[s][column])) {
                    counts.computeIfAbsent((int) cell, c -> new double[n])[s]++;
                }
            }
            double[] rare = new double[n];
            counts.values().removeIf(own -> {
                boolean few = Arrays.stream(own).filter(rows -> rows > 0).count() <= n / 3;
                if (few) {
                    Vectors.add(rare, own);
                }
                return few;
            });
            Map<String, double[]> asked = new LinkedHashMap<>();
            counts.forEach((c, own) -> asked.put("is '" + text.categories().get(c) + "'", own));
            asked.put("is a value that few sources have", rare);
            return asked.entrySet().stream()
                    .flatMap(question -> shares(
                            sources,
                            column,
                            question.getValue(),
                            Finding.Kind.CATEGORY,
                            text.name() + " " + question.getKey(),
                            level / asked.size())
                            .stream())
                    .toList();
        }
    }

    private static List<Finding> shares(
            SourceComparison sources, int column, double[] yes, Finding.Kind kind, String what, double level) {
        double[] rows = Arrays.stream(sources.cells())
                .mapToDouble(own -> own[column].length)
                .toArray();
        return shares(
                yes,
                rows,
                sources.misleading(),
                kind,
                Optional.of(sources.columns().get(column).name()),
                what,
                level);
    }

    /**
     * Finds sources in which more or fewer rows count than elsewhere.
     *
     * @param yes how many rows of each source count
     * @param rows how many it has
     */
    static List<Finding> shares(
            double[] yes,
            double[] rows,
            Set<Integer> found,
            Finding.Kind kind,
            Optional<String> column,
            String what,
            double level) {
        Statistic odds = Statistic.ofShares(yes, rows);
        return SHARE.find(odds.x(), odds.v(), Statistic.likeOthers(odds, yes, rows), found, level).stream()
                .map(o -> new Finding(
                        o.index(),
                        kind,
                        column,
                        String.format(
                                Locale.ROOT,
                                "%s in %s of its rows, in %s of the others'",
                                what,
                                percent(yes[o.index()] / rows[o.index()]),
                                percent(median(IntStream.range(0, rows.length)
                                        .filter(s -> s != o.index() && rows[s] > 0)
                                        .mapToDouble(s -> yes[s] / rows[s])
                                        .toArray()))),
                        o.pValue()))
                .toList();
    }
}
