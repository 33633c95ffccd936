package holdfast.benchmarks;

import holdfast.data.Table;
import holdfast.evaluation.Evaluation;
import holdfast.formats.DataFile;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.rounds.Stage;
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

    private TwoStages() {}

    static List<Measured> measure() {
        Table data = DataFile.read("builtin:spambase", Plan.defaults());
        List<Measured> lines = new ArrayList<>();
        for (String partition : List.of("iid", "by-class")) {
            for (String attack : List.of("aggressive", "intelligent", "strongest")) {
                double spent = 0;
                double rise = 0;
                double coarse = 0;
                for (int seed = 1; seed <= SEEDS; seed++) {
                    Plan one = PLAN.with("partition", partition)
                            .with("attack", attack)
                            .with(PlanKey.SEED, (long) seed)
                            .with("ascent-steps", "" + STEPS);
                    TrainingRun full = Training.of(data, one).run();
                    TrainingRun staged = Training.of(data, one.with("early-steps", "" + EARLY))
                            .run();
                    TrainingRun early = Training.of(data, one.with("ascent-steps", "" + EARLY))
                            .run();
                    Stage stage = staged.state().stage();
                    int late = staged.state().round() - stage.rounds();
                    spent += (double) (stage.rounds() * EARLY + late * STEPS)
                            / (full.state().round() * STEPS);
                    rise += error(staged) - error(full);
                    coarse += error(early) - error(full);
                }
                String where = partition + ", " + attack + ": ";
                lines.add(Measured.atMost(where + "ascent steps / those of one stage", spent / SEEDS, 1));
                lines.add(Measured.atMost(where + "error - error of one stage", rise / SEEDS, 0.002));
                lines.add(Measured.atMost(where + "the same with few steps in all rounds", coarse / SEEDS, 1));
            }
        }
        return lines;
    }

    private static double error(TrainingRun run) {
        Shift shift = new WorstCaseShift(Norm.L1, 0.3);
        return Evaluation.of(run.model(), run.heldOut().orElseThrow(), shift).headline();
    }
}
