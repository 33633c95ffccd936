package holdfast.training;

import holdfast.Check;
import holdfast.InputException;
import holdfast.data.Schema;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.plan.ResolvedPlan;
import holdfast.preparation.RowReach;
import holdfast.rounds.TrainingLoop;
import holdfast.rounds.WorkerPool;
import java.util.ArrayList;
import java.util.List;
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
        Schema schema = anySchema(plan);
        Check.that(
                plan.lambda().isEmpty()
                        || !plan.model(schema).needsBox()
                        || plan.get(PlanKey.BOX).isPresent(),
                "model %s needs data, or --box, or --lambda none: how far its rows may move depends on the data",
                plan.model(schema).name());
        return of(new PlanTheory(plan, schema, workers, Optional.empty()));
    }

    /** Returns a schema with labels that the plan's model predicts: classes or numbers. */
    private static Schema anySchema(Plan plan) {
        List<String> features = new ArrayList<>(List.of("x"));
        plan.get(PlanKey.PRICES).byName().keySet().stream()
                .filter(name -> !name.equals("x"))
                .forEach(features::add);
        plan.get(PlanKey.PRICES).whole().keySet().forEach(name -> features.add(name + "=x"));
        Schema classes = new Schema(features, "y", List.of("0", "1"), List.of());
        try {
            plan.model(classes);
            return classes;
        } catch (InputException e) {
            return new Schema(classes.features(), classes.label(), List.of(), List.of());
        }
    }

    /** Says all that is known about a run before its first round; asks the workers for one gradient. */
    public static Forecast of(PreparedRun run) {
        WorkerPool workers = run.allWorkers();
        ResolvedPlan plan = run.plan().resolve(run.schema(), workers.workers());
        TrainingLoop loop = new TrainingLoop(plan.loop(run.root()), workers);
        double[] start = loop.start().theta();
        ObjectiveConstants constants = new ObjectiveConstants(
                run.plan(),
                plan.model(),
                run.schema().features().size(),
                run.reach(),
                run.plan().prices(run.schema()));
        Data data = new Data(
                run.reach(),
                start,
                loop.objective(loop.start()),
                run.plan().sendsFullGradients()
                        ? WorkerSpread.at(start, plan, workers, run.root()).sigma()
                        : Double.NaN,
                SampledCurvature.of(run, constants, start));
        return of(new PlanTheory(run.plan(), run.schema(), workers.workers(), Optional.of(data)));
    }

    /**
     * What only data say.
     *
     * @param objective F at the start, as workers report it
     * @param sigma of the workers' gradients at the start; NaN if they do not send the gradients on all their rows
     * @param curvature L_zz at the start of a model that is not linear in its scores
     */
    record Data(RowReach reach, double[] start, double objective, double sigma, Optional<SampledCurvature> curvature) {}

    private static Forecast of(PlanTheory theory) {
        Statements out = new Statements();
        new AssumptionStatements(theory, out).say();
        new TheoremStatements(theory, out).say();
        return new Forecast(theory.setting(), out.all());
    }
}
