package holdfast.training;

import holdfast.aggregate.NormScreening;
import holdfast.model.LinearScores;
import holdfast.objective.Effort;
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
            out.say(
                    "Influence",
                    Answer.FAILS,
                    source,
                    Statements.text(
                            "%d may lie, but the rule is set up for %d: liars can send anything",
                            theory.liars, theory.rule.tolerated()),
                    "--tolerated " + theory.liars);
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
                            "||G - grad F|| <= %s ||grad F|| + %s (L_theta,z epsilon + sigma)",
                            Statements.number(b.influence()), Statements.number(b.spread())));
        }
    }

    private void breakpoint() {
        Optional<Proof> own = theory.rule.proof(theory.workers);
        boolean screens = theory.rule instanceof NormScreening;
        boolean holds = screens
                ? theory.converges()
                : own.filter(Proof::holds).isPresent() && theory.liars <= theory.rule.tolerated();
        int most = theory.mostProven();
        String words = (screens
                        ? Statements.text(
                                "2 alpha + beta = %s",
                                Statements.number((2.0 * theory.liars + theory.rule.tolerated()) / theory.workers))
                        : own.map(Proof::finding).orElse("nothing is proven about this rule"))
                + (most < 0
                        ? ""
                        : Statements.text(
                                "; the rule withstands up to %d of %d, set up for as many", most, theory.workers))
                + (screens && holds ? wrongF() : "");
        String source = own.map(Proof::source).orElse("");
        if (holds) {
            out.say("Breakpoint", Answer.HOLDS, source, words);
        } else {
            out.say(
                    "Breakpoint",
                    Answer.FAILS,
                    source,
                    words,
                    theory.liars <= most
                            ? "--tolerated " + theory.liars
                            : "--rule norm-clipping, which withstands any minority");
        }
    }

    private String wrongF() {
        int more = theory.rule.tolerated() + 1;
        if (theory.liars == 0 || more >= theory.workers) {
            return "";
        }
        double cost = ScreeningBound.costOfScreening(theory.workers, theory.liars, more);
        return Statements.text(
                "; with f = %d liars can do anything, with f = %d the floor is %s",
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
        if (!theory.plan.isPapersObjective()) {
            out.say(
                    "Assumption 1",
                    Answer.FAILS,
                    formula,
                    "the theorems are about the Wasserstein objective",
                    "--objective wasserstein --cost squared-l2");
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
                    "the curvature of model " + theory.model.name() + " has no bound",
                    "another --model");
        } else {
            out.say(
                    "Assumption 1",
                    Answer.HOLDS,
                    formula,
                    Statements.text(
                            "%s and rows up to length %s: L_zz = %s, L_theta,z = %s, L_F = %s",
                            theory.ball(),
                            Statements.number(theory.data.get().reach().radius()),
                            Statements.number(theory.values.zz()),
                            Statements.number(theory.values.thetaZ()),
                            Statements.number(theory.values.smoothness())));
        }
    }

    private void assumption2() {
        if (theory.plan.lambda().isPresent() && theory.plan.isPapersObjective()) {
            out.say(
                    "Assumption 2",
                    Answer.HOLDS,
                    "c(z, x) = (1/2)||z - x||^2",
                    "the cost is 1-strongly convex and 1-smooth");
        }
    }

    private void assumption3() {
        if (theory.plan.lambda().isEmpty() || !theory.smooth()) {
            return;
        }
        String formula = "lambda > L_zz";
        double lambda = theory.constants.lambda();
        Optional<Double> start =
                theory.data.map(d -> theory.constants.at(d.start()).zz());
        if (start.filter(zz -> zz >= lambda).isPresent()) {
            out.say(
                    "Assumption 3",
                    Answer.FAILS,
                    formula,
                    Statements.text(
                            "at the start L_zz = %s is not below lambda = %s",
                            Statements.number(start.get()), Statements.number(lambda)),
                    "--init auto, or --lambda above " + Statements.number(start.get()));
        } else {
            out.say(
                    "Assumption 3",
                    Answer.HOLDS,
                    formula,
                    Statements.text("%s, where L_zz <= lambda/2; train checks it in every round", theory.ball()));
        }
    }

    private void assumption4() {
        theory.data.ifPresentOrElse(
                d -> out.say(
                        "Assumption 4",
                        Answer.NUMBER,
                        "sigma >= ||g_i - grad F|| over honest workers, eq. (5)",
                        Statements.text(
                                "sigma = %s at the start, an estimate without the %d farthest of %d workers",
                                Statements.number(d.sigma()), theory.rule.tolerated(), theory.workers)),
                () -> out.say(
                        "Assumption 4",
                        Answer.OPEN,
                        "sigma >= ||g_i - grad F|| over honest workers, eq. (5)",
                        "sigma depends on the rows: how much the workers differ"));
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
                    theory.plan.get(PlanKey.L2) == 0
                            ? "there is no penalty"
                            : "the penalty does not cover the intercept",
                    "--no-intercept --l2 0.01, or another penalty");
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
        AscentRate ascent = theory.ascent();
        String formula = "T_z >= ln(D_z/epsilon)/ln(1/p), Section VI.D";
        String how = Statements.text(
                "p = %s, D_z <= %s %s",
                Statements.number(ascent.factor()), Statements.number(theory.values.move()), theory.ball());
        if (!ascent.converges()) {
            out.say("Precision", Answer.FAILS, formula, how + ": the ascent may diverge", "--ascent-rate auto");
        } else if (theory.effort() instanceof Effort.Precision wanted) {
            out.say(
                    "Precision",
                    Answer.NUMBER,
                    formula,
                    Statements.text(
                            "epsilon = %s needs T_z = %.0f at most (%s)",
                            Statements.number(wanted.epsilon()),
                            ascent.steps(theory.values.move(), wanted.epsilon()),
                            how));
        } else {
            out.say(
                    "Precision",
                    Answer.NUMBER,
                    formula,
                    Statements.text(
                            "T_z = %d reaches epsilon = %s (%s)",
                            ((Effort.Steps) theory.effort()).count(), Statements.number(theory.epsilon()), how));
        }
    }

    private void step() {
        Guarantee.Condition plain = Guarantee.updates(theory.plan);
        boolean fixed = theory.plan.get(PlanKey.LEARNING_RATE) instanceof LearningRate.Fixed;
        double influence = theory.bound.map(ErrorBound::influence).orElse(Double.POSITIVE_INFINITY);
        double most = theory.values.maxStep(influence);
        String formula = "eta = 1/L_F (Theorems 2 and 3) or 2/(L_F + lambda_F) (Theorem 4)";
        String proven = theory.data.isEmpty() || !theory.smooth()
                ? "the proven step depends on the rows"
                : Statements.text(
                        "the proven step is %s = %s", theory.values.maxStepText(influence), Statements.number(most));
        boolean known = theory.data.isPresent() && theory.smooth();
        if (!plain.holds()) {
            out.say(
                    "Step",
                    Answer.FAILS,
                    formula,
                    plain.detail() + "; " + proven,
                    "--learning-rate proven, without momentum, batches and local steps");
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
