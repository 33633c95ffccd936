package holdfast.training;

import holdfast.Seed;
import holdfast.data.Block;
import holdfast.data.LabelFunction;
import holdfast.data.Rows;
import holdfast.math.Vectors;
import holdfast.model.Model;
import holdfast.objective.Iterate;
import holdfast.objective.RobustLoss;
import holdfast.objective.ShardSums;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.preparation.SecondMoment;
import java.io.Serializable;
import java.util.List;
import java.util.function.DoubleBinaryOperator;
import java.util.stream.IntStream;

/** The numbers that a plan leaves to be found from the data: the box and the learning rates. */
public final class PlanResolver {
    private static final int TRIAL_STEPS = 60;
    private static final double TRIAL_RANGE = 32;

    private final Rows training;
    private double curvature = Double.NaN;

    /** @param training the training rows, scaled and weighted */
    public PlanResolver(Rows training) {
        this.training = training;
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
    public Plan resolve(Plan given) {
        Plan plan = boxed(given);
        String update = plan.get(PlanKey.UPDATE).name();
        Plan local = leavesLocalRateOpen(plan) ? plan.with(PlanKey.LOCAL_RATE, gradientRate(plan)) : plan;
        return Double.isNaN(plan.get(PlanKey.LEARNING_RATE))
                ? local.with(PlanKey.LEARNING_RATE, update.equals("gradient") ? gradientRate(plan) : 1)
                : local;
    }

    /** Whether a plan leaves rates to be found. */
    public static boolean leavesRatesOpen(Plan plan) {
        return Double.isNaN(plan.get(PlanKey.LEARNING_RATE)) || leavesLocalRateOpen(plan);
    }

    private static boolean leavesLocalRateOpen(Plan plan) {
        return plan.get(PlanKey.UPDATE).name().equals("delta") && Double.isNaN(plan.get(PlanKey.LOCAL_RATE));
    }

    private double gradientRate(Plan plan) {
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
    private double descending(Plan plan, double most) {
        RobustLoss loss = plan.loss(training.schema());
        int d = training.schema().features().size();
        double rate = most;
        double[] theta = plan.start(loss.model().parameters(d));
        ShardSums sums = sums(loss, theta);
        for (int step = 0; step < TRIAL_STEPS && rate > most / TRIAL_RANGE; step++) {
            double[] next = theta.clone();
            Vectors.addScaled(next, -rate, loss.gradient(Iterate.of(theta), sums, d), next.length);
            ShardSums there = sums(loss, next);
            if (loss.value(Iterate.of(next), there, d) <= loss.value(Iterate.of(theta), sums, d)) {
                theta = next;
                sums = there;
            } else {
                rate /= 2;
            }
        }
        return rate;
    }

    private ShardSums sums(RobustLoss loss, double[] theta) {
        return training.reduce(
                block -> {
                    loss.requireServes(block);
                    return loss.sums(Iterate.of(theta), List.of(block), true);
                },
                ShardSums::merge);
    }

    /** The plan with the box that its model needs, automatic so far, around all training rows. */
    private Plan boxed(Plan plan) {
        if (!Double.isNaN(plan.get(PlanKey.BOX))
                || plan.get(PlanKey.LAMBDA) == Double.POSITIVE_INFINITY
                || !plan.model(training.schema()).needsBox()) {
            return plan;
        }
        double most = training.reduce(PlanResolver::largest, Math::max);
        return plan.with(PlanKey.BOX, most > 0 ? most : 1);
    }

    private static double largest(Block block) {
        double[] most = new double[1];
        for (int j = 0; j < block.rows(); j++) {
            block.nonZeros(j, (column, value) -> most[0] = Math.max(most[0], Math.abs(value)));
        }
        return most[0];
    }

    /**
     * The smoothness of the plain loss on the training rows: the largest eigenvalue, by power iteration, of (1/n) sum w_j
     * K_j x_j x_j^T, with a 1 appended to x when there is an intercept. K_j bounds l''; where nothing bounds it everywhere,
     * at scores that fit the labels, e^u up to |y_j| plus the mean.
     */
    public double curvature(Model model, Seed seed) {
        curvature = new SecondMoment(training, bound(model), model.hasIntercept()).largestEigenvalue(seed)
                / training.count();
        return curvature;
    }

    /** The curvature that was found last, which takes many passes over the rows; NaN if it was not needed. */
    public double foundCurvature() {
        return curvature;
    }

    private LabelFunction bound(Model model) {
        if (model.needsBox()) {
            double mean = mean((label, weight) -> Math.abs(label));
            return label -> model.curvatureBound(StrictMath.log(Math.max(1, Math.abs(label) + mean)), Math.abs(label));
        }
        double everywhere = model.curvatureBound(Double.POSITIVE_INFINITY, 0);
        return label -> everywhere;
    }

    private double meanSquaredSlope(Model model) {
        LabelFunction bound = model.slopeBound();
        return mean((label, weight) -> {
            double slope = bound.applyAsDouble(label);
            return weight * slope * slope;
        });
    }

    private interface Term extends DoubleBinaryOperator, Serializable {}

    private double mean(Term f) {
        return training.reduce(
                        block -> Vectors.sum(
                                IntStream.range(0, block.rows())
                                        .mapToDouble(j -> f.applyAsDouble(block.label(j), block.weight(j)))
                                        .toArray(),
                                block.rows()),
                        Double::sum)
                / training.count();
    }
}
