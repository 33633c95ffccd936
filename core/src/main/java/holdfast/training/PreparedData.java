package holdfast.training;

import holdfast.Check;
import holdfast.Seed;
import holdfast.Spec;
import holdfast.attack.DataAttack;
import holdfast.data.Block;
import holdfast.data.Dataset;
import holdfast.data.LabelScaling;
import holdfast.data.Partition;
import holdfast.data.Partitions;
import holdfast.data.Scaling;
import holdfast.data.SecondMoment;
import holdfast.data.Split;
import holdfast.math.Tree;
import holdfast.math.Vectors;
import holdfast.model.Model;
import holdfast.model.Target;
import holdfast.worstcase.RobustLoss;
import holdfast.worstcase.ShardSums;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.DoubleBinaryOperator;
import java.util.stream.IntStream;

/**
 * Data ready for rounds: rows held out, scaling fitted on the rest, one shard per worker.
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
    private static final int TRIAL_STEPS = 60;
    private static final double TRIAL_RANGE = 32;

    public static PreparedData of(Dataset data, TrainingPlan plan) {
        Split split = Split.stratified(data, plan.get(PlanKey.TEST_SHARE), plan.seed());
        Dataset rows = data.select(split.training());
        requireDifferentLabels(rows);
        Model model = plan.model(data.schema());
        mustAllow(model.target(), data);
        Scaling scaling = Scaling.fit(plan.get(PlanKey.SCALE), rows);
        LabelScaling labels =
                plan.get(PlanKey.SCALE) == Scaling.Kind.NONE ? LabelScaling.NONE : model.labelScaling(rows);
        Dataset all = weighted(labels.apply(scaling.apply(rows)), plan.get(PlanKey.CLASS_WEIGHTS));
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
                        split.heldOut().length == 0 ? null : data.select(split.heldOut()))
                .poisoned(plan);
    }

    private static int[] root(Dataset rows, TrainingPlan plan) {
        int count = plan.get(PlanKey.ROOT);
        Check.that(count < rows.rows(), "root must be below the %d training rows, got %d", rows.rows(), count);
        return plan.seed().child("root").random().choose(count, rows.rows());
    }

    /** The same with the liars' shards poisoned, if the plan attacks data. */
    public PreparedData poisoned(TrainingPlan plan) {
        if (!(plan.attack() instanceof DataAttack attack)) {
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
    public Worker root(TrainingPlan plan) {
        if (root == null) {
            return null;
        }
        TrainingPlan resolved = resolve(plan);
        return new Worker(-1, root, null, resolved.loss(root.schema()), resolved.localWork(Batch.ALL));
    }

    /** The parameters that the plan gives, computed on the caller's thread; the shards are first poisoned if it says so. */
    public double[] train(TrainingPlan plan) {
        PreparedData own = poisoned(plan);
        TrainingPlan resolved = resolve(plan);
        try (InProcessPool pool = new InProcessPool(own.workers(resolved), 1)) {
            TrainingLoop loop = new TrainingLoop(resolved, pool, training.schema(), own.root(resolved));
            return loop.result(loop.run(loop.start(), round -> {})).theta();
        }
    }

    /** The plan's workers. */
    public List<Worker> workers(TrainingPlan plan) {
        TrainingPlan resolved = resolve(plan);
        RobustLoss loss = resolved.loss(training.schema());
        shards.forEach(shard -> shard.blocks().forEach(loss.maximiser()::mustServe));
        List<Worker> workers = IntStream.range(0, shards.size())
                .mapToObj(w -> Worker.of(w, shards.get(w), loss, resolved))
                .toList();
        for (Worker worker : workers) {
            Check.that(
                    worker.work().batch().size() <= worker.shard().rows(),
                    "batch must be at most the rows of every worker, got %d, but worker %s trains on %d",
                    worker.work().batch().size(),
                    partition.workers().get(worker.id()),
                    worker.shard().rows());
        }
        return workers;
    }

    /** One worker per shard, each sending the gradient on all its rows. */
    public List<Worker> workers(RobustLoss loss) {
        return IntStream.range(0, shards.size())
                .mapToObj(w -> new Worker(w, shards.get(w), loss))
                .toList();
    }

    /**
     * The plan with its automatic box and rates replaced by the numbers they stand for on these data. The box is the
     * largest value of the training rows, for a model that needs one. A gradient's rate is 1/L with L =
     * {@link #curvature} + l2 + S^2/lambda, S^2 the mean of the squared bounds of l'. The first term is the smoothness of
     * the plain loss, the last bounds what the moves of the rows, at most S ||theta||/lambda long, add to it while lambda
     * is well above L_zz; for a model in a box a few steps on these data correct it. (Lemma 1's constant from the longest
     * row holds always and is a hundred times larger on real data.) Model deltas and Newton steps have their length
     * already: 1.
     */
    public TrainingPlan resolve(TrainingPlan given) {
        TrainingPlan plan = boxed(given);
        String update = plan.get(PlanKey.UPDATE).name();
        TrainingPlan local = update.equals("delta") && Double.isNaN(plan.get(PlanKey.LOCAL_RATE))
                ? plan.with(PlanKey.LOCAL_RATE, gradientRate(plan))
                : plan;
        return Double.isNaN(plan.get(PlanKey.LEARNING_RATE))
                ? local.with(PlanKey.LEARNING_RATE, update.equals("gradient") ? gradientRate(plan) : 1)
                : local;
    }

    private double gradientRate(TrainingPlan plan) {
        Model model = plan.model(training.schema());
        double smoothness = curvature(model, plan.seed())
                + plan.get(PlanKey.L2)
                + meanSquaredSlope(model) / plan.get(PlanKey.LAMBDA);
        // Where every feature is constant there is nothing to learn, and any rate will do.
        double rate = smoothness > 0 ? 1 / smoothness : 1;
        boolean trial = model.needsBox() && plan.get(PlanKey.LAMBDA) < Double.POSITIVE_INFINITY;
        return trial ? descending(plan, rate) : rate;
    }

    /**
     * The rate, halved a few times at most when the objective on all training rows rises in a step from the plan's start.
     * Rows that may jump to a far corner of their box make it steeper than the labels tell.
     */
    private double descending(TrainingPlan plan, double most) {
        RobustLoss loss = plan.loss(training.schema());
        training.blocks().forEach(loss.maximiser()::mustServe);
        int d = training.columns();
        double rate = most;
        double[] theta = plan.start(loss.model().parameters(d));
        ShardSums sums = loss.sums(theta, training, 0, true);
        for (int step = 0; step < TRIAL_STEPS && rate > most / TRIAL_RANGE; step++) {
            double[] next = theta.clone();
            Vectors.addScaled(next, -rate, loss.gradient(theta, sums, d), next.length);
            ShardSums there = loss.sums(next, training, 0, true);
            if (loss.value(next, there, d) <= loss.value(theta, sums, d)) {
                theta = next;
                sums = there;
            } else {
                rate /= 2;
            }
        }
        return rate;
    }

    /** The plan with the box that its model needs, automatic so far, around all training rows. */
    private TrainingPlan boxed(TrainingPlan plan) {
        if (!Double.isNaN(plan.get(PlanKey.BOX))
                || plan.get(PlanKey.LAMBDA) == Double.POSITIVE_INFINITY
                || !plan.model(training.schema()).needsBox()) {
            return plan;
        }
        double[] most = new double[1];
        for (Block block : training.blocks()) {
            for (int j = 0; j < block.rows(); j++) {
                block.nonZeros(j, (column, value) -> most[0] = Math.max(most[0], Math.abs(value)));
            }
        }
        return plan.with(PlanKey.BOX, most[0] > 0 ? most[0] : 1);
    }

    private static Partition partition(Dataset training, TrainingPlan plan) {
        int replicas = plan.get(PlanKey.REPLICAS);
        if (!plan.get(PlanKey.WORKERS_BY).isEmpty()) {
            Check.that(
                    training.hasGroups(),
                    "workers-by is '%s', but the data name no source",
                    plan.get(PlanKey.WORKERS_BY));
            return Partition.bySource(training).replicated(replicas);
        }
        int workers = plan.get(PlanKey.WORKERS);
        Check.that(
                workers % replicas == 0,
                "workers must be a multiple of replicas, got %d workers for %d replicas",
                workers,
                replicas);
        return Partitions.catalogue()
                .create(plan.get(PlanKey.PARTITION))
                .deal(training, workers / replicas, plan.seed())
                .replicated(replicas);
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

    private static void mustAllow(Target target, Dataset data) {
        for (int r = 0; r < data.rows(); r++) {
            int row = r + 1;
            target.mustAllow(
                    data.label(r),
                    () -> data.source().name() + ": row " + row + ", "
                            + data.schema().label());
        }
    }

    /**
     * The rows' own weights, relative to their mean so that they change nothing in what l2 and a learning rate mean, times
     * those of their classes; balanced weights, n/(k n_c) for class c of k, have mean 1.
     */
    private static Dataset weighted(Dataset data, String classWeights) {
        if (classWeights.equals("none") && !data.weighted()) {
            return data;
        }
        double[] byClass = byClass(data, classWeights);
        double mean = meanOfRows(data, (label, weight) -> weight);
        return data.map(block -> block.weighted(
                eachRow(block, (label, weight) -> weight / mean * (byClass.length == 0 ? 1 : byClass[(int) label]))));
    }

    /** Empty if classes have no weights. */
    private static double[] byClass(Dataset data, String classWeights) {
        if (classWeights.equals("none")) {
            return new double[0];
        }
        int k = data.schema().classes().size();
        Check.that(
                k > 0,
                "class-weights need classes, but %s has numbers",
                data.schema().label());
        return classWeights.equals("balanced") ? balanced(data, k) : given(classWeights, k);
    }

    private static double[] given(String classWeights, int k) {
        double[] weights = Arrays.stream(classWeights.split(","))
                .mapToDouble(Double::parseDouble)
                .toArray();
        Check.that(weights.length == k, "class-weights must be %d numbers, one per class, got %d", k, weights.length);
        return weights;
    }

    private static double[] balanced(Dataset data, int k) {
        double[] counts = new double[k];
        for (int r = 0; r < data.rows(); r++) {
            counts[(int) data.label(r)]++;
        }
        return Arrays.stream(counts).map(count -> data.rows() / (k * count)).toArray();
    }

    /**
     * The smoothness of the plain loss on the training rows: the largest eigenvalue, by power iteration, of (1/n) sum w_j
     * K_j x_j x_j^T, with a 1 appended to x when there is an intercept. K_j bounds l'' at scores that fit the labels, e^u up
     * to |y_j| plus the mean; only unbounded l'' look at them.
     */
    public double curvature(Model model, Seed seed) {
        double mean = meanOfRows(training, (label, weight) -> Math.abs(label));
        List<Block> bent = training.blocks().stream()
                .map(block -> block.weighted(eachRow(
                        block,
                        (label, weight) -> weight
                                * model.curvatureBound(
                                        StrictMath.log(Math.max(1, Math.abs(label) + mean)), Math.abs(label)))))
                .toList();
        return new SecondMoment(bent, model.hasIntercept()).largestEigenvalue(seed) / training.rows();
    }

    private double meanSquaredSlope(Model model) {
        return meanOfRows(training, (label, weight) -> {
            double slope = model.slopeBound(0, Math.abs(label));
            return weight * slope * slope;
        });
    }

    private static double meanOfRows(Dataset data, DoubleBinaryOperator f) {
        List<Block> blocks = data.blocks();
        return Tree.reduce(
                        blocks.size(),
                        b -> Vectors.sum(
                                eachRow(blocks.get(b), f), blocks.get(b).rows()),
                        Double::sum)
                / data.rows();
    }

    /** f(label, weight) of every row. */
    private static double[] eachRow(Block block, DoubleBinaryOperator f) {
        return IntStream.range(0, block.rows())
                .mapToDouble(j -> f.applyAsDouble(block.label(j), block.weight(j)))
                .toArray();
    }
}
