package holdfast.training;

import holdfast.Check;
import holdfast.Spec;
import holdfast.attack.RowAttack;
import holdfast.data.Dataset;
import holdfast.data.Encoding;
import holdfast.data.LabelScaling;
import holdfast.data.Partition;
import holdfast.data.Partitions;
import holdfast.data.Scaling;
import holdfast.data.Schema;
import holdfast.data.Split;
import holdfast.data.Weighting;
import holdfast.model.Model;
import holdfast.model.Target;
import holdfast.objective.RobustLoss;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.rounds.InProcessPool;
import holdfast.rounds.RowSampling;
import holdfast.rounds.TrainingLoop;
import holdfast.rounds.Worker;
import holdfast.rounds.WorkerPool;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Data ready for rounds: rows held out, encoding and scaling learnt from the rest, one shard per worker.
 *
 * @param scaling fitted on the training rows
 * @param labels the same for labels that are numbers, unless nothing is scaled
 * @param training the training rows, scaled and weighted
 * @param partition which worker holds which of them
 * @param shards the workers' rows, the same for all replicas of a shard
 * @param root the rows the server keeps for itself, scaled and weighted; null if there are none
 * @param heldOut the rows held out, unscaled; null if there are none
 */
public record PreparedData(
        Scaling scaling,
        LabelScaling labels,
        Dataset training,
        Partition partition,
        List<Dataset> shards,
        Dataset root,
        Dataset heldOut) {
    public static PreparedData of(Dataset data, Plan plan) {
        Split split = Split.stratified(data, plan.get(PlanKey.TEST_SHARE), plan.seed());
        Encoding encoding = Encoding.learn(data, split.training());
        Dataset rows = encoding.apply(data, split.training());
        requireDifferentLabels(rows);
        Model model = plan.model(data.schema());
        requireAllows(model.target(), data);
        Scaling scaling = Scaling.fit(plan.get(PlanKey.SCALE), rows, plan.get(PlanKey.INTERCEPT));
        LabelScaling labels =
                plan.get(PlanKey.SCALE) == Scaling.Kind.NONE ? LabelScaling.NONE : model.labelScaling(rows);
        Weighting weighting = Weighting.fit(rows, rows.weighted(), plan.get(PlanKey.CLASS_WEIGHTS));
        Dataset scaled = scaling.apply(rows);
        Dataset kept = plan.get(PlanKey.STORAGE).equals("float") ? scaled.inFloats(r -> split.training()[r]) : scaled;
        Dataset labelled = labels.apply(kept);
        Dataset all = weighting == null ? labelled : labelled.map(weighting::apply);
        int[] root = root(all, plan);
        Dataset training = root.length == 0
                ? all
                : all.select(IntStream.range(0, all.rows())
                        .filter(r -> Arrays.binarySearch(root, r) < 0)
                        .toArray());
        Partition partition = partition(training, plan);
        int replicas = plan.get(PlanKey.REPLICAS);
        List<Dataset> shards = new ArrayList<>();
        for (int w = 0; w < partition.size(); w += replicas) {
            shards.addAll(Collections.nCopies(
                    replicas, training.select(partition.rows().get(w))));
        }
        return new PreparedData(
                        scaling,
                        labels,
                        training,
                        partition,
                        shards,
                        root.length == 0 ? null : all.select(root),
                        split.heldOut().length == 0
                                ? null
                                : encoding.apply(data, split.heldOut())
                                        .named(data.source().name() + " (held out)"))
                .poisoned(plan);
    }

    /** What the features mean that the plan's training rows make of the data's columns. */
    public static Schema features(Dataset data, Plan plan) {
        int[] training = Split.stratified(data, plan.get(PlanKey.TEST_SHARE), plan.seed())
                .training();
        return Encoding.learn(data, training).schema(data.schema());
    }

    private static int[] root(Dataset rows, Plan plan) {
        int count = plan.get(PlanKey.ROOT);
        Check.that(count < rows.rows(), "root must be below the %d training rows, got %d", rows.rows(), count);
        return plan.seed().child("root").random().choose(count, rows.rows());
    }

    /** The same with the liars' shards poisoned, if the plan attacks data. */
    public PreparedData poisoned(Plan plan) {
        if (!(plan.attack() instanceof RowAttack attack)) {
            return this;
        }
        List<Dataset> changed = new ArrayList<>(shards);
        for (int liar : plan.byzantine(shards.size())) {
            changed.set(
                    liar,
                    attack.poison(shards.get(liar), plan.seed().child("poison").child("worker", liar)));
        }
        return new PreparedData(scaling, labels, training, partition, changed, root, heldOut);
    }

    /** Who answers for the server's own rows, working on all of them as the workers do on theirs; null if it has none. */
    public Worker root(Plan plan) {
        if (root == null) {
            return null;
        }
        Plan resolved = resolve(plan);
        return new Worker(-1, root, null, resolved.loss(root.schema()), resolved.localWork(RowSampling.ALL));
    }

    /** The parameters that the plan gives, computed on the caller's thread; the shards are first poisoned if it says so. */
    public double[] train(Plan plan) {
        PreparedData own = poisoned(plan);
        Plan resolved = resolve(plan);
        try (InProcessPool pool = new InProcessPool(own.workers(resolved), 1)) {
            TrainingLoop loop = new TrainingLoop(resolved, pool, training.schema(), own.root(resolved));
            return loop.result(loop.run(loop.start(), round -> {})).theta();
        }
    }

    /** The plan's workers, on so many threads of this process. */
    public PreparedRun engage(Plan plan, int threads) {
        Plan resolved = resolve(plan);
        return new PreparedRun(
                resolved,
                new InProcessPool(workers(resolved), threads),
                partition.workers(),
                shards.stream().mapToLong(Dataset::rows).toArray(),
                training.source(),
                training.schema(),
                training.rows() + (root == null ? 0 : root.rows()) + (heldOut == null ? 0 : heldOut.rows()),
                RowReach.of(training, resolved.box(resolved.model(training.schema()))),
                scaling,
                labels,
                root(resolved),
                heldOut,
                judged(resolved, threads));
    }

    private SourceProbe judged(Plan plan, int threads) {
        Model model = plan.model(training.schema());
        int[] poisoned = plan.attack() instanceof RowAttack ? plan.byzantine(shards.size()) : new int[0];
        return new SourceProbe() {
            private final Map<Integer, Dataset> rows = new HashMap<>();
            private List<Dataset> held;

            @Override
            public double curvature() {
                return new PlanResolver(training).curvature(model, plan.seed());
            }

            @Override
            public WorkerPool plain() {
                return new InProcessPool(workers(RobustLoss.plain(model)), threads);
            }

            @Override
            public List<Scored> scored(double[] theta, List<Integer> workers) {
                return workers.stream()
                        .map(w -> Scored.of(model, theta, rows.computeIfAbsent(w, this::rowsOf)))
                        .toList();
            }

            private Dataset rowsOf(int worker) {
                held = held == null ? SourceProbe.bySource(heldOut) : held;
                Dataset own =
                        Arrays.binarySearch(poisoned, worker) < 0 && worker < held.size() ? held.get(worker) : null;
                return own == null ? shards.get(worker) : shards.get(worker).append(scaled(own));
            }
        };
    }

    /** The plan's workers. */
    public List<Worker> workers(Plan plan) {
        Plan resolved = resolve(plan);
        RobustLoss loss = resolved.loss(training.schema());
        shards.forEach(shard -> shard.blocks().forEach(loss::requireServes));
        for (int w = 0; w < shards.size(); w++) {
            resolved.requireEnoughRows(partition.workers().get(w), shards.get(w).rows());
        }
        return IntStream.range(0, shards.size())
                .mapToObj(w -> Worker.of(w, shards.get(w), loss, resolved))
                .toList();
    }

    /** One worker per shard, each sending the gradient on all its rows. */
    public List<Worker> workers(RobustLoss loss) {
        return IntStream.range(0, shards.size())
                .mapToObj(w -> new Worker(w, shards.get(w), loss))
                .toList();
    }

    /** The plan with the numbers that it leaves to be found from the data, see {@link PlanResolver}. */
    public Plan resolve(Plan plan) {
        return new PlanResolver(training).resolve(plan);
    }

    /** Who holds which of the training rows by the plan: by their sources and labels alone. */
    public static Partition partition(Dataset training, Plan plan) {
        int replicas = plan.get(PlanKey.REPLICAS);
        if (!plan.get(PlanKey.WORKERS_BY).isEmpty()) {
            Check.that(
                    training.hasGroups(),
                    "workers-by is '%s', but the data name no source",
                    plan.get(PlanKey.WORKERS_BY));
            return Partition.bySource(training).replicated(replicas);
        }
        return Partitions.catalogue()
                .create(plan.get(PlanKey.PARTITION))
                .deal(training, shards(plan), plan.seed())
                .replicated(replicas);
    }

    /** How many shards the rows are dealt into, each for as many workers as there are replicas. */
    public static int shards(Plan plan) {
        int workers = plan.get(PlanKey.WORKERS);
        int replicas = plan.get(PlanKey.REPLICAS);
        Check.that(
                workers % replicas == 0,
                "workers must be a multiple of replicas, got %d workers for %d replicas",
                workers,
                replicas);
        return workers / replicas;
    }

    private static void requireDifferentLabels(Dataset data) {
        double first = data.label(0);
        for (int r = 1; r < data.rows(); r++) {
            if (data.label(r) != first) {
                return;
            }
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

    /** The same scaling of other unscaled rows, such as those held out. */
    public Dataset scaled(Dataset rows) {
        return labels.apply(scaling.apply(rows));
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
