package holdfast.certificate;

import holdfast.Check;
import holdfast.InputException;
import holdfast.data.Schema;
import holdfast.math.Vectors;
import holdfast.model.LinearScores;
import holdfast.model.Model;
import holdfast.objective.Iterate;
import holdfast.objective.Wasserstein;
import holdfast.objective.WeightedL2;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.plan.ResolvedPlan;
import holdfast.preparation.RowReach;
import holdfast.rounds.RoundRequest;
import holdfast.rounds.WorkerPool;
import holdfast.rounds.WorkerReply;
import holdfast.training.PreparedRun;
import holdfast.training.TrainingRun;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * How far a model is from the best one for the honest workers, whichever workers lied.
 *
 * <p>F_H, the mean of the honest workers' objectives F_i, is mu-strongly convex if losses are convex and every parameter is
 * penalised, so F_H(theta) - min F_H &lt;= ||grad F_H(theta)||^2/(2 mu). Who is honest is not known, but if at most f of m
 * workers lie, grad F_H is a mean over m - f of the gradients g_i sent, or a mean of such means. So
 *
 * <pre>F_H(theta) - min F_H &lt;= epsilon^2/(2 mu),  epsilon = max over sets S of m - f workers of ||mean over S of g_i||.</pre>
 *
 * This needs nothing else: no assumption about the rule, the lies, or how much honest workers differ. It is a statement
 * about the objective, not about predictions. Liars can make the bound large, by sending long gradients, but not wrong.
 *
 * <p>Gradients are taken as they were sent; the search accounts for its own rounding.
 *
 * @param workers m, those that sent nothing included
 * @param tolerated f, how many workers may have lied, or sent nothing
 * @param mu the weight of the penalty (mu/2)||theta||^2
 * @param epsilon certainly not below the largest ||mean over S of g_i||
 * @param lower the length of such a mean that was found, so epsilon is at most epsilon - lower too large
 * @param exact whether the search over S ended by itself, and was not stopped
 * @param nodes how many partial sets it looked at
 */
public record OptimumGap(
        int workers, int tolerated, double mu, double epsilon, double lower, boolean exact, int nodes) {
    /** When the search over sets stops, unless it has ended before. */
    public static final int MAX_NODES = 5_000;

    public OptimumGap {
        Check.that(
                tolerated >= 0 && tolerated < workers,
                "the gap needs fewer liars than workers, got %d of %d",
                tolerated,
                workers);
        Check.that(mu > 0 && Double.isFinite(mu), "the gap needs a finite penalty > 0, got %s", mu);
        Check.that(
                lower >= 0 && epsilon >= lower && nodes >= 0,
                "the gap needs 0 <= lower <= epsilon, got %s and %s",
                lower,
                epsilon);
    }

    /** Returns epsilon^2/(2 mu), which F_H(theta) - min F_H does not exceed. */
    public double bound() {
        return epsilon == 0 ? 0 : Math.nextUp(Math.nextUp(epsilon / (2 * mu) * epsilon) * (1 + 0x1p-50));
    }

    /**
     * Computes the gap from exact gradients.
     *
     * @param gradients of each worker's own F_i, penalty included, at the same theta
     * @param tolerated how many of them may be anything
     */
    public static OptimumGap of(List<double[]> gradients, int tolerated, double mu) {
        return of(gradients, new double[gradients.size()], gradients.size(), tolerated, mu, MAX_NODES);
    }

    /**
     * Computes the gap.
     *
     * @param gradients those that arrived
     * @param errors how far each may be from the exact gradient
     * @param workers m; those whose gradient did not arrive count among the f
     * @param maxNodes when to stop the search; a smaller number gives a larger bound
     */
    static OptimumGap of(
            List<double[]> gradients, double[] errors, int workers, int tolerated, double mu, int maxNodes) {
        int left = tolerated - (workers - gradients.size());
        Check.that(
                left >= 0,
                "the gap to the honest optimum counts workers without a gradient among the liars: %d sent none, and"
                        + " --tolerated is %d",
                workers - gradients.size(),
                tolerated);
        Check.that(
                left < gradients.size() && gradients.stream().allMatch(Vectors::finite),
                "the gap needs more finite gradients than there may be liars, got %d for %d",
                gradients.size(),
                tolerated);
        LargestMean mean = LargestMean.of(gradients.toArray(double[][]::new), left, maxNodes);
        double[] sorted = errors.clone();
        Arrays.sort(sorted);
        double error = Arrays.stream(sorted, left, sorted.length).sum() / (sorted.length - left);
        return new OptimumGap(
                workers,
                tolerated,
                mu,
                (mean.upper() + error) * (1 + 0x1p-40),
                mean.lower(),
                mean.exact(),
                mean.nodes());
    }

    /**
     * Computes the gap of a finished run from one more gradient of each worker. A worst case that is found only up to a
     * distance adds L_theta,z times that distance to the length of its worker's gradient.
     *
     * @param prepared the workers that it was trained with, not yet closed
     * @throws holdfast.InputException if the honest objective is not known to be strongly convex, or the plan's workers do
     *     not send its gradient
     */
    public static OptimumGap of(TrainingRun run, PreparedRun prepared) {
        Plan plan = prepared.plan();
        WorkerPool pool = prepared.allWorkers();
        Model model = plan.loss(prepared.schema()).model();
        int features = prepared.schema().features().size();
        requireServes(plan, model, features);
        double[] theta = run.model().theta();
        List<WorkerReply.Update> updates = pool.ask(new RoundRequest(Iterate.of(theta), false)).stream()
                .filter(WorkerReply.Update.class::isInstance)
                .map(WorkerReply.Update.class::cast)
                .filter(update -> update.vector().length == theta.length
                        && Vectors.finite(update.vector())
                        && update.precision() >= 0)
                .toList();
        // A worker with an infinite error counts as one that sent nothing.
        double[] found = updates.stream()
                .mapToDouble(WorkerReply.Update::precision)
                .map(precision -> precision == 0
                        ? 0
                        : precision
                                * change(
                                        (LinearScores) model,
                                        theta,
                                        prepared.schema(),
                                        precision,
                                        plan,
                                        prepared.reach()))
                .toArray();
        int[] known = IntStream.range(0, found.length)
                .filter(i -> found[i] >= 0 && found[i] < Double.POSITIVE_INFINITY)
                .toArray();
        int tolerated = ResolvedPlan.tolerated(plan, pool.workers());
        Check.that(
                known.length == found.length || known.length >= pool.workers() - tolerated,
                "the gap to the honest optimum needs worst cases of known precision: use --lambda none, --maximiser exact, or"
                        + " a larger --lambda");
        OptimumGap gap = of(
                Arrays.stream(known).mapToObj(i -> updates.get(i).vector()).toList(),
                Arrays.stream(known).mapToDouble(i -> found[i]).toArray(),
                pool.workers(),
                tolerated,
                plan.l2(),
                MAX_NODES);
        Check.that(
                gap.bound() < Double.POSITIVE_INFINITY,
                "the gap to the honest optimum is too large for a number: epsilon is %s",
                gap.epsilon());
        return gap;
    }

    /**
     * Returns what the gap of a run lacks, before it is trained; empty if it can be computed, as far as this is known then.
     */
    public static Optional<String> missing(PreparedRun prepared) {
        try {
            Plan plan = prepared.plan();
            requireServes(
                    plan,
                    plan.loss(prepared.schema()).model(),
                    prepared.schema().features().size());
            return Optional.empty();
        } catch (InputException e) {
            return Optional.of(e.getMessage());
        }
    }

    private static void requireServes(Plan plan, Model model, int features) {
        Check.that(
                plan.get(PlanKey.RADIUS).isEmpty(),
                "the gap to the honest optimum needs --lambda instead of --radius: no penalty covers the price that a radius"
                        + " finds, so the objective is not strongly convex in it");
        Check.that(
                plan.get(PlanKey.LABEL_PRICE).isEmpty(),
                "the gap to the honest optimum needs known gradients; leave out --label-price: where two labels are equally bad"
                        + " the gradient jumps, so a nearly exact worst case does not tell it");
        Check.that(
                !plan.changesCategories(),
                "the gap to the honest optimum needs known gradients; leave out whole(...) in --prices: where two categories are"
                        + " equally bad the gradient jumps, so a nearly exact worst case does not tell it");
        Check.that(
                model instanceof LinearScores && plan.objective() instanceof Wasserstein,
                "the gap to the honest optimum needs a convex objective: a model linear in its scores and --objective"
                        + " wasserstein, got %s and %s",
                model.name(),
                plan.get(PlanKey.OBJECTIVE));
        Check.that(
                plan.l2() > 0,
                "the gap to the honest optimum needs a penalty: --l2 must be above 0, got %s",
                plan.l2());
        Check.that(
                model.penalised(features) == model.parameters(features),
                "the gap to the honest optimum needs --no-intercept: the penalty does not cover the intercept, so the objective"
                        + " is not strongly convex in it");
        Check.that(
                plan.sendsFullGradients() && plan.get(PlanKey.REPLICAS) == 1,
                "the gap to the honest optimum needs workers that each send the full gradient on their own rows; leave out"
                        + " --update, --local-steps, --batch and --replicas");
    }

    /**
     * Returns L_theta,z where the worst cases and what was found for them are: no farther from the rows than the loss can
     * push them, lambda (z* - x) being the gradient of the loss in z.
     */
    private static double change(
            LinearScores model, double[] theta, Schema schema, double precision, Plan plan, RowReach reach) {
        int features = schema.features().size();
        double lambda = plan.lambda().orElse(Double.POSITIVE_INFINITY);
        if (!reach.isBound() || !plan.isPapersObjective()) {
            return Double.POSITIVE_INFINITY;
        }
        // In the norm of the cost, moves are those of the scaled weights; Euclidean ones are at most 1/sqrt(a) times as
        // long.
        WeightedL2 cost = plan.prices(schema);
        double[] scaled = cost.scaled(theta, model, features);
        double length = Vectors.norm(scaled, model.weights(features));
        double score = Vectors.norm(theta, model.weights(features)) * reach.radius();
        double move = 0;
        if (!plan.box(model).bounded() && length > 0) {
            double zz = model.smoothness(scaled, features, reach.radius(), reach.label())
                    .zz();
            move = model.slopeBound(Double.POSITIVE_INFINITY, reach.label()) * length / lambda;
            if (lambda > zz) {
                move = Math.min(move, model.slopeBound(score, reach.label()) * length / (lambda - zz));
            }
            move /= Math.sqrt(cost.least());
        }
        double radius = reach.radius() + move + precision;
        return radius == Double.POSITIVE_INFINITY
                ? radius
                : reach.weight()
                        * model.smoothness(theta, features, radius, reach.label())
                                .thetaZ();
    }
}
