package holdfast.benchmarks;

import holdfast.data.Table;
import holdfast.evaluation.Evaluation;
import holdfast.formats.DataFile;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.shift.Shift;
import holdfast.shift.WorstCaseShift;
import holdfast.shift.WorstCaseShift.Norm;
import holdfast.training.Training;
import holdfast.training.TrainingRun;
import java.util.ArrayList;
import java.util.List;

/**
 * The paper's two-stage strategy with a first stage that ends by itself: which share of the ascent steps of one stage it
 * spends, and by how much its error differs. Spambase, 20 workers of which 3 lie, norm screening, lambda 3, means over
 * seeds; errors on rows moved within an L1 distance of 0.3.
 */
final class TwoStages {
    private static final int SEEDS = Integer.getInteger("holdfast.bench.seeds", 16);
    private static final int STEPS = 20;
    private static final int EARLY = 2;

    private static final Plan PLAN = Plan.defaults()
            .with("workers", "20")
            .with("tolerated", "3")
            .with("lambda", "3")
            .with("ascent-rate", "0.1")
            .with(PlanKey.LIARS, 3);

    /** The paper's protocol. */
    private static final Plan FIXED = PLAN.with("scale", "sd")
            .with("statistics", "pooled")
            .with("intercept", "false")
            .with("init", "normal")
            .with("learning-rate", "1")
            .with("rounds", "300")
            .with("tolerance", "0");

    private TwoStages() {}

    static List<Measured> measure() {
        Table data = DataFile.read("builtin:spambase", Plan.defaults());
        List<Measured> lines = new ArrayList<>();
        for (String rounds : List.of("300 rounds", "until converged")) {
            Plan plan = rounds.equals("300 rounds") ? FIXED : PLAN;
            for (String partition : List.of("iid", "by-class")) {
                for (String attack : List.of("aggressive", "intelligent", "strongest")) {
                    lines.addAll(measure(
                            data,
                            plan.with("partition", partition).with("attack", attack),
                            rounds + ", " + partition + ", " + attack + ": "));
                }
            }
        }
        return lines;
    }

    private static List<Measured> measure(Table data, Plan plan, String where) {
        long spent = 0;
        long whole = 0;
        double rise = 0;
        double coarse = 0;
        for (int seed = 1; seed <= SEEDS; seed++) {
            Plan one = plan.with(PlanKey.SEED, (long) seed).with("ascent-steps", "" + STEPS);
            TrainingRun full = Training.of(data, one).run();
            TrainingRun staged =
                    Training.of(data, one.with("early-steps", "" + EARLY)).run();
            TrainingRun early =
                    Training.of(data, one.with("ascent-steps", "" + EARLY)).run();
            int first = staged.state().stage().rounds();
            spent += (long) first * EARLY + (long) (staged.state().round() - first) * STEPS;
            whole += (long) full.state().round() * STEPS;
            rise += error(staged) - error(full);
            coarse += error(early) - error(full);
        }
        return List.of(
                Measured.atMost(where + "steps / those of one stage", (double) spent / whole, 1),
                Measured.atMost(where + "error - that of one stage", rise / SEEDS, 0.002),
                Measured.only(where + "the same, few steps throughout", coarse / SEEDS));
    }

    private static double error(TrainingRun run) {
        Shift shift = new WorstCaseShift(Norm.L1, 0.3);
        return Evaluation.of(run.model(), run.heldOut().orElseThrow(), shift).headline();
    }
}
