package holdfast.plan;

import holdfast.Check;
import holdfast.Choice;
import holdfast.InputException;
import holdfast.Seed;
import holdfast.aggregate.Aggregator;
import holdfast.aggregate.Aggregators;
import holdfast.attack.Attack;
import holdfast.data.Schema;
import holdfast.model.LinearScores;
import holdfast.model.Model;
import holdfast.model.Models;
import holdfast.model.Target;
import holdfast.objective.Box;
import holdfast.objective.Effort;
import holdfast.objective.FirstStage;
import holdfast.objective.Objective;
import holdfast.objective.ObjectiveFamily;
import holdfast.objective.PricedCost;
import holdfast.objective.Prices;
import holdfast.objective.RobustLoss;
import holdfast.objective.SquaredL2;
import holdfast.objective.Wasserstein;
import holdfast.objective.WassersteinBall;
import holdfast.objective.WeightedL2;
import holdfast.preparation.ClassWeights;
import holdfast.preparation.Preparation;
import holdfast.rounds.LocalWork;
import holdfast.rounds.StepSchedule;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Everything that decides what is learnt from given data: one value for each {@link PlanKey}. Immutable. A
 * {@link ResolvedPlan} holds the objects that these choices stand for with given data and workers.
 *
 * <p>A plan has a text, {@link #settings()}, and is read back from it by the same {@link Catalogues}; so it can be
 * written to files and sent to other processes, unless it holds an object without a name ({@link #requireNamed}).
 *
 * <p>The paper's four algorithms are plans: Algorithm 2 has a lambda and tolerates f &gt; 0 liars, DRO tolerates none,
 * NBS has lambda none, ERM has lambda none and tolerates none.
 */
public final class Plan {
    private final Catalogues catalogues;
    private final Map<PlanKey<?>, Object> values;

    private Plan(Catalogues catalogues, Map<PlanKey<?>, Object> values) {
        this.catalogues = catalogues;
        this.values = values;
    }

    /** Good settings without any tuning. */
    public static Plan defaults() {
        return defaults(Catalogues.standard());
    }

    /**
     * Returns the settings of the command: like {@link #defaults()}, but the rows also decide what robustness may cost and
     * whether there is a penalty, which takes up to two more trainings.
     */
    public static Plan automatic() {
        return defaults().with(PlanKey.LAMBDA, Price.AUTO).with(PlanKey.L2, Optional.empty());
    }

    /** Good settings, with these catalogues to choose from. */
    public static Plan defaults(Catalogues catalogues) {
        return new Plan(catalogues, Map.of());
    }

    /** @throws InputException for unknown keys and for values that are not allowed */
    public static Plan of(Map<String, String> settings) {
        return of(settings, Catalogues.standard());
    }

    /** Reads the plan that settings describe, with names from these catalogues. */
    public static Plan of(Map<String, String> settings, Catalogues catalogues) {
        Plan plan = defaults(catalogues);
        Map<PlanKey<?>, String> given = new LinkedHashMap<>();
        for (Map.Entry<String, String> entry : settings.entrySet()) {
            PlanKey<?> key = PlanKey.named(entry.getKey());
            String before = given.put(key, entry.getKey());
            Check.that(
                    before == null,
                    "%s is given twice, also by its older name --%s",
                    key.flag(),
                    key.name().equals(before) ? entry.getKey() : before);
            plan = plan.with(key, entry.getValue());
        }
        return plan;
    }

    /** Returns this plan with these catalogues to choose from; its choices stay. */
    public Plan with(Catalogues other) {
        return new Plan(other, values);
    }

    /** What names in this plan stand for. */
    public Catalogues catalogues() {
        return catalogues;
    }

    public <T> T get(PlanKey<T> key) {
        @SuppressWarnings("unchecked")
        T value = (T) values.getOrDefault(key, key.defaultValue());
        return value;
    }

    /**
     * Returns this plan with one setting changed.
     *
     * @throws InputException unless the setting's text form allows the value
     */
    public <T> Plan with(PlanKey<T> key, T value) {
        boolean unnamed = value instanceof Choice<?> choice && choice.name().isEmpty();
        return changed(key, unnamed ? value : key.parse(key.print(value), catalogues));
    }

    private Plan changed(PlanKey<?> key, Object value) {
        Map<PlanKey<?>, Object> changed = new LinkedHashMap<>(values);
        changed.put(key, value);
        return new Plan(catalogues, changed);
    }

    public Plan with(String key, String text) {
        return with(PlanKey.named(key), text);
    }

    private <T> Plan with(PlanKey<T> key, String text) {
        return changed(key, key.parse(text, catalogues));
    }

    /** Returns this plan with a rule, by its name in the catalogues if it has one there. */
    public Plan withRule(Aggregator rule) {
        return changed(PlanKey.RULE, Aggregators.given(rule, catalogues.rules(), catalogues.preAggregators()));
    }

    /** Returns this plan with an attack, by its name in the catalogue if it has one there. */
    public Plan withAttack(Attack attack) {
        return changed(
                PlanKey.ATTACK,
                new Choice<>(attack, catalogues.attacks().specOf(attack).map(Object::toString)));
    }

    /** Returns this plan with an objective; the paper's objective becomes the settings that it consists of. */
    public Plan withObjective(ObjectiveFamily objective) {
        if (objective instanceof WassersteinBall ball) {
            return withObjective(ball.moves()).without(PlanKey.LAMBDA).with(PlanKey.RADIUS, Optional.of(ball.radius()));
        }
        if (!(objective instanceof Wasserstein choices)) {
            return without(PlanKey.LAMBDA, PlanKey.PRICES, PlanKey.RADIUS, PlanKey.LABEL_PRICE)
                    .changed(
                            PlanKey.OBJECTIVE,
                            new Choice<>(
                                    objective,
                                    catalogues.objectives().specOf(objective).map(Object::toString)));
        }
        return without(PlanKey.OBJECTIVE, PlanKey.PRICES, PlanKey.RADIUS, PlanKey.LABEL_PRICE)
                .with(PlanKey.LAMBDA, Price.of(choices.lambda()))
                .changed(
                        PlanKey.COST,
                        new Choice<>(
                                choices.cost(),
                                catalogues.costs().specOf(choices.cost()).map(Object::toString)))
                .with(PlanKey.MAXIMISER, choices.maximisation())
                .with(PlanKey.ASCENT_RATE, choices.ascentRate())
                .with(PlanKey.ASCENT_STEPS, Effort.steps(choices.effort()))
                .with(PlanKey.PRECISION, Effort.precision(choices.effort()))
                .with(PlanKey.EARLY_STEPS, Effort.steps(choices.firstStage().map(FirstStage::effort)))
                .with(
                        PlanKey.EARLY_PRECISION,
                        Effort.precision(choices.firstStage().map(FirstStage::effort)))
                .with(PlanKey.EARLY_ROUNDS, choices.firstStage().flatMap(FirstStage::rounds))
                .with(PlanKey.BOX, choices.box());
    }

    /** Returns this plan with a model, by its name in the catalogue if it has one there. */
    public Plan withModel(Model model) {
        Plan plan = model instanceof LinearScores linear ? with(PlanKey.INTERCEPT, linear.hasIntercept()) : this;
        return plan.changed(PlanKey.MODEL, Models.given(model, plan.get(PlanKey.INTERCEPT), catalogues.models()));
    }

    /** Returns this plan with the default values of some settings. */
    public Plan without(PlanKey<?>... keys) {
        return without(List.of(keys));
    }

    /** Does the same for a list of settings, such as those of a group. */
    public Plan without(Collection<PlanKey<?>> keys) {
        Map<PlanKey<?>, Object> changed = new LinkedHashMap<>(values);
        changed.keySet().removeAll(keys);
        return new Plan(catalogues, changed);
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

    /**
     * Refuses a plan that holds an object without a name, because another process could not make it.
     *
     * @param purpose what it cannot be used for, as the start of a sentence
     * @throws InputException that names the setting and the class of the object
     */
    public void requireNamed(String purpose) {
        values.forEach((key, value) -> Check.that(
                !(value instanceof Choice<?> choice) || choice.name().isPresent(),
                "%s needs names for everything in the plan, but %s is %s, an object that no catalogue knows; add it by a"
                        + " plugin",
                purpose,
                key.flag(),
                value));
    }

    /** Compares plans by their text; objects without a name are compared themselves. */
    @Override
    public boolean equals(Object other) {
        return other instanceof Plan plan && PlanKey.all().stream().allMatch(key -> get(key).equals(plan.get(key)));
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

    /** Whether a column names the worker of each row. */
    public boolean bySource() {
        return get(PlanKey.WORKERS_BY).isPresent();
    }

    /**
     * The given price of moving rows; empty if they do not move, or if training finds the price. While it is automatic and the rows have not decided, the one that
     * most tables can pay.
     */
    public Optional<Double> lambda() {
        return objective() instanceof Wasserstein choices ? choices.lambda() : Optional.empty();
    }

    /** The model for data of this schema. */
    public Model model(Schema schema) {
        return get(PlanKey.MODEL).value().on(schema, get(PlanKey.INTERCEPT));
    }

    /**
     * What labels are, as far as model and classes say it; empty if the labels themselves show it.
     *
     * @throws InputException if the model and the classes contradict each other
     */
    public Optional<Target> target() {
        Optional<Target> ofModel = get(PlanKey.MODEL).value().target();
        ClassList classes = get(PlanKey.CLASSES);
        if (classes.open()) {
            return ofModel;
        }
        boolean numbers = classes.names().isEmpty();
        Target ofClasses = numbers ? Target.NUMBER : Target.CLASSES;
        Target target = ofModel.orElse(ofClasses);
        Check.that(
                target.isClass() != numbers
                        && (target != Target.TWO_CLASSES || classes.names().size() == 2),
                "--classes %s and --model %s exclude each other: the model predicts %s",
                classes,
                get(PlanKey.MODEL),
                target);
        return Optional.of(target);
    }

    /**
     * Whether the plan distorts the probabilities of two classes, because classes have weights or the objective is robust.
     */
    public boolean distortsProbabilities() {
        boolean plain =
                objective() instanceof Wasserstein choices && choices.lambda().isEmpty();
        return !plain || !(get(PlanKey.CLASS_WEIGHTS) instanceof ClassWeights.None);
    }

    /**
     * Checks that the model for data of this schema has what the plan decides by.
     *
     * @throws InputException if a threshold is given to a model without probabilities of two classes
     */
    public void requireDecides(Schema schema) {
        Threshold threshold = get(PlanKey.THRESHOLD);
        int classes = schema.classes().size();
        Check.that(
                get(PlanKey.LABEL_PRICE).isEmpty() || classes > 0,
                "--label-price needs labels that are classes, and %s has numbers",
                schema.label());
        Check.that(
                threshold.equals(Threshold.NONE) || hasTwoProbabilities(schema),
                "--threshold needs two classes and a model with probabilities, such as logistic; got %s for %s",
                threshold,
                classes == 2
                        ? "model " + model(schema).name()
                        : schema.label() + ", which has " + (classes == 0 ? "numbers" : classes + " classes"));
    }

    /** Whether the model for data of this schema gives probabilities of classes. */
    public boolean hasProbabilities(Schema schema) {
        return schema.classes().size() >= 2 && model(schema).givesProbabilities();
    }

    /** Whether the model for data of this schema gives probabilities of two classes. */
    public boolean hasTwoProbabilities(Schema schema) {
        return schema.classes().size() == 2 && hasProbabilities(schema);
    }

    /** What each worker minimises on data of this schema. */
    public Objective loss(Schema schema) {
        Objective made = objective(schema).on(model(schema), l2());
        return get(PlanKey.LABEL_PRICE)
                .<Objective>map(kappa -> ((RobustLoss) made)
                        .withLabelPrice(kappa, schema.classes().size()))
                .orElse(made);
    }

    /**
     * Returns {@link #objective()} with the cost that the prices make for features of this schema.
     *
     * @throws InputException if a price is for a feature that there is not, or nothing can move
     */
    public ObjectiveFamily objective(Schema schema) {
        Prices prices = get(PlanKey.PRICES);
        ObjectiveFamily objective = objective();
        if (prices.areEqual()) {
            return objective;
        }
        if (objective instanceof WassersteinBall ball) {
            return new WassersteinBall(ball.radius(), ball.moves().withCost(prices.on(schema.features())));
        }
        return objective instanceof Wasserstein choices ? choices.withCost(prices.on(schema.features())) : objective;
    }

    /**
     * Returns this plan with what its columns that change as a whole are in rows that are prepared in this way.
     *
     * @param features their schema
     * @throws InputException if one of them is no column of text
     */
    public Plan scaled(Preparation preparation, Schema features) {
        Prices prices = get(PlanKey.PRICES);
        return prices.whole().isEmpty()
                ? this
                : with(PlanKey.PRICES, prices.scaled(preparation.categories(), features.features()));
    }

    /** Whether rows move and categories of some columns change as a whole. */
    public boolean changesCategories() {
        return !get(PlanKey.PRICES).whole().isEmpty() && objective().movesRows();
    }

    /**
     * Returns the prices of features of this schema that move by any amount, infinite for the others; all 1 if the plan has none,
     * or another cost.
     */
    public WeightedL2 prices(Schema schema) {
        ObjectiveFamily objective = objective();
        ObjectiveFamily moves = objective instanceof WassersteinBall ball ? ball.moves() : objective;
        if (!(moves instanceof Wasserstein choices)) {
            return WeightedL2.EQUAL;
        }
        Prices prices = get(PlanKey.PRICES);
        return prices.areEqual() && choices.cost() instanceof PricedCost cost
                ? cost.features()
                : prices.byAnyAmount(schema.features());
    }

    /** The penalty; 0 while it is automatic and the rows have not decided. */
    public double l2() {
        return get(PlanKey.L2).orElse(0.0);
    }

    /**
     * Whether workers minimise the paper's objective with the paper's cost, perhaps with prices, and neither labels nor categories
     * jump: the theorems are about it.
     */
    public boolean isPapersObjective() {
        return get(PlanKey.LABEL_PRICE).isEmpty()
                && !changesCategories()
                && objective() instanceof Wasserstein choices
                && (choices.cost() instanceof SquaredL2 || choices.cost() instanceof WeightedL2);
    }

    /**
     * What turns the model's loss into what workers minimise.
     *
     * <p>Prices of features are not in it, because they are known by name; see {@link #objective(Schema)}.
     *
     * @throws InputException if a price of moving rows is given to an objective that does not move them
     */
    public ObjectiveFamily objective() {
        Choice<ObjectiveFamily> chosen = get(PlanKey.OBJECTIVE);
        Price price = get(PlanKey.LAMBDA);
        boolean given = !price.automatic() && !price.equals(PlanKey.LAMBDA.defaultValue());
        Optional<Double> radius = get(PlanKey.RADIUS);
        if (chosen.equals(PlanKey.OBJECTIVE.defaultValue())) {
            Check.that(
                    radius.isEmpty() || !given,
                    "--radius finds the price of moving rows; leave out --lambda, got %s",
                    price);
            Check.that(
                    radius.isEmpty() || get(PlanKey.LABEL_PRICE).isEmpty(),
                    "--radius is of moves of features; leave out --label-price, or use --lambda instead of --radius");
            Check.that(
                    get(PlanKey.LABEL_PRICE).isEmpty() || price.lambda().isPresent(),
                    "--label-price is a multiple of --lambda, and with --lambda none rows and labels stay; leave out one of them");
            return radius.<ObjectiveFamily>map(rho -> new WassersteinBall(rho, wasserstein()))
                    .orElseGet(this::wasserstein);
        }
        Check.that(
                radius.isEmpty(),
                "--radius says how far rows may move in --objective wasserstein; leave it out with --objective %s, got %s",
                chosen,
                radius.orElse(Double.NaN));
        Check.that(
                !given || price.equals(Price.NONE),
                "--lambda is the price of moving rows in --objective wasserstein; leave it out with --objective %s, got %s",
                chosen,
                price);
        Check.that(
                get(PlanKey.PRICES).areEqual(),
                "--prices are of moving rows in --objective wasserstein; leave them out with --objective %s, got %s",
                chosen,
                get(PlanKey.PRICES));
        Check.that(
                get(PlanKey.LABEL_PRICE).isEmpty(),
                "--label-price is for --objective wasserstein; leave it out with --objective %s",
                chosen);
        return chosen.value();
    }

    /** The choices of the robust objective. */
    private Wasserstein wasserstein() {
        Optional<Effort> early = Effort.given(
                "--early-steps", get(PlanKey.EARLY_STEPS), "--early-precision", get(PlanKey.EARLY_PRECISION));
        Check.that(
                early.isPresent() || get(PlanKey.EARLY_ROUNDS).isEmpty(),
                "--early-rounds needs --early-precision or --early-steps");
        Check.that(
                get(PlanKey.PRICES).areEqual() || get(PlanKey.COST).value() instanceof SquaredL2,
                "--prices make a cost of their own; leave out --cost, got --prices %s and --cost %s",
                get(PlanKey.PRICES),
                get(PlanKey.COST));
        return new Wasserstein(
                get(PlanKey.LAMBDA).lambda(),
                get(PlanKey.COST).value(),
                get(PlanKey.MAXIMISER),
                Effort.given("--ascent-steps", get(PlanKey.ASCENT_STEPS), "--precision", get(PlanKey.PRECISION)),
                get(PlanKey.ASCENT_RATE),
                early.map(effort -> new FirstStage(effort, get(PlanKey.EARLY_ROUNDS))),
                get(PlanKey.BOX));
    }

    /** The box for rows. If the model needs one, an automatic box must already be a number. */
    public Box box(Model model) {
        return objective().boxFor(model);
    }

    /** Whether workers send the gradients on all their rows, at the parameters they were asked about. */
    public boolean sendsFullGradients() {
        return get(PlanKey.UPDATE).value() instanceof LocalWork.Gradient
                && get(PlanKey.LOCAL_STEPS) == 1
                && get(PlanKey.BATCH).isEmpty();
    }

    public StepSchedule schedule() {
        return get(PlanKey.SCHEDULE).value();
    }

    public Attack attack() {
        return get(PlanKey.ATTACK).value();
    }

    /** Makes the objects that the choices stand for, for data of this schema and this many workers. */
    public ResolvedPlan resolve(Schema schema, int workers) {
        return ResolvedPlan.of(this, schema, workers);
    }

    /** The settings by which two plans differ. */
    public List<PlanKey<?>> differences(Plan other) {
        return PlanKey.all().stream()
                .filter(key -> !get(key).equals(other.get(key)))
                .toList();
    }
}
