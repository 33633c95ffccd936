package holdfast.training;

import holdfast.Check;
import holdfast.Spec;
import holdfast.attack.RowAttack;
import holdfast.data.Dataset;
import holdfast.data.Partition;
import holdfast.data.Table;
import holdfast.data.UnusableSource;
import holdfast.evaluation.TrainedModel;
import holdfast.model.Model;
import holdfast.model.Target;
import holdfast.objective.Objective;
import holdfast.objective.WorstSources;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.plan.ResolvedPlan;
import holdfast.preparation.AcrossSources;
import holdfast.preparation.LabelScaling;
import holdfast.preparation.Preparation;
import holdfast.preparation.PreparationSettings;
import holdfast.preparation.RowReach;
import holdfast.preparation.RowRoles;
import holdfast.preparation.Scaling;
import holdfast.preparation.SourceWeights;
import holdfast.preparation.TableRows;
import holdfast.rounds.InProcessPool;
import holdfast.rounds.LocalWork;
import holdfast.rounds.RowSampling;
import holdfast.rounds.TrainingLoop;
import holdfast.rounds.Worker;
import holdfast.rounds.WorkerPool;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Data ready for rounds: some rows held out, a preparation learnt from the rest, one shard per worker.
 *
 * @param preparation learnt from the training rows
 * @param across how numbers of the groups of sources are combined
 * @param training the training rows, prepared; their sources are the groups whose statistics were taken
 * @param partition which worker holds which of them
 * @param shards the workers' rows, the same for all replicas of a shard
 * @param root the rows the server keeps for itself, prepared; empty if there are none
 * @param heldOut the features of the held-out rows, unscaled; empty if there are none
 * @param unusable sources whose rows were left out; see {@link PreparedRun}
 * @param probe hands out rows as they came
 */
public record PreparedData(
        Preparation preparation,
        AcrossSources across,
        Dataset training,
        Partition partition,
        List<Dataset> shards,
        Optional<Dataset> root,
        Optional<Dataset> heldOut,
        List<UnusableSource> unusable,
        SourceProbe probe) {
    /** Prepares rows that are already features. */
    public static PreparedData of(Dataset data, Plan plan) {
        return of(Table.of(data), plan);
    }

    public static PreparedData of(Table table, Plan plan) {
        DealtTable dealt = DealtTable.of(table, plan).poisoned(plan);
        RowRoles roles = dealt.roles();
        requireLabels(dealt, plan);
        TableRows raw = dealt.raw();
        Preparation preparation = dealt.learn(raw, plan);
        Dataset all = preparation.trainable(raw.features(preparation.encoding()), r -> roles.learning()[r]);
        Optional<Dataset> root = some(roles.root()).map(all::select);
        Dataset training = root.isPresent() ? all.select(roles.training()) : all;
        int replicas = plan.get(PlanKey.REPLICAS);
        List<Dataset> shards = new ArrayList<>();
        for (int w = 0; w < roles.partition().size(); w += replicas) {
            int[] rows = roles.partition().rows().get(w);
            Dataset shard = preparation
                    .weighting()
                    .ofWorker(training.select(rows).withoutGroups(), w / replicas, r -> dealt.weight(rows[r]));
            shards.addAll(Collections.nCopies(replicas, shard));
        }
        return new PreparedData(
                        preparation,
                        dealt.across(),
                        training,
                        roles.partition(),
                        shards,
                        root,
                        some(roles.heldOut())
                                .map(rows -> preparation
                                        .heldOut(dealt.table(), rows)
                                        .named(table.source().name() + " (held out)")),
                        table.unusable(),
                        dealt.probe(plan))
                .poisoned(plan);
    }

    /** Returns the rows of a table by worker, before anything is learnt from them. */
    public static SourceProbe probe(Table table, Plan plan) {
        DealtTable dealt = DealtTable.of(table, plan).poisoned(plan);
        requireLabels(dealt, plan);
        return dealt.probe(plan);
    }

    private static Optional<int[]> some(int[] rows) {
        return Optional.of(rows).filter(r -> r.length > 0);
    }

    /**
     * Returns what the plan uses each row of a table for.
     *
     * @param outline of the table
     */
    static RowRoles roles(Table table, Dataset outline, Plan plan) {
        return RowRoles.of(
                outline,
                PlannedHoldOut.of(table, plan),
                plan.get(PlanKey.ROOT),
                training -> partition(training, plan),
                plan.seed());
    }

    /** Returns what the plan says about the preparation of rows for its model. */
    public static PreparationSettings settings(Plan plan, Model model, AcrossSources across) {
        Check.that(
                plan.get(PlanKey.SOURCE_WEIGHTS) == SourceWeights.EQUAL
                        || !(plan.get(PlanKey.UPDATE).value() instanceof LocalWork.Newton),
                "--source-weights rows needs --update gradient or delta: the length of a Newton step does not depend on how"
                        + " much rows weigh");
        Check.that(
                plan.get(PlanKey.SOURCE_WEIGHTS) == SourceWeights.EQUAL || !(plan.objective() instanceof WorstSources),
                "--source-weights rows and --objective group exclude each other: both say how much a source counts");
        return new PreparationSettings(
                plan.get(PlanKey.SCALE),
                plan.get(PlanKey.INTERCEPT),
                model.labelUnit(),
                plan.get(PlanKey.CLASS_WEIGHTS),
                plan.get(PlanKey.SOURCE_WEIGHTS),
                plan.get(PlanKey.STORAGE),
                !plan.bySource(),
                across);
    }

    public Scaling scaling() {
        return preparation.scaling();
    }

    public LabelScaling labels() {
        return preparation.labels();
    }

    /** Returns the same data with the liars' shards poisoned, if the plan attacks prepared rows. */
    public PreparedData poisoned(Plan plan) {
        if (!(plan.attack() instanceof RowAttack)) {
            return this;
        }
        List<Dataset> changed = IntStream.range(0, shards.size())
                .mapToObj(w -> poisoned(shards.get(w), w, shards.size(), plan))
                .toList();
        return new PreparedData(preparation, across, training, partition, changed, root, heldOut, unusable, probe);
    }

    /** Returns the prepared rows of a worker as it uses them: poisoned, if the plan simulates that it attacks them. */
    public static Dataset poisoned(Dataset shard, int worker, int workers, Plan plan) {
        return plan.attack() instanceof RowAttack attack
                        && Arrays.binarySearch(ResolvedPlan.liars(plan, workers), worker) >= 0
                ? attack.poison(shard, plan.seed().child("poison").child("worker", worker))
                : shard;
    }

    /**
     * Returns a worker for the server's own rows. It uses all of them and otherwise works like the other workers. Empty
     * if the server has no rows.
     */
    public Optional<Worker> root(Plan plan) {
        return root.map(rows -> {
            Plan resolved = resolve(plan);
            return new Worker(
                    -1,
                    rows,
                    Optional.empty(),
                    resolved.loss(rows.schema()),
                    ResolvedPlan.localWork(resolved, RowSampling.ALL));
        });
    }

    /**
     * Trains by the plan on the caller's thread and returns the parameters. If the plan attacks prepared rows, the shards
     * are first poisoned; if it attacks raw rows, this must have been prepared from those.
     */
    public double[] train(Plan plan) {
        PreparedData own = poisoned(plan);
        Plan resolved = resolve(plan);
        try (InProcessPool pool = new InProcessPool(own.workers(resolved), 1)) {
            WorkerPool all = PreparedRun.allWorkers(pool, resolved, unusable);
            TrainingLoop loop = new TrainingLoop(
                    resolved.resolve(training.schema(), all.workers()).loop(own.root(resolved)), all);
            return loop.result(loop.run(loop.start(), round -> {})).theta();
        }
    }

    /** Returns the plan's model with these parameters. */
    public TrainedModel model(Plan plan, double[] theta) {
        return TrainedModel.of(plan, training.schema(), preparation, theta);
    }

    /** Starts the plan's workers on this many threads of this process. */
    public PreparedRun startWorkers(Plan asked, int threads) {
        Plan plan = asked.scaled(preparation, training.schema());
        plan.requireDecides(training.schema());
        plan.objective(training.schema());
        Optional<PriceChoice> price = price(plan);
        Plan resolved = resolver(plan).resolve(PriceChoice.priced(plan, price));
        return new PreparedRun(
                resolved,
                new InProcessPool(workers(resolved), threads),
                partition.workers(),
                shards.stream().mapToLong(Dataset::rows).toArray(),
                training.source(),
                training.schema(),
                training.rows()
                        + root.map(Dataset::rows).orElse(0)
                        + heldOut.map(Dataset::rows).orElse(0),
                RowReach.of(training, resolved.box(resolved.model(training.schema())))
                        .counted(preparation.weighting()),
                preparation,
                root(resolved),
                unusable,
                heldOut,
                price,
                probe);
    }

    /** Returns the plan's workers. */
    public List<Worker> workers(Plan plan) {
        Plan resolved = resolve(plan);
        Objective objective = resolved.loss(training.schema());
        shards.forEach(shard -> shard.blocks().forEach(objective::requireServes));
        ResolvedPlan.requireEnoughRows(
                resolved,
                partition.workers(),
                shards.stream().mapToLong(Dataset::rows).toArray());
        return IntStream.range(0, shards.size())
                .mapToObj(w -> ResolvedPlan.worker(resolved, w, shards.get(w), objective))
                .toList();
    }

    /** Returns one worker per shard; each sends the gradient on all its rows. */
    public List<Worker> workers(Objective objective) {
        return IntStream.range(0, shards.size())
                .mapToObj(w -> new Worker(w, shards.get(w), objective))
                .toList();
    }

    /** Returns the plan with its open numbers filled in from the data; see {@link PlanResolver} and {@link PriceChoice}. */
    public Plan resolve(Plan asked) {
        Plan plan = asked.scaled(preparation, training.schema());
        return resolver(plan).resolve(PriceChoice.priced(plan, price(plan)));
    }

    private PlanResolver resolver(Plan plan) {
        int workers = shards.size() + unusable.size() * plan.get(PlanKey.REPLICAS);
        return new PlanResolver(training, across, preparation.weighting(), workers);
    }

    private Optional<PriceChoice> price(Plan plan) {
        return PriceChoice.of(
                resolver(plan).penalised(plan),
                probe,
                preparation,
                training.schema(),
                shards.stream().mapToLong(Dataset::rows).toArray(),
                unusable,
                this::root,
                priced -> resolver(priced).resolve(priced).loss(training.schema()));
    }

    /** Assigns the training rows to workers as the plan says, from their sources and labels alone. */
    public static Partition partition(Dataset training, Plan plan) {
        int replicas = plan.get(PlanKey.REPLICAS);
        if (plan.bySource()) {
            Check.that(
                    training.hasGroups(),
                    "--workers-by is '%s', but the data name no source",
                    plan.get(PlanKey.WORKERS_BY).orElseThrow());
            return Partition.bySource(training).replicated(replicas);
        }
        return plan.get(PlanKey.PARTITION)
                .value()
                .deal(training, shards(plan), plan.seed())
                .replicated(replicas);
    }

    /**
     * Returns the number of shards that the rows are divided into. Each shard has as many workers as there are
     * replicas.
     */
    public static int shards(Plan plan) {
        int workers = plan.get(PlanKey.WORKERS);
        int replicas = plan.get(PlanKey.REPLICAS);
        Check.that(
                workers % replicas == 0,
                "--workers must be a multiple of --replicas, got %d workers for %d replicas",
                workers,
                replicas);
        return workers / replicas;
    }

    private static void requireLabels(DealtTable dealt, Plan plan) {
        requireDifferentLabels(dealt.outline(), dealt.roles().learning());
        requireAllows(plan.model(dealt.table().schema()).target(), dealt.outline());
    }

    private static void requireDifferentLabels(Dataset data, int[] training) {
        double first = data.label(training[0]);
        if (Arrays.stream(training).anyMatch(r -> data.label(r) != first)) {
            return;
        }
        List<String> classes = data.schema().classes();
        Check.that(
                false,
                "%s: there must be rows of %s, but every %s is %s",
                data.source().name(),
                classes.isEmpty() ? "different labels" : classes.size() == 2 ? "both classes" : "several classes",
                data.schema().label(),
                classes.isEmpty() ? Spec.print(first) : classes.get((int) first));
    }

    /** Applies the same scaling to other unscaled rows, such as those held out. */
    public Dataset scaled(Dataset rows) {
        return labels().apply(scaling().apply(rows));
    }

    private static void requireAllows(Target target, Dataset data) {
        for (int r = 0; r < data.rows(); r++) {
            int row = r + 1;
            target.requireAllows(
                    data.label(r),
                    () -> data.source().name() + ": row " + row + ", "
                            + data.schema().label());
        }
    }
}
