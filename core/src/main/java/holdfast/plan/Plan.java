package holdfast.plan;

import holdfast.Catalogue;
import holdfast.Check;
import holdfast.InputException;
import holdfast.Seed;
import holdfast.Spec;
import holdfast.aggregate.Aggregator;
import holdfast.aggregate.Aggregators;
import holdfast.aggregate.MajorityVote;
import holdfast.aggregate.NormScreening;
import holdfast.attack.Attack;
import holdfast.attack.Attacks;
import holdfast.data.Schema;
import holdfast.model.LinearModel;
import holdfast.model.Model;
import holdfast.model.Models;
import holdfast.model.PoissonRegression;
import holdfast.model.SoftmaxRegression;
import holdfast.objective.Box;
import holdfast.objective.BoxMaximiser;
import holdfast.objective.Effort;
import holdfast.objective.ExactMaximiser;
import holdfast.objective.GradientAscent;
import holdfast.objective.InnerMaximiser;
import holdfast.objective.RobustLoss;
import holdfast.objective.ScalarRecurrence;
import holdfast.objective.SubspaceRecurrence;
import holdfast.rounds.LocalWork;
import holdfast.rounds.RowSampling;
import holdfast.rounds.StepSchedule;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Everything that decides what is learnt from given data, as values of {@link PlanKey}s. Immutable. Plans travel as text
 * ({@link #settings()}), and the objects are made from the catalogues where they are needed.
 *
 * <p>The paper's four algorithms are plans: Algorithm 2 has a finite lambda and screened &gt; 0, DRO screens nobody, NBS
 * has lambda none, ERM both.
 */
public final class Plan {
    /** What workers send. */
    static final Catalogue<LocalWork.Sent> UPDATES = Catalogue.<LocalWork.Sent>of("update")
            .with("gradient", "the gradient on the worker's rows", p -> new LocalWork.Gradient())
            .with("delta", "by how much the worker's own steps changed theta", p -> new LocalWork.Delta())
            .with("newton", "a Newton step on the worker's rows", p -> new LocalWork.Newton(p.number("damping", 0.1)));

    /** Of the worst case of models for which there is no exact one. */
    private static final double STANDARD_PRECISION = 1e-4;

    private final Map<PlanKey<?>, Object> values;

    private Plan(Map<PlanKey<?>, Object> values) {
        this.values = values;
    }

    /** Good settings without any tuning. */
    public static Plan defaults() {
        return new Plan(Map.of());
    }

    /** @throws holdfast.InputException for unknown keys and for values that may not be */
    public static Plan of(Map<String, String> settings) {
        Plan plan = defaults();
        for (Map.Entry<String, String> entry : settings.entrySet()) {
            plan = plan.with(entry.getKey(), entry.getValue());
        }
        return plan;
    }

    public <T> T get(PlanKey<T> key) {
        @SuppressWarnings("unchecked")
        T value = (T) values.getOrDefault(key, key.defaultValue());
        return value;
    }

    /** This plan with one setting changed; the value must be one that its text form would allow. */
    public <T> Plan with(PlanKey<T> key, T value) {
        Map<PlanKey<?>, Object> changed = new LinkedHashMap<>(values);
        changed.put(key, key.parse(key.print(value)));
        return new Plan(changed);
    }

    /** This plan with the standard values of some settings. */
    public Plan without(PlanKey<?>... keys) {
        Map<PlanKey<?>, Object> changed = new LinkedHashMap<>(values);
        changed.keySet().removeAll(List.of(keys));
        return new Plan(changed);
    }

    public Plan with(String key, String text) {
        return with(PlanKey.named(key), text);
    }

    private <T> Plan with(PlanKey<T> key, String text) {
        return with(key, key.parse(text));
    }

    /** Every setting as text, in the order of {@link PlanKey#all()}. */
    public Map<String, String> settings() {
        Map<String, String> out = new LinkedHashMap<>();
        PlanKey.all().forEach(key -> out.put(key.name(), text(key)));
        return out;
    }

    private <T> String text(PlanKey<T> key) {
        return key.print(get(key));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Plan plan && settings().equals(plan.settings());
    }

    @Override
    public int hashCode() {
        return settings().hashCode();
    }

    @Override
    public String toString() {
        return settings().toString();
    }

    public Seed seed() {
        return Seed.of(get(PlanKey.SEED));
    }

    /** What is learnt from data of this schema. */
    public Model model(Schema schema) {
        return Models.create(get(PlanKey.MODEL), schema, get(PlanKey.INTERCEPT));
    }

    /** What each worker minimises on data of this schema. */
    public RobustLoss loss(Schema schema) {
        Model model = model(schema);
        return new RobustLoss(model, maximiser(model), effort(model), get(PlanKey.L2));
    }

    private InnerMaximiser maximiser(Model model) {
        double lambda = get(PlanKey.LAMBDA);
        if (lambda == Double.POSITIVE_INFINITY) {
            return InnerMaximiser.none();
        }
        double rate = Double.isNaN(get(PlanKey.ASCENT_RATE)) ? 1 / lambda : get(PlanKey.ASCENT_RATE);
        String name = get(PlanKey.MAXIMISER);
        boolean iterative = get(PlanKey.ASCENT_STEPS) >= 0 || !Double.isNaN(get(PlanKey.PRECISION));
        Check.that(
                iterative || name.equals("auto") || name.equals("exact") || !(model instanceof LinearModel),
                "maximiser %s needs ascent-steps or precision",
                name);
        Box box = box(model);
        if (name.equals("ascent")) {
            return new GradientAscent(model, lambda, rate, box);
        }
        Check.that(
                !box.bounded() || model instanceof PoissonRegression,
                "box needs maximiser ascent, for every model but poisson");
        if (model instanceof SoftmaxRegression softmax) {
            Check.that(!name.equals("exact"), "maximiser exact: softmax has none; auto ascends until precision is met");
            return new SubspaceRecurrence(softmax, lambda, rate);
        }
        boolean exact = name.equals("exact") || name.equals("auto") && !iterative;
        if (box.bounded()) {
            Check.that(!name.equals("recurrence"), "maximiser recurrence knows no box; use exact or ascent");
            return exact
                    ? new BoxMaximiser((PoissonRegression) model, lambda, box)
                    : new GradientAscent(model, lambda, rate, box);
        }
        if (model instanceof LinearModel linear) {
            return exact ? new ExactMaximiser(linear, lambda) : new ScalarRecurrence(linear, lambda, rate);
        }
        return new GradientAscent(model, lambda, rate, box);
    }

    /** Where rows may move to; an automatic box of a model that needs one must have been made a number. */
    public Box box(Model model) {
        double side = get(PlanKey.BOX);
        boolean needed = model.needsBox() && get(PlanKey.LAMBDA) < Double.POSITIVE_INFINITY;
        Check.that(
                !needed || side != Double.POSITIVE_INFINITY,
                "model %s needs a box or lambda none: without a box its worst case is infinite for every lambda",
                get(PlanKey.MODEL));
        Check.that(!needed || side > 0, "box auto must be made a number from the data before it is used");
        return Double.isNaN(side) ? Box.NONE : new Box(side);
    }

    private Effort.Schedule effort(Model model) {
        int steps = get(PlanKey.ASCENT_STEPS);
        double precision = get(PlanKey.PRECISION);
        double early = get(PlanKey.EARLY_PRECISION);
        Check.that(steps < 0 || Double.isNaN(precision), "give ascent-steps or precision, not both");
        Check.that(
                Double.isNaN(early) || !Double.isNaN(precision),
                "early-precision needs precision, the one of the later rounds");
        Check.that(
                Double.isNaN(early) == (get(PlanKey.EARLY_ROUNDS) == 0),
                "early-precision and early-rounds need each other");
        if (Double.isNaN(precision)) {
            boolean standard = steps < 0 && !(model instanceof LinearModel);
            return Effort.always(
                    standard ? new Effort.Precision(STANDARD_PRECISION) : new Effort.Steps(Math.max(0, steps)));
        }
        Effort late = new Effort.Precision(precision);
        return Double.isNaN(early)
                ? Effort.always(late)
                : Effort.twoStage(new Effort.Precision(early), late, get(PlanKey.EARLY_ROUNDS));
    }

    /**
     * The rule, after a majority vote where shards have replicas.
     *
     * @param workers m, of which {@code screened} may be a share
     */
    public Aggregator aggregator(int workers) {
        String text = get(PlanKey.RULE);
        int f = NormScreening.count(get(PlanKey.SCREENED), workers);
        int replicas = get(PlanKey.REPLICAS);
        try {
            Aggregator rule = replicas == 1 ? Aggregators.create(text, f) : voted(text, f, replicas);
            rule.requireServes(workers);
            return rule;
        } catch (InputException e) {
            throw new InputException("rule " + text + ": " + e.getMessage());
        }
    }

    private static MajorityVote voted(String rule, int f, int replicas) {
        List<Spec> specs = Aggregators.specs(rule);
        // Would it count workers or shards?
        Check.that(
                !specs.get(specs.size() - 1).parameters().containsKey("f"),
                "with replicas, screened says how many workers may lie, and the rule's f follows from it");
        return new MajorityVote(replicas, f, Aggregators.create(specs, MajorityVote.spoiled(f, replicas)));
    }

    public StepSchedule schedule() {
        return StepSchedule.catalogue().create(get(PlanKey.SCHEDULE));
    }

    /** The rows that each step on a shard looks at. */
    public RowSampling batch(int shard) {
        return new RowSampling(get(PlanKey.BATCH), seed().child("batch").child("worker", shard));
    }

    /**
     * The rows of a shard that its worker sets aside for validation, ascending: the share rounded to the nearest row, at
     * least one, but not the last one. So a shard of one row has none set aside.
     */
    public int[] setAside(int shard, int rows) {
        return seed().child("validation").child("worker", shard).random().choose(countAside(rows), rows);
    }

    private int countAside(int rows) {
        double share = get(PlanKey.VALIDATION);
        return share == 0 ? 0 : Math.min(rows - 1, Math.max(1, (int) Math.rint(share * rows)));
    }

    /** @throws holdfast.InputException if a worker would have to draw more rows than it trains on */
    public void requireEnoughRows(String worker, int held) {
        Check.that(
                get(PlanKey.BATCH) <= held - countAside(held),
                "batch must be at most the rows of every worker, got %d, but worker %s trains on %d",
                get(PlanKey.BATCH),
                worker,
                held - countAside(held));
    }

    /**
     * Checks without a new best after which a run with validation ends.
     *
     * @throws holdfast.InputException if it is given without validation
     */
    public int patience() {
        int patience = get(PlanKey.PATIENCE);
        Check.that(
                get(PlanKey.VALIDATION) > 0 || patience == PlanKey.PATIENCE.defaultValue(),
                "patience needs validation above 0");
        return patience;
    }

    /** What workers do in a round; a local rate that is not given is the learning rate, which must be a number. */
    public LocalWork localWork(RowSampling batch) {
        LocalWork.Sent sent = UPDATES.create(get(PlanKey.UPDATE));
        int steps = get(PlanKey.LOCAL_STEPS);
        double given = get(PlanKey.LOCAL_RATE);
        boolean moves = steps > 1 || sent instanceof LocalWork.Delta;
        Check.that(moves || Double.isNaN(given), "local-rate needs local-steps above 1 or update delta");
        double rate = !moves ? 1 : Double.isNaN(given) ? get(PlanKey.LEARNING_RATE) : given;
        return new LocalWork(batch, steps, rate, sent);
    }

    public Attack attack() {
        return Attacks.catalogue().create(get(PlanKey.ATTACK));
    }

    /** Ids of the workers the attack turns into liars, ascending. */
    public int[] byzantine(int workers) {
        List<Integer> given = get(PlanKey.BYZANTINE);
        int count = get(PlanKey.LIARS);
        boolean attacked = !get(PlanKey.ATTACK).name().equals("none");
        boolean liars = count > 0 || !given.isEmpty();
        Check.that(attacked || !liars, "liars need an attack, such as attack aggressive");
        Check.that(liars || !attacked, "attack %s needs liars or byzantine", get(PlanKey.ATTACK));
        if (given.isEmpty()) {
            Check.that(count <= workers, "liars must be at most the number of workers, got %d of %d", count, workers);
            return seed().child("byzantine").random().choose(count, workers);
        }
        Check.that(count == 0, "give liars or byzantine, not both");
        int highest = given.get(given.size() - 1);
        Check.that(highest < workers, "byzantine: worker %d is not among 0..%d", highest, workers - 1);
        return given.stream().mapToInt(Integer::intValue).toArray();
    }

    /** theta at round 0. */
    public double[] start(int parameters) {
        return get(PlanKey.INIT).equals("normal")
                ? seed().child("init").random().gaussians(parameters)
                : new double[parameters];
    }
}
