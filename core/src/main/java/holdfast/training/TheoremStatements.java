package holdfast.training;

import holdfast.model.LinearScores;
import holdfast.theory.ConvexRate;
import holdfast.theory.NonconvexRate;
import holdfast.theory.StronglyConvexRate;
import holdfast.training.Forecast.Answer;
import holdfast.training.Forecast.Statement;
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
        List<String> failed = out.all().stream()
                .filter(s -> s.answer() == Answer.FAILS
                        && !s.about().equals("Assumption 5")
                        && !s.about().equals("Assumption 7"))
                .filter(s -> !s.about().equals("Step"))
                .map(Statement::about)
                .toList();
        if (!failed.isEmpty()) {
            out.say(
                    "Theorems 2-4",
                    Answer.FAILS,
                    "2 alpha + beta < 1 and Assumptions 1 to 4",
                    "see " + String.join(", ", failed));
            return;
        }
        theorem2();
        theorem3();
        theorem4();
    }

    /** What a theorem's promise depends on: the plan's own steps, or the proven ones in their place. */
    private Answer withStep() {
        return out.about("Step").answer() == Answer.FAILS ? Answer.OPEN : Answer.HOLDS;
    }

    private String withStep(String promise) {
        return (withStep() == Answer.OPEN ? "with the proven step, " : "") + promise;
    }

    private void theorem2() {
        double c = theory.bound.orElseThrow().influence();
        String formula = Statements.text(
                "eq. (7) with the best r = (1-C)/C = %s", c == 0 ? "infinity" : Statements.number((1 - c) / c));
        if (theory.data.isEmpty()) {
            out.say(
                    "Theorem 2",
                    withStep(),
                    formula,
                    withStep(Statements.text(
                            "mean ||grad F||^2 <= %s L_F (F_0 - F*)/T + %s (L_theta,z epsilon + sigma)^2",
                            Statements.number(2 / (1 - c)),
                            Statements.number(Math.pow(theory.bound.get().spread() / (1 - c), 2)))));
            return;
        }
        NonconvexRate rate = new NonconvexRate(
                theory.stepToPredict(), theory.error(theory.data.get().sigma()));
        double gap = theory.data.get().objective();
        out.say(
                "Theorem 2",
                withStep(),
                formula,
                withStep(Statements.text(
                        "mean ||grad F||^2 over %d rounds <= %s + %s (rate and floor)%s",
                        theory.rounds(),
                        Statements.number(rate.progress(gap, theory.rounds())),
                        Statements.number(rate.floor()),
                        rate.floor() > 0
                                ? Statements.text(
                                        "; after %.0f rounds the floor is the larger part",
                                        rate.rounds(gap, rate.floor()))
                                : "")));
    }

    private void theorem3() {
        if (!(theory.model instanceof LinearScores)) {
            return;
        }
        if (theory.data.isEmpty() || theory.length >= 1e99) {
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
                "eq. (8) with D = 2 x " + Statements.number(theory.length) + " (Assumption 6)",
                withStep(Statements.text(
                        "F(theta_T) - F* <= %s after %d rounds and never below %s, while minimum and parameters stay in the ball",
                        Statements.number(rate.bound(theory.rounds())),
                        theory.rounds(),
                        Statements.number(rate.floor()))));
    }

    private void theorem4() {
        double c = theory.bound.orElseThrow().influence();
        if (theory.values.convexity() == 0) {
            out.say(
                    "Theorem 4",
                    Answer.FAILS,
                    "eq. (9)",
                    "F is not known to be strongly convex",
                    "--no-intercept --l2 0.01, or another penalty");
            return;
        }
        if (theory.data.isEmpty()) {
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
                "with eta = 1/L_F, F - F* shrinks by %s per round to at most %s",
                Statements.number(rate.factor()), Statements.number(rate.floor()));
        if (rate.isPapers()) {
            out.say(
                    "Theorem 4",
                    withStep(),
                    "eq. (9)",
                    Statements.text(
                            "with eta = 2/(L_F + lambda_F), ||theta - theta*|| shrinks by %s per round to at most %s; %s",
                            Statements.number(rate.papersFactor()), Statements.number(rate.distanceFloor()), stronger));
        } else {
            out.say(
                    "Theorem 4",
                    Answer.FAILS,
                    "eq. (9) needs C < lambda_F/L_F",
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
