package holdfast.training;

import holdfast.InputException;
import holdfast.aggregate.Aggregator;
import holdfast.aggregate.NormScreening;
import holdfast.data.Schema;
import holdfast.math.Vectors;
import holdfast.model.LinearScores;
import holdfast.model.Model;
import holdfast.objective.BoxMaximiser;
import holdfast.objective.Effort;
import holdfast.objective.ExactMaximiser;
import holdfast.objective.RobustLoss;
import holdfast.plan.LearningRate;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.plan.ResolvedPlan;
import holdfast.plan.Tolerated;
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
    final Schema schema;
    final Model model;
    final ObjectiveConstants constants;
    final double length;
    final ObjectiveConstants.Values values;
    final Optional<ErrorBound> bound;

    PlanTheory(Plan plan, Schema schema, int workers, Optional<Data> data) {
        this.plan = plan;
        this.schema = schema;
        this.workers = workers;
        this.data = data;
        this.rule = ResolvedPlan.rule(plan, workers);
        int given =
                Math.max(plan.get(PlanKey.LIARS), plan.get(PlanKey.BYZANTINE).size());
        this.liars = given > 0 ? given : rule.tolerated();
        this.model = plan.model(schema);
        this.constants = new ObjectiveConstants(
                plan,
                model,
                schema.features().size(),
                data.map(Data::reach).orElse(new RowReach(0, 0, 1)),
                plan.prices(schema));
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

    /** Returns what makes F strongly convex. */
    String penalise() {
        return (model instanceof LinearScores ? "" : "a model that is linear in its scores, ")
                + "--no-intercept and a penalty, such as --l2 0.01";
    }

    boolean smooth() {
        return plan.isPapersObjective() && values.known() && Double.isFinite(values.zz());
    }

    /** Returns whether there are constants where the run starts, but none that hold for parameters of any length. */
    boolean onBallsOnly() {
        return everywhere()
                && Double.isInfinite(values.smoothness())
                && data.filter(d -> Double.isFinite(constants.at(d.start()).smoothness()))
                        .isPresent();
    }

    /** Returns whether the constants hold for parameters of any length. */
    boolean everywhere() {
        return length >= ObjectiveConstants.MAX_LENGTH;
    }

    /** Returns whether the run starts within the ball in which the constants hold. */
    boolean startsInBall() {
        return data.isEmpty() || Vectors.norm(data.get().start()) <= length;
    }

    /** Returns the influence by which train judges the step: that of as many liars as the rule is set up for. */
    double stepInfluence() {
        return PlanResolver.influence(rule, workers);
    }

    /** Returns whether there are numbers for the theorems' bounds. */
    boolean hasNumbers() {
        return data.isPresent()
                && !Double.isNaN(data.get().sigma())
                && Double.isFinite(constants.gap(data.get().objective()));
    }

    String ball() {
        return everywhere() ? "for all theta" : "for ||theta|| <= " + Statements.number(length);
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

    /** Returns what is proven if the rule is set up for this many liars; empty if it cannot be. */
    private Optional<Proof> proof(int tolerated) {
        try {
            Aggregator other = ResolvedPlan.rule(plan.with(PlanKey.TOLERATED, Tolerated.count(tolerated)), workers);
            return other.tolerated() == tolerated ? other.proof(workers) : Optional.empty();
        } catch (InputException e) {
            return Optional.empty();
        }
    }

    RobustLoss loss() {
        return (RobustLoss) plan.loss(schema);
    }

    /** Returns the effort of the second stage, or of all rounds. */
    Effort effort() {
        return loss().effort().at(false);
    }

    boolean isExact() {
        return plan.lambda().isEmpty()
                || loss().maximiser() instanceof ExactMaximiser
                || loss().maximiser() instanceof BoxMaximiser;
    }

    AscentRate ascent() {
        double lambda = constants.lambda();
        double rate = plan.get(PlanKey.ASCENT_RATE).orElse(1 / lambda);
        return AscentRate.of(lambda, 1, values.zz(), rate, model.convexInRows());
    }

    /** Returns epsilon, the larger one of two stages. */
    double epsilon() {
        return isExact()
                ? 0
                : Math.max(
                        epsilon(loss().effort().at(true)),
                        epsilon(loss().effort().at(false)));
    }

    double epsilon(Effort effort) {
        return effort instanceof Effort.Precision wanted
                ? wanted.epsilon()
                : Math.pow(ascent().factor(), ((Effort.Steps) effort).count()) * values.move();
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
