package holdfast.training;

import holdfast.model.LinearScores;
import holdfast.theory.ConvexRate;
import holdfast.theory.NonconvexRate;
import holdfast.theory.StronglyConvexRate;
import holdfast.training.Forecast.Answer;
import java.util.List;

/** Says which of Theorems 2 to 4 apply to a plan, and what they promise. */
final class TheoremStatements {
    private final PlanTheory theory;
    private final Statements out;

    /** @param out already has the statements about the assumptions */
    TheoremStatements(PlanTheory theory, Statements out) {
        this.theory = theory;
        this.out = out;
    }

    void say() {
        List<String> failing = out.failing();
        if (!failing.isEmpty()) {
            out.say(
                    "Theorems 2-4",
                    Answer.FAILS,
                    "2 alpha + beta < 1 and Assumptions 1 to 4",
                    "see " + String.join(", ", failing));
        } else if (theory.onBallsOnly()) {
            out.say("Theorems 2-4", Answer.OPEN, "Assumption 1", "they depend on how far theta goes");
        } else {
            theorem2();
            theorem3();
            theorem4();
        }
    }

    /** Theorems 2 and 3 apply to steps up to 1/L_F. */
    private Answer withStep() {
        Answer step = out.about("Step").answer();
        boolean longer = step == Answer.HOLDS && theory.rate() > 1 / theory.values.smoothness();
        return step == Answer.FAILS || longer ? Answer.OPEN : Answer.HOLDS;
    }

    private String withStep(String promise) {
        return (withStep() == Answer.OPEN ? "with eta = 1/L_F, " : "") + promise;
    }

    /** Returns what else a promise depends on. */
    private String whileInBall() {
        return theory.everywhere() ? "" : ", while ||theta|| <= " + Statements.number(theory.length);
    }

    private String formula(String equation) {
        return theory.hasNumbers() ? equation + ", with the estimated sigma and F_0 as reported" : equation;
    }

    private double gap() {
        return theory.constants.gap(theory.data.orElseThrow().objective());
    }

    private void theorem2() {
        double c = theory.bound.orElseThrow().influence();
        String formula = formula(Statements.text(
                "eq. (7), best r = (1-C)/C = %s", c == 0 ? "infinity" : Statements.number((1 - c) / c)));
        if (!theory.hasNumbers()) {
            out.say(
                    "Theorem 2",
                    withStep(),
                    formula,
                    withStep(Statements.text(
                            "mean ||grad F||^2 <= %s L_F (F_0 - F*)/T + %s (L_theta,z epsilon + sigma)^2%s",
                            Statements.number(2 / (1 - c)),
                            Statements.number(Math.pow(theory.bound.get().spread() / (1 - c), 2)),
                            whileInBall())));
            return;
        }
        NonconvexRate rate = new NonconvexRate(
                theory.stepToPredict(), theory.error(theory.data.get().sigma()));
        out.say(
                "Theorem 2",
                withStep(),
                formula,
                withStep(Statements.text(
                        "mean ||grad F||^2 over %d rounds <= %s + %s (rate and floor)%s%s",
                        theory.rounds(),
                        Statements.number(rate.progress(gap(), theory.rounds())),
                        Statements.number(rate.floor()),
                        whileInBall(),
                        rate.floor() > 0
                                ? Statements.text(
                                        "; after %s rounds the floor is the larger part",
                                        Statements.count(rate.rounds(gap(), rate.floor())))
                                : "")));
    }

    private void theorem3() {
        if (!(theory.model instanceof LinearScores)) {
            return;
        }
        if (!theory.hasNumbers() || theory.everywhere()) {
            out.say(
                    "Theorem 3",
                    Answer.OPEN,
                    "eq. (8)",
                    "F(theta_T) - F* <= max(rate, floor) if all theta_t stay within D of the minimum (Assumption 6)");
            return;
        }
        ConvexRate rate = new ConvexRate(
                new NonconvexRate(
                        theory.stepToPredict(), theory.error(theory.data.get().sigma())),
                2 * theory.length);
        out.say(
                "Theorem 3",
                withStep(),
                formula("eq. (8) with D = 2 x " + Statements.number(theory.length) + " (Assumption 6)"),
                withStep(Statements.text(
                        "F(theta_T) - F* <= %s after %d rounds, while the minimum and theta stay in the ball; its floor is %s%s",
                        Statements.number(rate.bound(theory.rounds())),
                        theory.rounds(),
                        Statements.number(rate.floor()),
                        rate.floor() >= gap()
                                ? ", above F_0 - F* <= " + Statements.number(gap()) + ": it says nothing here"
                                : "")));
    }

    private void theorem4() {
        double c = theory.bound.orElseThrow().influence();
        if (theory.values.convexity() == 0) {
            out.say("Theorem 4", Answer.FAILS, "eq. (9)", "F is not known to be strongly convex", theory.penalise());
            return;
        }
        if (!theory.hasNumbers()) {
            out.say(
                    "Theorem 4",
                    Answer.OPEN,
                    "eq. (9)",
                    Statements.text(
                            "needs lambda_F/L_F > C = %s; with eta = 1/L_F a linear rate is proven for every C < 1",
                            Statements.number(c)));
            return;
        }
        StronglyConvexRate rate = new StronglyConvexRate(
                theory.values.smoothness(),
                theory.values.convexity(),
                theory.error(theory.data.get().sigma()));
        String stronger = Statements.text(
                "with eta = 1/L_F, F - F* falls by a share of %s in each round, to at most %s%s",
                Statements.number(1 - rate.factor()), Statements.number(rate.floor()), whileInBall());
        if (rate.isPapers()) {
            out.say(
                    "Theorem 4",
                    out.about("Step").answer() == Answer.FAILS ? Answer.OPEN : Answer.HOLDS,
                    formula("eq. (9)"),
                    Statements.text(
                            "with eta = 2/(L_F + lambda_F), ||theta - theta*|| falls by a share of %s in each round, to at most"
                                    + " %s; %s",
                            Statements.number(1 - rate.papersFactor()),
                            Statements.number(rate.distanceFloor()),
                            stronger));
        } else {
            out.say(
                    "Theorem 4",
                    Answer.FAILS,
                    formula("eq. (9) needs C < lambda_F/L_F"),
                    Statements.text(
                            "C = %s is not below lambda_F/L_F = %s; but %s",
                            Statements.number(c),
                            Statements.number(theory.values.convexity() / theory.values.smoothness()),
                            stronger),
                    "--l2 above " + Statements.number(penaltyForTheorem4(c)));
        }
    }

    /** The penalty from which on C &lt; lambda_F/L_F: L_F without penalty times C/(1-C). */
    private double penaltyForTheorem4(double c) {
        return (theory.values.smoothness() - theory.values.convexity()) * c / (1 - c);
    }
}
