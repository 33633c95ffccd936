package holdfast.spark;

import holdfast.Check;
import holdfast.InputException;
import holdfast.Spec;
import holdfast.data.DataSource;
import holdfast.data.Store;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.ml.linalg.SparseVector;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;

/** A DataFrame whose rows have been counted and checked; rows are numbered in the order of its partitions. */
final class Table {
    /** More different labels than these are numbers. */
    static final int MOST_CLASSES = 1000;

    /** From so many columns on, rows that are mostly zeros are stored without them. */
    private static final int MANY = 256;

    private final JavaRDD<Row> rows;
    private final Columns columns;
    private final List<Facts> partitions;
    private final Facts all;
    private final Boolean sparse;

    private Table(JavaRDD<Row> rows, Columns columns, List<Facts> partitions, Boolean sparse) {
        this.sparse = sparse;
        this.rows = rows;
        this.columns = columns;
        this.partitions = partitions;
        this.all = new Facts();
        partitions.forEach(all::add);
    }

    /** What is known of some rows. */
    private static final class Facts implements Serializable {
        private static final long serialVersionUID = 1;

        private long rows;
        private int width = -1;
        private long stored;
        private boolean weighted;
        private final TreeSet<Double> labels = new TreeSet<>();
        private final Map<String, Long> sources = new LinkedHashMap<>();
        /** The first value that a float cannot hold; null if there is none. */
        private Large large;
        /** What is wrong with the first row that is wrong, and its number here. */
        private String complaint;

        void add(Facts next) {
            if (complaint == null && next.complaint == null && width >= 0 && next.width >= 0 && width != next.width) {
                next.complaint = sizes(width, next.width);
                next.rows = 0;
            }
            if (complaint == null && next.complaint != null) {
                complaint = next.complaint;
                rows += next.rows;
            }
            if (complaint != null) {
                return;
            }
            large = large == null && next.large != null ? next.large.after(rows) : large;
            rows += next.rows;
            width = Math.max(width, next.width);
            stored += next.stored;
            weighted |= next.weighted;
            next.labels.forEach(this::addLabel);
            next.sources.forEach((source, count) -> sources.merge(source, count, Long::sum));
        }

        void addLabel(double label) {
            if (labels.size() <= MOST_CLASSES) {
                labels.add(label);
            }
        }

        static String sizes(int first, int then) {
            return "must have vectors of one size, got " + then + " elements after " + first;
        }
    }

    /**
     * A value that a float cannot hold.
     *
     * @param row from 0
     */
    record Large(long row, int column, double value) implements Serializable {
        private Large after(long rows) {
            return new Large(row + rows, column, value);
        }
    }

    /**
     * @throws InputException for a column that is missing, or a value that no row may have: which is named, with the column
     *     and the number of the row
     */
    static Table of(Dataset<Row> frame, Columns columns) {
        return of(frame, columns, false);
    }

    /** @param classes whether labels must be classes 0, 1, ... */
    static Table of(Dataset<Row> frame, Columns columns, boolean classes) {
        columns.mustBeIn(frame.schema());
        List<Column> chosen = new ArrayList<>();
        chosen.add(frame.col("`" + columns.features() + "`"));
        chosen.add(frame.col("`" + columns.label() + "`").cast(DataTypes.DoubleType));
        chosen.add(
                columns.weight() == null
                        ? functions.lit(1.0)
                        : frame.col("`" + columns.weight() + "`").cast(DataTypes.DoubleType));
        chosen.add(
                columns.source() == null
                        ? functions.lit("")
                        : frame.col("`" + columns.source() + "`").cast(DataTypes.StringType));
        return of(frame.select(chosen.toArray(Column[]::new)).javaRDD(), columns, classes, null);
    }

    /**
     * The same for rows of a vector, a label, a weight and the name of a source.
     *
     * @param classes whether labels must be classes 0, 1, ...
     * @param sparse whether rows are stored without their zeros; null: where that takes less room
     */
    static Table of(JavaRDD<Row> rows, Columns columns, boolean classes, Boolean sparse) {
        List<Facts> partitions = rows.mapPartitions(part -> {
                    Facts facts = new Facts();
                    while (facts.complaint == null && part.hasNext()) {
                        look(part.next(), columns, classes, facts);
                    }
                    return List.of(facts).iterator();
                })
                .collect();
        Table table = new Table(rows, columns, partitions, sparse);
        if (table.all.complaint != null) {
            throw new InputException("row " + (table.all.rows + 1) + ": " + table.all.complaint);
        }
        Check.that(table.all.rows > 0, "the DataFrame has no rows");
        return table;
    }

    /** Adds a row to what is known; a complaint about it leaves the number of rows before it. */
    private static void look(Row row, Columns columns, boolean classes, Facts facts) {
        String wrong = wrong(row, columns, classes, facts);
        if (wrong != null) {
            facts.complaint = wrong;
            return;
        }
        Vector features = row.getAs(0);
        facts.rows++;
        facts.width = features.size();
        facts.stored += features instanceof SparseVector sparse ? sparse.numActives() : features.size();
        facts.weighted |= row.getDouble(2) != 1;
        facts.addLabel(row.getDouble(1));
        facts.sources.merge(row.getString(3), 1L, Long::sum);
    }

    private static String wrong(Row row, Columns columns, boolean classes, Facts facts) {
        if (row.isNullAt(0)) {
            return "column " + columns.features() + " must have a vector, got null";
        }
        Vector features = row.getAs(0);
        if (facts.width >= 0 && features.size() != facts.width) {
            return "column " + columns.features() + " " + Facts.sizes(facts.width, features.size());
        }
        double[] stored = features instanceof SparseVector sparse ? sparse.values() : features.toArray();
        for (int i = 0; i < stored.length; i++) {
            if (!Float.isFinite((float) stored[i])) {
                int at = features instanceof SparseVector sparse ? sparse.indices()[i] : i;
                if (Double.isFinite(stored[i])) {
                    facts.large = facts.large == null ? new Large(facts.rows, at, stored[i]) : facts.large;
                    continue;
                }
                return "column " + columns.features() + " must have finite numbers, got " + stored[i] + " at " + at;
            }
        }
        if (row.isNullAt(1) || !Double.isFinite(row.getDouble(1))) {
            return "column " + columns.label() + " must be a finite number, got "
                    + (row.isNullAt(1) ? "null" : row.getDouble(1));
        }
        double label = row.getDouble(1);
        if (classes && !(label >= 0 && label == Math.rint(label))) {
            return "column " + columns.label() + " must be a class 0, 1, ..., got " + Spec.print(label);
        }
        if (classes && label >= MOST_CLASSES) {
            return "column " + columns.label() + " must have at most " + MOST_CLASSES + " classes from 0, got "
                    + Spec.print(label);
        }
        if (row.isNullAt(2) || !(row.getDouble(2) > 0 && Double.isFinite(row.getDouble(2)))) {
            return "column " + columns.weight() + " must be finite and > 0, got "
                    + (row.isNullAt(2) ? "null" : row.getDouble(2));
        }
        return row.isNullAt(3) ? "column " + columns.source() + " must name the source of the row, got null" : null;
    }

    long count() {
        return all.rows;
    }

    int width() {
        return all.width;
    }

    boolean weighted() {
        return all.weighted;
    }

    /** The first value that a float cannot hold; null if there is none. */
    Large large() {
        return all.large;
    }

    Columns columns() {
        return columns;
    }

    /** The different labels, ascending; more than {@value #MOST_CLASSES} if they are numbers. */
    List<Double> labels() {
        return List.copyOf(all.labels);
    }

    /** The names of the sources, in the order of their first rows. */
    List<String> sources() {
        return List.copyOf(all.sources.keySet());
    }

    /** Whether rows should be stored without their zeros. */
    boolean sparse() {
        return sparse != null ? sparse : all.width > MANY && 4 * all.stored <= all.rows * all.width;
    }

    int partitions() {
        return partitions.size();
    }

    /** One worker per source. */
    Deal bySource() {
        List<String> names = sources();
        return Deal.bySource(partitions.stream()
                .map(facts -> names.stream()
                        .mapToLong(name -> facts.sources.getOrDefault(name, 0L))
                        .toArray())
                .toList());
    }

    /** The rows at their places, in packed pieces; cached when they are first used. */
    Pieces dealt(Deal deal, Cut cut, List<String> classes) {
        return Pieces.of(rows, numbersBefore(), sources(), deal, cut, width(), sparse(), columns.label(), classes);
    }

    /** Labels, weights and sources of all rows; their features stay where they are. */
    holdfast.data.Dataset outline(holdfast.data.Dataset.Schema schema, DataSource source) {
        Check.that(
                count() <= Integer.MAX_VALUE,
                "a test share, and every partition but in-turn, need at most 2^31 rows, got %d",
                count());
        List<String> names = sources();
        Map<String, Integer> index = new HashMap<>();
        names.forEach(name -> index.put(name, index.size()));
        double[] labels = new double[(int) count()];
        double[] weights = new double[labels.length];
        int[] groups = columns.source() == null ? null : new int[labels.length];
        int r = 0;
        for (Known known : rows.map(row -> new Known(row.getDouble(1), row.getDouble(2), index.get(row.getString(3))))
                .collect()) {
            labels[r] = known.label;
            weights[r] = known.weight;
            if (groups != null) {
                groups[r] = known.source;
            }
            r++;
        }
        return holdfast.data.Dataset.of(schema, new Outline(width(), labels, weights, weighted()), groups, source);
    }

    private record Known(double label, double weight, int source) implements Serializable {}

    private record Outline(int columns, double[] labels, double[] weights, boolean weighted) implements Store {
        @Override
        public int rows() {
            return labels.length;
        }

        @Override
        public void read(int row, double[] into, int offset) {
            throw new IllegalStateException("the features are on the executors");
        }

        @Override
        public double label(int row) {
            return labels[row];
        }

        @Override
        public double weight(int row) {
            return weights[row];
        }
    }

    /**
     * These rows, brought here.
     *
     * @param outline which knows their sources
     */
    holdfast.data.Dataset collected(int[] numbers, holdfast.data.Dataset outline) {
        Deal deal = Deal.listed((int) count(), List.of(numbers));
        holdfast.data.Dataset.Builder builder = Piece.builder(sparse(), width());
        holdfast.data.Dataset.Schema schema = outline.schema();
        Pieces pieces = dealt(deal, Cut.of(deal.sizes, builder.blockRows(), partitions(), false), schema.classes());
        List<Piece> collected = new ArrayList<>(pieces.rdd().collect());
        collected.sort(Comparator.comparingInt(Piece::firstBlock));
        for (Piece piece : collected) {
            builder.addAll(piece.rows());
        }
        holdfast.data.Dataset rows = builder.build(schema.withoutGroups(), outline.source());
        return outline.hasGroups()
                ? rows.grouped(
                        schema.groups(),
                        Arrays.stream(numbers).map(outline::group).toArray())
                : rows;
    }

    private long[] numbersBefore() {
        long[] before = new long[partitions.size()];
        for (int p = 1; p < before.length; p++) {
            before[p] = before[p - 1] + partitions.get(p - 1).rows;
        }
        return before;
    }
}
