package holdfast.sources;

import holdfast.Check;
import holdfast.Seed;
import holdfast.data.Dataset;
import holdfast.data.Table;
import holdfast.model.HuberRegression;
import holdfast.model.LinearScores;
import holdfast.model.LogisticRegression;
import holdfast.model.SoftmaxRegression;
import holdfast.model.Target;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.preparation.AcrossSources;
import holdfast.preparation.LabelScaling;
import holdfast.preparation.Scaling;
import holdfast.preparation.SourceGroups;
import holdfast.preparation.TableRows;
import holdfast.training.PreparedData;
import holdfast.training.PreparedRun;
import holdfast.training.SourceProbe;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Compares every source with the others and names those that stand out.
 *
 * <p>The tests share one family-wise level, {@value #LEVEL}: the probability that any honest source is named, over all
 * sources, columns and tests. Each test gets its {@link SourceTest#share} of it and divides that among its columns and
 * sources. Label noise gets the largest share, because it is the hardest to see. The level holds as far as honest sources differ by normal amounts.
 *
 * <p>The tests prepare the rows anew, robustly against a third of the sources whatever the plan tolerates, and fit their
 * own model, whatever the plan's: logistic, softmax or Huber regression. What they cannot see: wrong labels where such a model does
 * no better than chance ({@link #labelsNotCompared}), more than a third that lie together, a source whose rows and labels are plausible, lies in updates rather than rows, and sources with fewer than
 * about twenty rows.
 */
public final class SourceVerdicts {
    /** The probability that any honest source is named, over all sources, columns and tests. */
    public static final double LEVEL = 0.005;

    /** With fewer sources there is no spread to compare with. */
    public static final int MIN_SOURCES = 4;

    /**
     * The median agreement, as z, that labels must have to be compared. By chance, it is this large in one source of 40; labels
     * that are swapped turn z into -z, which is no surprise where z is smaller.
     */
    private static final double MIN_Z = 2;

    private static final int MAX_ITERATIONS = 4;
    private static final int MAX_ROWS = 2000;
    private static final int MIN_ROWS = 20;
    private static final long MAX_CELLS = 1L << 24;
    private static final int MAX_CATEGORIES = 100;
    /** More labels than these would have to be brought here to choose a sample. */
    private static final long MAX_TABLE_ROWS = 1L << 27;

    private static final int MAX_SOURCES = 10_000;

    /** Tests that need no model. */
    private static final List<SourceTest> COLUMN_TESTS = List.of(
            new ColumnTests.Unit(),
            new ColumnTests.Shift(),
            new ColumnTests.MissingCells(),
            new ColumnTests.Category(),
            new LabelTests.Prevalence());

    /** Tests that compare labels with a model of the other sources. */
    private static final List<SourceTest> LABEL_TESTS =
            List.of(new LabelTests.Contradiction(), new LabelTests.Noise(), new LabelTests.Numbers());

    private SourceVerdicts() {}

    /**
     * Judges the sources of a run.
     *
     * @param prepared a run with one worker per source
     * @return one verdict per worker, in worker order
     */
    public static List<Verdict> of(PreparedRun prepared) {
        return of(prepared.probe(), prepared.plan());
    }

    /**
     * Judges sources, before or after training.
     *
     * @param probe hands out the rows of one worker per source
     */
    public static List<Verdict> of(SourceProbe probe, Plan plan) {
        Check.that(
                plan.get(PlanKey.REPLICAS) == 1,
                "verdicts on sources need one worker per source, got --replicas %d",
                plan.get(PlanKey.REPLICAS));
        int sources = probe.workers();
        requireEnough(sources);
        Table table = probe.sample(rowsPerSource(probe.columns(), sources)).table();
        return of(
                table,
                plan.model(table.schema()).target(),
                plan.seed(),
                (source, rows) -> PreparedData.poisoned(rows, source, sources, plan));
    }

    /** Returns how many rows of each source are enough, so that comparing them takes little memory and time. */
    public static int rowsPerSource(int columns, int sources) {
        return (int) Math.max(MIN_ROWS, Math.min(MAX_ROWS, MAX_CELLS / ((long) columns * sources)));
    }

    /**
     * Returns whether workers are sources that can be compared: each has one worker, there are enough of them, and not more
     * than this process can hold.
     */
    public static boolean compares(SourceProbe probe, Plan plan) {
        return plan.bySource()
                && plan.get(PlanKey.REPLICAS) == 1
                && probe.workers() >= MIN_SOURCES
                && probe.workers() <= MAX_SOURCES
                && (long) probe.workers() * probe.columns() * MIN_ROWS <= 4 * MAX_CELLS
                && probe.rows() <= MAX_TABLE_ROWS;
    }

    /**
     * Returns why the labels of sources could not be compared, in words; empty if they could. They are compared by a linear
     * model of the other sources. If it ranks the labels of the median source no better than chance may, swapped or random labels
     * look like all others.
     */
    public static Optional<String> labelsNotCompared(List<Verdict> verdicts) {
        double[] z = verdicts.stream()
                .filter(verdict ->
                        verdict.findings().stream().noneMatch(f -> f.kind().misleads()))
                .mapToDouble(Verdict::z)
                .filter(Double::isFinite)
                .sorted()
                .toArray();
        return z.length == 0 || z[(z.length - 1) / 2] >= MIN_Z
                ? Optional.empty()
                : Optional.of(
                        "labels could not be compared: a linear model of the others ranks the labels of a typical source no"
                                + " better than chance, so wrong labels of a source can go unnoticed");
    }

    private static void requireEnough(int sources) {
        Check.that(
                sources >= MIN_SOURCES, "verdicts on sources need at least %d sources, got %d", MIN_SOURCES, sources);
    }

    /** Judges the sources of a table. */
    public static List<Verdict> of(Table table, Target target, Seed seed) {
        return of(table, target, seed, (source, rows) -> rows);
    }

    /** Poisons the prepared rows of a source, if it is simulated to lie. */
    private interface Poison {
        Dataset apply(int source, Dataset rows);
    }

    private static List<Verdict> of(Table given, Target target, Seed seed, Poison poison) {
        List<String> names = given.schema().groups();
        int m = names.size();
        requireEnough(m);
        // Square roots of counts have nearly the same variance whatever their mean, as residuals should.
        Table table = target == Target.COUNT
                ? given.with(
                        given.columns(),
                        given.cells().relabel(r -> Math.sqrt(given.cells().label(r))))
                : given;
        List<int[]> bySource = table.cells().rowsBySource();
        LinearScores model = model(table, target);
        double[][][] cells = table.cells().sparse() ? new double[m][0][] : SourceComparison.cells(table, bySource);
        List<Dataset> rows = prepared(withoutUselessColumns(table, cells), model, bySource, poison);
        CrossFits fits = new CrossFits(model, rows, new AcrossSources((m - 1) / 3), seed.child("verdicts"));
        return judge(
                names,
                new SourceComparison(
                        table.columns(),
                        cells,
                        rows.stream()
                                .map(own -> IntStream.range(0, own.rows())
                                        .mapToDouble(own::label)
                                        .toArray())
                                .toArray(double[][]::new),
                        null,
                        null,
                        model.scoresPerRow(),
                        table.schema().classes(),
                        target,
                        Set.of()),
                fits);
    }

    /**
     * Fills columns from which nothing can be learnt with zeros: those of which a sample has no cell, and text with very
     * many values, such as names and dates.
     */
    private static Table withoutUselessColumns(Table table, double[][][] cells) {
        Dataset filled = table.cells();
        for (int c = 0; c < cells[0].length; c++) {
            int column = c;
            boolean empty = Arrays.stream(cells)
                    .allMatch(own -> Arrays.stream(own[column]).allMatch(Double::isNaN));
            if (empty || table.columns().get(c).categories().size() > MAX_CATEGORIES) {
                filled = filled.with(r -> true, column, 0);
            }
        }
        return table.with(table.columns(), filled);
    }

    /** Prepares the rows of each source, robustly against a third of the sources whatever the plan tolerates. */
    private static List<Dataset> prepared(Table table, LinearScores model, List<int[]> bySource, Poison poison) {
        SourceGroups groups =
                SourceGroups.of(bySource.stream().mapToLong(rows -> rows.length).toArray(), (bySource.size() - 1) / 3);
        int[] groupOf = groups.groupOf();
        TableRows raw = new TableRows(
                table,
                IntStream.range(0, table.rows()).toArray(),
                groups.names(),
                IntStream.range(0, table.rows())
                        .map(r -> groupOf[table.cells().group(r)])
                        .toArray());
        // All categories count: one that a single source knows does no harm here, and nobody needs to be warned of it.
        Dataset features = raw.features(raw.learnEncoding(true, groups.across()));
        Scaling scaling = Scaling.fit(Scaling.Kind.AUTO, features, true, false, groups.across());
        LabelScaling labels = LabelScaling.fit(model.labelUnit(), features, true, groups.across());
        Dataset rows = labels.apply(scaling.apply(features)).withoutGroups();
        return IntStream.range(0, bySource.size())
                .mapToObj(s -> poison.apply(s, rows.select(bySource.get(s))))
                .toList();
    }

    private static LinearScores model(Table table, Target target) {
        return switch (target) {
            case TWO_CLASSES -> new LogisticRegression(true);
            case CLASSES -> new SoftmaxRegression(table.schema().classes().size(), true);
            case NUMBER, COUNT -> new HuberRegression(true, 1);
        };
    }

    private static List<Verdict> judge(List<String> names, SourceComparison sources, CrossFits fits) {
        double total = Stream.concat(COLUMN_TESTS.stream(), LABEL_TESTS.stream())
                .filter(test -> test.applies(sources))
                .mapToInt(SourceTest::share)
                .sum();
        List<Finding> ofColumns = withoutRepeats(find(COLUMN_TESTS, sources, total));
        Set<Integer> misleading = misleading(ofColumns);
        List<Finding> ofLabels = List.of();
        SourceComparison compared = sources;
        for (int iteration = 0; iteration < MAX_ITERATIONS; iteration++) {
            CrossFits.Scores scores = fits.scores(misleading);
            compared = sources.with(scores.scores(), s -> fits.adapted(s, scores.weights()[s]), misleading);
            ofLabels = find(LABEL_TESTS, compared, total);
            Set<Integer> more = new HashSet<>(misleading(ofColumns));
            more.addAll(misleading(ofLabels));
            if (more.equals(misleading)) {
                break;
            }
            misleading = more;
        }
        Agreement[] agreements = LabelTests.agreements(compared);
        List<Finding> found = new ArrayList<>(ofLabels);
        found.addAll(ofColumns);
        List<Verdict> verdicts = new ArrayList<>();
        for (int s = 0; s < names.size(); s++) {
            int source = s;
            verdicts.add(new Verdict(
                    names.get(s),
                    found.stream()
                            .filter(f -> f.source() == source)
                            .sorted(Comparator.comparing(Finding::kind))
                            .toList(),
                    agreements[s].agreement(),
                    agreements[s].z()));
        }
        return verdicts;
    }

    private static List<Finding> find(List<SourceTest> tests, SourceComparison sources, double total) {
        return tests.stream()
                .filter(test -> test.applies(sources))
                .flatMap(test -> test.find(sources, LEVEL * test.share() / total).stream())
                .toList();
    }

    /** Returns the findings without shifts of columns that are in another unit, which shifts them too. */
    private static List<Finding> withoutRepeats(List<Finding> findings) {
        return findings.stream()
                .filter(f -> f.kind() != Finding.Kind.SHIFT
                        || findings.stream()
                                .noneMatch(other -> other.kind() == Finding.Kind.UNIT
                                        && other.source() == f.source()
                                        && other.column().equals(f.column())))
                .toList();
    }

    private static Set<Integer> misleading(List<Finding> findings) {
        return findings.stream()
                .filter(f -> f.kind().misleads())
                .map(Finding::source)
                .collect(Collectors.toSet());
    }
}
