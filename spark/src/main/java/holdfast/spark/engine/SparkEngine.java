package holdfast.spark.engine;

import holdfast.Check;
import holdfast.InputException;
import holdfast.Spec;
import holdfast.attack.UpdateAttack;
import holdfast.data.DataSource;
import holdfast.data.Dataset;
import holdfast.data.Partition;
import holdfast.data.Rows;
import holdfast.data.Schema;
import holdfast.data.SparseBlock;
import holdfast.data.Table;
import holdfast.data.UnusableSource;
import holdfast.formats.CellFormat;
import holdfast.objective.Box;
import holdfast.objective.Objective;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.plan.PortablePlan;
import holdfast.plan.ResolvedPlan;
import holdfast.preparation.AcrossSources;
import holdfast.preparation.Encoding;
import holdfast.preparation.Preparation;
import holdfast.preparation.RowReach;
import holdfast.preparation.RowRoles;
import holdfast.preparation.Scaling;
import holdfast.preparation.SourceGroups;
import holdfast.preparation.Storage;
import holdfast.preparation.WorkerWeights;
import holdfast.training.DealtTable;
import holdfast.training.PlanResolver;
import holdfast.training.PreparedData;
import holdfast.training.PreparedRun;
import holdfast.training.PriceChoice;
import holdfast.training.SampledRows;
import holdfast.training.SourceProbe;
import holdfast.training.SourceSample;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;

/**
 * Prepares workers on the executors for a table and a plan. {@link PreparedData} does the same in this process; both
 * use the same preparation and agree to the bit. Executors hold the table's raw rows until the preparation is learnt,
 * and then apply it.
 */
public final class SparkEngine {
    private final SparkTable table;
    private final Plan plan;
    private final Schema schema;
    private final DataSource source;
    private final int partitions;
    private Dealt dealt;

    /** @param schema with the names of the table's columns, and of the classes if labels are classes */
    public SparkEngine(SparkTable table, Plan plan, Schema schema, DataSource source, SparkSession spark) {
        this.table = table;
        this.plan = plan;
        this.schema = table.columns().source() == null ? schema.withoutGroups() : schema.withGroups(table.sources());
        this.source = source;
        Check.that(
                table.labels().size() > 1,
                "column %s must have %s, but every value is %s",
                table.columns().label(),
                schema.classes().isEmpty() ? "different values" : "several classes",
                Spec.print(table.labels().get(0)));
        this.partitions = Math.max(table.partitions(), spark.sparkContext().defaultParallelism());
        requireServe(table.sparse(), table.width());
        requireFitStorage();
    }

    /** Checks that model, maximiser and labels go together, and that they can use sparse rows. */
    private void requireServe(boolean sparse, int width) {
        Objective objective = objective(plan, schema);
        plan.requireDecides(schema);
        if (sparse) {
            objective.requireServes(SparseBlock.row(width, new int[0], new double[0]));
        }
        Check.that(
                !sparse || !inFloats(),
                "%s: its rows are sparse, which --storage float cannot hold; use --storage double",
                source.name());
    }

    /**
     * Returns the objective to check a plan by before its rows are known. If they are to give it a box, any box shows
     * what is wrong. Prices are left out, because features have no names yet.
     */
    public static Objective objective(Plan plan, Schema schema) {
        plan.objective();
        Plan known = plan.without(PlanKey.PRICES);
        boolean open = plan.get(PlanKey.BOX).isEmpty() && plan.model(schema).needsBox();
        return (open ? known.with(PlanKey.BOX, Optional.of(new Box(1))) : known).loss(schema);
    }

    /**
     * @throws holdfast.InputException for a plan that works in one process only, or not at all, as far as this is known
     *     without data
     */
    public static void requireServes(Plan plan) {
        plan.requireNamed("Spark");
        Check.that(
                plan.attack() instanceof UpdateAttack,
                "attacks on rows are simulated in one process only, not on Spark; got --attack %s",
                plan.get(PlanKey.ATTACK));
        Check.that(
                plan.get(PlanKey.SPLIT_BY).isEmpty(),
                "--split-by is for one process only, not for Spark; got '%s'",
                plan.get(PlanKey.SPLIT_BY).orElse(""));
        Check.that(
                plan.get(PlanKey.CLASSES).equals(PlanKey.CLASSES.defaultValue()),
                "--classes is for one process only, not for Spark; got '%s'",
                plan.settings().get(PlanKey.CLASSES.name()));
        Check.that(
                CellFormat.extendsAscii(plan.get(PlanKey.ENCODING)),
                "--encoding %s is for one process only, not for Spark, which finds lines by the bytes of ASCII; store the"
                        + " table in UTF-8",
                plan.settings().get(PlanKey.ENCODING.name()));
        Check.that(
                plan.get(PlanKey.INTERVALS) == 0,
                "--intervals is for one process only, not for Spark; got %d",
                plan.get(PlanKey.INTERVALS));
        Check.that(
                plan.get(PlanKey.ROOT) == 0,
                "--root rows are for one process only, not for Spark; got %d",
                plan.get(PlanKey.ROOT));
        Check.that(
                !plan.get(PlanKey.RULE).value().tolerating(0).needsTrusted(),
                "--rule %s needs --root rows, which are for one process only, not for Spark",
                plan.get(PlanKey.RULE));
        // Checks here what every worker would otherwise refuse; any rate will show it.
        Plan rated = plan.get(PlanKey.LEARNING_RATE).first().isEmpty() ? plan.with("learning-rate", "1") : plan;
        ResolvedPlan.localWork(rated, ResolvedPlan.batch(rated, 0));
        ResolvedPlan.patience(rated);
        if (!plan.bySource()) {
            PreparedData.shards(plan);
            requireServes(plan, plan.get(PlanKey.WORKERS));
        }
    }

    /** @throws holdfast.InputException for a plan that does not work with this number of workers */
    static void requireServes(Plan plan, int workers) {
        ResolvedPlan.rule(plan, workers);
        ResolvedPlan.liars(plan, workers);
    }

    private boolean inFloats() {
        return plan.get(PlanKey.STORAGE) == Storage.FLOAT;
    }

    /** Checks that a float can hold the values. Any scaling brings them near 1, so only unscaled ones matter. */
    private void requireFitStorage() {
        PartitionStatistics.Large large = table.large();
        if (large != null && inFloats() && plan.get(PlanKey.SCALE) == Scaling.Kind.NONE) {
            throw new InputException(source.name() + ": row " + (large.row() + 1) + ", column "
                    + schema.features().get(large.column()) + ": --storage float cannot hold " + large.value()
                    + ", which is too large; use --storage double");
        }
    }

    /** Returns how the table's columns become features, learnt from the training rows. */
    public Encoding encoding() {
        return dealt().rows.learnEncoding(!plan.bySource(), dealt().across);
    }

    /** Returns the schema of the features. */
    public Schema features() {
        return encoding().schema(schema).withoutGroups();
    }

    /** Learns the preparation and starts the plan's workers on the executors. */
    public PreparedRun startWorkers(SparkSession spark) {
        Dealt dealt = dealt();
        TrainingRows rows = dealt.rows;
        requireServes(plan, dealt.names.size() + table.unusable().size() * plan.get(PlanKey.REPLICAS));
        if (!sendsGradients()) {
            int replicas = plan.get(PlanKey.REPLICAS);
            ResolvedPlan.requireEnoughRows(plan, dealt.names, dealt.sizes(replicas));
        }
        int width = rows.width(encoding());
        requireServe(rows.sparse(encoding()), width);
        long numbers = (long) dealt.workers.sizes.length * plan.model(schema).parameters(width);
        boolean whole = !sendsGradients() || dealt.workers.sizes.length >= partitions && numbers >= SparkPool.LARGE;
        Fitted fitted = fit(dealt, whole);
        Objective objective = fitted.plan.loss(features());
        int replicas = plan.get(PlanKey.REPLICAS);
        Optional<Dataset> heldOut = dealt.heldOut.map(held ->
                fitted.preparation.heldOut(held, IntStream.range(0, held.rows()).toArray()));
        Pieces shards = fitted.shards;
        BlockLayout cut = shards.cut();
        // Pieces do not know the names of features.
        PortablePlan portable = PortablePlan.of(fitted.plan.with(
                PlanKey.PRICES,
                fitted.plan.get(PlanKey.PRICES).numbered(features().features())));
        JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
        return new PreparedRun(
                fitted.plan,
                new SparkPool(
                        context,
                        shards.rdd()
                                .map(piece -> new ShardHolder(piece, cut.blocks(piece.worker()), replicas, portable)),
                        cut.workers(),
                        replicas,
                        new SparkPool.Merging(objective, cut, width),
                        shards::close),
                dealt.names,
                IntStream.range(0, dealt.names.size())
                        .mapToLong(w -> cut.sizes[w / replicas])
                        .toArray(),
                source,
                features(),
                table.count(),
                fitted.reach,
                fitted.preparation,
                Optional.empty(),
                table.unusable(),
                heldOut,
                fitted.price,
                probe());
    }

    /** Returns what is known of the table's rows; those of sources that the plan leaves out were not read. */
    private Table known(Dataset outline) {
        return Table.of(outline).without(table.unusable()).leftOut(Set.copyOf(plan.get(PlanKey.WITHOUT)));
    }

    /** Returns the rows by worker. */
    public SourceProbe probe() {
        return new SourceProbe() {
            @Override
            public int workers() {
                return dealt().names.size();
            }

            @Override
            public List<UnusableSource> unusable() {
                return table.unusable();
            }

            @Override
            public int columns() {
                return table.width();
            }

            @Override
            public long rows() {
                return table.count();
            }

            @Override
            public SourceSample sample(int rowsPerWorker) {
                return SparkEngine.this.sample(rowsPerWorker);
            }
        };
    }

    /** Brings a sample of the rows here, which takes two jobs. */
    private SourceSample sample(int rowsPerWorker) {
        Dataset outline = table.outline(schema, source);
        RowRoles roles = DealtTable.of(known(outline), plan).roles();
        SampledRows sampled = SampledRows.of(roles, outline, plan, rowsPerWorker);
        return sampled.chosen(Table.of(table.cells(), table.collected(sampled.rows(), outline)));
    }

    /**
     * What is learnt from the training rows.
     *
     * @param plan with numbers for everything that it left to the data
     * @param price what an automatic price was chosen by
     * @param reach of the prepared rows
     * @param shards the rows to train on, cached
     */
    private record Fitted(
            Preparation preparation, Plan plan, Optional<PriceChoice> price, RowReach reach, Pieces shards) {}

    /** @param whole whether each worker must be in one place */
    private Fitted fit(Dealt dealt, boolean whole) {
        try (TrainingRows training = dealt.rows) {
            Preparation preparation = Preparation.learn(
                    training,
                    PreparedData.settings(plan, plan.model(schema), dealt.across),
                    dealt.workers.sizes,
                    dealt.weights);
            Pieces prepared = training.prepared(preparation);
            // What was learnt by group was learnt from the rows of the workers, in their places.
            boolean inPlace = dealt.groupsAreWorkers
                    && preparation.weighting().sources().isEmpty()
                    && (!whole || prepared.cut().isWhole());
            if (inPlace || PlanResolver.leavesRatesOpen(plan)) {
                prepared.cached();
            }
            boolean kept = false;
            try {
                Rows rows = training.rows(prepared, preparation);
                int workers = dealt.names.size() + table.unusable().size() * plan.get(PlanKey.REPLICAS);
                PlanResolver resolver = new PlanResolver(rows, dealt.across, preparation.weighting(), workers);
                Plan penalised = resolver.penalised(plan.scaled(preparation, features()));
                Optional<PriceChoice> price = PriceChoice.of(
                        penalised,
                        probe(),
                        preparation,
                        features(),
                        dealt.sizes(plan.get(PlanKey.REPLICAS)),
                        table.unusable(),
                        none -> Optional.empty(),
                        priced -> resolver.resolve(priced).loss(features()));
                Plan resolved = resolver.resolve(PriceChoice.priced(penalised, price));
                RowReach reach =
                        RowReach.of(rows, resolved.box(resolved.model(schema))).counted(preparation.weighting());
                kept = inPlace;
                return new Fitted(
                        preparation,
                        resolved,
                        price,
                        reach,
                        inPlace
                                ? prepared
                                : training.shards(dealt.workers, whole, preparation)
                                        .cached());
            } finally {
                if (!kept) {
                    prepared.close();
                }
            }
        }
    }

    /** Whether a worker may be in several places: it may if all it does is add up gradients. */
    private boolean sendsGradients() {
        return plan.sendsFullGradients() && plan.get(PlanKey.VALIDATION) == 0;
    }

    /**
     * Who holds which rows.
     *
     * @param rows the training rows
     * @param across combines what their groups say
     * @param weights the mean weights of the rows of workers and groups
     * @param groupsAreWorkers whether every worker is a group with the same rows
     * @param heldOut the others, raw; empty if there are none
     */
    private record Dealt(
            TrainingRows rows,
            AcrossSources across,
            WorkerWeights weights,
            boolean groupsAreWorkers,
            RowAssignment workers,
            List<String> names,
            Optional<Table> heldOut) {
        /** Returns how many rows each worker holds. */
        long[] sizes(int replicas) {
            return IntStream.range(0, names.size())
                    .mapToLong(w -> workers.sizes[w / replicas])
                    .toArray();
        }
    }

    private Dealt dealt() {
        dealt = dealt == null ? deal() : dealt;
        return dealt;
    }

    private Dealt deal() {
        boolean bySource = plan.bySource();
        boolean inTurn = plan.get(PlanKey.PARTITION).toString().equals("in-turn");
        int replicas = plan.get(PlanKey.REPLICAS);
        boolean allTrain = plan.get(PlanKey.TEST_SHARE) == 0
                && plan.get(PlanKey.TEST_SOURCES).isEmpty();
        if (allTrain && (bySource || inTurn)) {
            List<String> names = bySource
                    ? table.sources()
                    : IntStream.range(0, PreparedData.shards(plan))
                            .mapToObj(Integer::toString)
                            .toList();
            RowAssignment workers = bySource ? table.bySource() : RowAssignment.inTurn(table.count(), names.size());
            return dealt(
                    RowAssignment.together(table.count()),
                    ResolvedPlan.statistics(
                            plan, workers.sizes, table.unusable().size()),
                    groups -> bySource
                            ? table.bySource(groups.groupOf())
                            : RowAssignment.inTurn(table.count(), groups.groupOf()),
                    workers,
                    Partition.replicated(names, replicas),
                    Optional.empty());
        }
        // The other ways to deal need the labels and sources of all rows at once.
        Dataset outline = table.outline(schema, source);
        DealtTable known = DealtTable.of(known(outline), plan);
        RowRoles roles = known.roles();
        Partition partition = roles.partition();
        List<int[]> shards = IntStream.range(0, partition.size() / replicas)
                .mapToObj(s -> Arrays.stream(partition.rows().get(s * replicas))
                        .map(r -> roles.learning()[roles.training()[r]])
                        .toArray())
                .toList();
        return dealt(
                RowAssignment.listed(outline.rows(), List.of(roles.learning())),
                known.groups(),
                groups -> RowAssignment.listed(
                        outline.rows(), byGroup(roles.learning(), known.groupByRow(), groups.count())),
                RowAssignment.listed(outline.rows(), shards),
                partition.workers(),
                Optional.of(roles.heldOut())
                        .filter(rows -> rows.length > 0)
                        .map(rows -> Table.of(table.cells(), table.collected(rows, outline))));
    }

    /** Returns the rows of each group, in their order. */
    private static List<int[]> byGroup(int[] rows, int[] groupOf, int groups) {
        List<IntStream.Builder> members =
                Stream.generate(IntStream::builder).limit(groups).toList();
        for (int i = 0; i < rows.length; i++) {
            members.get(groupOf[i]).add(rows[i]);
        }
        return members.stream().map(own -> own.build().toArray()).toList();
    }

    private Dealt dealt(
            RowAssignment together,
            Optional<SourceGroups> groups,
            Function<SourceGroups, RowAssignment> grouping,
            RowAssignment workers,
            List<String> names,
            Optional<Table> heldOut) {
        Schema named = groups.map(g -> schema.withGroups(g.names())).orElse(schema.withoutGroups());
        int shards = workers.sizes.length;
        WorkerWeights weights =
                table.weights(workers, groups.map(SourceGroups::groupOf).orElseGet(() -> new int[shards]));
        RowAssignment bySource = groups.map(grouping).orElse(together);
        // The first group also has the rows that no worker has.
        boolean groupsAreWorkers = Arrays.equals(bySource.sizes, workers.sizes)
                && groups.filter(g -> Arrays.equals(
                                g.groupOf(), IntStream.range(0, shards).toArray()))
                        .isPresent();
        return new Dealt(
                new TrainingRows(table, named, source, partitions, together, bySource, weights.groups()),
                groups.map(SourceGroups::across).orElse(AcrossSources.POOLED),
                weights,
                groupsAreWorkers,
                workers,
                names,
                heldOut);
    }
}
