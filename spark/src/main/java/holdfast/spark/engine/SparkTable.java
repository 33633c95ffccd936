package holdfast.spark.engine;

import com.esotericsoftware.kryo.DefaultSerializer;
import com.esotericsoftware.kryo.serializers.JavaSerializer;
import holdfast.Check;
import holdfast.InputException;
import holdfast.data.DataSource;
import holdfast.data.RowHash;
import holdfast.data.TableColumn;
import holdfast.data.UnusableSource;
import holdfast.formats.Labels;
import holdfast.formats.SourceFacts;
import holdfast.model.Target;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.plan.ResolvedPlan;
import holdfast.preparation.WorkerWeights;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.storage.StorageLevel;

/**
 * Rows that have been counted, checked and put in order ({@link RowOrder}). A row is a
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
    private final RowOrder order;
    private final PartitionStatistics all;
    private final Boolean sparse;
    private final List<TableColumn> cells;
    private final List<String> sources;
    private final List<UnusableSource> unusable;

    private SparkTable(
            JavaRDD<Row> rows,
            Columns columns,
            RowOrder order,
            PartitionStatistics all,
            Boolean sparse,
            List<TableColumn> cells) {
        this.sparse = sparse;
        this.cells = cells;
        this.rows = rows;
        this.columns = columns;
        this.order = order;
        this.all = all;
        this.sources = order.stretches().stream()
                .flatMap(stretch -> stretch.sources().keySet().stream())
                .distinct()
                .toList();
        this.unusable = List.of();
    }

    private SparkTable(SparkTable table, List<String> sources, List<UnusableSource> unusable) {
        this.sparse = table.sparse;
        this.cells = table.cells;
        this.rows = table.rows;
        this.columns = table.columns;
        this.order = table.order;
        this.all = table.all;
        this.sources = sources;
        this.unusable = unusable;
    }

    /**
     * Looks at the rows of a DataFrame, which have no order of their own and get that of {@link HashOrder}. If the plan
     * lets sources be unusable, leaves out their rows, and rows whose class at most f sources have.
     *
     * @param target what labels must be: classes 0, 1, ..., counts or any numbers
     * @throws InputException for a missing column or a value that is not allowed; names the column and the number of
     *     the row
     */
    public static SparkTable of(Dataset<Row> frame, Columns columns, Target target, Plan plan) {
        // Spark moves shuffled rows when their RDD is made.
        JavaRDD<Row> rows = SparkJobs.run(frame.sparkSession().sparkContext(), LOOK, () -> chosen(frame, columns));
        JavaRDD<Looked> looked = Looked.at(rows, columns, target);
        try {
            PartitionStatistics all = Looked.all(looked, columns);
            if (all.complaint == null && all.rows > 0 && plan.bySource()) {
                SparkEngine.requireServes(plan, all.sources.size() * plan.get(PlanKey.REPLICAS));
            }
            boolean doubtful = SourceFacts.suits(plan)
                    && (all.complaint != null
                            || all.hasRareClass(ResolvedPlan.toleratedSources(plan, all.sources.size())));
            Optional<SourceFacts.Decision> decided = doubtful ? decide(rows, columns, target, plan) : Optional.empty();
            if (decided.isPresent()) {
                return without(decided.get(), rows, columns, target);
            }
            requireUsable(all);
            return inHashOrder(rows, columns, all, looked);
        } finally {
            SparkJobs.undisturbed(() -> looked.unpersist(false));
        }
    }

    /** Looks at the rows by source to decide which count; empty if no source may be unusable. */
    private static Optional<SourceFacts.Decision> decide(JavaRDD<Row> rows, Columns columns, Target target, Plan plan) {
        List<SeenSources> parts = SparkJobs.run(
                rows.context(),
                LOOK + " by source",
                () -> MergingCollect.of(
                        rows.mapPartitions(
                                part -> List.of(seen(part, columns, target)).iterator()),
                        SparkTable::merged));
        SeenSources seen = SeenSources.all(nothingSeen(columns, target), parts);
        int sources = seen.facts().sources();
        if (ResolvedPlan.toleratedSources(plan, sources) == 0) {
            return Optional.empty();
        }
        SparkEngine.requireServes(plan, sources * plan.get(PlanKey.REPLICAS));
        SourceFacts.Decision decided = seen.decide(FRAME, plan, columns.features(), "row " + SourceFacts.ROW + ": ");
        SourceFacts.warnOf(FRAME, decided.unusable());
        return Optional.of(decided);
    }

    private static SeenSources merged(SeenSources before, SeenSources next) {
        before.merge(next);
        return before;
    }

    private static SeenSources seen(Iterator<Row> partition, Columns columns, Target target) {
        SeenSources sources = nothingSeen(columns, target);
        while (partition.hasNext()) {
            Row row = partition.next();
            sources.add(row, SeenSources.wrong(row, columns, target));
        }
        return sources;
    }

    private static SparkTable without(SourceFacts.Decision decided, JavaRDD<Row> rows, Columns columns, Target target) {
        Set<String> gone = decided.unusable().stream().map(UnusableSource::name).collect(Collectors.toSet());
        Set<Double> known = decided.classes().stream().map(Double::valueOf).collect(Collectors.toSet());
        JavaRDD<Row> kept = rows.filter(row ->
                !gone.contains(SeenSources.nameOf(row)) && (known.isEmpty() || known.contains(row.getDouble(1) + 0.0)));
        JavaRDD<Looked> looked = Looked.at(kept, columns, target);
        try {
            PartitionStatistics all = Looked.all(looked, columns);
            requireUsable(all);
            return inHashOrder(kept, columns, all, looked)
                    .beside(decided.usable().stream().sorted().toList(), decided.unusable());
        } finally {
            SparkJobs.undisturbed(() -> looked.unpersist(false));
        }
    }

    private static SparkTable inHashOrder(
            JavaRDD<Row> rows, Columns columns, PartitionStatistics all, JavaRDD<Looked> looked) {
        RowOrder order = HashOrder.of(looked.map(Looked::keys), new TreeMap<>(all.sources.byName()));
        return new SparkTable(rows, columns, order, all, null, List.of());
    }

    private static SeenSources nothingSeen(Columns columns, Target target) {
        return new SeenSources(new SourceFacts(List.of(), columns.label(), target), columns.source());
    }

    /**
     * What one look at the rows of a partition tells.
     *
     * @param statistics up to the first wrong row
     * @param keys of the rows up to there
     */
    @DefaultSerializer(JavaSerializer.class)
    private record Looked(PartitionStatistics statistics, RowKeys keys) implements Serializable {
        /** Looks at rows when the result is first used, and keeps it on the executors. */
        static JavaRDD<Looked> at(JavaRDD<Row> rows, Columns columns, Target target) {
            return rows.mapPartitions(part -> List.of(of(part, columns, target)).iterator())
                    .persist(StorageLevel.MEMORY_AND_DISK());
        }

        private static Looked of(Iterator<Row> partition, Columns columns, Target target) {
            PartitionStatistics statistics = new PartitionStatistics();
            RowKeys keys = new RowKeys(statistics.sources);
            RowHash hash = new RowHash();
            while (partition.hasNext() && statistics.complaint == null) {
                Row row = partition.next();
                int source = statistics.add(row, columns, target, false);
                if (source >= 0) {
                    keys.add(row, source, hash);
                }
            }
            return new Looked(statistics, keys);
        }

        /** Combines what was seen in all partitions, in their order. */
        static PartitionStatistics all(JavaRDD<Looked> looked, Columns columns) {
            PartitionStatistics all = new PartitionStatistics();
            SparkJobs.run(
                            looked.context(),
                            LOOK,
                            () -> MergingCollect.of(looked.map(Looked::statistics), (before, next) -> {
                                before.add(next, columns);
                                return before;
                            }))
                    .forEach(facts -> all.add(facts, columns));
            return all;
        }
    }

    private static JavaRDD<Row> chosen(Dataset<Row> frame, Columns columns) {
        columns.requireBeIn(frame.schema());
        Column weight = columns.weight() == null
                ? functions.lit(1.0)
                : column(frame, columns.weight()).cast(DataTypes.DoubleType);
        Dataset<Row> counted = weighing(frame, columns);
        return counted.select(
                        column(frame, columns.features()),
                        column(frame, columns.label()).cast(DataTypes.DoubleType),
                        weight,
                        columns.source() == null
                                ? functions.lit("")
                                : column(frame, columns.source()).cast(DataTypes.StringType))
                .javaRDD();
    }

    /**
     * Returns the rows that count: a row of weight 0 is there no times; one without a weight is an error, to be reported
     * later.
     */
    public static Dataset<Row> weighing(Dataset<Row> frame, Columns columns) {
        if (columns.weight() == null || !Arrays.asList(frame.columns()).contains(columns.weight())) {
            return frame;
        }
        Column weight = column(frame, columns.weight()).cast(DataTypes.DoubleType);
        return frame.filter(weight.isNull().or(weight.notEqual(0.0)));
    }

    /** Returns the rows of a frame without those of some sources, given by the names that messages use. */
    public static Dataset<Row> without(Dataset<Row> frame, Columns columns, Collection<String> sources) {
        return sources.isEmpty()
                ? frame
                : frame.filter(functions.not(functions
                        .coalesce(
                                column(frame, columns.source()).cast(DataTypes.StringType),
                                functions.lit(SourceFacts.NO_SOURCE))
                        .isin(sources.toArray())));
    }

    /** Returns a column, even if its name has dots in it. */
    private static Column column(Dataset<Row> frame, String name) {
        return frame.col("`" + name.replace("`", "``") + "`");
    }

    /**
     * Looks at rows that are a vector, a label, a weight and the name of a source, in an order that is the same every
     * time they are read.
     *
     * @param target what labels must be: classes 0, 1, ..., counts or any numbers
     * @param sparse whether rows are stored without their zeros; null: if that takes less room
     * @param cells the columns of the table whose cells the vectors hold; empty: they hold features
     */
    public static SparkTable of(
            JavaRDD<Row> rows, Columns columns, Target target, Boolean sparse, List<TableColumn> cells) {
        boolean holes = cells.stream().anyMatch(cell -> cell.missing() != TableColumn.Missing.FAIL);
        List<PartitionStatistics> partitions = SparkJobs.run(
                rows.context(),
                LOOK,
                rows.mapPartitions(part -> List.of(PartitionStatistics.of(part, columns, target, holes))
                        .iterator())::collect);
        PartitionStatistics all = new PartitionStatistics();
        partitions.forEach(facts -> all.add(facts, columns));
        requireUsable(all);
        return new SparkTable(rows, columns, new ReadOrder(rows.context(), partitions), all, sparse, cells);
    }

    private static void requireUsable(PartitionStatistics all) {
        if (all.complaint != null) {
            throw new InputException("row " + (all.rows + 1) + ": " + all.complaint);
        }
        Check.that(all.rows > 0, "the DataFrame has no rows");
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
        return List.copyOf(all.labels.keySet());
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
        return rows.getNumPartitions();
    }

    /** Makes one worker per source. */
    RowAssignment bySource() {
        return bySource(IntStream.range(0, sources.size()).toArray());
    }

    /** Makes one worker per group of sources, in the order of {@link #sources}. */
    RowAssignment bySource(int[] groupOf) {
        Map<String, Integer> groups = new HashMap<>();
        sources.forEach(name -> groups.put(name, groupOf[groups.size()]));
        return RowAssignment.bySource(
                order.stretches().stream().map(RowOrder.Stretch::sources).toList(), groups);
    }

    /**
     * Returns the mean weights of the rows of workers and of their groups, by one look at the rows if they have weights.
     */
    WorkerWeights weights(RowAssignment deal, int[] groupOf) {
        return weighted() ? WorkerWeights.of(WeightSums.means(rows, order, deal), groupOf) : WorkerWeights.NONE;
    }

    /** Returns the rows in their places, in packed pieces. */
    Pieces dealt(RowAssignment deal, BlockLayout cut, List<String> classes) {
        return Pieces.of(rows, order, deal, cut, width(), sparse(), columns.label(), classes);
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
        JavaRDD<Known> known = rows.zipPartitions(
                order.dealers(RowAssignment.together(count())),
                (part, dealer) -> List.of(Known.of(part, dealer.next(), index)).iterator());
        for (Known here : SparkJobs.run(rows.context(), "read the labels", known::collect)) {
            for (int k = 0; k < here.numbers.length; k++) {
                int row = here.numbers[k];
                labels[row] = here.labels[k];
                weights[row] = here.weights[k];
                if (groups != null) {
                    groups[row] = here.sources[k];
                }
            }
        }
        return holdfast.data.Dataset.outline(schema, labels, weighted() ? weights : null, groups, source);
    }

    /** The error for rows that were different when they were read again. */
    static InputException changed() {
        return new InputException("the rows of the DataFrame changed between two readings: cache or save it before");
    }

    /** Numbers, labels, weights and sources of the rows of a partition. */
    @DefaultSerializer(JavaSerializer.class)
    private record Known(int[] numbers, double[] labels, double[] weights, int[] sources) implements Serializable {
        static Known of(Iterator<Row> partition, RowOrder.Dealer dealer, Map<String, Integer> index) {
            IntStream.Builder numbers = IntStream.builder();
            DoubleStream.Builder labels = DoubleStream.builder();
            DoubleStream.Builder weights = DoubleStream.builder();
            IntStream.Builder sources = IntStream.builder();
            while (partition.hasNext()) {
                Row row = partition.next();
                dealer.worker(row);
                numbers.add((int) dealer.place());
                labels.add(row.getDouble(1));
                weights.add(row.getDouble(2));
                sources.add(index.getOrDefault(row.getString(3), -1));
            }
            dealer.requireAll();
            return new Known(
                    numbers.build().toArray(),
                    labels.build().toArray(),
                    weights.build().toArray(),
                    sources.build().toArray());
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
