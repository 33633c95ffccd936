package holdfast.plan;

import holdfast.Catalogue;
import holdfast.Check;
import holdfast.aggregate.Aggregators;
import holdfast.aggregate.PreAggregator;
import holdfast.aggregate.RuleFamily;
import holdfast.attack.Attack;
import holdfast.attack.Attacks;
import holdfast.data.Partitioner;
import holdfast.data.Partitions;
import holdfast.model.ModelFamily;
import holdfast.model.Models;
import holdfast.objective.Costs;
import holdfast.objective.ObjectiveFamily;
import holdfast.objective.Objectives;
import holdfast.objective.TransportCost;
import holdfast.rounds.LocalWork;
import holdfast.rounds.StepSchedule;
import holdfast.shift.Shift;
import holdfast.shift.Shifts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Everything that plans and commands know by name. Immutable. {@link #standard()} is what Holdfast brings; a
 * {@link Plugin} adds to it.
 */
public final class Catalogues {
    private static final Catalogues STANDARD = new Catalogues(Map.of(), List.of());

    /** The catalogues to which lines were added, each by the one that Holdfast brings. */
    private final Map<Catalogue<?>, Catalogue<?>> extended;

    private final List<PluginJar> plugins;

    private Catalogues(Map<Catalogue<?>, Catalogue<?>> extended, List<PluginJar> plugins) {
        this.extended = extended;
        this.plugins = List.copyOf(plugins);
    }

    /** The catalogues that Holdfast brings. */
    public static Catalogues standard() {
        return STANDARD;
    }

    /** Only {@link #with} puts a catalogue into the map, and it keeps the type. */
    @SuppressWarnings("unchecked")
    private <T> Catalogue<T> get(Catalogue<T> brought) {
        return (Catalogue<T>) extended.getOrDefault(brought, brought);
    }

    private <T> Catalogues with(
            Catalogue<T> brought, String name, String meaning, Function<Catalogue.Parameters, T> factory) {
        Map<Catalogue<?>, Catalogue<?>> all = new HashMap<>(extended);
        all.put(brought, get(brought).with(name, meaning, factory));
        return new Catalogues(all, plugins);
    }

    public Catalogue<RuleFamily> rules() {
        return get(Aggregators.rules());
    }

    public Catalogue<PreAggregator> preAggregators() {
        return get(Aggregators.preAggregators());
    }

    public Catalogue<Attack> attacks() {
        return get(Attacks.catalogue());
    }

    public Catalogue<Shift> shifts() {
        return get(Shifts.catalogue());
    }

    public Catalogue<ModelFamily> models() {
        return get(Models.catalogue());
    }

    public Catalogue<ObjectiveFamily> objectives() {
        return get(Objectives.catalogue());
    }

    public Catalogue<TransportCost> costs() {
        return get(Costs.catalogue());
    }

    public Catalogue<Partitioner> partitions() {
        return get(Partitions.catalogue());
    }

    public Catalogue<StepSchedule> schedules() {
        return get(StepSchedule.CATALOGUE);
    }

    /** What workers may send. */
    public Catalogue<LocalWork.Sent> updates() {
        return get(LocalWork.UPDATES);
    }

    /** The jars that added to these catalogues. */
    public List<PluginJar> plugins() {
        return plugins;
    }

    public Catalogues withRule(String name, String meaning, Function<Catalogue.Parameters, RuleFamily> factory) {
        requireOther(preAggregators(), "pre-aggregator", name);
        return with(Aggregators.rules(), name, meaning, factory);
    }

    public Catalogues withPreAggregator(
            String name, String meaning, Function<Catalogue.Parameters, PreAggregator> factory) {
        requireOther(rules(), "rule", name);
        return with(Aggregators.preAggregators(), name, meaning, factory);
    }

    public Catalogues withAttack(String name, String meaning, Function<Catalogue.Parameters, Attack> factory) {
        return with(Attacks.catalogue(), name, meaning, factory);
    }

    public Catalogues withShift(String name, String meaning, Function<Catalogue.Parameters, Shift> factory) {
        return with(Shifts.catalogue(), name, meaning, factory);
    }

    public Catalogues withModel(String name, String meaning, Function<Catalogue.Parameters, ModelFamily> factory) {
        return with(Models.catalogue(), name, meaning, factory);
    }

    public Catalogues withObjective(
            String name, String meaning, Function<Catalogue.Parameters, ObjectiveFamily> factory) {
        return with(Objectives.catalogue(), name, meaning, factory);
    }

    public Catalogues withCost(String name, String meaning, Function<Catalogue.Parameters, TransportCost> factory) {
        return with(Costs.catalogue(), name, meaning, factory);
    }

    /** A rule and a pre-aggregator with one name would make {@code x + median} ambiguous. */
    private static void requireOther(Catalogue<?> others, String kind, String name) {
        Check.that(
                !others.names().contains(name),
                "a rule and a pre-aggregator must have different names, but there is a %s '%s' already",
                kind,
                name);
    }

    /** Returns whether all lines of other catalogues are here, unchanged. */
    boolean extendFrom(Catalogues others) {
        return others.extended.keySet().stream().allMatch(brought -> hasLines(brought, others));
    }

    private <T> boolean hasLines(Catalogue<T> brought, Catalogues others) {
        return get(brought).extendsFrom(others.get(brought));
    }

    /** Returns these catalogues with what a jar's plugins add. */
    Catalogues with(PluginJar jar, Catalogues more) {
        List<PluginJar> all = new ArrayList<>(plugins);
        all.add(jar);
        return new Catalogues(more.extended, all);
    }
}
