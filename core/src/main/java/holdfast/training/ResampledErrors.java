package holdfast.training;

import holdfast.Check;
import holdfast.InputException;
import holdfast.Seed;
import holdfast.aggregate.Aggregate;
import holdfast.aggregate.Aggregator;
import holdfast.aggregate.Carry;
import holdfast.aggregate.Round;
import holdfast.aggregate.WorkerUpdate;
import holdfast.attack.UpdateAttack;
import holdfast.data.Dataset;
import holdfast.evaluation.CoefficientErrors;
import holdfast.evaluation.Coefficients;
import holdfast.evaluation.TrainedModel;
import holdfast.math.ConjugateGradient;
import holdfast.math.Threads;
import holdfast.math.Vectors;
import holdfast.model.LinearScores;
import holdfast.objective.Iterate;
import holdfast.objective.Objective;
import holdfast.objective.ShardSums;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.plan.ResolvedPlan;
import holdfast.plan.Tolerated;
import holdfast.rounds.InProcessPool;
import holdfast.rounds.Worker;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Finds the errors of a finished model's coefficients from resamples, without training again.
 *
 * <p>Training ends where the rule makes nothing of the workers' gradients: rule(g_1, ..., g_m) = 0. On a resample the
 * gradients at the same theta are others, g*_w, and near theta they are g*_w + c with c = H delta, H being the mean
 * Hessian over the workers that the rule keeps. So a model of the resample would differ by delta = H^-1 c, where c solves
 * rule(g*_1 + c, ..., g*_m + c) = 0. c is found by c &lt;- c - rule(...), which for the mean takes one step and for norm
 * screening as many as it takes until the same workers are screened. This is the one-step bootstrap of estimating
 * equations (Hu, Kalbfleisch 2000), with the run's own rule. If H is singular, as one column per category makes it,
 * conjugate gradients give the shortest delta, which is also where gradient steps from 0 end.
 *
 * <p>Sources are resampled without replacement: d of m are left out (delete-d jackknife: Shao, Wu 1989), so that no
 * resample has more liars than the run; with replacement, a liar drawn more often than the rule tolerates would decide the
 * interval. The variance of a coefficient is (m-d)/d times its mean squared change, which for a mean is the usual s^2/m.
 * Rows are resampled within their workers: each worker's rows are divided at random into groups, and half of the groups are
 * left out at a time, with the same factor.
 */
final class ResampledErrors {
    /** The Hessian costs a pass over the rows, or two, for each parameter. */
    static final int MAX_PARAMETERS = 1000;

    /** How many groups of rows there are at least, of all workers together, if there are as many rows. */
    private static final int GROUPS = 256;

    private static final int MAX_STEPS = 500;
    private static final double AT_REST = 1e-9;

    /**
     * How the Hessian is found from gradients at theta and at two or one places beside it, and how far equations with it are
     * solved: not so far that directions in which it is 0 but for its error would count.
     */
    private record Differences(double up, double down, double solved) {
        /** For gradients without an error. */
        private static final Differences ONE_SIDED = new Differences(1e-6, 0, 1e-5);
        /** For gradients at worst cases that are found only approximately. */
        private static final Differences CENTRAL = new Differences(1e-2, -1e-2, 1e-3);

        private static final double EXACT = 1e-9;

        /** @param precision of the worst cases */
        static Differences of(double precision) {
            return precision <= EXACT ? ONE_SIDED : CENTRAL;
        }
    }

    private static final System.Logger LOG = System.getLogger("holdfast.training");

    private final Plan plan;
    private final List<Worker> workers;
    private final int unusable;
    private final Objective objective;
    private final int features;
    private final Aggregator rule;
    private final Optional<Part> part;
    private final Seed seed;

    /**
     * The sources of a resample.
     *
     * @param count how many there are
     * @param rule combines them
     */
    private record Part(int count, Aggregator rule) {}

    private ResampledErrors(PreparedRun prepared, InProcessPool pool) {
        plan = prepared.plan();
        workers = pool.members();
        unusable = prepared.unusable().size();
        objective = plan.loss(prepared.schema());
        features = prepared.schema().features().size();
        rule = ResolvedPlan.rule(plan, workers.size() + unusable);
        seed = plan.seed().child("intervals");
        requireServes();
        part = plan.bySource() ? Optional.of(part()) : Optional.empty();
    }

    /**
     * Returns what computes the errors that a plan asks for; empty if it asks for none.
     *
     * @throws InputException if there are none for such a plan
     */
    static Optional<ResampledErrors> of(PreparedRun prepared) {
        if (prepared.plan().get(PlanKey.INTERVALS) == 0) {
            return Optional.empty();
        }
        Check.that(prepared.pool() instanceof InProcessPool, "--intervals is for one process only");
        return Optional.of(new ResampledErrors(prepared, (InProcessPool) prepared.pool()));
    }

    private void requireServes() {
        Check.that(
                objective.model() instanceof LinearScores,
                "--intervals needs a model linear in its scores, and %s is not",
                objective.model().name());
        int parameters = objective.model().parameters(features);
        Check.that(
                parameters <= MAX_PARAMETERS,
                "--intervals is for models of at most %d parameters, got %d",
                MAX_PARAMETERS,
                parameters);
        Check.that(
                objective.startDuals().length == 0,
                "--intervals needs --objective wasserstein or moments, got %s",
                plan.get(PlanKey.OBJECTIVE));
        Check.that(
                plan.sendsFullGradients() && plan.get(PlanKey.VALIDATION) == 0,
                "--intervals needs workers that send full gradients until training converges; leave out --update,"
                        + " --local-steps, --batch and --validation");
        Check.that(
                plan.get(PlanKey.REPLICAS) == 1, "--intervals needs --replicas 1, got %d", plan.get(PlanKey.REPLICAS));
        Check.that(
                !rule.needsTrusted(),
                "--intervals does not know what the server's own rows do to --rule %s; use another rule",
                plan.get(PlanKey.RULE));
        Check.that(
                !(plan.attack() instanceof UpdateAttack) || ResolvedPlan.liars(plan, workers.size()).length == 0,
                "--intervals needs the updates that workers really send, and --attack %s forges them; use an attack on rows",
                plan.get(PlanKey.ATTACK));
    }

    /**
     * Returns how many sources a resample has: all but the root of their number, or fewer than that if the rule needs more
     * of them, or liars could be half.
     */
    private Part part() {
        int m = workers.size();
        int f = rule.tolerated();
        Plan fixed = plan.with(PlanKey.TOLERATED, Tolerated.count(f));
        String refused = "liars could be half of them";
        for (int d = (int) Math.ceil(Math.sqrt(m)); d >= 1; d--) {
            int rest = m - d + unusable;
            if (rest > 2 * f && m > d) {
                try {
                    return new Part(m - d, ResolvedPlan.rule(fixed, rest));
                } catch (InputException e) {
                    refused = e.getMessage();
                }
            }
        }
        throw new InputException(
                "--intervals leaves sources out, and " + m + " are too few with --tolerated " + f + ": " + refused);
    }

    /**
     * Returns the errors of a model's coefficients. Empty, with a warning, if the rule finds no rest on a resample, or the
     * loss has no gradient near the model.
     */
    Optional<CoefficientErrors> of(TrainedModel model) {
        try {
            return Optional.of(errors(model));
        } catch (InputException e) {
            LOG.log(System.Logger.Level.WARNING, "there are no intervals: {0}", e.getMessage());
            return Optional.empty();
        }
    }

    private CoefficientErrors errors(TrainedModel model) {
        double[] theta = model.theta();
        double[][] updates = new double[workers.size()][];
        double[] precision = new double[updates.length];
        Threads.here().each(updates.length, w -> {
            ShardSums sums = sums(theta, workers.get(w).shard());
            updates[w] = objective.gradient(Iterate.of(theta), sums, features);
            precision[w] = sums.precision();
        });
        Differences differences = Differences.of(Arrays.stream(precision).max().orElseThrow());
        Rest whole = rest(rule, List.of(updates), theta);
        double[][] hessian = hessian(theta, updates, whole.kept, differences);
        List<List<Group>> groups = part.isPresent() ? List.of() : groups(theta);
        double[][] moved = new double[plan.get(PlanKey.INTERVALS)][];
        Threads.here().each(moved.length, r -> {
            Seed own = seed.child("resample", r);
            Rest found = part.map(p -> rest(p.rule, sources(updates, p.count, own), theta))
                    .orElseGet(() -> rest(rule, halves(updates, groups, own), theta));
            Vectors.addScaled(found.shift, -1, whole.shift, theta.length);
            moved[r] = moved(theta, hessian, found.shift, differences);
        });
        int lies = Math.max(0, rule.tolerated() - unusable);
        int degrees = part.isPresent()
                ? workers.size() - lies - 1
                : groups.stream().mapToInt(own -> own.size() - 1).sum();
        CoefficientErrors errors = errors(model, moved, Math.max(1, degrees));
        warnIfUnfinished(model, moved(theta, hessian, whole.shift, differences), errors);
        return errors;
    }

    /** Returns theta + H^-1 shift. */
    private static double[] moved(double[] theta, double[][] hessian, double[] shift, Differences differences) {
        double[] step = ConjugateGradient.solve(v -> times(hessian, v), shift, differences.solved, 2 * shift.length);
        Check.that(Vectors.finite(step), "the objective is not convex at the model");
        return Vectors.add(step, theta);
    }

    /**
     * Warns if more rounds would move coefficients by more than their errors: intervals around them would then say little.
     *
     * @param end where more rounds would end
     */
    private void warnIfUnfinished(TrainedModel model, double[] end, CoefficientErrors errors) {
        List<Coefficients> here = model.coefficients();
        List<Coefficients> there = coefficients(model, end);
        long far = IntStream.range(0, here.size())
                .mapToLong(s -> IntStream.range(0, features)
                        .filter(i ->
                                Math.abs(there.get(s).values()[i] - here.get(s).values()[i])
                                        > errors.values().get(s)[i])
                        .count())
                .sum();
        if (far > 0) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "{0} of {1} coefficients would still move by more than their standard error in more rounds, though the objective"
                            + " would hardly fall; use a smaller --tolerance or more --rounds",
                    Long.toString(far),
                    Integer.toString(here.size() * features));
        }
    }

    private List<Coefficients> coefficients(TrainedModel model, double[] theta) {
        return Coefficients.of(objective.model(), theta, model.scaling(), model.labels());
    }

    private ShardSums sums(double[] theta, Dataset rows) {
        return objective.sums(Iterate.of(theta), rows, false);
    }

    private double[] gradient(double[] theta, Dataset rows) {
        return objective.gradient(Iterate.of(theta), sums(theta, rows), features);
    }

    /** Returns the updates of some of the sources. */
    private static List<double[]> sources(double[][] updates, int count, Seed own) {
        return Arrays.stream(own.random().choose(count, updates.length))
                .mapToObj(w -> updates[w])
                .toList();
    }

    /** Some rows of a worker and their gradient. */
    private record Group(int rows, double[] gradient) {}

    /** Divides each worker's rows at random into groups of the same size, or of one row more. */
    private List<List<Group>> groups(double[] theta) {
        List<List<Group>> all = new ArrayList<>();
        for (Worker worker : workers) {
            int n = worker.shard().rows();
            int[] order = IntStream.range(0, n).toArray();
            seed.child("worker", worker.id()).random().shuffle(order);
            Group[] own = new Group[Math.min(n, Math.max(2, (GROUPS - 1) / workers.size() + 1))];
            Threads.here().each(own.length, g -> {
                int[] rows = IntStream.range(0, n)
                        .filter(r -> r % own.length == g)
                        .map(r -> order[r])
                        .sorted()
                        .toArray();
                own[g] = new Group(rows.length, gradient(theta, worker.shard().select(rows)));
            });
            all.add(List.of(own));
        }
        return all;
    }

    /**
     * Returns the workers' updates on half of their groups, at a distance from those on all rows that is as large as the
     * distance of these from the expected ones.
     */
    private static List<double[]> halves(double[][] updates, List<List<Group>> groups, Seed own) {
        List<double[]> all = new ArrayList<>();
        for (int w = 0; w < updates.length; w++) {
            int count = (groups.get(w).size() + 1) / 2;
            int rest = groups.get(w).size() - count;
            double[] update = updates[w].clone();
            if (rest > 0) {
                List<Group> half = Arrays.stream(own.child("worker", w).random().choose(count, count + rest))
                        .mapToObj(groups.get(w)::get)
                        .toList();
                double factor = Math.sqrt((double) count / rest);
                int rows = half.stream().mapToInt(Group::rows).sum();
                Vectors.addScaled(update, -factor, updates[w], update.length);
                half.forEach(
                        group -> Vectors.addScaled(update, factor * group.rows / rows, group.gradient, update.length));
            }
            all.add(update);
        }
        return all;
    }

    /**
     * Where a rule makes nothing of updates.
     *
     * @param shift what must be added to each update
     * @param kept the workers that then count
     */
    private record Rest(double[] shift, int[] kept) {}

    private Rest rest(Aggregator combining, List<double[]> updates, double[] theta) {
        double[] shift = new double[theta.length];
        double size = updates.stream().mapToDouble(Vectors::norm).max().orElseThrow();
        for (int step = 0; step < MAX_STEPS; step++) {
            List<WorkerUpdate> shifted = IntStream.range(0, updates.size())
                    .mapToObj(
                            w -> new WorkerUpdate(w, Vectors.add(updates.get(w).clone(), shift)))
                    .toList();
            Aggregate combined = combining.aggregate(
                    new Round(step, updates.size() + unusable, shifted, theta, seed.child("rule"), Carry.NONE, null));
            Vectors.addScaled(shift, -1, combined.direction(), shift.length);
            if (Vectors.norm(combined.direction()) <= AT_REST * size) {
                return new Rest(shift, combined.kept());
            }
        }
        throw new InputException("on resamples, --rule " + plan.get(PlanKey.RULE) + " comes to no rest");
    }

    /**
     * Returns the mean Hessian over some workers.
     *
     * @param updates the gradients at theta
     */
    private double[][] hessian(double[] theta, double[][] updates, int[] kept, Differences differences) {
        double[][] rows = new double[theta.length][];
        double share = 1 / ((differences.up - differences.down) * kept.length);
        Threads.here().each(rows.length, i -> {
            double[] row = new double[theta.length];
            double[] above = theta.clone();
            double[] below = theta.clone();
            above[i] += differences.up;
            below[i] += differences.down;
            for (int w : kept) {
                Dataset shard = workers.get(w).shard();
                Vectors.addScaled(row, share, gradient(above, shard), row.length);
                Vectors.addScaled(row, -share, differences.down == 0 ? updates[w] : gradient(below, shard), row.length);
            }
            rows[i] = row;
        });
        for (int i = 0; i < rows.length; i++) {
            for (int j = 0; j < i; j++) {
                rows[i][j] = (rows[i][j] + rows[j][i]) / 2;
                rows[j][i] = rows[i][j];
            }
        }
        return rows;
    }

    private static double[] times(double[][] matrix, double[] v) {
        double[] out = new double[v.length];
        Arrays.setAll(out, i -> Vectors.dot(matrix[i], v, v.length));
        return out;
    }

    /** @param moved theta on each resample */
    private CoefficientErrors errors(TrainedModel model, double[][] moved, int degrees) {
        List<Coefficients> own = model.coefficients();
        List<List<Coefficients>> others =
                Arrays.stream(moved).map(theta -> coefficients(model, theta)).toList();
        int m = workers.size();
        double factor = part.map(p -> (double) p.count / (m - p.count)).orElse(1.0);
        List<double[]> values = new ArrayList<>();
        double[] intercepts = new double[own.size()];
        for (int s = 0; s < own.size(); s++) {
            int score = s;
            double[] squares = new double[features];
            for (List<Coefficients> other : others) {
                for (int i = 0; i < features; i++) {
                    double change = other.get(s).values()[i] - own.get(s).values()[i];
                    squares[i] += change * change;
                }
                double change = other.get(s).intercept() - own.get(s).intercept();
                intercepts[s] += change * change;
            }
            Arrays.setAll(squares, i -> Math.sqrt(factor * squares[i] / moved.length));
            intercepts[score] = Math.sqrt(factor * intercepts[score] / moved.length);
            values.add(squares);
        }
        return new CoefficientErrors(part.isPresent(), moved.length, degrees, values, intercepts);
    }
}
