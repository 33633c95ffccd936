package holdfast.app.lab.demo;

import holdfast.data.Table;
import holdfast.evaluation.Evaluation;
import holdfast.math.Threads;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.plan.Price;
import holdfast.plan.Statistics;
import holdfast.rounds.RoundHistory;
import holdfast.shift.Shift;
import holdfast.sources.RunReview;
import holdfast.sources.ToleratedChoice;
import holdfast.training.PreparedData;
import holdfast.training.PreparedRun;
import holdfast.training.Training;
import holdfast.training.TrainingRun;
import java.util.List;
import java.util.Optional;

/** Trains on what ten offices hand in, three of which hand in bad rows: plainly, robustly, and without the named ones. */
public final class Demo {
    private final PoisonedOffices offices;
    private final int threads;

    /**
     * What came out.
     *
     * @param plain the plain model on the clean rows
     * @param robust the robust one
     * @param without the robust one that is trained without the sources that the review names
     * @param review of the robust run
     * @param prepared what it was trained on; closed
     * @param history of its rounds
     */
    public record Results(
            Evaluation plain,
            Evaluation robust,
            Evaluation without,
            RunReview review,
            PreparedRun prepared,
            RoundHistory history) {}

    public Demo(PoisonedOffices offices, int threads) {
        this.offices = offices;
        this.threads = threads;
    }

    /** Returns the settings of every user who gives none. */
    private static Plan robust() {
        return Plan.automatic().with(PlanKey.WORKERS_BY, Optional.of(PoisonedOffices.COLUMN));
    }

    /** Returns the settings of plain averaging: everybody counts, rows stay where they are. */
    private static Plan plain() {
        return robust().with("rule", "mean")
                .with(PlanKey.LAMBDA, Price.NONE)
                .with(PlanKey.STATISTICS, Statistics.POOLED);
    }

    public Results run() {
        ToleratedChoice tolerated;
        try (Threads all = Threads.of(threads)) {
            tolerated = all.call(
                    () -> ToleratedChoice.of(PreparedData.probe(Table.of(offices.rows()), robust()), robust()));
        }
        Plan plan = tolerated.applied(robust());
        RoundHistory history = new RoundHistory();
        Training training = Training.of(offices.rows(), plan).threads(threads).listener(history);
        try (PreparedRun prepared = training.prepare().startWorkers(plan, threads)) {
            TrainingRun run = training.run(prepared);
            RunReview review = prepared.pool()
                    .threads()
                    .call(() -> RunReview.of(run, prepared, run.heldOut(), RunReview.Values.AUTO, tolerated));
            return new Results(
                    onCleanRows(train(plain())),
                    onCleanRows(run),
                    onCleanRows(train(robust().with(PlanKey.WITHOUT, List.copyOf(review.distrusted())))),
                    review,
                    prepared,
                    history);
        }
    }

    private TrainingRun train(Plan plan) {
        return Training.of(offices.rows(), plan).threads(threads).run();
    }

    private Evaluation onCleanRows(TrainingRun run) {
        return Evaluation.of(run.model(), offices.clean(), Shift.NONE);
    }
}
