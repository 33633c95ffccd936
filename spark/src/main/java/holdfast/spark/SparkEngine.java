package holdfast.spark;

import holdfast.Check;
import holdfast.InputException;
import holdfast.Spec;
import holdfast.aggregate.Aggregators;
import holdfast.attack.RowAttack;
import holdfast.data.DataSource;
import holdfast.data.Dataset;
import holdfast.data.Partition;
import holdfast.data.Rows;
import holdfast.data.Schema;
import holdfast.data.SparseBlock;
import holdfast.objective.InnerMaximiser;
import holdfast.objective.RobustLoss;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.preparation.Encoding;
import holdfast.preparation.LabelScaling;
import holdfast.preparation.Preparation;
import holdfast.preparation.RawRows;
import holdfast.preparation.RowReach;
import holdfast.preparation.Scaling;
import holdfast.preparation.Split;
import holdfast.preparation.Storage;
import holdfast.preparation.Weighting;
import holdfast.training.PlanResolver;
import holdfast.training.PreparedData;
import holdfast.training.PreparedRun;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;

/**
 * Engages workers on the executors for a table and a plan: as {@link PreparedData} does in this process, step by step and to
 * the bit.
 */
final class SparkEngine {
    private final Table table;
    private final Plan plan;
    private final Schema schema;
    private final Encoding encoding;
    private final DataSource source;
    private final int partitions;

    /** @param schema with the names of the features, and of the classes if labels are classes */
    SparkEngine(Table table, Plan plan, Schema schema, Encoding encoding, DataSource source, SparkSession spark) {
        this.table = table;
        this.plan = plan;
        this.schema = table.columns().source() == null ? schema.withoutGroups() : schema.withGroups(table.sources());
        this.encoding = encoding;
        this.source = source;
        Check.that(
                table.labels().size() > 1,
                "column %s must have %s, but every value is %s",
                table.columns().label(),
                schema.classes().isEmpty() ? "different values" : "several classes",
                Spec.print(table.labels().get(0)));
        // Model, maximiser and labels must go together, and with rows that are stored without their zeros.
        InnerMaximiser maximiser = plan.loss(schema).maximiser();
        if (table.sparse()) {
            maximiser.requireServes(SparseBlock.row(table.width(), new int[0], new double[0]));
        }
        this.partitions = Math.max(table.partitions(), spark.sparkContext().defaultParallelism());
        if (inFloats()) {
            requireFitFloats();
        }
    }

    /**
     * @throws holdfast.InputException for a plan that only one process can follow, or that nobody can, as far as it can be
     *     told without data
     */
    static void requireServes(Plan plan) {
        Check.that(
                !plan.get(PlanKey.MODEL).name().equals("poisson"),
                "model poisson trains in one process only, not on Spark");
        Check.that(
                !(plan.attack() instanceof RowAttack),
                "attacks on data are simulated in one process only, not on Spark; got attack %s",
                plan.get(PlanKey.ATTACK));
        Check.that(
                plan.get(PlanKey.ROOT) == 0,
                "root rows are for one process only, not for Spark; got root %d",
                plan.get(PlanKey.ROOT));
        Check.that(
                plan.get(PlanKey.MISSING).equals("fail"),
                "missing %s fills cells in one process only; Spark trains on whole rows: fill the columns before",
                plan.get(PlanKey.MISSING));
        Check.that(
                !Aggregators.create(plan.get(PlanKey.RULE), 0).needsTrusted(),
                "rule %s needs root rows, which are for one process only, not for Spark",
                plan.get(PlanKey.RULE));
        // What workers do must not be refused by each of them; any rate shows whether it may be.
        Plan rated = Double.isNaN(plan.get(PlanKey.LEARNING_RATE)) ? plan.with(PlanKey.LEARNING_RATE, 1.0) : plan;
        rated.localWork(rated.batch(0));
        rated.patience();
        if (plan.get(PlanKey.WORKERS_BY).isEmpty()) {
            PreparedData.shards(plan);
            requireServes(plan, plan.get(PlanKey.WORKERS));
        }
    }

    private static void requireServes(Plan plan, int workers) {
        plan.aggregator(workers);
        plan.byzantine(workers);
    }

    private boolean inFloats() {
        return plan.get(PlanKey.STORAGE).equals("float");
    }

    private void requireFitFloats() {
        Check.that(
                !table.sparse(),
                "%s: its rows are sparse, which storage float cannot hold; use storage double",
                source.name());
        PartitionStatistics.Large large = table.large();
        // Any scaling brings values near 1.
        if (large != null && plan.get(PlanKey.SCALE) == Scaling.Kind.NONE) {
            throw new InputException(source.name() + ": row " + (large.row() + 1) + ", column "
                    + schema.features().get(large.column()) + ": storage float cannot hold " + large.value()
                    + ", which is too large; use storage double");
        }
    }

    PreparedRun engage(SparkSession spark) {
        Dealt dealt = dealt();
        requireServes(plan, dealt.names.size());
        if (!sendsGradients()) {
            for (int w = 0; w < dealt.names.size(); w++) {
                long held = dealt.workers.sizes[w / plan.get(PlanKey.REPLICAS)];
                plan.requireEnoughRows(dealt.names.get(w), (int) Math.min(held, Integer.MAX_VALUE));
            }
        }
        RowAssignment together = dealt.training == null
                ? RowAssignment.together(table.count())
                : RowAssignment.listed((int) table.count(), List.of(dealt.training));
        Fitted fitted = fit(together);
        RobustLoss loss = fitted.plan.loss(schema);
        int replicas = plan.get(PlanKey.REPLICAS);
        long numbers = (long) dealt.workers.sizes.length * loss.model().parameters(table.width());
        boolean whole = !sendsGradients() || dealt.workers.sizes.length >= partitions && numbers >= SparkPool.LARGE;
        Pieces shards = prepared(pieces(dealt.workers, whole), fitted).cached();
        BlockLayout cut = shards.cut();
        LinkedHashMap<String, String> settings = new LinkedHashMap<>(fitted.plan.settings());
        JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
        return new PreparedRun(
                fitted.plan,
                new SparkPool(
                        context,
                        shards.rdd()
                                .map(piece -> new ShardHolder(piece, cut.blocks(piece.worker()), replicas, settings)),
                        cut.workers(),
                        replicas,
                        new SparkPool.Merging(loss, cut, table.width()),
                        shards::close),
                dealt.names,
                IntStream.range(0, dealt.names.size())
                        .mapToLong(w -> cut.sizes[w / replicas])
                        .toArray(),
                source,
                schema,
                table.count(),
                fitted.reach,
                fitted.preparation,
                null,
                dealt.heldOut,
                new SparkSourceProbe(
                        context,
                        fitted.plan,
                        schema,
                        () -> prepared(pieces(together, false), fitted),
                        shards,
                        fitted.curvature,
                        dealt.heldOut == null ? null : fitted.preparation.trainable(dealt.heldOut, r -> r)));
    }

    /**
     * What is found from the training rows.
     *
     * @param plan with the numbers that it leaves to be found
     * @param curvature NaN if it was not needed
     * @param reach of the scaled rows; null before they are scaled
     */
    private record Fitted(Preparation preparation, Plan plan, double curvature, RowReach reach) {}

    private Fitted fit(RowAssignment together) {
        try (Pieces raw = pieces(together, false).cached()) {
            Rows rows = raw.rows(schema, source, table.weighted());
            RawRows training = new RawRows() {
                @Override
                public Encoding learnEncoding() {
                    return encoding;
                }

                @Override
                public Rows features(Encoding learnt) {
                    return rows;
                }
            };
            Fitted fitted = new Fitted(
                    Preparation.learn(training, PreparedData.settings(plan, plan.model(schema))),
                    plan,
                    Double.NaN,
                    null);
            Pieces once = prepared(raw, fitted);
            try (Pieces scaled = PlanResolver.leavesRatesOpen(plan) ? once.cached() : once) {
                Rows prepared = scaled.rows(schema, source, table.weighted());
                PlanResolver automatic = new PlanResolver(prepared);
                Plan resolved = automatic.resolve(plan);
                return new Fitted(
                        fitted.preparation,
                        resolved,
                        automatic.foundCurvature(),
                        RowReach.of(prepared, resolved.box(resolved.model(schema))));
            }
        }
    }

    /** Whether a worker may be in several places: it needs to do no more than add up. */
    private boolean sendsGradients() {
        return plan.get(PlanKey.UPDATE).name().equals("gradient")
                && plan.get(PlanKey.LOCAL_STEPS) == 1
                && plan.batch(0).size() == 0
                && plan.get(PlanKey.VALIDATION) == 0;
    }

    /**
     * Who holds what.
     *
     * @param training the numbers of the training rows; null if all are
     */
    private record Dealt(int[] training, RowAssignment workers, List<String> names, Dataset heldOut) {}

    private Dealt dealt() {
        boolean bySource = !plan.get(PlanKey.WORKERS_BY).isEmpty();
        boolean inTurn = plan.get(PlanKey.PARTITION).name().equals("in-turn");
        int replicas = plan.get(PlanKey.REPLICAS);
        if (plan.get(PlanKey.TEST_SHARE) == 0 && (bySource || inTurn)) {
            List<String> names = bySource
                    ? table.sources()
                    : IntStream.range(0, PreparedData.shards(plan))
                            .mapToObj(Integer::toString)
                            .toList();
            return new Dealt(
                    null,
                    bySource ? table.bySource() : RowAssignment.inTurn(table.count(), names.size()),
                    Partition.replicated(names, replicas),
                    null);
        }
        // The rest looks at the labels and sources of all rows at once.
        Dataset outline = table.outline(schema, source);
        Split split = Split.stratified(outline, plan.get(PlanKey.TEST_SHARE), plan.seed());
        Partition partition = PreparedData.partition(outline.select(split.training()), plan);
        List<int[]> shards = IntStream.range(0, partition.size() / replicas)
                .mapToObj(s -> Arrays.stream(partition.rows().get(s * replicas))
                        .map(r -> split.training()[r])
                        .toArray())
                .toList();
        return new Dealt(
                split.training(),
                RowAssignment.listed(outline.rows(), shards),
                partition.workers(),
                split.heldOut().length == 0 ? null : table.collected(split.heldOut(), outline));
    }

    private Pieces pieces(RowAssignment deal, boolean whole) {
        int blockRows = Piece.builder(table.sparse(), table.width()).blockRows();
        return table.dealt(deal, BlockLayout.of(deal.sizes, blockRows, partitions, whole), schema.classes());
    }

    /** The rows as workers train on them. */
    private Pieces prepared(Pieces pieces, Fitted fitted) {
        String kind = fitted.preparation.scaling().kind().toString();
        double[] offsets = fitted.preparation.scaling().offsets();
        double[] divisors = fitted.preparation.scaling().divisors();
        double offset = fitted.preparation.labels().offset();
        double divisor = fitted.preparation.labels().divisor();
        double mean = fitted.preparation.weighting().mean();
        double[] classes = fitted.preparation.weighting().classes();
        String storage = fitted.preparation.storage().toString();
        return pieces.map(piece -> piece.map(rows -> new Preparation(
                        Encoding.NONE,
                        new Scaling(Scaling.Kind.parse(kind), offsets, divisors),
                        new LabelScaling(offset, divisor),
                        new Weighting(mean, classes),
                        Storage.parse(storage))
                .trainable(rows, r -> r)));
    }
}
