package holdfast.training;

import holdfast.Choice;
import holdfast.aggregate.Aggregator;
import holdfast.aggregate.RuleFamily;
import holdfast.plan.LearningRate;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.plan.ResolvedPlan;
import holdfast.theory.Proof;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What the convergence theorems say about a run. They apply only if every condition holds, and only if no more workers
 * lie than the rule tolerates, which nobody can check.
 *
 * @param tolerated f, how many workers may lie
 * @param workers m
 * @param conditions what was checked
 * @param failures the rounds in which they failed, and what was measured on the way
 * @param curvature L_zz at the end of a model that is not linear in its scores; empty if rows do not move or nothing bounds
 *     it even at the rows
 */
public record Guarantee(
        int tolerated,
        int workers,
        List<Condition> conditions,
        Failures failures,
        Optional<SampledCurvature> curvature) {
    /**
     * One condition of the theorems.
     *
     * @param name rule, updates, lambda or step
     * @param detail in words: what held, or what failed and in which rounds
     */
    public record Condition(String name, boolean holds, String detail) {}

    /**
     * The rounds in which the conditions that depend on the parameters failed.
     *
     * @param lambda rounds in which lambda was not above L_zz
     * @param step rounds in which the step was longer than the theorems allow
     * @param smoothness the largest finite L_F so far
     * @param precision epsilon, the largest bound on ||z - z*|| that a worker reported; infinite if a worker had no
     *     bound
     * @param squares the sum of ||G||^2 over the rounds; NaN if it is not known for all of them
     */
    public record Failures(Rounds lambda, Rounds step, double smoothness, double precision, double squares) {
        /** The value before the first round. */
        public static final Failures NONE = new Failures(Rounds.NONE, Rounds.NONE, 0, 0, 0);
    }

    /**
     * The rounds in which a condition failed.
     *
     * @param rounds how many
     * @param first the first of them, from 0; 0 if there is none
     * @param last the last of them
     */
    public record Rounds(int rounds, int first, int last) {
        static final Rounds NONE = new Rounds(0, 0, 0);

        Rounds and(int round, boolean held) {
            return held ? this : new Rounds(rounds + 1, rounds == 0 ? round : first, round);
        }

        private String of(int all) {
            if (rounds == all) {
                return "in every round";
            }
            String range = first == last ? "in round " + first : "from round " + first + " to " + last;
            return rounds == last - first + 1 ? range : range + ", " + rounds + " of " + all + " rounds in all";
        }
    }

    /**
     * Checks the conditions.
     *
     * @param end the constants at the end of the run
     * @param influence C of the rule
     */
    static Guarantee of(
            Plan plan,
            ObjectiveConstants.Values end,
            double influence,
            int workers,
            int rounds,
            Failures failures,
            Optional<SampledCurvature> curvature) {
        Aggregator rule = ResolvedPlan.rule(plan, workers);
        int liars = ResolvedPlan.liars(plan, workers).length;
        return new Guarantee(
                rule.tolerated(),
                workers,
                List.of(
                        liars > rule.tolerated()
                                ? new Condition(
                                        "rule",
                                        false,
                                        liars + " of " + workers + " workers lie (simulated), but the rule tolerates "
                                                + rule.tolerated())
                                : rule(plan.get(PlanKey.RULE), rule, workers),
                        updates(plan),
                        lambda(plan, end, failures, rounds, curvature),
                        step(plan, end, influence, failures, rounds)),
                failures,
                curvature);
    }

    public boolean holds() {
        return conditions.stream().allMatch(Condition::holds);
    }

    /**
     * Returns one line: that the guarantee holds if at most f workers lie, or which conditions failed since when and
     * which held.
     */
    @Override
    public String toString() {
        String failed = joined(false);
        String held = joined(true);
        if (holds()) {
            return "convergence is proven if "
                    + (tolerated == 0 ? "no worker lies" : "at most " + tolerated + " of " + workers + " workers lie")
                    + "; checked: " + held;
        }
        return "none: " + failed + (held.isEmpty() ? "" : "; checked and held: " + held);
    }

    private String joined(boolean holds) {
        return conditions.stream()
                .filter(c -> c.holds == holds)
                .map(Condition::detail)
                .collect(Collectors.joining("; "));
    }

    private static Condition rule(Choice<RuleFamily> chosen, Aggregator rule, int workers) {
        return rule.proof(workers)
                .filter(Proof::boundsLength)
                .map(proof -> new Condition("rule", proof.holds(), proof.finding()))
                .orElseGet(() -> new Condition("rule", false, "nothing is proven about rule " + chosen));
    }

    /** Theorems 2 to 4 cover plain gradient descent: full gradients, one constant step, no momentum. */
    static Condition updates(Plan plan) {
        boolean plain = plan.sendsFullGradients()
                && plan.get(PlanKey.SERVER_MOMENTUM) == 0
                && plan.get(PlanKey.WORKER_MOMENTUM) == 0
                && (plan.get(PlanKey.LEARNING_RATE) instanceof LearningRate.Fixed
                        || plan.get(PlanKey.LEARNING_RATE).equals(LearningRate.PROVEN))
                && plan.get(PlanKey.SCHEDULE).equals(PlanKey.SCHEDULE.defaultValue());
        return new Condition(
                "updates",
                plain,
                plain
                        ? "full gradients and constant steps"
                        : "the theorems are about full gradients with constant steps and no momentum");
    }

    /** Without a bound on epsilon, the theorems' floor is unknown. */
    private static Condition lambda(
            Plan plan,
            ObjectiveConstants.Values end,
            Failures failures,
            int rounds,
            Optional<SampledCurvature> curvature) {
        if (plan.get(PlanKey.LABEL_PRICE).isPresent()) {
            return new Condition(
                    "lambda",
                    false,
                    "labels that may change (--label-price) make the objective nonsmooth: Lemma 1 is void");
        }
        if (plan.changesCategories()) {
            return new Condition(
                    "lambda",
                    false,
                    "categories that change as a whole (--prices) make the objective nonsmooth: Lemma 1 is void");
        }
        if (!plan.isPapersObjective()) {
            return new Condition(
                    "lambda", false, "the theorems are about --objective wasserstein with --cost squared-l2");
        }
        if (plan.lambda().isEmpty()) {
            return new Condition("lambda", true, "rows do not move (lambda none)");
        }
        String atTheEnd = curvature.map(zz -> " (at the end " + zz + ")").orElse("");
        if (!end.boundsMoves()) {
            return new Condition(
                    "lambda",
                    false,
                    "lambda > L_zz (Assumption 3) cannot be checked: nothing bounds L_zz of this model" + atTheEnd);
        }
        if (failures.lambda.rounds > 0) {
            return new Condition(
                    "lambda",
                    false,
                    "lambda was not above " + (end.known() ? "L_zz" : "the bound on L_zz") + " (Assumption 3) "
                            + failures.lambda.of(rounds) + atTheEnd);
        }
        return failures.precision < Double.POSITIVE_INFINITY
                ? new Condition(
                        "lambda",
                        true,
                        String.format(
                                Locale.ROOT,
                                "lambda > L_zz in every round, worst cases to within %.2g%s",
                                failures.precision,
                                atTheEnd))
                : new Condition("lambda", false, "nothing bounds how far worst cases were missed");
    }

    private static Condition step(
            Plan plan, ObjectiveConstants.Values end, double influence, Failures failures, int rounds) {
        if (rounds == 0) {
            return new Condition("step", false, "no round was made");
        }
        if (!end.known()) {
            return new Condition(
                    "step", false, "step <= 1/L_F (Lemma 1) cannot be checked: nothing bounds L_F of this model");
        }
        boolean holds = failures.step.rounds == 0;
        ObjectiveConstants.Values worst = end.withSmoothness(failures.smoothness);
        String bound = failures.smoothness == 0
                ? "1/L_F = 0"
                : String.format(Locale.ROOT, "%s = %.3g", worst.maxStepText(influence), worst.maxStep(influence));
        return new Condition(
                "step",
                holds,
                holds
                        ? "step <= " + bound + " in every round"
                        : String.format(
                                Locale.ROOT,
                                "the step%s was above %s (Lemma 1) %s",
                                plan.get(PlanKey.LEARNING_RATE) instanceof LearningRate.Fixed fixed
                                        ? String.format(Locale.ROOT, " %.3g", fixed.length())
                                        : "",
                                bound,
                                failures.step.of(rounds)));
    }
}
