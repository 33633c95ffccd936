package holdfast.app.lab;

import holdfast.InputException;
import holdfast.attack.RawAttack;
import holdfast.data.Dataset;
import holdfast.data.Schema;
import holdfast.data.Table;
import holdfast.evaluation.Evaluation;
import holdfast.evaluation.Metric;
import holdfast.evaluation.TrainedModel;
import holdfast.model.Model;
import holdfast.model.Target;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.plan.ResolvedPlan;
import holdfast.plan.SettingGroup;
import holdfast.plan.Statistics;
import holdfast.plan.Tolerated;
import holdfast.preparation.LabelScaling;
import holdfast.rounds.TrainingException;
import holdfast.shift.Shift;
import holdfast.training.PreparedData;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Trains plans on one data set and measures them on held-out rows. Several threads can use it at once. */
public final class Testbed {
    /**
     * The settings that {@link PreparedData} ignores, but for those that {@link #preparation} puts back: plans that agree
     * in all other settings share the prepared rows.
     */
    private static final List<PlanKey<?>> WITHOUT_EFFECT =
            PlanKey.in(SettingGroup.DECISIONS, SettingGroup.ROBUSTNESS, SettingGroup.SERVER, SettingGroup.SIMULATION);

    /** What decides about attacks on raw rows. Others forge updates, or poison rows after the preparation. */
    private static final List<PlanKey<?>> ATTACK = List.of(PlanKey.ATTACK, PlanKey.LIARS, PlanKey.BYZANTINE);

    /** How many rows the server gets if a rule needs trusted rows. */
    private static final int ROOT = 100;

    /** Trainings run seed by seed, so few preparations are in use at a time. */
    private static final int REMEMBERED = 4;

    private final Table data;
    private final Map<Plan, Rows> recent = new LinkedHashMap<>();

    /** @param tested the held-out rows, unscaled */
    private record Rows(PreparedData prepared, Dataset tested) {}

    public Testbed(Table data) {
        this.data = data;
    }

    /**
     * What a plan learnt, and the held-out rows.
     *
     * @param labels the unit in which labels were learnt
     * @param tested held-out rows, scaled
     */
    public record Trained(Model model, double[] theta, LabelScaling labels, Dataset tested) {}

    /**
     * Trains by a plan.
     *
     * @throws TrainingException if the training has to stop
     */
    public Trained train(Plan plan) {
        Rows rows = rows(plan);
        return new Trained(
                plan.model(data.schema()),
                rows.prepared.train(plan),
                rows.prepared.labels(),
                rows.prepared.scaled(rows.tested));
    }

    /**
     * Trains by a plan and returns the error under each shift: the headline metric, which for classes is the share
     * misclassified. A training that has to stop leaves no model, which counts as the worst possible error.
     */
    public double[] errors(Plan plan, List<Shift> shifts) {
        return errors(rows(plan), plan, shifts);
    }

    private double[] errors(Rows rows, Plan plan, List<Shift> shifts) {
        try {
            TrainedModel model = rows.prepared.model(plan, rows.prepared.train(plan));
            return shifts.stream()
                    .mapToDouble(
                            shift -> Evaluation.of(model, rows.tested, shift).headline())
                    .toArray();
        } catch (TrainingException e) {
            double[] none = new double[shifts.size()];
            Arrays.fill(none, target(plan).isClass() ? 1 : Double.POSITIVE_INFINITY);
            return none;
        }
    }

    /**
     * Returns the error on sources that a model has never seen: the sources are divided into groups, the rows of each group
     * are tested by a model that is trained on the other groups alone, and all rows count the same.
     */
    public double errorOnNewSources(Plan plan, int groups) {
        boolean squares = metric(plan) == Metric.RMSE;
        double sum = 0;
        double count = 0;
        for (List<String> group : sourceGroups(plan, groups)) {
            Rows rows = withoutSources(plan, group);
            double error = errors(rows, plan, List.of(Shift.NONE))[0];
            sum += rows.tested.rows() * (squares ? error * error : error);
            count += rows.tested.rows();
        }
        return squares ? Math.sqrt(sum / count) : sum / count;
    }

    /**
     * Checks that a plan can train without any of the groups of sources.
     *
     * @throws InputException that says why not
     */
    public void requireTrainsOnOthers(Plan plan, int groups) {
        // No group is larger than the first.
        PreparedData prepared = withoutSources(plan, sourceGroups(plan, groups).get(0)).prepared;
        ResolvedPlan.rule(plan, prepared.partition().size());
        prepared.workers(plan);
    }

    /** Returns the sources in groups that differ in size by at most one, dealt in an order that the seed decides. */
    public List<List<String>> sourceGroups(Plan plan, int groups) {
        List<String> names = data.withoutSources(plan.get(PlanKey.WITHOUT)).schema().groups().stream()
                .sorted()
                .toList();
        int[] order = IntStream.range(0, names.size()).toArray();
        plan.seed().child("source groups").random().shuffle(order);
        int count = Math.min(groups, names.size());
        return IntStream.range(0, count)
                .mapToObj(g -> IntStream.range(0, order.length)
                        .filter(i -> i % count == g)
                        .mapToObj(i -> names.get(order[i]))
                        .toList())
                .toList();
    }

    private Rows withoutSources(Plan plan, List<String> group) {
        PreparedData prepared =
                PreparedData.of(data, plan.with(PlanKey.TEST_SOURCES, group).with(PlanKey.TEST_SHARE, 0.0));
        return new Rows(prepared, heldOut(prepared));
    }

    /**
     * Checks that shifts fit the plan's model and rows, without training.
     *
     * @throws InputException that says what does not fit
     */
    public void requireFits(Plan plan, List<Shift> shifts) {
        Rows rows = rows(plan);
        Schema schema = rows.tested.schema();
        TrainedModel untrained = rows.prepared.model(
                plan, new double[plan.model(schema).parameters(schema.features().size())]);
        shifts.forEach(shift -> Evaluation.of(untrained, rows.tested, shift));
    }

    /** What the labels are. */
    public Target target(Plan plan) {
        return plan.model(data.schema()).target();
    }

    /** The metric in which errors are measured. */
    public Metric metric(Plan plan) {
        return Metric.of(target(plan)).get(0);
    }

    /** The error on the held-out rows of a guess that uses no feature. */
    public double guessing(Plan plan) {
        return Evaluation.guessing(rows(plan).tested, target(plan));
    }

    private static Dataset heldOut(PreparedData prepared) {
        return prepared.heldOut()
                .orElseThrow(
                        () -> new InputException("errors are measured on held-out rows, but no row could be held out:"
                                + " --test-share of these rows is less than one row, or no source has two"));
    }

    /** Returns the plan with numbers for the settings that it leaves to the data. */
    public Plan resolve(Plan plan) {
        return rows(plan).prepared.resolve(plan);
    }

    /** Returns the rows as the plan prepares them. */
    public PreparedData prepared(Plan plan) {
        return rows(plan).prepared;
    }

    /** Returns one held-out row, scaled, to find out early what does not fit the data. */
    public Dataset sample(Plan plan) {
        Rows rows = rows(plan);
        return rows.prepared.scaled(rows.tested.select(new int[] {0}));
    }

    /** How many workers the plan has on this data. */
    public int workers(Plan plan) {
        return plan.bySource()
                ? (data.withoutSources(plan.get(PlanKey.WITHOUT))
                                        .schema()
                                        .groups()
                                        .size()
                                - plan.get(PlanKey.TEST_SOURCES).size())
                        * plan.get(PlanKey.REPLICAS)
                : plan.get(PlanKey.WORKERS);
    }

    /** Returns a plan that works for all these rules: if one of them needs it, the server gets rows of its own. */
    public static Plan serving(List<String> rules, Plan plan) {
        boolean needed = rules.stream()
                .anyMatch(rule -> plan.with("rule", rule)
                        .get(PlanKey.RULE)
                        .value()
                        .tolerating(0)
                        .needsTrusted());
        return needed && plan.get(PlanKey.ROOT) == 0 ? plan.with(PlanKey.ROOT, ROOT) : plan;
    }

    /**
     * Returns a plan for the same prepared rows, with default values for whatever does not affect them. The rule affects
     * them by the number of sources that may lie, which takes the place of {@code tolerated}.
     */
    Plan preparation(Plan plan) {
        Plan shared = plan.attack() instanceof RawAttack
                ? plan.without(WITHOUT_EFFECT.stream()
                        .filter(key -> !ATTACK.contains(key))
                        .toList())
                : plan.without(WITHOUT_EFFECT);
        if (plan.get(PlanKey.STATISTICS) == Statistics.POOLED) {
            return shared;
        }
        int workers = workers(plan) + data.unusable().size() * plan.get(PlanKey.REPLICAS);
        // A rule may be set up for more liars than there are workers; it will say so itself.
        int tolerated = Math.min(workers - 1, ResolvedPlan.tolerated(plan, workers));
        return shared.with(PlanKey.TOLERATED, Tolerated.count(tolerated));
    }

    private synchronized Rows rows(Plan plan) {
        Plan key = preparation(plan);
        Rows known = recent.get(key);
        if (known == null) {
            PreparedData prepared = PreparedData.of(data, key);
            known = new Rows(prepared, heldOut(prepared));
            recent.put(key, known);
            if (recent.size() > REMEMBERED) {
                recent.remove(recent.keySet().iterator().next());
            }
        }
        return known;
    }
}
