package holdfast.plan;

import holdfast.Catalogue;
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
import java.util.List;
import java.util.function.Function;

/**
 * Everything that plans and commands know by name. Immutable. {@link #standard()} is what Holdfast brings; a
 * {@link Plugin} adds to it.
 *
 * @param updates what workers may send
 * @param plugins the jars that added to these catalogues
 */
public record Catalogues(
        Catalogue<RuleFamily> rules,
        Catalogue<PreAggregator> preAggregators,
        Catalogue<Attack> attacks,
        Catalogue<Shift> shifts,
        Catalogue<ModelFamily> models,
        Catalogue<ObjectiveFamily> objectives,
        Catalogue<TransportCost> costs,
        Catalogue<Partitioner> partitions,
        Catalogue<StepSchedule> schedules,
        Catalogue<LocalWork.Sent> updates,
        List<PluginJar> plugins) {
    private static final Catalogues STANDARD = new Catalogues(
            Aggregators.rules(),
            Aggregators.preAggregators(),
            Attacks.catalogue(),
            Shifts.catalogue(),
            Models.catalogue(),
            Objectives.catalogue(),
            Costs.catalogue(),
            Partitions.catalogue(),
            StepSchedule.CATALOGUE,
            LocalWork.UPDATES,
            List.of());

    public Catalogues {
        plugins = List.copyOf(plugins);
    }

    /** The catalogues that Holdfast brings. */
    public static Catalogues standard() {
        return STANDARD;
    }

    public Catalogues withRule(String name, String meaning, Function<Catalogue.Parameters, RuleFamily> factory) {
        return new Catalogues(
                rules.with(name, meaning, factory),
                preAggregators,
                attacks,
                shifts,
                models,
                objectives,
                costs,
                partitions,
                schedules,
                updates,
                plugins);
    }

    public Catalogues withPreAggregator(
            String name, String meaning, Function<Catalogue.Parameters, PreAggregator> factory) {
        return new Catalogues(
                rules,
                preAggregators.with(name, meaning, factory),
                attacks,
                shifts,
                models,
                objectives,
                costs,
                partitions,
                schedules,
                updates,
                plugins);
    }

    public Catalogues withAttack(String name, String meaning, Function<Catalogue.Parameters, Attack> factory) {
        return new Catalogues(
                rules,
                preAggregators,
                attacks.with(name, meaning, factory),
                shifts,
                models,
                objectives,
                costs,
                partitions,
                schedules,
                updates,
                plugins);
    }

    public Catalogues withShift(String name, String meaning, Function<Catalogue.Parameters, Shift> factory) {
        return new Catalogues(
                rules,
                preAggregators,
                attacks,
                shifts.with(name, meaning, factory),
                models,
                objectives,
                costs,
                partitions,
                schedules,
                updates,
                plugins);
    }

    public Catalogues withModel(String name, String meaning, Function<Catalogue.Parameters, ModelFamily> factory) {
        return new Catalogues(
                rules,
                preAggregators,
                attacks,
                shifts,
                models.with(name, meaning, factory),
                objectives,
                costs,
                partitions,
                schedules,
                updates,
                plugins);
    }

    public Catalogues withObjective(
            String name, String meaning, Function<Catalogue.Parameters, ObjectiveFamily> factory) {
        return new Catalogues(
                rules,
                preAggregators,
                attacks,
                shifts,
                models,
                objectives.with(name, meaning, factory),
                costs,
                partitions,
                schedules,
                updates,
                plugins);
    }

    public Catalogues withCost(String name, String meaning, Function<Catalogue.Parameters, TransportCost> factory) {
        return new Catalogues(
                rules,
                preAggregators,
                attacks,
                shifts,
                models,
                objectives,
                costs.with(name, meaning, factory),
                partitions,
                schedules,
                updates,
                plugins);
    }

    /** Returns whether all lines of other catalogues are here, unchanged. */
    boolean extendFrom(Catalogues others) {
        return rules.extendsFrom(others.rules)
                && preAggregators.extendsFrom(others.preAggregators)
                && attacks.extendsFrom(others.attacks)
                && shifts.extendsFrom(others.shifts)
                && models.extendsFrom(others.models)
                && objectives.extendsFrom(others.objectives)
                && costs.extendsFrom(others.costs)
                && partitions.extendsFrom(others.partitions)
                && schedules.extendsFrom(others.schedules)
                && updates.extendsFrom(others.updates);
    }

    /** Returns these catalogues with what a jar's plugins add. */
    Catalogues with(PluginJar jar, Catalogues extended) {
        List<PluginJar> all = new ArrayList<>(plugins);
        all.add(jar);
        return new Catalogues(
                extended.rules,
                extended.preAggregators,
                extended.attacks,
                extended.shifts,
                extended.models,
                extended.objectives,
                extended.costs,
                extended.partitions,
                extended.schedules,
                extended.updates,
                all);
    }
}
