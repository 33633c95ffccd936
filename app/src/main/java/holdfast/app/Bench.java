package holdfast.app;

import holdfast.aggregate.Aggregators;
import holdfast.data.Dataset;
import holdfast.data.Table;
import holdfast.evaluation.Evaluation;
import holdfast.evaluation.Metric;
import holdfast.model.Model;
import holdfast.model.Target;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.rounds.TrainingException;
import holdfast.shift.Shift;
import holdfast.training.PreparedData;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Trains plans on one data set and measures them on the rows held out; for several threads. */
public final class Bench {
    /**
     * What {@link PreparedData} does not look at: plans that agree in all other settings share the prepared rows. Listed are
     * these and not the others, so that a setting that is forgotten here costs time and not the right answer.
     */
    private static final PlanKey<?>[] WITHOUT_EFFECT = {
        PlanKey.L2,
        PlanKey.LAMBDA,
        PlanKey.MAXIMISER,
        PlanKey.ASCENT_STEPS,
        PlanKey.ASCENT_RATE,
        PlanKey.PRECISION,
        PlanKey.EARLY_PRECISION,
        PlanKey.EARLY_ROUNDS,
        PlanKey.BOX,
        PlanKey.RULE,
        PlanKey.SCREENED,
        PlanKey.LEARNING_RATE,
        PlanKey.SCHEDULE,
        PlanKey.UPDATE,
        PlanKey.LOCAL_STEPS,
        PlanKey.LOCAL_RATE,
        PlanKey.WORKER_MOMENTUM,
        PlanKey.SERVER_MOMENTUM,
        PlanKey.BATCH,
        PlanKey.ROUNDS,
        PlanKey.TOLERANCE,
        PlanKey.VALIDATION,
        PlanKey.PATIENCE,
        PlanKey.INIT,
        // Rows are poisoned after the preparation, where the attack is one on data.
        PlanKey.ATTACK,
        PlanKey.LIARS,
        PlanKey.BYZANTINE
    };

    /** How many rows a server has that needs some. */
    private static final int ROOT = 100;

    /** ParallelTasks come seed by seed, so few are in use at a time. */
    private static final int REMEMBERED = 4;

    private final Table data;
    private final Map<Plan, Rows> recent = new LinkedHashMap<>();

    /** @param tested the rows held out, scaled */
    private record Rows(PreparedData prepared, Dataset tested) {}

    public Bench(Table data) {
        this.data = data;
    }

    /**
     * The error under each shift of the model that the plan gives: its headline metric, of classes the share misclassified.
     * A training that cannot go on leaves no model: that is as bad as can be.
     */
    public double[] errors(Plan plan, List<Shift> shifts) {
        Rows rows = rows(plan);
        Model model = plan.model(data.schema());
        try {
            double[] theta = rows.prepared.train(plan);
            return shifts.stream()
                    .mapToDouble(
                            shift -> Evaluation.ofScaled(model, theta, 0.5, rows.prepared.labels(), rows.tested, shift)
                                    .headline())
                    .toArray();
        } catch (TrainingException e) {
            double[] none = new double[shifts.size()];
            Arrays.fill(none, model.target().isClass() ? 1 : Double.POSITIVE_INFINITY);
            return none;
        }
    }

    /** What the errors are. */
    public Metric metric(Plan plan) {
        return Metric.of(plan.model(data.schema()).target()).get(0);
    }

    /** The error on the rows held out of knowing no feature there. */
    public double guessing(Plan plan) {
        Target target = plan.model(data.schema()).target();
        return Evaluation.guessing(rows(plan).prepared.heldOut(), target);
    }

    /** The plan with numbers for what the data decide. */
    public Plan resolve(Plan plan) {
        return rows(plan).prepared.resolve(plan);
    }

    /** One of the rows held out, scaled, to try out what may not fit the data. */
    public Dataset sample(Plan plan) {
        return rows(plan).tested.select(new int[] {0});
    }

    /** How many workers the plan has on these data. */
    public int workers(Plan plan) {
        return rows(plan).prepared.shards().size();
    }

    /** A plan that can serve all these rules: where one of them needs it, the server has rows of its own. */
    public static Plan serving(List<String> rules, Plan plan) {
        boolean needed =
                rules.stream().anyMatch(rule -> Aggregators.create(rule, 0).needsTrusted());
        return needed && plan.get(PlanKey.ROOT) == 0 ? plan.with(PlanKey.ROOT, ROOT) : plan;
    }

    /** The plan with the standard values of what does not affect the prepared rows. */
    static Plan preparation(Plan plan) {
        return plan.without(WITHOUT_EFFECT);
    }

    private synchronized Rows rows(Plan plan) {
        Plan key = preparation(plan);
        Rows known = recent.get(key);
        if (known == null) {
            PreparedData prepared = PreparedData.of(data, key);
            known = new Rows(prepared, prepared.scaled(prepared.heldOut()));
            recent.put(key, known);
            if (recent.size() > REMEMBERED) {
                recent.remove(recent.keySet().iterator().next());
            }
        }
        return known;
    }
}
