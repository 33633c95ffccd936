package holdfast.training;

import holdfast.Check;
import holdfast.Seed;
import holdfast.attack.DataAttack;
import holdfast.data.Dataset;
import holdfast.data.Partition;
import holdfast.data.Partitions;
import holdfast.data.Scaling;
import holdfast.data.SecondMoment;
import holdfast.data.Split;
import holdfast.worstcase.RobustLoss;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Data ready for rounds: rows held out, scaling fitted on the rest, one shard per worker.
 *
 * @param scaling fitted on the training rows
 * @param training the training rows, scaled and weighted
 * @param partition which worker holds which of them
 * @param shards the workers' rows
 * @param root the rows the server keeps for itself, scaled and weighted; null if there are none
 * @param heldOut the rows held out, unscaled; null if there are none
 */
public record PreparedData(
        Scaling scaling, Dataset training, Partition partition, List<Dataset> shards, Dataset root, Dataset heldOut) {

    public static PreparedData of(Dataset data, TrainingPlan plan) {
        Split split = Split.stratified(data, plan.get(PlanKey.TEST_SHARE), plan.seed());
        Dataset rows = data.select(split.training());
        requireBothClasses(rows);
        Scaling scaling = Scaling.fit(plan.get(PlanKey.SCALE), rows);
        Dataset all = weighted(scaling.apply(rows), plan.get(PlanKey.CLASS_WEIGHTS));
        int[] root = root(all, plan);
        Dataset training = root.length == 0
                ? all
                : all.select(IntStream.range(0, all.rows())
                        .filter(r -> Arrays.binarySearch(root, r) < 0)
                        .toArray());
        Partition partition = partition(training, plan);
        return new PreparedData(
                        scaling,
                        training,
                        partition,
                        partition.rows().stream().map(training::select).toList(),
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
        return new PreparedData(scaling, training, partition, changed, root, heldOut);
    }

    /** Who answers for the server's own rows; null if it has none. */
    public Worker root(RobustLoss loss) {
        return root == null ? null : new Worker(-1, root, loss);
    }

    /** theta after the plan's rounds, computed on the caller's thread; the shards are first poisoned if it says so. */
    public double[] train(TrainingPlan plan) {
        PreparedData own = poisoned(plan);
        TrainingPlan resolved = resolve(plan);
        try (InProcessPool pool = new InProcessPool(own.workers(resolved), 1)) {
            TrainingLoop loop = new TrainingLoop(resolved, pool, training.columns(), own.root(plan.loss()));
            return loop.run(loop.start(), round -> {}).theta();
        }
    }

    /** One worker per shard, with the plan's loss and local work. */
    public List<Worker> workers(TrainingPlan plan) {
        LocalWork work = resolve(plan).localWork();
        Batch batch = work.batch();
        for (int w = 0; w < shards.size(); w++) {
            Check.that(
                    batch.size() <= shards.get(w).rows(),
                    "batch must be at most the rows of every worker, got %d, but worker %s holds %d",
                    batch.size(),
                    partition.workers().get(w),
                    shards.get(w).rows());
        }
        return workers(plan.loss(), work);
    }

    /** One worker per shard, each sending the gradient on all its rows. */
    public List<Worker> workers(RobustLoss loss) {
        return workers(loss, LocalWork.GRADIENT);
    }

    private List<Worker> workers(RobustLoss loss, LocalWork work) {
        return IntStream.range(0, shards.size())
                .mapToObj(i -> new Worker(i, shards.get(i), loss, work))
                .toList();
    }

    /**
     * The plan with its automatic learning rate replaced by the number it stands for on these data: 1/L with L =
     * (largest eigenvalue of the second moment)/4 + l2 + 1/lambda. The first term is the smoothness of the plain loss,
     * the last bounds what the moves of the rows, at most ||theta||/lambda long, add to it while lambda is well above
     * L_zz. (Lemma 1's constant from the longest row holds always and is a hundred times larger on real data.)
     */
    public TrainingPlan resolve(TrainingPlan plan) {
        if (!Double.isNaN(plan.get(PlanKey.LEARNING_RATE))) {
            return plan;
        }
        if (plan.get(PlanKey.UPDATE).name().equals("newton")) {
            return plan.with(PlanKey.LEARNING_RATE, 1.0); // A Newton step has its length already.
        }
        double smoothness = secondMoment(plan.get(PlanKey.INTERCEPT), plan.seed()) / 4
                + plan.get(PlanKey.L2)
                + 1 / plan.get(PlanKey.LAMBDA);
        // Where every feature is constant there is nothing to learn, and any rate will do.
        return plan.with(PlanKey.LEARNING_RATE, smoothness > 0 ? 1 / smoothness : 1);
    }

    private static Partition partition(Dataset training, TrainingPlan plan) {
        if (!plan.get(PlanKey.WORKERS_BY).isEmpty()) {
            Check.that(
                    training.hasGroups(),
                    "workers-by is '%s', but the data name no source",
                    plan.get(PlanKey.WORKERS_BY));
            return Partition.bySource(training);
        }
        int workers = plan.get(PlanKey.WORKERS);
        return Partitions.catalogue().create(plan.get(PlanKey.PARTITION)).deal(training, workers, plan.seed());
    }

    private static void requireBothClasses(Dataset data) {
        double first = data.label(0);
        for (int r = 1; r < data.rows(); r++) {
            if (data.label(r) != first) {
                return;
            }
        }
        Check.that(
                false,
                "%s: there must be rows of both classes, but every %s is %s",
                data.source().name(),
                data.schema().label(),
                data.schema().classes().get((int) first));
    }

    /** Weights have mean 1 over the training rows when balanced: n/(2 n_c) for class c. */
    private static Dataset weighted(Dataset data, String classWeights) {
        if (classWeights.equals("none")) {
            return data;
        }
        double[] byClass = new double[2];
        if (classWeights.equals("balanced")) {
            double positives = 0;
            for (int r = 0; r < data.rows(); r++) {
                positives += data.label(r);
            }
            byClass[0] = data.rows() / (2 * (data.rows() - positives));
            byClass[1] = data.rows() / (2 * positives);
        } else {
            String[] parts = classWeights.split(",");
            byClass[0] = Double.parseDouble(parts[0]);
            byClass[1] = Double.parseDouble(parts[1]);
        }
        return data.map(block -> {
            double[] weights = new double[block.rows()];
            for (int j = 0; j < weights.length; j++) {
                weights[j] = byClass[(int) block.labels()[j]];
            }
            return block.weighted(weights);
        });
    }

    /**
     * The largest eigenvalue of the weighted second moment (1/n) sum w_j x_j x_j^T, with a 1 appended to x when there is
     * an intercept, by power iteration. L_theta,theta of the plain logistic loss is a quarter of it, which is far
     * smaller than the worst-case bound from the longest row.
     */
    public double secondMoment(boolean intercept, Seed seed) {
        return new SecondMoment(training.blocks(), intercept).largestEigenvalue(seed) / training.rows();
    }
}
