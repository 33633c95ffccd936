package holdfast.spark.engine;

import com.esotericsoftware.kryo.DefaultSerializer;
import com.esotericsoftware.kryo.serializers.JavaSerializer;
import holdfast.Check;
import holdfast.InputException;
import holdfast.data.DataSource;
import holdfast.data.TableColumn;
import holdfast.data.UnusableSource;
import holdfast.formats.Labels;
import holdfast.formats.SourceFacts;
import holdfast.model.Target;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.plan.ResolvedPlan;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
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

    private static final String LOOK = "look at the rows";
    private static final String FRAME = "DataFrame";

    private final JavaRDD<Row> rows;
    private final Columns columns;
    private final List<PartitionStatistics> partitions;
    private final PartitionStatistics all;
    private final Boolean sparse;
    private final List<TableColumn> cells;
    private final List<String> sources;
    private final List<UnusableSource> unusable;

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
        this.sources = List.copyOf(all.sources.keySet());
        this.unusable = List.of();
    }

    private SparkTable(SparkTable table, List<String> sources, List<UnusableSource> unusable) {
        this.sparse = table.sparse;
        this.cells = table.cells;
        this.rows = table.rows;
        this.columns = table.columns;
        this.partitions = table.partitions;
        this.all = table.all;
        this.sources = sources;
        this.unusable = unusable;
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
        return of(chosen(frame, columns), columns, classes, null, List.of());
    }

    /**
     * Does the same for a plan. If that lets sources be unusable, leaves out their rows, and rows whose class at most f
     * sources have; both are known after one look at the rows.
     */
    public static SparkTable of(Dataset<Row> frame, Columns columns, boolean classes, Plan plan) {
        if (!SourceFacts.suits(plan)) {
            return of(frame, columns, classes);
        }
        JavaRDD<Row> rows = chosen(frame, columns);
        List<Looked> looked = SparkJobs.run(
                rows.context(),
                LOOK,
                rows.mapPartitions(
                        part -> List.of(Looked.of(part, columns, classes)).iterator())::collect);
        SeenSources seen = SeenSources.all(
                nothingSeen(columns, classes),
                looked.stream().map(Looked::sources).toList());
        int sources = seen.facts().sources();
        boolean someMayLie = sources > 0 && ResolvedPlan.toleratedSources(plan, sources) > 0;
        if (someMayLie) {
            SparkEngine.requireServes(plan, sources * plan.get(PlanKey.REPLICAS));
            SourceFacts.Decision decided =
                    seen.decide(FRAME, plan, columns.features(), "row " + SourceFacts.ROW + ": ");
            if (!decided.unusable().isEmpty() || decided.leftOut() > 0) {
                Set<String> gone =
                        decided.unusable().stream().map(UnusableSource::name).collect(Collectors.toSet());
                Set<Double> known =
                        decided.classes().stream().map(Double::valueOf).collect(Collectors.toSet());
                JavaRDD<Row> kept = rows.filter(row -> !gone.contains(SeenSources.nameOf(row))
                        && (known.isEmpty() || known.contains(row.getDouble(1) + 0.0)));
                return of(kept, columns, classes, null, List.of()).beside(decided.usable(), decided.unusable());
            }
        }
        return new SparkTable(
                        rows, columns, looked.stream().map(Looked::statistics).toList(), null, List.of())
                .checked();
    }

    private static SeenSources nothingSeen(Columns columns, boolean classes) {
        return new SeenSources(
                new SourceFacts(
                        List.of(),
                        c -> null,
                        TableColumn.Missing.FAIL,
                        columns.label(),
                        classes ? Target.CLASSES : Target.NUMBER),
                columns.source());
    }

    /** What one look at the rows of a partition tells, if all of them are right and if some are not. */
    @DefaultSerializer(JavaSerializer.class)
    private record Looked(PartitionStatistics statistics, SeenSources sources) implements Serializable {
        static Looked of(Iterator<Row> partition, Columns columns, boolean classes) {
            PartitionStatistics statistics = new PartitionStatistics();
            SeenSources sources = nothingSeen(columns, classes);
            while (partition.hasNext()) {
                Row row = partition.next();
                if (statistics.complaint == null) {
                    statistics.add(row, columns, classes, false);
                }
                sources.add(row, statistics.complaint == null ? null : SeenSources.wrong(row, columns, classes));
            }
            return new Looked(statistics, sources);
        }
    }

    private static JavaRDD<Row> chosen(Dataset<Row> frame, Columns columns) {
        columns.requireBeIn(frame.schema());
        return frame.select(
                        column(frame, columns.features()),
                        column(frame, columns.label()).cast(DataTypes.DoubleType),
                        columns.weight() == null
                                ? functions.lit(1.0)
                                : column(frame, columns.weight()).cast(DataTypes.DoubleType),
                        columns.source() == null
                                ? functions.lit("")
                                : column(frame, columns.source()).cast(DataTypes.StringType))
                .javaRDD();
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
                LOOK,
                rows.mapPartitions(part -> List.of(PartitionStatistics.of(part, columns, classes, holes))
                        .iterator())::collect);
        return new SparkTable(rows, columns, partitions, sparse, cells).checked();
    }

    private SparkTable checked() {
        if (all.complaint != null) {
            throw new InputException("row " + (all.rows + 1) + ": " + all.complaint);
        }
        Check.that(all.rows > 0, "the DataFrame has no rows");
        return this;
    }

    /**
     * Returns the same table, beside sources whose rows were left out of it.
     *
     * @param named the sources that it has rows of, in the order that their workers are to have
     */
    public SparkTable beside(List<String> named, List<UnusableSource> others) {
        return new SparkTable(this, named, others);
    }

    /** The sources whose rows were left out because they cannot be used. */
    public List<UnusableSource> unusable() {
        return unusable;
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

    /** The names of the sources, in the order of their workers: that of their first rows, also of those left out. */
    public List<String> sources() {
        return sources;
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
        return bySource(IntStream.range(0, sources.size()).toArray());
    }

    /** Makes one worker per group of sources, in the order of {@link #sources}. */
    RowAssignment bySource(int[] groupOf) {
        Map<String, Integer> groups = new HashMap<>();
        sources.forEach(name -> groups.put(name, groupOf[groups.size()]));
        int[] byFirstRow = all.sources.keySet().stream().mapToInt(groups::get).toArray();
        return RowAssignment.bySource(
                partitions.stream().map(facts -> facts.sources).toList(), s -> byFirstRow[s]);
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
                new ArrayList<>(SparkJobs.run(rows.context(), "bring rows to the driver", pieces.rdd()::collect));
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
