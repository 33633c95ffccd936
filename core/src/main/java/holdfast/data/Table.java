package holdfast.data;

import holdfast.Check;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Rows as a file has them: typed columns of cells, some of which may be missing, and the label, source and weight of
 * each row. Nothing has been learnt from them yet; how cells become features is learnt from training rows alone.
 *
 * <p>The cells are the numbers of a {@link Dataset}, on the heap or in a {@link Store}. In a text column, a cell is the
 * index of its value in {@link TableColumn#categories}; NaN marks a missing cell. A table of numbers with no missing
 * cell is just its data set and needs no extra memory.
 */
public class Table {
    private final List<TableColumn> columns;
    private final Dataset cells;
    private final List<UnusableSource> unusable;
    private final Set<String> leftOut;

    /**
     * Creates a table.
     *
     * @param columns if empty, every column holds numbers and no cell is missing
     */
    protected Table(List<TableColumn> columns, Dataset cells) {
        this(columns, cells, List.of(), Set.of());
    }

    /** Creates a table in which unusable sources and sources that were left out are those of another. */
    protected Table(List<TableColumn> columns, Dataset cells, Table other) {
        this(columns, cells, other.unusable, other.leftOut);
    }

    private Table(List<TableColumn> columns, Dataset cells, List<UnusableSource> unusable, Set<String> leftOut) {
        Check.that(
                columns.isEmpty()
                        || columns.stream()
                                .map(TableColumn::name)
                                .toList()
                                .equals(cells.schema().features()),
                "%s: a table must have one column per cell of a row, by the same names",
                cells.source().name());
        this.columns = columns.stream().allMatch(TableColumn::isFeature) ? List.of() : List.copyOf(columns);
        this.cells = cells;
        this.unusable = List.copyOf(unusable);
        this.leftOut = Set.copyOf(leftOut);
    }

    /** Creates a table of numbers with no missing cell. */
    public static Table of(Dataset numbers) {
        return new Table(List.of(), numbers);
    }

    /**
     * Creates a table with these columns.
     *
     * @param cells a data set with the same column names: numbers, indices of categories, NaN for missing cells
     */
    public static Table of(List<TableColumn> columns, Dataset cells) {
        return new Table(columns, cells);
    }

    /** Returns the same table, beside sources whose rows were left out of it. */
    public Table without(List<UnusableSource> sources) {
        return sources.equals(unusable) ? this : new Table(columns, cells, sources, leftOut);
    }

    /** Returns a table of other cells, and perhaps more categories, in columns of the same names. */
    public Table with(List<TableColumn> others, Dataset changed) {
        return new Table(others, changed, this);
    }

    /** Returns the same table, which has no rows of these sources because a user asked for that. */
    public Table leftOut(Set<String> sources) {
        return new Table(columns, cells, unusable, sources);
    }

    /**
     * Returns the table without the rows of these sources. Its columns, categories and classes stay as they are, also
     * those that only these sources had; readers leave such rows out before they decide about them.
     *
     * @param sources each must have rows, unless they were left out already
     */
    public Table withoutSources(Collection<String> sources) {
        if (leftOut.containsAll(sources)) {
            return this;
        }
        List<String> known = schema().groups();
        Check.that(cells.hasGroups(), "--without needs --workers-by, the column that names the source of each row");
        List<String> left =
                sources.stream().filter(name -> !leftOut.contains(name)).toList();
        SourceNames.require("--without", left, known);
        int[] kept = new int[known.size()];
        List<String> names = new ArrayList<>();
        Set<String> gone = new HashSet<>(left);
        for (int s = 0; s < kept.length; s++) {
            kept[s] = gone.contains(known.get(s)) ? -1 : names.size();
            if (kept[s] >= 0) {
                names.add(known.get(s));
            }
        }
        int[] rows = IntStream.range(0, rows())
                .filter(r -> kept[cells.group(r)] >= 0)
                .toArray();
        gone.addAll(leftOut);
        return with(
                        columns(),
                        cells.select(rows)
                                .grouped(
                                        names,
                                        Arrays.stream(rows)
                                                .map(r -> kept[cells.group(r)])
                                                .toArray()))
                .leftOut(gone);
    }

    /** Returns the sources whose rows were left out because they cannot be used. */
    public List<UnusableSource> unusable() {
        return unusable;
    }

    /**
     * Returns whether every column holds numbers and no cell is missing, so that the cells can be used as features
     * unchanged.
     */
    public boolean isNumbers() {
        return columns.isEmpty();
    }

    public List<TableColumn> columns() {
        return isNumbers()
                ? schema().features().stream().map(TableColumn::number).toList()
                : columns;
    }

    /** Returns the cells, with the label, source and weight of each row. */
    public Dataset cells() {
        return cells;
    }

    /** Returns the names of the columns, labels and sources. */
    public Schema schema() {
        return cells.schema();
    }

    public DataSource source() {
        return cells.source();
    }

    public int rows() {
        return cells.rows();
    }

    /** Returns whether a cell is missing. */
    public boolean isMissing(int row, int column) {
        return !isNumbers()
                && columns.get(column).missing() != TableColumn.Missing.FAIL
                && Double.isNaN(cells.row(row)[column]);
    }
}
