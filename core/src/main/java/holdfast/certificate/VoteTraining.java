package holdfast.certificate;

import holdfast.Check;
import holdfast.InputException;
import holdfast.data.Table;
import holdfast.math.Threads;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.plan.ResolvedPlan;
import holdfast.rounds.TrainingException;
import holdfast.sources.ToleratedChoice;
import holdfast.training.PreparedData;
import holdfast.training.Training;
import holdfast.training.TrainingRun;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;

/**
 * Trains one model per group of a {@link Roster}, each as if the rows of the other groups did not exist: what columns hold,
 * how they are scaled, prices, rounds and calibration are decided by the group alone.
 *
 * <p>A group whose rows cannot be learnt from gets no model but a fixed vote. It never stops the others, or one source could
 * stop all.
 */
public final class VoteTraining {
    /** Settings that say something about sources of all groups, or simulate what this is about. */
    private static final List<PlanKey<?>> EXCLUDED = List.of(
            PlanKey.TEST_SOURCES, PlanKey.SPLIT_BY, PlanKey.WITHOUT, PlanKey.ATTACK, PlanKey.LIARS, PlanKey.BYZANTINE);

    private VoteTraining() {}

    /**
     * Checks, before anything is read, that a plan can train groups.
     *
     * @throws InputException that names the setting
     */
    public static void requireSuits(Plan plan) {
        for (PlanKey<?> key : EXCLUDED) {
            Check.that(
                    plan.get(key).equals(key.defaultValue()),
                    "--vote and %s exclude each other: every group of sources trains alone",
                    key.flag());
        }
        Check.that(
                plan.bySource(),
                "--vote needs sources: --workers-by, the column that names the source of each row, or one file per source");
    }

    /**
     * Checks that the plan's rule serves the sources of every group.
     *
     * @throws InputException that names the first group for which it does not
     */
    public static void requireServes(Plan plan, Roster roster) {
        for (int g = 0; g < roster.size(); g++) {
            int sources = roster.groups().get(g).size();
            try {
                ResolvedPlan.rule(plan, sources * plan.get(PlanKey.REPLICAS));
            } catch (InputException e) {
                throw new InputException("--vote " + roster.size() + ": group " + (g + 1) + " has "
                        + (sources == 1 ? "1 source" : sources + " sources") + ": " + e.getMessage());
            }
        }
    }

    /**
     * Trains all groups.
     *
     * @param rows reads the rows that a group learns from, and no others
     * @param classes in the order that decides ties; empty if labels are numbers
     * @param threads groups are shared among them; the result does not depend on their number
     * @param done receives the number of each group that has ended
     * @throws InputException if no group can learn; fewer sources than groups cannot bring that about
     */
    public static VotingModel train(
            String label,
            List<String> classes,
            Roster roster,
            Plan plan,
            IntFunction<Table> rows,
            int threads,
            IntConsumer done) {
        requireSuits(plan);
        requireServes(plan, roster);
        Plan own = plan.with(PlanKey.TEST_SHARE, 0.0);
        VotingModel.Group[] groups = new VotingModel.Group[roster.size()];
        try (Threads all = Threads.of(threads)) {
            all.each(groups.length, g -> {
                groups[g] = train(own, rows, g);
                done.accept(g);
            });
        }
        Check.that(
                Arrays.stream(groups).anyMatch(group -> group.model().isPresent()),
                "no group can learn; the first one: %s",
                groups[0].reason());
        return new VotingModel(label, classes, roster, List.of(groups));
    }

    private static VotingModel.Group train(Plan plan, IntFunction<Table> rows, int group) {
        try {
            Table table = rows.apply(group);
            Plan chosen =
                    ToleratedChoice.of(PreparedData.probe(table, plan), plan).applied(plan);
            TrainingRun run = Training.of(table, chosen).run();
            return VotingModel.Group.of(run.model(), run.provenance().rows());
        } catch (InputException | TrainingException e) {
            return VotingModel.Group.unusable(e.getMessage());
        }
    }
}
