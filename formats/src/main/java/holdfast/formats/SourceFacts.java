package holdfast.formats;

import holdfast.Check;
import holdfast.InputException;
import holdfast.data.UnusableSource;
import holdfast.model.Target;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.plan.ResolvedPlan;
import holdfast.plan.Statistics;
import holdfast.plan.Tolerated;
import holdfast.theory.ScreeningBound;
import holdfast.training.Training;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What the rows of a table, or of a part of it, say about their sources: small, however many rows there are. From it
 * follows what must be decided about all rows, such that f sources cannot decide it: which columns are text,
 * dates or row numbers ({@code ColumnVotes}), whether labels are classes, and which ({@code SourceLabels}). A value that cannot be read or
 * used is charged to its source, which becomes unusable: none of its rows count, and it is one of the f sources that may
 * lie. If f is 0, the first such value is an error.
 *
 * <p>Every row adds its cells and its label and then ends with {@link #endRow}. Facts of consecutive parts are merged in
 * their order, with the same result as if all rows had been added to one.
 */
public final class SourceFacts implements Serializable {
    private static final long serialVersionUID = 1;
    private static final System.Logger LOG = System.getLogger("holdfast.formats");
    /** Stands, in a reason, for the number of the row, from 1, until {@link #merge} knows it. */
    public static final String ROW = "\u0000";

    /** Stands for the source of rows that name none. */
    public static final String NO_SOURCE = "(no source)";

    private static final int MAX_NAMED = 5;

    private final ColumnVotes[] columns;
    private final SourceLabels labels;
    private final SourceFaults faults = new SourceFaults();
    private final HashMap<String, Integer> index = new HashMap<>();
    private final ArrayList<String> names = new ArrayList<>();
    private long[] rowsOf = {};
    private long rows;

    /**
     * Creates the facts of no rows.
     *
     * @param features what the plan says about the feature columns; empty if rows have vectors
     * @param labels what the plan says that labels are; null if it does not say
     */
    public SourceFacts(List<ColumnSettings> features, String label, Target labels) {
        this(features, label, labels, List.of());
    }

    /**
     * Creates the facts of no rows, whose labels must be of certain classes.
     *
     * @param classes in their order; empty if they are not fixed
     */
    SourceFacts(List<ColumnSettings> features, String label, Target labels, List<String> classes) {
        this.columns = features.stream().map(ColumnVotes::new).toArray(ColumnVotes[]::new);
        this.labels = new SourceLabels(label, labels, classes);
    }

    /** Returns whether a plan wants rows to be read by source, because some sources may be unusable. */
    public static boolean suits(Plan plan) {
        Tolerated f = plan.get(PlanKey.TOLERATED);
        return plan.bySource()
                && plan.get(PlanKey.STATISTICS) == Statistics.ROBUST
                && !(f.equals(Tolerated.count(0))
                        && plan.get(PlanKey.RULE).value().tolerating(0).tolerated() == 0);
    }

    /** Returns the number of a source, which it gets when it is first asked for. */
    public int source(String name) {
        return index.computeIfAbsent(name, n -> {
            names.add(n);
            rowsOf = names.size() <= rowsOf.length ? rowsOf : Arrays.copyOf(rowsOf, 2 * names.size());
            return names.size() - 1;
        });
    }

    /** Returns how many sources there are. */
    public int sources() {
        return names.size();
    }

    /** Returns how many rows have ended. */
    public long rows() {
        return rows;
    }

    /** Makes a source unusable because of the row that has not ended yet. */
    public void charge(int source, Supplier<String> reason) {
        charge(source, rows, reason);
    }

    /**
     * Makes a source unusable.
     *
     * @param row counted from 0
     */
    public void charge(int source, long row, Supplier<String> reason) {
        faults.charge(source, row, null, reason);
    }

    /** Charges a source with a row that does not name it. */
    public void chargeUnnamed(int source, Supplier<String> at) {
        faults.charge(source, rows, null, () -> Csv.noSource(at.get()));
    }

    /** Charges a source with what is not a weight. */
    public void chargeWeight(int source, String cell, Supplier<String> at) {
        faults.charge(source, rows, "weight", () -> Csv.notAWeight(at.get(), cell));
    }

    /** Adds a missing cell. */
    public void addMissing(int column, int source, Supplier<String> at) {
        columns[column].addMissing(source, rows, at, faults);
    }

    /** Adds a number. */
    public void addNumber(int column, int source, double value) {
        columns[column].addNumber(source, value);
    }

    /** Adds a cell that is neither missing nor a number. */
    public void addWord(int column, int source, String cell, Supplier<String> at) {
        columns[column].addWord(source, rows, cell, at, faults);
    }

    /**
     * Adds a label.
     *
     * @param number the label's number; NaN if it is none
     * @param text the label as it is written, without space around it
     * @return the index of its spelling; -1 if it is missing, or labels cannot be classes
     */
    public int addLabel(int source, double number, Supplier<String> text, Supplier<String> at) {
        return labels.add(source, number, text, rows, at, faults);
    }

    /** Ends a row. */
    public void endRow(int source) {
        rowsOf[source]++;
        rows++;
    }

    /** Adds the facts of the rows that come next. */
    public void merge(SourceFacts next) {
        int[] sourceOf = next.names.stream().mapToInt(this::source).toArray();
        faults.merge(next.faults, sourceOf, rows);
        labels.merge(next.labels, sourceOf, rows);
        for (int c = 0; c < columns.length; c++) {
            columns[c].merge(next.columns[c], sourceOf, rows);
        }
        for (int s = 0; s < sourceOf.length; s++) {
            rowsOf[sourceOf[s]] += next.rowsOf[s];
        }
        rows += next.rows;
    }

    ColumnVotes column(int c) {
        return columns[c];
    }

    /** Returns the sources, in the order of their numbers. */
    public List<String> names() {
        return Collections.unmodifiableList(names);
    }

    /** Returns for each spelling the index of its class; -1 if it is none. */
    int[] classOf(List<String> classes) {
        return labels.classOf(classes);
    }

    /**
     * What follows from all facts.
     *
     * @param tolerated f
     * @param classes the classes in their order; empty if labels are numbers
     * @param text for each column, whether it is text
     * @param dates for each column, whether it is text that holds dates
     * @param rowNumbers for each column, whether it holds numbers that only number the rows
     * @param usable the sources whose rows count, in the order of their first rows
     * @param unusable the other sources
     * @param leftOut how many rows of usable sources do not count, because their labels are no classes
     */
    public record Decision(
            int tolerated,
            List<String> classes,
            List<Boolean> text,
            List<Boolean> dates,
            List<Boolean> rowNumbers,
            List<String> usable,
            List<UnusableSource> unusable,
            long leftOut) {}

    /**
     * Decides what the rows mean. Can be called once. If the plan leaves f open, f is the number of sources that are charged
     * where that is more than usual, as a run's f then is too ({@link holdfast.sources.ToleratedChoice}).
     *
     * @throws InputException if f is 0 and a source is charged, if more than f are and most sources for the same cause, or if
     *     the columns cannot be learnt from
     * @throws holdfast.rounds.TrainingException if more than f sources are charged; with an open f, a third or more
     */
    public Decision decide(String file, Plan plan) {
        int usual = ResolvedPlan.toleratedSources(plan, names.size());
        int most = maxTolerated(plan, usual);
        if (rows == 0) {
            requireFewFaults(most);
            throw new InputException(file + ": no data rows");
        }
        long[] counts = Arrays.copyOf(rowsOf, names.size());
        List<Boolean> text =
                Arrays.stream(columns).map(c -> c.isText(counts, faults)).toList();
        List<Boolean> dates = IntStream.range(0, columns.length)
                .mapToObj(c -> text.get(c) && columns[c].isDates(counts, faults))
                .toList();
        // Columns come first: sources that are unusable because of them must not vote for classes either.
        List<String> classes = labels.decide(file, counts, raised(usual, most), faults);
        List<UnusableSource> unusable = requireFewFaults(most);
        int f = raised(usual, most);
        for (ColumnVotes column : columns) {
            Check.that(column.absent() < rows, "%s: column %s is missing in every row", file, column.name());
        }
        long leftOut = labels.warnOf(file, classes, names, rows, f, faults);
        return new Decision(
                f,
                classes,
                text,
                dates,
                IntStream.range(0, columns.length)
                        .mapToObj(c -> !text.get(c) && columns[c].isRowNumbers(f))
                        .toList(),
                IntStream.range(0, names.size())
                        .filter(faults::isFree)
                        .mapToObj(names::get)
                        .toList(),
                unusable,
                leftOut);
    }

    /** Returns the most that f may become: with an open f less than a third of the sources, where screening breaks. */
    private int maxTolerated(Plan plan, int usual) {
        boolean open = usual > 0 && plan.get(PlanKey.TOLERATED).equals(Tolerated.AUTO);
        return open ? Math.max(usual, ScreeningBound.maxTolerated(names.size())) : usual;
    }

    private int raised(int usual, int most) {
        return Math.max(usual, Math.min(most, faults.unusable(names).size()));
    }

    private List<UnusableSource> requireFewFaults(int f) {
        List<UnusableSource> unusable = faults.unusable(names);
        if (f == 0 && !unusable.isEmpty()) {
            throw new InputException(faults.firstReason());
        }
        // What is wrong in most sources is a setting, not these sources.
        Optional<String> common = faults.common(names.size());
        if (unusable.size() > f && common.isPresent()) {
            throw new InputException(common.get());
        }
        Training.requireEnoughUsable(unusable, f, null);
        return unusable;
    }

    /**
     * Returns why a text column holds identifiers of rows; null if it does not.
     *
     * @param known which sources know which texts
     * @param texts all of them
     * @param f how many sources may have made theirs up
     */
    public String identifiers(int column, KnownValues known, List<String> texts, int f) {
        int certain = known.certain(f, value -> true);
        long cells = rows - columns[column].absent();
        return columns[column].settings().kept() || !LearntColumn.areIdentifiers(certain, cells)
                ? null
                : LearntColumn.withHint(LearntColumn.identifiers(known.size(), cells), texts);
    }

    /**
     * Returns the number of the first row whose cell in a column is a word: from there on the numbers in a text column
     * are named as they are written, and before it as {@link holdfast.Spec#print} writes them.
     */
    public long firstWord(int column) {
        return columns[column].firstWord();
    }

    /** Says which sources are left out. */
    public static void warnOf(String file, List<UnusableSource> unusable) {
        if (!unusable.isEmpty()) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "{0}: {1} left out because of what cannot be used there, and training counts them as liars: {2}{3}",
                    file,
                    unusable.size() == 1 ? "1 source is" : unusable.size() + " sources are",
                    unusable.stream()
                            .limit(MAX_NAMED)
                            .map(UnusableSource::toString)
                            .collect(Collectors.joining("; ")),
                    unusable.size() > MAX_NAMED ? "; ..." : "");
        }
    }
}
