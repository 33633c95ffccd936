package holdfast.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import holdfast.InputException;
import holdfast.Seed;
import holdfast.data.Dataset;
import holdfast.objective.Objective;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.plan.ResolvedPlan;
import holdfast.rounds.InProcessPool;
import holdfast.rounds.Loops;
import holdfast.rounds.RoundRequest;
import holdfast.rounds.TrainingLoop;
import holdfast.rounds.Worker;
import holdfast.rounds.WorkerPool;
import holdfast.rounds.WorkerReply;
import holdfast.shift.Shift;
import holdfast.testkit.Laws;
import holdfast.testkit.Samples;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Rows set aside, and stopping by them. */
class ValidationTest {
    /** Many features and few rows: plain training soon learns them by heart. */
    private static final Plan PLAN = Plan.defaults()
            .with("workers", "4")
            .with("screened", "0")
            .with("lambda", "none")
            .with("test-share", "0")
            .with("validation", "0.3")
            .with("patience", "3")
            .with("rounds", "2000");

    private final Dataset data = Samples.dataset(Seed.of(1), 160, 20);

    @Test
    void everyRowTrainsOrIsSetAside() {
        Laws.check(30, seed -> {
            Plan plan = PLAN.with(PlanKey.SEED, seed.value()).with("learning-rate", "1");
            int rows = 2 + seed.random().nextInt(40);
            Dataset held = data.select(IntStream.range(0, rows).toArray());
            Worker worker = ResolvedPlan.worker(plan, 2, held, plan.loss(Samples.TWO_CLASSES));
            assertThat(worker.validation().orElseThrow().rows()).isEqualTo(Math.max(1, (int) Math.rint(0.3 * rows)));
            List<double[]> all = new ArrayList<>();
            for (Dataset part : List.of(worker.shard(), worker.validation().orElseThrow())) {
                IntStream.range(0, part.rows()).mapToObj(part::row).forEach(all::add);
            }
            assertThat(all.stream().map(Arrays::toString))
                    .containsExactlyInAnyOrderElementsOf(IntStream.range(0, rows)
                            .mapToObj(r -> Arrays.toString(held.row(r)))
                            .toList());
        });
    }

    @Test
    void replicasSetAsideTheSameRowsAndOtherShardsOthers() {
        Plan plan = PLAN.with("learning-rate", "1").with("replicas", "2");
        Dataset held = data.select(IntStream.range(0, 40).toArray());
        List<String> aside = IntStream.range(0, 6)
                .mapToObj(w -> Arrays.toString(ResolvedPlan.worker(plan, w, held, plan.loss(Samples.TWO_CLASSES))
                        .validation()
                        .orElseThrow()
                        .row(0)))
                .toList();
        assertThat(aside.get(0)).isEqualTo(aside.get(1));
        assertThat(aside.get(2)).isEqualTo(aside.get(3));
        assertThat(aside.stream().distinct().count()).isGreaterThan(1);
    }

    @Test
    void theReportIsTheRobustLossOnThoseRowsWithoutThePenalty() {
        Plan plan =
                PLAN.with("lambda", "4").with("l2", "0.5").with("batch", "7").with("learning-rate", "1");
        Objective loss = plan.loss(Samples.TWO_CLASSES);
        Worker worker = ResolvedPlan.worker(plan, 0, data, loss);
        double[] theta = Seed.of(3).random().gaussians(21);
        RoundRequest request = new RoundRequest(5, theta, true);
        WorkerReply.Update sent = (WorkerReply.Update) worker.answer(request);
        Objective bare = plan.with("l2", "0").loss(Samples.TWO_CLASSES);
        WorkerReply.Update alone =
                (WorkerReply.Update) new Worker(0, worker.validation().orElseThrow(), bare).answer(request);
        assertThat(sent.loss()).isCloseTo(alone.loss(), within(1e-15));
        WorkerReply.Update batch = (WorkerReply.Update)
                new Worker(0, worker.work().batch().of(worker.shard(), 5, 0), loss).answer(request);
        assertThat(Laws.bits(sent.vector())).isEqualTo(Laws.bits(batch.vector()));
    }

    @Test
    void aSingleRowIsTrainedOnAndReportsNothing() {
        Plan plan = PLAN.with("learning-rate", "1");
        Dataset one = data.select(new int[] {7});
        Worker worker = ResolvedPlan.worker(plan, 1, one, plan.loss(Samples.TWO_CLASSES));
        assertThat(worker.validation()).isEmpty();
        RoundRequest request = new RoundRequest(0, Seed.of(3).random().gaussians(21), true);
        WorkerReply.Update sent = (WorkerReply.Update) worker.answer(request);
        WorkerReply.Update plain =
                (WorkerReply.Update) new Worker(1, one, plan.loss(Samples.TWO_CLASSES)).answer(request);
        assertThat(sent.loss()).isNaN();
        assertThat(sent.vector()).isEqualTo(plain.vector());
    }

    @Test
    void theModelIsTheBestOneCheckedAndTheRunEndsAfterThePatience() {
        Laws.check(10, seed -> {
            Plan plan = PLAN.with(PlanKey.SEED, seed.value())
                    .with("patience", Integer.toString(1 + seed.random().nextInt(4)));
            Map<Integer, Double> checks = new TreeMap<>();
            Map<Integer, double[]> thetas = new TreeMap<>();
            thetas.put(0, new double[21]);
            TrainingRun run = Training.of(data, plan)
                    .listener(r -> {
                        thetas.put(r.state().round(), r.state().theta());
                        if (!Double.isNaN(r.objective())) {
                            checks.put(r.round(), r.objective());
                        }
                    })
                    .run();
            assertThat(run.stopped()).isTrue();
            int best = checks.entrySet().stream()
                    .min(Map.Entry.<Integer, Double>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
                    .orElseThrow()
                    .getKey();
            assertThat(run.state().best().round()).isEqualTo(best);
            assertThat(run.state().round()).isEqualTo(best + 10 * plan.get(PlanKey.PATIENCE) + 1);
            assertThat(run.chosen()).isIn(best, run.state().round());
            assertThat(run.objective()).isLessThanOrEqualTo(checks.get(best));
            assertThat(Laws.bits(run.model().theta())).isEqualTo(Laws.bits(thetas.get(run.chosen())));
            assertThat(Laws.bits(PreparedData.of(data, plan).train(plan)))
                    .isEqualTo(Laws.bits(run.model().theta()));
            // Before the best there was never as long a time without a new best.
            double lowest = Double.POSITIVE_INFINITY;
            int last = 0;
            for (Map.Entry<Integer, Double> check : checks.entrySet()) {
                if (check.getValue() < lowest) {
                    assertThat(check.getKey() - last).isLessThanOrEqualTo(10 * plan.get(PlanKey.PATIENCE));
                    lowest = check.getValue();
                    last = check.getKey();
                }
            }
        });
    }

    @Test
    void whereRoundsEndBeforeThePatienceTheLastParametersMayBeTheBest() {
        TrainingRun run = Training.of(data, PLAN.with("rounds", "7")).run();
        assertThat(run.converged()).isFalse();
        assertThat(run.chosen()).isEqualTo(7);
        assertThat(run.model().theta()).isEqualTo(run.state().theta());
        assertThat(Training.of(data, PLAN.with("rounds", "0")).run().chosen()).isZero();
    }

    @Test
    void stoppingEarlyGeneralisesBetterThanGoingOn() {
        double early = 0;
        double late = 0;
        for (int i = 0; i < 10; i++) {
            Dataset rows = Samples.dataset(Seed.of(100 + i), 400, 40);
            Plan plan = PLAN.with("test-share", "0.5").with("workers", "2").with("learning-rate", "1");
            early += Training.of(rows, plan).run().evaluate(Shift.NONE).logLoss();
            late += Training.of(
                            rows,
                            plan.without(PlanKey.VALIDATION, PlanKey.PATIENCE).with("tolerance", "0"))
                    .run()
                    .evaluate(Shift.NONE)
                    .logLoss();
        }
        assertThat(early).isLessThan(late);
    }

    /** Two workers report ever smaller losses, as if training should never end. */
    private record Praising(WorkerPool sound) implements WorkerPool {
        @Override
        public int workers() {
            return sound.workers();
        }

        @Override
        public List<WorkerReply> ask(RoundRequest request) {
            return sound.ask(request).stream()
                    .map(reply -> reply.worker() < 2 && reply instanceof WorkerReply.Update u
                            ? new WorkerReply.Update(u.worker(), u.vector(), -request.round(), u.precision())
                            : reply)
                    .sorted(Comparator.comparingInt(WorkerReply::worker))
                    .toList();
        }

        @Override
        public void close() {}
    }

    @Test
    void liarsCannotKeepTheRunGoing() {
        Plan plan = PLAN.with("workers", "7").with("learning-rate", "1").with("rule", "trimmed-mean");
        PreparedData prepared = PreparedData.of(data, plan);
        try (InProcessPool sound = new InProcessPool(prepared.workers(plan), 1)) {
            TrainingLoop wary = Loops.of(plan.with("screened", "2"), new Praising(sound), data.schema());
            assertThat(wary.run(wary.start(), r -> {}).settled()).isTrue();
            TrainingLoop trusting = Loops.of(plan.with("rounds", "500"), new Praising(sound), data.schema());
            assertThat(trusting.run(trusting.start(), r -> {}).settled()).isFalse();
        }
    }

    @Test
    void aRunResumedAtAnyRoundChoosesTheSame() {
        List<Checkpoint> checkpoints = new ArrayList<>();
        TrainingRun whole =
                Training.of(data, PLAN).checkpoints(7, checkpoints::add).run();
        assertThat(checkpoints).hasSizeGreaterThan(4);
        for (Checkpoint checkpoint : checkpoints) {
            TrainingRun resumed = Training.of(data, PLAN).resume(checkpoint).run();
            assertThat(resumed.chosen()).isEqualTo(whole.chosen());
            assertThat(Laws.bits(resumed.model().theta()))
                    .isEqualTo(Laws.bits(whole.model().theta()));
        }
    }

    @Test
    void patienceNeedsValidation() {
        assertThatThrownBy(() -> Training.of(data, PLAN.with("validation", "0")).run())
                .isInstanceOf(InputException.class)
                .hasMessage("--patience needs --validation above 0");
    }
}
