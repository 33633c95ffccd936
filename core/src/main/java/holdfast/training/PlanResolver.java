package holdfast.training;

import holdfast.Check;
import holdfast.aggregate.Aggregator;
import holdfast.data.Block;
import holdfast.data.LabelFunction;
import holdfast.data.Rows;
import holdfast.data.Schema;
import holdfast.math.Vectors;
import holdfast.model.LinearRegression;
import holdfast.model.LinearScores;
import holdfast.model.Model;
import holdfast.objective.BallLoss;
import holdfast.objective.Box;
import holdfast.objective.Iterate;
import holdfast.objective.WassersteinBall;
import holdfast.plan.LearningRate;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.plan.Price;
import holdfast.plan.ResolvedPlan;
import holdfast.plan.Statistics;
import holdfast.preparation.AcrossSources;
import holdfast.preparation.RowReach;
import holdfast.preparation.SecondMoment;
import holdfast.preparation.Weighting;
import holdfast.rounds.LocalWork;
import holdfast.theory.ErrorBound;
import java.io.Serializable;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Finds, from the data, the numbers that a plan leaves open: the penalty, the box and the learning rates. An automatic price is
 * found by {@link PriceChoice}.
 */
public final class PlanResolver {
    private static final int ROWS_PER_WEIGHT = 10;
    private static final int TRIAL_STEPS = 60;
    private static final double TRIAL_RANGE = 32;
    /** Used if nothing is known about where to start. */
    private static final double WIDE_RANGE = 0x1p40;
    /** By how much, relative to itself, the objective may rise at its minimum, however small the steps. */
    private static final double ROUNDING = 1e-12;

    private final Rows training;
    private final AcrossSources across;
    private final Weighting weighting;
    private final int workers;

    /**
     * Creates a resolver.
     *
     * @param training the training rows, scaled and weighted, whose sources count as they are grouped; all together if
     *     they name none
     * @param across combines what the sources say
     * @param weighting how much the rows of the sources count besides
     * @param workers m, those of unusable sources included
     */
    public PlanResolver(Rows training, AcrossSources across, Weighting weighting, int workers) {
        this.training = training;
        this.across = across;
        this.weighting = weighting;
        this.workers = workers;
    }

    /** Creates a resolver for one worker, whose rows all count as one source. */
    public PlanResolver(Rows training) {
        this(training, AcrossSources.POOLED, Weighting.NONE, 1);
    }

    /** Returns C of a rule with this many workers, infinite if nothing bounds it. */
    static double influence(Aggregator rule, int workers) {
        return rule.errorBound(workers).map(ErrorBound::influence).orElse(Double.POSITIVE_INFINITY);
    }

    /**
     * Returns the plan with its automatic penalty, box and rates replaced by numbers for these data. f sources of more than 2f
     * leave box and rates within the range of what the honest sources alone would give. They can switch the penalty on or off where
     * the honest sources are near its limit, see {@link #penalised}.
     *
     * <p>The box is the (f+1)-th largest of the sources' largest values, for a model that needs one. A gradient's rate
     * is adaptive and starts at 1/L, with L the {@linkplain AcrossSources#upper upper} over sources of the mean of K (||x||^2 + 1) +
     * S^2/lambda, plus l2: one number per source, from one pass. K bounds l'' and S bounds l'; with prices of features, lambda
     * times the smallest of them replaces lambda. The first term is at
     * least the smoothness of the plain loss. The last term bounds what the moves of the rows, at most S
     * ||theta||/lambda long, add to it while lambda is well above L_zz. (Lemma 1's constant from the longest row always
     * holds but is a hundred times larger on real data.) With pooled statistics, with a schedule or for counts, whose l''
     * has no bound, the rate is constant, and the largest eigenvalue of the rows' second moment, {@link #curvature}, replaces its trace; for a model in a box, a
     * few steps on these data then correct the rate. For a model that is not linear in its scores, and for other objectives than
     * the paper's, there are no such bounds, and a few steps find the rate: from 1 downwards, or from that of the plain loss, and
     * then adaptive. Model deltas and Newton steps already have their length: their rate is 1.
     */
    public Plan resolve(Plan given) {
        Plan plan = boxed(penalised(given));
        boolean gradients = plan.get(PlanKey.UPDATE).value() instanceof LocalWork.Gradient;
        Plan local = leavesLocalRateOpen(plan) ? plan.with(PlanKey.LOCAL_RATE, Optional.of(constantRate(plan))) : plan;
        if (plan.get(PlanKey.LEARNING_RATE).equals(LearningRate.PROVEN)) {
            return local.with(PlanKey.LEARNING_RATE, LearningRate.of(provenRate(plan)));
        }
        if (!plan.get(PlanKey.LEARNING_RATE).equals(LearningRate.AUTO)) {
            return local;
        }
        return local.with(PlanKey.LEARNING_RATE, gradients ? gradientRate(plan) : LearningRate.of(1));
    }

    /**
     * Returns the plan with a number for its penalty: 1/n for n rows if there are fewer than {@value #ROWS_PER_WEIGHT} for
     * each penalised weight, else 0. With several sources, n is the rows of the median source times the
     * number of sources. So f sources of more than 2f, which count among them, leave n between the smallest and the largest honest
     * source's rows times the number of all sources.
     */
    public Plan penalised(Plan plan) {
        if (plan.get(PlanKey.L2).isPresent()) {
            return plan;
        }
        double[] sizes = training.reduceBySource(block -> (double) block.rows(), Double::sum).stream()
                .filter(Objects::nonNull)
                .mapToDouble(Double::doubleValue)
                .toArray();
        double rows = across.median(sizes) * sizes.length;
        Schema schema = training.schema();
        boolean few = rows
                < (double) ROWS_PER_WEIGHT
                        * plan.model(schema).penalised(schema.features().size());
        return plan.with(PlanKey.L2, Optional.of(few ? 1 / rows : 0));
    }

    private static boolean isRobust(Plan plan) {
        return plan.get(PlanKey.STATISTICS) == Statistics.ROBUST;
    }

    /** Returns whether a plan leaves rates open. */
    public static boolean leavesRatesOpen(Plan plan) {
        return plan.get(PlanKey.LEARNING_RATE).first().isEmpty() || leavesLocalRateOpen(plan);
    }

    private static boolean leavesLocalRateOpen(Plan plan) {
        return plan.get(PlanKey.UPDATE).value() instanceof LocalWork.Delta
                && plan.get(PlanKey.LOCAL_RATE).isEmpty();
    }

    /**
     * Returns the longest step that a theorem allows on the ball of parameters in which L_zz is at most lambda/2: 1/L_F
     * or, where Theorem 4 applies, 2/(L_F + lambda_F). L_F is Lemma 1's constant for the longest row of any source: a
     * source with a very long row makes the step short, and a step that ignores it would be proven for the others only.
     */
    private double provenRate(Plan plan) {
        Check.that(
                plan.isPapersObjective() && plan.get(PlanKey.UPDATE).value() instanceof LocalWork.Gradient,
                "--learning-rate proven needs --objective wasserstein, --cost squared-l2, --update gradient, no --label-price and no"
                        + " whole(...) in --prices, which the theorems are about");
        Model model = plan.model(training.schema());
        ObjectiveConstants constants = new ObjectiveConstants(
                plan,
                model,
                training.schema().features().size(),
                RowReach.of(training, plan.box(model)).counted(weighting),
                plan.prices(training.schema()));
        ObjectiveConstants.Values values = constants.within(constants.provenLength());
        Check.that(
                Double.isFinite(values.smoothness()),
                "--learning-rate proven needs a finite L_F (Assumption 1), and model %s on these rows has none for all theta; use auto",
                model.name());
        double step = values.maxStep(influence(ResolvedPlan.rule(plan, workers), workers));
        return Double.isFinite(step) ? step : 1;
    }

    private LearningRate gradientRate(Plan plan) {
        boolean constant = plan.get(PlanKey.SCHEDULE).equals(PlanKey.SCHEDULE.defaultValue());
        if (findsPrice(plan)
                && constant
                && plan.model(training.schema()) instanceof LinearScores own
                && !own.needsBox()) {
            return adaptiveRate(plan, own);
        }
        if (!plan.isPapersObjective()) {
            return constant && plan.model(training.schema()) instanceof LinearScores own && !own.needsBox()
                    ? adaptingRate(plan, own)
                    : LearningRate.of(constantRate(plan));
        }
        // Without a bound on l'' everywhere, as for counts, one step too long can overflow before the objective shows
        // it.
        Optional<LinearScores> bounded = linear(plan).filter(model -> !model.needsBox());
        if (isRobust(plan) && constant && bounded.isPresent()) {
            return adaptiveRate(plan, bounded.get());
        }
        double rate = constantRate(plan);
        // No bound says how short a step must be, so steps may also become much shorter than those that served at the
        // start.
        boolean turns = isRobust(plan) && constant && linear(plan).isEmpty() && directionsAreComparable(plan);
        return turns ? new LearningRate.QuasiNewton(rate, rate / LearningRate.RANGE) : LearningRate.of(rate);
    }

    private static boolean directionsAreComparable(Plan plan) {
        return plan.sendsFullGradients()
                && plan.get(PlanKey.VALIDATION) == 0
                && plan.get(PlanKey.SERVER_MOMENTUM) == 0
                && plan.get(PlanKey.WORKER_MOMENTUM) == 0;
    }

    /** Starts no longer than is safe for the plain loss, and may become shorter: rows with large weights can be long. */
    private LearningRate adaptingRate(Plan plan, LinearScores model) {
        double first = descending(plan, safeRate(plan, model), TRIAL_RANGE, ROUNDING);
        return new LearningRate.Adaptive(first, first / LearningRate.RANGE);
    }

    /** Changes of directions show curvature only where directions are those of all rows, from one round to the next. */
    private LearningRate adaptiveRate(Plan plan, LinearScores model) {
        double rate = safeRate(plan, model);
        double shortest = findsPrice(plan) ? Math.min(rate / LearningRate.RANGE, rateAtLeastPrice(plan, model)) : rate;
        if (!directionsAreComparable(plan)) {
            return new LearningRate.Adaptive(rate, shortest);
        }
        // At a given price, the worst case of a squared loss is infinite for long theta, and a turned step may get
        // there
        // before the objective shows it.
        boolean bounded = plan.lambda().isEmpty() || !(model instanceof LinearRegression);
        return bounded ? new LearningRate.QuasiNewton(rate, shortest) : new LearningRate.Spectral(rate, shortest);
    }

    /**
     * Returns a step that is short enough at the least price that a radius may lead to, price/s with the mean squared slope s of
     * the loss: near theta = 0, where a large radius leads, the worst case adds s ||theta||^2 / (2 price).
     */
    private double rateAtLeastPrice(Plan plan, LinearScores model) {
        BallLoss objective = ((WassersteinBall) plan.objective(training.schema())).on(model, 0);
        TrialObjective trial = new TrialObjective(training, plan, across);
        double start = trial.at(trial.start()).duals()[0];
        double slope = Math.min(meanSquaredSlope(model), 2 * start);
        return rate(slope
                / (objective.leastExcess(start) * plan.prices(training.schema()).least()));
    }

    private static boolean findsPrice(Plan plan) {
        return plan.objective() instanceof WassersteinBall;
    }

    private double safeRate(Plan plan, LinearScores model) {
        LabelFunction bound = bound(plan, model);
        LabelFunction slope = model.slopeBound();
        double ones = model.hasIntercept() ? 1 : 0;
        double price = cheapest(plan);
        double[] bySource = means((block, j) -> {
            double[] squares = {ones};
            block.nonZeros(j, (i, x) -> squares[0] += x * x);
            double most = slope.applyAsDouble(block.label(j));
            return block.weight(j) * (bound.applyAsDouble(block.label(j)) * squares[0] + most * most / price);
        });
        return rate(across.upper(bySource) + plan.l2());
    }

    /** Returns what moving the cheapest feature costs; infinite if rows do not move. */
    private double cheapest(Plan plan) {
        return plan.lambda().orElse(Double.POSITIVE_INFINITY)
                * plan.prices(training.schema()).least();
    }

    private Optional<LinearScores> linear(Plan plan) {
        return plan.isPapersObjective() && plan.model(training.schema()) instanceof LinearScores model
                ? Optional.of(model)
                : Optional.empty();
    }

    /** If every feature is constant there is nothing to learn, and the rate does not matter. */
    private static double rate(double smoothness) {
        return smoothness > 0 ? 1 / smoothness : 1;
    }

    private double constantRate(Plan plan) {
        Optional<LinearScores> linear = linear(plan);
        if (linear.isEmpty()) {
            return descending(plan, 1, WIDE_RANGE, ROUNDING);
        }
        LinearScores model = linear.get();
        double rate = rate(curvature(plan) + plan.l2() + meanSquaredSlope(model) / cheapest(plan));
        boolean trial = model.needsBox() && plan.lambda().isPresent();
        // No rise is too small to count: with any slack, plans of before would get other rates and other weights.
        return trial ? descending(plan, rate, TRIAL_RANGE, 0) : rate;
    }

    /**
     * Returns the rate that trial steps from the start find: beginning with {@code most}, it is halved each time the
     * objective rises, down to most/range. Objective and steps are means over sources, without the f most extreme ones.
     * The objective's own variables move along; only what a step in theta does to the objective counts.
     * Rows that may jump to a far corner of their box make the objective steeper than the labels suggest.
     *
     * @param slack how large a rise, relative to the objective, counts as none
     */
    private double descending(Plan plan, double most, double range, double slack) {
        TrialObjective objective = new TrialObjective(training, plan, across);
        double rate = most;
        Iterate at = objective.start();
        TrialObjective.Value here = objective.at(at);
        for (int step = 0; step < TRIAL_STEPS && rate > most / range; step++) {
            double[] theta = at.theta().clone();
            Vectors.addScaled(theta, -rate, here.gradient(), theta.length);
            Iterate next = at.withTheta(theta);
            TrialObjective.Value there = objective.at(next);
            if (there.value() <= here.value() + slack * Math.abs(here.value())) {
                boolean moves = next.duals().length > 0;
                at = moves ? objective.withNextDuals(next, there, rate) : next;
                here = moves ? objective.at(at) : there;
            } else {
                rate /= 2;
            }
        }
        return rate;
    }

    /** Replaces an automatic box by one around all training rows, if the model needs a box. */
    private Plan boxed(Plan plan) {
        if (plan.get(PlanKey.BOX).isPresent()
                || !plan.objective().movesRows()
                || !plan.model(training.schema()).needsBox()) {
            return plan;
        }
        double most = across.most(training.reduceBySource(PlanResolver::largest, Math::max).stream()
                .filter(Objects::nonNull)
                .mapToDouble(Double::doubleValue)
                .toArray());
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
     * (1/n) sum w_j K_j x_j x_j^T; with several sources as {@link SecondMoment#curvature} combines them. With an
     * intercept, a 1 is appended to x. K_j bounds l''; if nothing bounds it
     * everywhere, K_j bounds it at scores that fit the labels, with e^u up to |y_j| plus the mean. For a model that is
     * not linear in its scores, returns one over the rate at which steps decrease the plain loss.
     */
    public double curvature(Plan plan) {
        return plan.model(training.schema()) instanceof LinearScores model
                ? curvature(new SecondMoment(training, bound(plan, model), model.hasIntercept()), plan)
                : 1 / descending(plain(plan), 1, WIDE_RANGE, ROUNDING);
    }

    private double curvature(SecondMoment rows, Plan plan) {
        return isRobust(plan) ? rows.curvature(plan.seed(), across) : rows.largestEigenvalue(plan.seed());
    }

    /** Returns the plan with plain training, without penalty. */
    private static Plan plain(Plan plan) {
        return plan.without(PlanKey.OBJECTIVE, PlanKey.L2, PlanKey.RADIUS, PlanKey.LABEL_PRICE)
                .with(PlanKey.LAMBDA, Price.NONE);
    }

    private LabelFunction bound(Plan plan, LinearScores model) {
        if (model.needsBox()) {
            double mean = across.median(means((block, j) -> block.weight(j) * Math.abs(block.label(j))));
            PortableObjective portable = new PortableObjective(plain(plan), training.schema());
            return label -> ((LinearScores) portable.get().model())
                    .curvatureBound(StrictMath.log(Math.max(1, Math.abs(label) + mean)), Math.abs(label));
        }
        double everywhere = model.curvatureBound(Double.POSITIVE_INFINITY, 0);
        return label -> everywhere;
    }

    private double meanSquaredSlope(LinearScores model) {
        LabelFunction bound = model.slopeBound();
        return across.upper(means((block, j) -> {
            double slope = bound.applyAsDouble(block.label(j));
            return block.weight(j) * slope * slope;
        }));
    }

    /** A number for one row of a block. */
    private interface Term extends Serializable {
        double of(Block block, int row);
    }

    /** Returns the mean of a term for each source. */
    private double[] means(Term term) {
        return training
                .reduceBySource(
                        block -> new double[] {
                            Vectors.sum(
                                    IntStream.range(0, block.rows())
                                            .mapToDouble(j -> term.of(block, j))
                                            .toArray(),
                                    block.rows()),
                            block.rows()
                        },
                        Vectors::add)
                .stream()
                .filter(Objects::nonNull)
                .mapToDouble(sum -> sum[0] / sum[1])
                .toArray();
    }
}
