package holdfast.spark.engine;

import com.esotericsoftware.kryo.DefaultSerializer;
import com.esotericsoftware.kryo.serializers.JavaSerializer;
import holdfast.Check;
import holdfast.InputException;
import holdfast.data.DataSource;
import holdfast.data.TableColumn;
import holdfast.formats.Labels;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;

/**
 * A DataFrame whose rows have been counted and checked; rows are numbered in the order of its partitions. A row is a
 * vector, a label, a weight and the name of a source. Vectors hold features, or the cells of a
 * {@link holdfast.data.Table}.
 */
public final class SparkTable {
    /** From this many columns on, rows that are mostly zeros are stored without them. */
    private static final int MANY = 256;

    private final JavaRDD<Row> rows;
    private final Columns columns;
    private final List<PartitionStatistics> partitions;
    private final PartitionStatistics all;
    private final Boolean sparse;
    private final List<TableColumn> cells;

    private SparkTable(
            JavaRDD<Row> rows,
            Columns columns,
            List<PartitionStatistics> partitions,
            Boolean sparse,
            List<TableColumn> cells) {
        this.sparse = sparse;
        this.cells = cells;
        this.rows = rows;
        this.columns = columns;
        this.partitions = partitions;
        this.all = new PartitionStatistics();
        partitions.forEach(facts -> all.add(facts, columns));
    }

    /**
     * @throws InputException for a missing column or a value that is not allowed; names the column and the number of
     *     the row
     */
    public static SparkTable of(Dataset<Row> frame, Columns columns) {
        return of(frame, columns, false);
    }

    /** @param classes whether labels must be classes 0, 1, ... */
    public static SparkTable of(Dataset<Row> frame, Columns columns, boolean classes) {
        columns.requireBeIn(frame.schema());
        Dataset<Row> chosen = frame.select(
                column(frame, columns.features()),
                column(frame, columns.label()).cast(DataTypes.DoubleType),
                columns.weight() == null
                        ? functions.lit(1.0)
                        : column(frame, columns.weight()).cast(DataTypes.DoubleType),
                columns.source() == null
                        ? functions.lit("")
                        : column(frame, columns.source()).cast(DataTypes.StringType));
        return of(chosen.javaRDD(), columns, classes, null, List.of());
    }

    /** Returns a column, even if its name has dots in it. */
    private static Column column(Dataset<Row> frame, String name) {
        return frame.col("`" + name.replace("`", "``") + "`");
    }

    /**
     * Does the same for rows that are a vector, a label, a weight and the name of a source.
     *
     * @param classes whether labels must be classes 0, 1, ...
     * @param sparse whether rows are stored without their zeros; null: if that takes less room
     * @param cells the columns of the table whose cells the vectors hold; empty: they hold features
     */
    public static SparkTable of(
            JavaRDD<Row> rows, Columns columns, boolean classes, Boolean sparse, List<TableColumn> cells) {
        boolean holes = cells.stream().anyMatch(cell -> cell.missing() != TableColumn.Missing.FAIL);
        List<PartitionStatistics> partitions = SparkJobs.run(
                rows.context(),
                "look at the rows",
                rows.mapPartitions(part -> List.of(PartitionStatistics.of(part, columns, classes, holes))
                        .iterator())::collect);
        SparkTable table = new SparkTable(rows, columns, partitions, sparse, cells);
        if (table.all.complaint != null) {
            throw new InputException("row " + (table.all.rows + 1) + ": " + table.all.complaint);
        }
        Check.that(table.all.rows > 0, "the DataFrame has no rows");
        return table;
    }

    /** The columns whose cells the vectors hold; empty: they hold features. */
    List<TableColumn> cells() {
        return cells;
    }

    public long count() {
        return all.rows;
    }

    public int width() {
        return all.width;
    }

    boolean weighted() {
        return all.weighted;
    }

    /** The first value that a float cannot hold; null if there is none. */
    PartitionStatistics.Large large() {
        return all.large;
    }

    Columns columns() {
        return columns;
    }

    /** The distinct labels, ascending; more than {@value Labels#MAX_CLASSES} if they are numbers. */
    public List<Double> labels() {
        return List.copyOf(all.labels);
    }

    /** The names of the sources, in the order of their first rows. */
    public List<String> sources() {
        return List.copyOf(all.sources.keySet());
    }

    /** Whether rows should be stored without their zeros. */
    public boolean sparse() {
        return sparse != null ? sparse : all.width > MANY && 4 * all.stored <= all.rows * all.width;
    }

    int partitions() {
        return partitions.size();
    }

    /** Makes one worker per source. */
    RowAssignment bySource() {
        return RowAssignment.bySource(
                partitions.stream().map(facts -> facts.sources).toList());
    }

    /** Makes one worker per group of sources; sources are in the order of their first rows. */
    RowAssignment bySource(int[] groupOf) {
        return RowAssignment.bySource(
                partitions.stream().map(facts -> facts.sources).toList(), s -> groupOf[s]);
    }

    /** Returns the mean weight of each worker's rows, by one look at the rows; empty if rows have no weights. */
    double[] meanWeights(RowAssignment deal) {
        return weighted() ? WeightSums.means(rows, partitions, deal) : new double[0];
    }

    /** Returns the rows in their places, in packed pieces. */
    Pieces dealt(RowAssignment deal, BlockLayout cut, List<String> classes) {
        return Pieces.of(rows, partitions, deal, cut, width(), sparse(), columns.label(), classes);
    }

    /** Brings labels, weights and sources of all rows here; their features stay where they are. */
    holdfast.data.Dataset outline(holdfast.data.Schema schema, DataSource source) {
        Check.that(
                count() <= Integer.MAX_VALUE,
                "--test-share above 0 and every --partition except in-turn need fewer than 2^31 rows, got %d",
                count());
        List<String> names = sources();
        Map<String, Integer> index = new HashMap<>();
        names.forEach(name -> index.put(name, index.size()));
        double[] labels = new double[(int) count()];
        double[] weights = new double[labels.length];
        int[] groups = columns.source() == null ? null : new int[labels.length];
        List<Known> read = SparkJobs.run(
                rows.context(),
                "read the labels",
                rows.mapPartitions(part -> List.of(Known.of(part, index)).iterator())::collect);
        int first = 0;
        for (int p = 0; p < read.size(); p++) {
            Known known = read.get(p);
            if (known.digest != partitions.get(p).digest) {
                throw changed();
            }
            System.arraycopy(known.labels, 0, labels, first, known.labels.length);
            System.arraycopy(known.weights, 0, weights, first, known.labels.length);
            if (groups != null) {
                System.arraycopy(known.sources, 0, groups, first, known.labels.length);
            }
            first += known.labels.length;
        }
        return holdfast.data.Dataset.outline(schema, labels, weighted() ? weights : null, groups, source);
    }

    /** The error for rows that were different when they were read again. */
    static InputException changed() {
        return new InputException("the rows of the DataFrame changed between two readings: cache or save it before");
    }

    /** Labels, weights and sources of the rows of a partition. */
    @DefaultSerializer(JavaSerializer.class)
    private record Known(double[] labels, double[] weights, int[] sources, long digest) implements Serializable {
        static Known of(Iterator<Row> partition, Map<String, Integer> index) {
            DoubleStream.Builder labels = DoubleStream.builder();
            DoubleStream.Builder weights = DoubleStream.builder();
            IntStream.Builder sources = IntStream.builder();
            long digest = 0;
            while (partition.hasNext()) {
                Row row = partition.next();
                labels.add(row.getDouble(1));
                weights.add(row.getDouble(2));
                sources.add(index.getOrDefault(row.getString(3), -1));
                digest = PartitionStatistics.digest(digest, row);
            }
            return new Known(
                    labels.build().toArray(),
                    weights.build().toArray(),
                    sources.build().toArray(),
                    digest);
        }
    }

    /**
     * Brings these rows here.
     *
     * @param outline knows their sources
     */
    holdfast.data.Dataset collected(int[] numbers, holdfast.data.Dataset outline) {
        RowAssignment deal = RowAssignment.listed((int) count(), List.of(numbers));
        holdfast.data.DatasetBuilder builder = Piece.builder(sparse(), width());
        holdfast.data.Schema schema = outline.schema();
        Pieces pieces =
                dealt(deal, BlockLayout.of(deal.sizes, builder.blockRows(), partitions(), false), schema.classes());
        List<Piece> collected =
                new ArrayList<>(SparkJobs.run(rows.context(), "bring rows held out", pieces.rdd()::collect));
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
}
