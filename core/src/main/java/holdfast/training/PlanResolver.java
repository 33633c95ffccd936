package holdfast.training;

import holdfast.data.Block;
import holdfast.data.LabelFunction;
import holdfast.data.Rows;
import holdfast.math.Vectors;
import holdfast.model.LinearScores;
import holdfast.objective.Box;
import holdfast.objective.Iterate;
import holdfast.objective.Objective;
import holdfast.objective.ShardSums;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.plan.ResolvedPlan;
import holdfast.preparation.SecondMoment;
import holdfast.rounds.LocalWork;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.DoubleBinaryOperator;
import java.util.stream.IntStream;

/** Finds, from the data, the numbers that a plan leaves open: the box and the learning rates. */
public final class PlanResolver {
    private static final int TRIAL_STEPS = 60;
    private static final double TRIAL_RANGE = 32;
    /** Used if nothing is known about where to start. */
    private static final double WIDE_RANGE = 0x1p40;
    /** By how much, relative to itself, the objective may rise at its minimum, however small the steps. */
    private static final double ROUNDING = 1e-12;

    private final Rows training;
    private OptionalDouble curvature = OptionalDouble.empty();

    /**
     * Creates a resolver.
     *
     * @param training the training rows, scaled and weighted
     */
    public PlanResolver(Rows training) {
        this.training = training;
    }

    /**
     * Returns the plan with its automatic box and rates replaced by numbers for these data. The box is the largest
     * value of the training rows, for a model that needs one. A gradient's rate is 1/L with L = {@link #curvature} + l2
     * + S^2/lambda, where S^2 is the mean of the squared bounds of l'. The first term is the smoothness of the plain
     * loss. The last term bounds what the moves of the rows, at most S ||theta||/lambda long, add to it while lambda is
     * well above L_zz; for a model in a box, a few steps on these data correct it. (Lemma 1's constant from the longest
     * row always holds but is a hundred times larger on real data.) For a model that is not linear in its scores there
     * are no such bounds, and a few steps on these data find the rate, from 1 downwards. Model deltas and Newton steps
     * already have their length: their rate is 1.
     */
    public Plan resolve(Plan given) {
        Plan plan = boxed(given);
        boolean gradients = plan.get(PlanKey.UPDATE).value() instanceof LocalWork.Gradient;
        Plan local = leavesLocalRateOpen(plan) ? plan.with(PlanKey.LOCAL_RATE, Optional.of(gradientRate(plan))) : plan;
        return plan.get(PlanKey.LEARNING_RATE).isEmpty()
                ? local.with(PlanKey.LEARNING_RATE, Optional.of(gradients ? gradientRate(plan) : 1))
                : local;
    }

    /** Returns whether a plan leaves rates open. */
    public static boolean leavesRatesOpen(Plan plan) {
        return plan.get(PlanKey.LEARNING_RATE).isEmpty() || leavesLocalRateOpen(plan);
    }

    private static boolean leavesLocalRateOpen(Plan plan) {
        return plan.get(PlanKey.UPDATE).value() instanceof LocalWork.Delta
                && plan.get(PlanKey.LOCAL_RATE).isEmpty();
    }

    private double gradientRate(Plan plan) {
        if (!(plan.model(training.schema()) instanceof LinearScores model) || !plan.isPapersObjective()) {
            return descending(plan, 1, WIDE_RANGE, ROUNDING);
        }
        double smoothness = curvature(plan)
                + plan.get(PlanKey.L2)
                + plan.lambda().map(lambda -> meanSquaredSlope(model) / lambda).orElse(0.0);
        // If every feature is constant there is nothing to learn, and the rate does not matter.
        double rate = smoothness > 0 ? 1 / smoothness : 1;
        boolean trial = model.needsBox() && plan.lambda().isPresent();
        // No rise is too small to count: with any slack, plans of before would get other rates and other weights.
        return trial ? descending(plan, rate, TRIAL_RANGE, 0) : rate;
    }

    /**
     * Returns the rate that trial steps from the start find: beginning with {@code most}, it is halved each time the
     * objective on all training rows rises, down to most/range. Rows that may jump to a far corner of their box make
     * the objective steeper than the labels suggest.
     *
     * @param slack how large a rise, relative to the objective, counts as none
     */
    private double descending(Plan plan, double most, double range, double slack) {
        PortableObjective portable = new PortableObjective(plan, training.schema());
        Objective objective = portable.get();
        int d = training.schema().features().size();
        double rate = most;
        Iterate at = new Iterate(0, ResolvedPlan.start(plan, objective.model(), d), objective.startDuals());
        ShardSums sums = sums(portable, at);
        for (int step = 0; step < TRIAL_STEPS && rate > most / range; step++) {
            double[] theta = at.theta().clone();
            Vectors.addScaled(theta, -rate, objective.gradient(at, sums, d), theta.length);
            Iterate next = at.withTheta(theta);
            ShardSums there = sums(portable, next);
            double before = objective.value(at, sums, d);
            if (objective.value(next, there, d) <= before + slack * Math.abs(before)) {
                at = next;
                sums = there;
            } else {
                rate /= 2;
            }
        }
        return rate;
    }

    /** Other processes return an array: gradient, loss, number of rows and the sums for the duals. */
    private ShardSums sums(PortableObjective objective, Iterate at) {
        double[] theta = at.theta();
        double[] duals = at.duals();
        double[] all = training.reduce(
                block -> {
                    objective.get().requireServes(block);
                    ShardSums sums = objective.get().sums(new Iterate(0, theta, duals), List.of(block), true);
                    double[] packed = Arrays.copyOf(sums.gradient(), theta.length + 2 + duals.length);
                    packed[theta.length] = sums.loss();
                    packed[theta.length + 1] = sums.rows();
                    System.arraycopy(sums.duals(), 0, packed, theta.length + 2, duals.length);
                    return packed;
                },
                Vectors::add);
        return new ShardSums(
                Arrays.copyOf(all, theta.length),
                Arrays.copyOfRange(all, theta.length + 2, all.length),
                all[theta.length],
                (long) all[theta.length + 1],
                Double.NaN);
    }

    /** Replaces an automatic box by one around all training rows, if the model needs a box. */
    private Plan boxed(Plan plan) {
        if (plan.get(PlanKey.BOX).isPresent()
                || plan.lambda().isEmpty()
                || !plan.model(training.schema()).needsBox()) {
            return plan;
        }
        double most = training.reduce(PlanResolver::largest, Math::max);
        return plan.with(PlanKey.BOX, Optional.of(new Box(most > 0 ? most : 1)));
    }

    private static double largest(Block block) {
        double[] most = new double[1];
        for (int j = 0; j < block.rows(); j++) {
            block.nonZeros(j, (column, value) -> most[0] = Math.max(most[0], Math.abs(value)));
        }
        return most[0];
    }

    /**
     * Returns the smoothness of the plain loss on the training rows: the largest eigenvalue, by power iteration, of
     * (1/n) sum w_j K_j x_j x_j^T. With an intercept, a 1 is appended to x. K_j bounds l''; if nothing bounds it
     * everywhere, K_j bounds it at scores that fit the labels, with e^u up to |y_j| plus the mean. For a model that is
     * not linear in its scores, returns one over the rate at which steps decrease the plain loss.
     */
    public double curvature(Plan plan) {
        double found = plan.model(training.schema()) instanceof LinearScores model
                ? new SecondMoment(training, bound(model), model.hasIntercept()).largestEigenvalue(plan.seed())
                        / training.count()
                : 1 / descending(plain(plan), 1, WIDE_RANGE, ROUNDING);
        curvature = OptionalDouble.of(found);
        return found;
    }

    /** Returns the plan with plain training, without penalty. */
    private static Plan plain(Plan plan) {
        return plan.without(PlanKey.OBJECTIVE, PlanKey.L2).with(PlanKey.LAMBDA, Optional.empty());
    }

    /**
     * Returns the curvature found last, so that callers need not repeat its many passes over the rows; empty if it
     * was not needed.
     */
    public OptionalDouble foundCurvature() {
        return curvature;
    }

    private LabelFunction bound(LinearScores model) {
        if (model.needsBox()) {
            double mean = mean((label, weight) -> Math.abs(label));
            return label -> model.curvatureBound(StrictMath.log(Math.max(1, Math.abs(label) + mean)), Math.abs(label));
        }
        double everywhere = model.curvatureBound(Double.POSITIVE_INFINITY, 0);
        return label -> everywhere;
    }

    private double meanSquaredSlope(LinearScores model) {
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
