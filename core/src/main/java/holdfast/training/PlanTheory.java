package holdfast.training;

import holdfast.InputException;
import holdfast.aggregate.Aggregator;
import holdfast.aggregate.NormScreening;
import holdfast.data.Schema;
import holdfast.model.Model;
import holdfast.objective.Effort;
import holdfast.objective.ExactMaximiser;
import holdfast.objective.RobustLoss;
import holdfast.plan.LearningRate;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.plan.ResolvedPlan;
import holdfast.preparation.RowReach;
import holdfast.theory.AscentRate;
import holdfast.theory.ErrorBound;
import holdfast.theory.Proof;
import holdfast.theory.RoundError;
import holdfast.theory.ScreeningBound;
import holdfast.training.Forecast.Data;
import java.util.Optional;

/**
 * The numbers that the theorems make of a plan: the bound of its rule, the constants of its objective on a ball of
 * parameters, the precision of its worst cases and the error of a round.
 */
final class PlanTheory {
    final Plan plan;
    final int workers;
    final Optional<Data> data;
    final Aggregator rule;
    final int liars;
    final Model model;
    final ObjectiveConstants constants;
    final double length;
    final ObjectiveConstants.Values values;
    final Optional<ErrorBound> bound;

    PlanTheory(Plan plan, Schema schema, int workers, Optional<Data> data) {
        this.plan = plan;
        this.workers = workers;
        this.data = data;
        this.rule = ResolvedPlan.rule(plan, workers);
        int given =
                Math.max(plan.get(PlanKey.LIARS), plan.get(PlanKey.BYZANTINE).size());
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

    boolean converges() {
        return bound.isPresent() && bound.get().influence() < 1;
    }

    boolean smooth() {
        return plan.isPapersObjective() && values.known() && Double.isFinite(values.zz());
    }

    String ball() {
        return length >= 1e99 ? "for all theta" : "for ||theta|| <= " + Statements.number(length);
    }

    /** The most liars for which the rule is proven, over all numbers that it can be set up for. */
    int mostProven() {
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

    private RobustLoss loss() {
        return (RobustLoss) plan.objective().on(model, plan.get(PlanKey.L2));
    }

    Effort effort() {
        return loss().effort().at(false);
    }

    boolean isExact() {
        return plan.lambda().isEmpty() || loss().maximiser() instanceof ExactMaximiser;
    }

    AscentRate ascent() {
        double lambda = constants.lambda();
        double rate = plan.get(PlanKey.ASCENT_RATE).orElse(1 / lambda);
        return AscentRate.of(lambda, 1, values.zz(), rate, model.convexInRows());
    }

    /** epsilon; infinite if nothing bounds it. */
    double epsilon() {
        if (isExact()) {
            return 0;
        }
        if (effort() instanceof Effort.Precision wanted) {
            return wanted.epsilon();
        }
        int steps = ((Effort.Steps) effort()).count();
        return ascent().converges() ? Math.pow(ascent().factor(), steps) * values.move() : Double.POSITIVE_INFINITY;
    }

    double rate() {
        return plan.get(PlanKey.LEARNING_RATE).first().orElseThrow();
    }

    /** The step to predict with: the plan's if it is within what is proven, else the proven one. */
    double stepToPredict() {
        double most = 1 / values.smoothness();
        return plan.get(PlanKey.LEARNING_RATE) instanceof LearningRate.Fixed ? Math.min(rate(), most) : most;
    }

    RoundError error(double sigma) {
        return RoundError.of(bound.orElseThrow(), values.thetaZ(), sigma, epsilon());
    }

    int rounds() {
        return Math.max(1, plan.get(PlanKey.ROUNDS));
    }

    /** Returns the rule, the workers and the liars in one line. */
    String setting() {
        return Statements.text(
                "%s, %d workers, %d of which may lie (alpha = %s), set up for %d (beta = %s)",
                plan.get(PlanKey.RULE),
                workers,
                liars,
                Statements.number((double) liars / workers),
                rule.tolerated(),
                Statements.number((double) rule.tolerated() / workers));
    }
}
