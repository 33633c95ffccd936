package holdfast.training;

import holdfast.InputException;
import holdfast.aggregate.Aggregator;
import holdfast.aggregate.NormScreening;
import holdfast.data.Schema;
import holdfast.model.LinearScores;
import holdfast.model.Model;
import holdfast.objective.Effort;
import holdfast.objective.ExactMaximiser;
import holdfast.objective.RobustLoss;
import holdfast.plan.LearningRate;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.plan.ResolvedPlan;
import holdfast.preparation.RowReach;
import holdfast.rounds.TrainingLoop;
import holdfast.rounds.WorkerPool;
import holdfast.theory.AscentRate;
import holdfast.theory.ConvexRate;
import holdfast.theory.ErrorBound;
import holdfast.theory.NonconvexRate;
import holdfast.theory.Proof;
import holdfast.theory.RoundError;
import holdfast.theory.ScreeningBound;
import holdfast.theory.StronglyConvexRate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What the paper's theorems say about a plan before it runs: which assumptions hold and why, the constants, the step,
 * the rate and the floor, and what to change so that a theorem applies. With data the constants are those of the
 * prepared rows; without, everything is said that does not depend on rows.
 *
 * @param setting the rule, the workers and the liars, in one line
 * @param statements in the paper's order
 */
public record Forecast(String setting, List<Statement> statements) {
    /** Whether something holds. */
    public enum Answer {
        HOLDS,
        FAILS,
        /** Cannot be known before training, or without data. */
        OPEN,
        /** A number, about which there is no yes or no. */
        NUMBER
    }

    /**
     * One answer.
     *
     * @param about what it is about: {@code Assumption 3}
     * @param words the answer in words, with numbers
     * @param formula what was computed, and the paper's equation or section
     * @param change what to change so that it holds; empty if it does
     */
    public record Statement(String about, Answer answer, String words, String formula, Optional<String> change) {}

    public Forecast {
        statements = List.copyOf(statements);
    }

    /** Returns the statement about something. */
    public Statement about(String what) {
        return statements.stream()
                .filter(statement -> statement.about.equals(what))
                .findFirst()
                .orElseThrow();
    }

    /**
     * Says what does not depend on data.
     *
     * @param workers m
     */
    public static Forecast of(Plan plan, int workers) {
        Schema schema = new Schema(List.of("x"), "y", List.of("0", "1"), List.of());
        return new Maker(plan, schema, workers, Optional.empty()).forecast();
    }

    /** Says all that is known about a run before its first round; asks the workers for one gradient. */
    public static Forecast of(PreparedRun run) {
        WorkerPool workers = run.allWorkers();
        ResolvedPlan plan = run.plan().resolve(run.schema(), workers.workers());
        TrainingLoop loop = new TrainingLoop(plan.loop(run.root()), workers);
        double[] start = loop.start().theta();
        Data data = new Data(
                run.reach(),
                start,
                loop.objective(loop.start()),
                WorkerSpread.at(start, plan, workers).sigma());
        return new Maker(run.plan(), run.schema(), workers.workers(), Optional.of(data)).forecast();
    }

    /**
     * What only data say.
     *
     * @param objective F at the start, which bounds F_0 - F* because no loss is negative
     * @param sigma of the workers' gradients at the start
     */
    private record Data(RowReach reach, double[] start, double objective, double sigma) {}

    /** Puts the statements together. */
    private static final class Maker {
        private final Plan plan;
        private final int workers;
        private final Optional<Data> data;
        private final Aggregator rule;
        private final int liars;
        private final Model model;
        private final ObjectiveConstants constants;
        private final double length;
        private final ObjectiveConstants.Values values;
        private final Optional<ErrorBound> bound;
        private final List<Statement> statements = new ArrayList<>();

        Maker(Plan plan, Schema schema, int workers, Optional<Data> data) {
            this.plan = plan;
            this.workers = workers;
            this.data = data;
            this.rule = ResolvedPlan.rule(plan, workers);
            int given = Math.max(
                    plan.get(PlanKey.LIARS), plan.get(PlanKey.BYZANTINE).size());
            this.liars = given > 0 ? given : rule.tolerated();
            this.model = plan.model(schema);
            this.constants = new ObjectiveConstants(
                    plan, model, schema.features().size(), data.map(Data::reach).orElse(new RowReach(0, 0, 1)));
            this.length = constants.provenLength();
            this.values = constants.within(length);
            this.bound = bound();
        }

        private Optional<ErrorBound> bound() {
            if (liars > rule.tolerated() || liars >= workers) {
                return Optional.empty();
            }
            return rule instanceof NormScreening
                    ? Optional.of(new ErrorBound(ScreeningBound.influence(workers, liars, rule.tolerated()), 1))
                    : rule.errorBound(workers);
        }

        Forecast forecast() {
            influence();
            breakpoint();
            assumption1();
            assumption2();
            assumption3();
            assumption4();
            assumption5();
            assumption7();
            precision();
            step();
            theorems();
            return new Forecast(
                    text(
                            "%s, %d workers, %d of which may lie (alpha = %s), set up for %d (beta = %s)",
                            plan.get(PlanKey.RULE),
                            workers,
                            liars,
                            number((double) liars / workers),
                            rule.tolerated(),
                            number((double) rule.tolerated() / workers)),
                    statements);
        }

        private static String number(double value) {
            double size = Math.abs(value);
            String text = String.format(Locale.ROOT, size >= 1e5 || size < 1e-3 && size > 0 ? "%.2e" : "%.3g", value);
            return text.contains(".") && !text.contains("e") ? text.replaceAll("\\.?0+$", "") : text;
        }

        private static String text(String format, Object... args) {
            return String.format(Locale.ROOT, format, args);
        }

        private void say(String about, Answer answer, String formula, String words) {
            statements.add(new Statement(about, answer, words, formula, Optional.empty()));
        }

        private void say(String about, Answer answer, String formula, String words, String change) {
            statements.add(new Statement(about, answer, words, formula, Optional.of(change)));
        }

        private boolean converges() {
            return bound.isPresent() && bound.get().influence() < 1;
        }

        private void influence() {
            String source = rule instanceof NormScreening
                    ? "C = 2 alpha/(1-beta), Theorem 1, eq. (3)"
                    : rule.robustness(workers).formula() + ", "
                            + rule.robustness(workers).source();
            if (liars > rule.tolerated()) {
                say(
                        "Influence",
                        Answer.FAILS,
                        source,
                        text(
                                "%d may lie, but the rule is set up for %d: liars can send anything",
                                liars, rule.tolerated()),
                        "--tolerated " + liars);
            } else if (bound.isEmpty()) {
                say(
                        "Influence",
                        Answer.FAILS,
                        source,
                        "nothing bounds how far liars can move this rule",
                        "--rule norm-screening, or another one that ./holdfast rules shows a bound for");
            } else {
                ErrorBound b = bound.get();
                say(
                        "Influence",
                        Answer.NUMBER,
                        source,
                        text(
                                "||G - grad F|| <= %s ||grad F|| + %s (L_theta,z epsilon + sigma)",
                                number(b.influence()), number(b.spread())));
            }
        }

        /** The most liars for which the rule is proven, over all numbers that it can be set up for. */
        private int mostProven() {
            int most = -1;
            for (int f = 0; f < workers; f++) {
                if (proof(f).filter(Proof::holds).isPresent()) {
                    most = f;
                }
            }
            return most;
        }

        private Optional<Proof> proof(int tolerated) {
            try {
                Aggregator other = plan.get(PlanKey.RULE).value().tolerating(tolerated);
                other.requireServes(workers);
                return other.tolerated() == tolerated ? other.proof(workers) : Optional.empty();
            } catch (InputException e) {
                return Optional.empty();
            }
        }

        private void breakpoint() {
            Optional<Proof> own = rule.proof(workers);
            boolean screens = rule instanceof NormScreening;
            boolean holds = screens ? converges() : own.filter(Proof::holds).isPresent() && liars <= rule.tolerated();
            int most = mostProven();
            String words = (screens
                            ? text("2 alpha + beta = %s", number((2.0 * liars + rule.tolerated()) / workers))
                            : own.map(Proof::finding).orElse("nothing is proven about this rule"))
                    + (most < 0 ? "" : text("; the rule withstands up to %d of %d, set up for as many", most, workers))
                    + (screens && holds ? wrongF() : "");
            String source = own.map(Proof::source).orElse("");
            if (holds) {
                say("Breakpoint", Answer.HOLDS, source, words);
            } else {
                say(
                        "Breakpoint",
                        Answer.FAILS,
                        source,
                        words,
                        liars <= most ? "--tolerated " + liars : "--rule norm-clipping, which withstands any minority");
            }
        }

        private String wrongF() {
            int more = rule.tolerated() + 1;
            double cost = ScreeningBound.costOfScreening(workers, liars, more);
            return liars == 0
                    ? ""
                    : text(
                            "; with f = %d liars can do anything, with f = %d the floor is %s",
                            liars - 1,
                            more,
                            Double.isInfinite(cost)
                                    ? "infinite"
                                    : number(cost / ScreeningBound.costOfScreening(workers, liars, rule.tolerated()))
                                            + " times as high");
        }

        private boolean smooth() {
            return plan.isPapersObjective() && values.known() && Double.isFinite(values.zz());
        }

        private String ball() {
            return length >= 1e99 ? "for all theta" : "for ||theta|| <= " + number(length);
        }

        private void assumption1() {
            String formula =
                    "Lipschitz gradients in theta and z; L_F = L_theta,theta + L_theta,z L_z,theta/(lambda - L_zz), Lemma 1";
            if (!plan.isPapersObjective()) {
                say(
                        "Assumption 1",
                        Answer.FAILS,
                        formula,
                        "the theorems are about the Wasserstein objective",
                        "--objective wasserstein --cost squared-l2");
            } else if (!values.known()) {
                say(
                        "Assumption 1",
                        Answer.FAILS,
                        formula,
                        "nothing bounds the gradients of model " + model.name(),
                        "a model that is linear in its scores, see ./holdfast models");
            } else if (data.isEmpty()) {
                say(
                        "Assumption 1",
                        Answer.OPEN,
                        formula,
                        text("%s: L_zz = %s; L_F depends on the rows", ball(), number(values.zz())));
            } else if (Double.isInfinite(values.smoothness())) {
                say(
                        "Assumption 1",
                        Answer.FAILS,
                        formula,
                        "the curvature of model " + model.name() + " has no bound",
                        "another --model");
            } else {
                say(
                        "Assumption 1",
                        Answer.HOLDS,
                        formula,
                        text(
                                "%s and rows up to length %s: L_zz = %s, L_theta,z = %s, L_F = %s",
                                ball(),
                                number(data.get().reach.radius()),
                                number(values.zz()),
                                number(values.thetaZ()),
                                number(values.smoothness())));
            }
        }

        private void assumption2() {
            if (plan.lambda().isPresent() && plan.isPapersObjective()) {
                say(
                        "Assumption 2",
                        Answer.HOLDS,
                        "c(z, x) = (1/2)||z - x||^2",
                        "the cost is 1-strongly convex and 1-smooth");
            }
        }

        private void assumption3() {
            if (plan.lambda().isEmpty() || !smooth()) {
                return;
            }
            String formula = "lambda > L_zz";
            double lambda = constants.lambda();
            Optional<Double> start = data.map(d -> constants.at(d.start).zz());
            if (start.filter(zz -> zz >= lambda).isPresent()) {
                say(
                        "Assumption 3",
                        Answer.FAILS,
                        formula,
                        text("at the start L_zz = %s is not below lambda = %s", number(start.get()), number(lambda)),
                        "--init auto, or --lambda above " + number(start.get()));
            } else {
                say(
                        "Assumption 3",
                        Answer.HOLDS,
                        formula,
                        text("%s, where L_zz <= lambda/2; train checks it in every round", ball()));
            }
        }

        private void assumption4() {
            data.ifPresentOrElse(
                    d -> say(
                            "Assumption 4",
                            Answer.NUMBER,
                            "sigma >= ||g_i - grad F|| over honest workers, eq. (5)",
                            text(
                                    "sigma = %s at the start, an estimate without the %d farthest workers",
                                    number(d.sigma), rule.tolerated())),
                    () -> say(
                            "Assumption 4",
                            Answer.OPEN,
                            "sigma >= ||g_i - grad F|| over honest workers, eq. (5)",
                            "sigma depends on the rows: how much the workers differ"));
        }

        private void assumption5() {
            boolean convex = model instanceof LinearScores;
            if (convex) {
                say("Assumption 5", Answer.HOLDS, "f convex in theta", "model " + model.name() + " is convex in theta");
            } else {
                say(
                        "Assumption 5",
                        Answer.FAILS,
                        "f convex in theta",
                        "model " + model.name() + " is not known to be convex; Theorem 2 does not need it",
                        "a model that is linear in its scores");
            }
        }

        private void assumption7() {
            String formula = "F is lambda_F-strongly convex";
            if (values.convexity() > 0) {
                say("Assumption 7", Answer.HOLDS, formula, "lambda_F = " + number(values.convexity()) + ", by --l2");
            } else {
                say(
                        "Assumption 7",
                        Answer.FAILS,
                        formula,
                        plan.get(PlanKey.L2) == 0 ? "there is no penalty" : "the penalty does not cover the intercept",
                        "--no-intercept --l2 0.01, or another penalty");
            }
        }

        private RobustLoss loss() {
            return (RobustLoss) plan.objective().on(model, plan.get(PlanKey.L2));
        }

        private Effort effort() {
            return loss().effort().at(false);
        }

        private boolean isExact() {
            return plan.lambda().isEmpty() || loss().maximiser() instanceof ExactMaximiser;
        }

        private AscentRate ascent() {
            double lambda = constants.lambda();
            double rate = plan.get(PlanKey.ASCENT_RATE).orElse(1 / lambda);
            return AscentRate.of(lambda, 1, values.zz(), rate, model.convexInRows());
        }

        /** epsilon; infinite if nothing bounds it. */
        private double epsilon() {
            if (isExact()) {
                return 0;
            }
            if (effort() instanceof Effort.Precision wanted) {
                return wanted.epsilon();
            }
            int steps = ((Effort.Steps) effort()).count();
            return ascent().converges() ? Math.pow(ascent().factor(), steps) * values.move() : Double.POSITIVE_INFINITY;
        }

        private void precision() {
            if (plan.lambda().isEmpty() || !smooth()) {
                return;
            }
            if (isExact()) {
                say("Precision", Answer.NUMBER, "z* by one-dimensional search", "epsilon = 0: worst cases are exact");
                return;
            }
            AscentRate ascent = ascent();
            String formula = "T_z >= ln(D_z/epsilon)/ln(1/p), Section VI.D";
            String how = text("p = %s, D_z <= %s %s", number(ascent.factor()), number(values.move()), ball());
            if (!ascent.converges()) {
                say("Precision", Answer.FAILS, formula, how + ": the ascent may diverge", "--ascent-rate auto");
            } else if (effort() instanceof Effort.Precision wanted) {
                say(
                        "Precision",
                        Answer.NUMBER,
                        formula,
                        text(
                                "epsilon = %s needs T_z = %.0f at most (%s)",
                                number(wanted.epsilon()), ascent.steps(values.move(), wanted.epsilon()), how));
            } else {
                say(
                        "Precision",
                        Answer.NUMBER,
                        formula,
                        text(
                                "T_z = %d reaches epsilon = %s (%s)",
                                ((Effort.Steps) effort()).count(), number(epsilon()), how));
            }
        }

        private void step() {
            Guarantee.Condition plain = Guarantee.updates(plan);
            boolean fixed = plan.get(PlanKey.LEARNING_RATE) instanceof LearningRate.Fixed;
            double influence = bound.map(ErrorBound::influence).orElse(Double.POSITIVE_INFINITY);
            double most = values.maxStep(influence);
            String formula = "eta = 1/L_F (Theorems 2 and 3) or 2/(L_F + lambda_F) (Theorem 4)";
            String proven = data.isEmpty() || !smooth()
                    ? "the proven step depends on the rows"
                    : text("the proven step is %s = %s", values.maxStepText(influence), number(most));
            boolean known = data.isPresent() && smooth();
            if (!plain.holds()) {
                say(
                        "Step",
                        Answer.FAILS,
                        formula,
                        plain.detail() + "; " + proven,
                        "--learning-rate proven, without momentum, batches and local steps");
            } else if (fixed && known && rate() > most) {
                say(
                        "Step",
                        Answer.FAILS,
                        formula,
                        text("%s is longer; %s", number(rate()), proven),
                        "--learning-rate proven");
            } else if (fixed && known) {
                say("Step", Answer.HOLDS, formula, text("%s; %s", number(rate()), proven));
            } else {
                say("Step", Answer.OPEN, formula, proven);
            }
        }

        private double rate() {
            return plan.get(PlanKey.LEARNING_RATE).first().orElseThrow();
        }

        /** The step to predict with: the plan's if it is within what is proven, else the proven one. */
        private double stepToPredict() {
            double most = 1 / values.smoothness();
            return plan.get(PlanKey.LEARNING_RATE) instanceof LearningRate.Fixed ? Math.min(rate(), most) : most;
        }

        private RoundError error(double sigma) {
            return RoundError.of(bound.orElseThrow(), values.thetaZ(), sigma, epsilon());
        }

        private int rounds() {
            return Math.max(1, plan.get(PlanKey.ROUNDS));
        }

        private void theorems() {
            List<String> failed = statements.stream()
                    .filter(s -> s.answer == Answer.FAILS
                            && !s.about.equals("Assumption 5")
                            && !s.about.equals("Assumption 7"))
                    .filter(s -> !s.about.equals("Step"))
                    .map(Statement::about)
                    .toList();
            if (!failed.isEmpty()) {
                say(
                        "Theorems 2-4",
                        Answer.FAILS,
                        "2 alpha + beta < 1 and Assumptions 1 to 4",
                        "none of them applies: see " + String.join(", ", failed));
                return;
            }
            theorem2();
            theorem3();
            theorem4();
        }

        /** What a theorem's promise depends on: the plan's own steps, or the proven ones in their place. */
        private Answer withStep() {
            return about("Step").answer == Answer.FAILS ? Answer.OPEN : Answer.HOLDS;
        }

        private String withStep(String promise) {
            return (withStep() == Answer.OPEN ? "with the proven step, " : "") + promise;
        }

        private Statement about(String what) {
            return new Forecast("", statements).about(what);
        }

        private void theorem2() {
            double c = bound.orElseThrow().influence();
            String formula = text("eq. (7) with the best r = (1-C)/C = %s", c == 0 ? "infinity" : number((1 - c) / c));
            if (data.isEmpty()) {
                say(
                        "Theorem 2",
                        withStep(),
                        formula,
                        withStep(text(
                                "mean ||grad F||^2 <= %s L_F (F_0 - F*)/T + %s (L_theta,z epsilon + sigma)^2",
                                number(2 / (1 - c)), number(Math.pow(bound.get().spread() / (1 - c), 2)))));
                return;
            }
            NonconvexRate rate = new NonconvexRate(stepToPredict(), error(data.get().sigma));
            double gap = data.get().objective;
            say(
                    "Theorem 2",
                    withStep(),
                    formula,
                    withStep(text(
                            "mean ||grad F||^2 over %d rounds <= %s + %s (rate and floor)%s",
                            rounds(),
                            number(rate.progress(gap, rounds())),
                            number(rate.floor()),
                            rate.floor() > 0
                                    ? text(
                                            "; after %.0f rounds the floor is the larger part",
                                            rate.rounds(gap, rate.floor()))
                                    : "")));
        }

        private void theorem3() {
            if (!(model instanceof LinearScores)) {
                return;
            }
            if (data.isEmpty() || length >= 1e99) {
                say(
                        "Theorem 3",
                        Answer.OPEN,
                        "eq. (8)",
                        "F(theta_T) - F* <= max(rate, floor) if all theta_t stay within D of the minimum (Assumption 6)");
                return;
            }
            ConvexRate rate = new ConvexRate(new NonconvexRate(stepToPredict(), error(data.get().sigma)), 2 * length);
            say(
                    "Theorem 3",
                    withStep(),
                    "eq. (8) with D = 2 x " + number(length) + " (Assumption 6)",
                    withStep(text(
                            "F(theta_T) - F* <= %s after %d rounds and never below %s, while minimum and parameters stay in the ball",
                            number(rate.bound(rounds())), rounds(), number(rate.floor()))));
        }

        private void theorem4() {
            double c = bound.orElseThrow().influence();
            if (values.convexity() == 0) {
                say(
                        "Theorem 4",
                        Answer.FAILS,
                        "eq. (9)",
                        "F is not known to be strongly convex",
                        "--no-intercept --l2 0.01, or another penalty");
                return;
            }
            if (data.isEmpty()) {
                say(
                        "Theorem 4",
                        Answer.OPEN,
                        "eq. (9)",
                        text(
                                "needs lambda_F/L_F > C = %s; with eta = 1/L_F a linear rate is proven for every C < 1",
                                number(c)));
                return;
            }
            StronglyConvexRate rate =
                    new StronglyConvexRate(values.smoothness(), values.convexity(), error(data.get().sigma));
            String stronger = text(
                    "with eta = 1/L_F, F - F* shrinks by %s per round to at most %s",
                    number(rate.factor()), number(rate.floor()));
            if (rate.isPapers()) {
                say(
                        "Theorem 4",
                        withStep(),
                        "eq. (9)",
                        text(
                                "with eta = 2/(L_F + lambda_F), ||theta - theta*|| shrinks by %s per round to at most %s; %s",
                                number(rate.papersFactor()), number(rate.distanceFloor()), stronger));
            } else {
                say(
                        "Theorem 4",
                        Answer.FAILS,
                        "eq. (9) needs C < lambda_F/L_F",
                        text(
                                "C = %s is not below lambda_F/L_F = %s; but %s",
                                number(c), number(values.convexity() / values.smoothness()), stronger),
                        "--l2 above " + number(penaltyForTheorem4(c)));
            }
        }

        /** The penalty from which on C &lt; lambda_F/L_F: L_F without penalty times C/(1-C). */
        private double penaltyForTheorem4(double c) {
            return (values.smoothness() - values.convexity()) * c / (1 - c);
        }
    }
}
