package holdfast.training;

import holdfast.aggregate.NormScreening;
import holdfast.model.LinearScores;
import holdfast.objective.Effort;
import holdfast.objective.WeightedL2;
import holdfast.plan.LearningRate;
import holdfast.plan.PlanKey;
import holdfast.theory.AscentRate;
import holdfast.theory.ErrorBound;
import holdfast.theory.Proof;
import holdfast.theory.ScreeningBound;
import holdfast.training.Forecast.Answer;
import java.util.Optional;

/** Says which assumptions of the theorems a plan meets, and with which constants. */
final class AssumptionStatements {
    private final PlanTheory theory;
    private final Statements out;

    AssumptionStatements(PlanTheory theory, Statements out) {
        this.theory = theory;
        this.out = out;
    }

    void say() {
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
    }

    private void influence() {
        String source = theory.rule instanceof NormScreening
                ? "C = 2 alpha/(1-beta), Theorem 1, eq. (3)"
                : theory.rule.robustness(theory.workers).formula() + ", "
                        + theory.rule.robustness(theory.workers).source();
        if (theory.liars > theory.rule.tolerated()) {
            out.say("Influence", Answer.FAILS, source, tooMany() + ": liars can send anything", moreLiars());
        } else if (theory.bound.isEmpty()) {
            out.say(
                    "Influence",
                    Answer.FAILS,
                    source,
                    "nothing bounds how far liars can move this rule",
                    "--rule norm-screening, or another one that ./holdfast rules shows a bound for");
        } else {
            ErrorBound b = theory.bound.get();
            out.say(
                    "Influence",
                    Answer.NUMBER,
                    source,
                    Statements.text(
                            "||G - grad F|| <= %s ||grad F|| + %s(L_theta,z epsilon + sigma)",
                            Statements.number(b.influence()),
                            b.spread() == 1 ? "" : Statements.number(b.spread()) + " "));
        }
    }

    private String tooMany() {
        return Statements.text("%d may lie, but the rule is set up for %d", theory.liars, theory.rule.tolerated());
    }

    /** Returns what to change so that this many liars are tolerated. */
    private String moreLiars() {
        if (theory.liars <= theory.mostProven()) {
            return "--tolerated " + theory.liars;
        }
        return 2 * theory.liars < theory.workers
                ? "--rule norm-clipping --tolerated " + theory.liars
                : Statements.text(
                        "more workers: no rule withstands half of them, and %d of %d may lie",
                        theory.liars, theory.workers);
    }

    private void breakpoint() {
        Optional<Proof> own = theory.rule.proof(theory.workers);
        boolean screens = theory.rule instanceof NormScreening;
        boolean enough = theory.liars <= theory.rule.tolerated();
        boolean holds = enough
                && (screens ? theory.converges() : own.filter(Proof::holds).isPresent());
        int most = theory.mostProven();
        String words = (!enough
                        ? tooMany()
                        : screens
                                ? Statements.text(
                                        "2 alpha + beta = %s",
                                        Statements.number(
                                                (2.0 * theory.liars + theory.rule.tolerated()) / theory.workers))
                                : own.map(Proof::finding).orElse("nothing is proven about this rule"))
                + (most < 0
                        ? ""
                        : Statements.text(
                                "; the rule is proven for up to %d of %d liars, if set up for them",
                                most, theory.workers))
                + (screens && holds ? wrongF() : "");
        String source = own.map(Proof::source).orElse("");
        if (holds) {
            out.say("Breakpoint", Answer.HOLDS, source, words);
        } else {
            out.say("Breakpoint", Answer.FAILS, source, words, moreLiars());
        }
    }

    private String wrongF() {
        int more = theory.rule.tolerated() + 1;
        if (theory.liars == 0 || more >= theory.workers) {
            return "";
        }
        double cost = ScreeningBound.costOfScreening(theory.workers, theory.liars, more);
        return Statements.text(
                "; set up for %d, the liars could send anything; set up for %d, the floor is %s",
                theory.liars - 1,
                more,
                Double.isInfinite(cost)
                        ? "infinite"
                        : Statements.number(cost
                                        / ScreeningBound.costOfScreening(
                                                theory.workers, theory.liars, theory.rule.tolerated()))
                                + " times as high");
    }

    private void assumption1() {
        String formula =
                "Lipschitz gradients in theta and z; L_F = L_theta,theta + L_theta,z L_z,theta/(lambda - L_zz), Lemma 1";
        if (theory.plan.get(PlanKey.LABEL_PRICE).isPresent()) {
            out.say(
                    "Assumption 1",
                    Answer.FAILS,
                    formula,
                    "labels that may change make the worst case of a row nonsmooth, so Lemma 1 is void",
                    "--label-price none");
        } else if (theory.plan.changesCategories()) {
            out.say(
                    "Assumption 1",
                    Answer.FAILS,
                    formula,
                    "categories that change as a whole make the worst case of a row nonsmooth, so Lemma 1 is void",
                    "a number or fixed for each column in --prices, instead of whole(...)");
        } else if (!theory.plan.isPapersObjective()) {
            out.say(
                    "Assumption 1",
                    Answer.FAILS,
                    formula,
                    "the theorems are about the Wasserstein objective with the squared cost",
                    "--objective wasserstein --cost squared-l2");
        } else if (theory.onBallsOnly()) {
            out.say(
                    "Assumption 1",
                    Answer.OPEN,
                    formula,
                    "the constants of model " + theory.model.name()
                            + " hold on balls only, and nothing says how far theta goes; train checks them in every round");
        } else if (!theory.values.known()) {
            out.say(
                    "Assumption 1",
                    Answer.FAILS,
                    formula,
                    "nothing bounds the gradients of model " + theory.model.name(),
                    "a model that is linear in its scores, see ./holdfast models");
        } else if (theory.data.isEmpty()) {
            out.say(
                    "Assumption 1",
                    Answer.OPEN,
                    formula,
                    theory.plan.lambda().isEmpty()
                            ? "L_F depends on the rows"
                            : Statements.text(
                                    "%s: L_zz = %s; L_F depends on the rows",
                                    theory.ball(), Statements.number(theory.values.zz())));
        } else if (Double.isInfinite(theory.values.smoothness())) {
            out.say(
                    "Assumption 1",
                    Answer.FAILS,
                    formula,
                    "the rows are so long, or the curvature so large, that no finite L_F is known",
                    "another --scale or --model");
        } else {
            out.say(
                    "Assumption 1",
                    Answer.HOLDS,
                    formula,
                    Statements.text(
                            "%s and rows up to length %s: %sL_F = %s",
                            theory.ball(),
                            Statements.number(theory.data.get().reach().radius()),
                            theory.plan.lambda().isEmpty()
                                    ? ""
                                    : Statements.text(
                                            "L_zz = %s, L_theta,z = %s, ",
                                            Statements.number(theory.values.zz()),
                                            Statements.number(theory.values.thetaZ())),
                            Statements.number(theory.values.smoothness())));
        }
    }

    private void assumption2() {
        if (theory.plan.changesCategories()) {
            out.say(
                    "Assumption 2",
                    Answer.FAILS,
                    "c(z, x) = (1/2) sum of a_i (z_i - x_i)^2 + the price of every category that changes",
                    "on the features that move by any amount the cost is 1-strongly convex and 1-smooth in its own norm; changing a"
                            + " category is a jump, with no L_c and no strong convexity",
                    "a number or fixed for each column in --prices, instead of whole(...)");
            return;
        }
        if (theory.plan.lambda().isPresent() && theory.plan.isPapersObjective()) {
            WeightedL2 cost = theory.plan.prices(theory.schema);
            out.say(
                    "Assumption 2",
                    Answer.HOLDS,
                    "c(z, x) = " + cost.description(),
                    cost.equals(WeightedL2.EQUAL)
                            ? "the cost is 1-strongly convex and 1-smooth"
                            : Statements.text(
                                    "the cost is 1-strongly convex and 1-smooth in its own norm, sqrt(sum of a_i v_i^2), %sand"
                                            + " %s-strongly convex in the Euclidean one",
                                    Double.isInfinite(cost.smoothness()) ? "on the features that can move, " : "",
                                    Statements.number(cost.least())));
        }
    }

    private void assumption3() {
        if (theory.plan.lambda().isEmpty()) {
            return;
        }
        String formula = "lambda > L_zz";
        if (!theory.smooth()) {
            theory.data.ifPresent(data -> assumption3AtTheStart(formula, data));
            return;
        }
        if (theory.startsInBall()) {
            out.say(
                    "Assumption 3",
                    Answer.HOLDS,
                    formula,
                    Statements.text("%s, where L_zz <= lambda/2; train checks it in every round", theory.ball()));
        } else {
            double start = theory.constants.at(theory.data.get().start()).zz();
            out.say(
                    "Assumption 3",
                    Answer.FAILS,
                    formula,
                    Statements.text(
                            "theta starts with L_zz = %s, which is not below lambda/2 = %s",
                            Statements.number(start), Statements.number(theory.constants.lambda() / 2)),
                    "--init auto, or --lambda above " + Statements.number(2 * start));
        }
    }

    /** Where a bound on L_zz is known at one theta, but none in a ball. */
    private void assumption3AtTheStart(String formula, Forecast.Data data) {
        if (data.curvature().isEmpty()) {
            return;
        }
        SampledCurvature found = data.curvature().get();
        double lambda = theory.constants.lambda();
        if (found.bound() == Double.POSITIVE_INFINITY) {
            out.say(
                    "Assumption 3",
                    Answer.FAILS,
                    formula,
                    Statements.text("at the start %s", found),
                    "a loss of bounded slope, such as loss=huber, or --box");
        } else if (found.bound() < lambda) {
            out.say(
                    "Assumption 3",
                    Answer.OPEN,
                    formula,
                    Statements.text("at the start %s; train checks the bound in every round", found));
        } else {
            out.say(
                    "Assumption 3",
                    Answer.FAILS,
                    formula,
                    Statements.text(
                            "the bound is not below lambda = %s: at the start %s", Statements.number(lambda), found),
                    "--lambda above " + Statements.number(found.bound()));
        }
    }

    private void assumption4() {
        String formula = "sigma >= ||g_i - grad F|| over honest workers, eq. (5)";
        double sigma = theory.data.map(Forecast.Data::sigma).orElse(Double.NaN);
        if (theory.data.isEmpty()) {
            out.say("Assumption 4", Answer.OPEN, formula, "sigma depends on the rows: how much the workers differ");
        } else if (Double.isNaN(sigma)) {
            out.say("Assumption 4", Answer.OPEN, formula, "workers do not send the gradients on all their rows");
        } else {
            out.say(
                    "Assumption 4",
                    Answer.NUMBER,
                    formula,
                    Statements.text(
                            "sigma = %s, an estimate: the distance of a worker's gradient from the combined one, at the start%s",
                            Statements.number(sigma),
                            theory.rule.tolerated() == 0
                                    ? ""
                                    : " and without the " + theory.rule.tolerated() + " farthest"));
        }
    }

    private void assumption5() {
        boolean convex = theory.model instanceof LinearScores;
        if (convex) {
            out.say(
                    "Assumption 5",
                    Answer.HOLDS,
                    "f convex in theta",
                    "model " + theory.model.name() + " is convex in theta");
        } else {
            out.say(
                    "Assumption 5",
                    Answer.FAILS,
                    "f convex in theta",
                    "model " + theory.model.name() + " is not known to be convex; Theorem 2 does not need it",
                    "a model that is linear in its scores");
        }
    }

    private void assumption7() {
        String formula = "F is lambda_F-strongly convex";
        if (theory.values.convexity() > 0) {
            out.say(
                    "Assumption 7",
                    Answer.HOLDS,
                    formula,
                    "lambda_F = " + Statements.number(theory.values.convexity()) + ", by --l2");
        } else {
            out.say(
                    "Assumption 7",
                    Answer.FAILS,
                    formula,
                    !(theory.model instanceof LinearScores)
                            ? "model " + theory.model.name() + " is not known to be convex"
                            : theory.plan.l2() == 0
                                    ? "there is no penalty"
                                    : "the penalty does not cover the intercept",
                    theory.penalise());
        }
    }

    private void precision() {
        if (theory.plan.lambda().isEmpty() || !theory.smooth()) {
            return;
        }
        if (theory.isExact()) {
            out.say("Precision", Answer.NUMBER, "z* by one-dimensional search", "epsilon = 0: worst cases are exact");
            return;
        }
        String formula = "T_z >= ln(D_z/epsilon)/ln(1/p), Section VI.D";
        if (theory.plan.box(theory.model).bounded()) {
            out.say(
                    "Precision",
                    Answer.FAILS,
                    formula,
                    "in a box nothing bounds how far the ascent misses the worst case",
                    "--box none, or --maximiser auto without steps and precision");
            return;
        }
        AscentRate ascent = theory.ascent();
        String how = Statements.text(
                "p = %s, D_z <= %s %s",
                Statements.number(ascent.factor()), Statements.number(theory.values.move()), theory.ball());
        if (!ascent.converges()) {
            out.say("Precision", Answer.FAILS, formula, how + ": the ascent may diverge", "--ascent-rate auto");
            return;
        }
        String first = theory.loss().effort().at(true).equals(theory.effort())
                ? ""
                : "; in the first stage epsilon = "
                        + Statements.number(
                                theory.epsilon(theory.loss().effort().at(true)));
        out.say(
                "Precision",
                Answer.NUMBER,
                formula,
                (theory.effort() instanceof Effort.Precision wanted
                                ? Statements.text(
                                        "T_z = %.0f steps are enough for epsilon = %s (%s)",
                                        ascent.steps(theory.values.move(), wanted.epsilon()),
                                        Statements.number(wanted.epsilon()),
                                        how)
                                : Statements.text(
                                        "T_z = %d steps reach epsilon = %s (%s)",
                                        ((Effort.Steps) theory.effort()).count(),
                                        Statements.number(theory.epsilon(theory.effort())),
                                        how))
                        + first);
    }

    private void step() {
        Guarantee.Condition plain = Guarantee.updates(theory.plan);
        boolean fixed = theory.plan.get(PlanKey.LEARNING_RATE) instanceof LearningRate.Fixed;
        double influence = theory.stepInfluence();
        double most = theory.values.maxStep(influence);
        String formula = "eta = 1/L_F (Theorems 2 and 3) or 2/(L_F + lambda_F) (Theorem 4)";
        String proven = theory.data.isEmpty() || !theory.smooth()
                ? theory.data.isEmpty() ? "the proven step depends on the rows" : "no step is proven for all theta"
                : Statements.text(
                        "the proven step is %s = %s", theory.values.maxStepText(influence), Statements.number(most));
        boolean known = theory.data.isPresent() && theory.smooth();
        if (!plain.holds()) {
            out.say(
                    "Step",
                    Answer.FAILS,
                    formula,
                    plain.detail() + "; " + proven,
                    (theory.smooth() ? "" : "what Assumption 1 needs, and ")
                            + "--learning-rate proven, without momentum, batches and local steps");
        } else if (fixed && known && theory.rate() > most) {
            out.say(
                    "Step",
                    Answer.FAILS,
                    formula,
                    Statements.text("%s is longer; %s", Statements.number(theory.rate()), proven),
                    "--learning-rate proven");
        } else if (fixed && known) {
            out.say("Step", Answer.HOLDS, formula, Statements.text("%s; %s", Statements.number(theory.rate()), proven));
        } else {
            out.say("Step", Answer.OPEN, formula, proven);
        }
    }
}
