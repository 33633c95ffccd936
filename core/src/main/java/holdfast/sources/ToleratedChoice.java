package holdfast.sources;

import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.plan.Tolerated;
import holdfast.theory.ScreeningBound;
import holdfast.training.SourceProbe;
import java.util.List;

/**
 * How many liars a run tolerates if its plan leaves that open: as many as sources stand out or cannot be used, where that is
 * more than {@link Tolerated#AUTO}, but less than a third of all, where screening breaks.
 *
 * @param usual what {@link Tolerated#AUTO} is for this number of workers
 * @param chosen the number of liars to tolerate
 * @param unusable how many sources cannot be used
 * @param verdicts one for each worker with rows, in worker order; empty if they were not compared
 */
public record ToleratedChoice(int usual, int chosen, int unusable, List<Verdict> verdicts) {
    public ToleratedChoice {
        verdicts = List.copyOf(verdicts);
    }

    /**
     * Compares the sources, if they can be compared, and chooses.
     */
    public static ToleratedChoice of(SourceProbe probe, Plan plan) {
        List<Verdict> verdicts = SourceVerdicts.compares(probe, plan) ? SourceVerdicts.of(probe, plan) : List.of();
        int unusable = probe.unusable().size();
        int workers = probe.workers() + unusable * plan.get(PlanKey.REPLICAS);
        int usual = plan.get(PlanKey.TOLERATED).among(workers);
        int named = (int) verdicts.stream().filter(Verdict::named).count();
        boolean open = plan.get(PlanKey.TOLERATED).equals(Tolerated.AUTO);
        boolean rises = open && named + unusable > usual;
        return new ToleratedChoice(
                usual,
                rises ? Math.min(named + unusable, ScreeningBound.maxTolerated(workers)) : usual,
                unusable,
                verdicts);
    }

    /** Compares the sources of a run that tolerated what its plan says. */
    static ToleratedChoice asPlanned(SourceProbe probe, Plan plan) {
        ToleratedChoice found = of(probe, plan);
        return new ToleratedChoice(found.usual, found.usual, found.unusable, found.verdicts);
    }

    /** Returns whether more liars are tolerated than usual. */
    public boolean rises() {
        return chosen > usual;
    }

    /** Returns the plan with this number of liars; the same plan if it is the usual one. */
    public Plan applied(Plan plan) {
        return rises() ? plan.with(PlanKey.TOLERATED, Tolerated.count(chosen)) : plan;
    }

    /** Returns the sources that stand out. */
    public List<String> standOut() {
        return verdicts.stream().filter(Verdict::named).map(Verdict::source).toList();
    }
}
