package holdfast.rounds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.InputException;
import holdfast.Seed;
import holdfast.data.Dataset;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.testkit.Laws;
import holdfast.testkit.Samples;
import holdfast.training.Checkpoint;
import holdfast.training.PreparedData;
import holdfast.training.Training;
import holdfast.training.TrainingRun;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How runs end: by diverging, by the best check on validation rows, and early, with a checkpoint. */
class StoppingTest {
    private static final Plan PLAN = Plan.defaults()
            .with("workers", "3")
            .with("screened", "0")
            .with("lambda", "none")
            .with("rounds", "60")
            .with("learning-rate", "0.1");

    /** Three workers that report these losses, one per check and the last one ever after. */
    private static WorkerPool reporting(double... losses) {
        int[] checks = {0};
        return new WorkerPool() {
            @Override
            public int workers() {
                return 3;
            }

            @Override
            public List<WorkerReply> ask(RoundRequest request) {
                double loss = request.withLoss() ? losses[Math.min(checks[0]++, losses.length - 1)] : Double.NaN;
                return IntStream.range(0, 3)
                        .<WorkerReply>mapToObj(w -> new WorkerReply.Update(w, new double[] {1, 0, 0, 0}, loss, 0))
                        .toList();
            }

            @Override
            public void close() {}
        };
    }

    private static TrainingState run(Plan plan, double... losses) {
        TrainingLoop loop = Loops.of(plan, reporting(losses), Samples.schema(3));
        return loop.run(loop.start(), round -> {});
    }

    @Test
    void anObjectiveMoreThanTenTimesTheFirstIsADivergence() {
        for (Plan plan : List.of(
                PLAN.with("tolerance", "1e-9"),
                PLAN.with("validation", "0.3").with("patience", "9"),
                PLAN.with("validation", "0.3").with("patience", "9").with("tolerance", "0"))) {
            assertThatThrownBy(() -> run(plan, 5, 4, 50.1))
                    .isInstanceOf(TrainingException.class)
                    .hasMessageContaining("diverged in round 20")
                    .hasMessageContaining("grew from 5.0 to 50.1");
            assertThat(run(plan, 5, 4, 50, 7, 6, 5).round()).isEqualTo(60);
        }
    }

    /** Near zero a factor means nothing. */
    @Test
    void aSmallFirstObjectiveCountsAsOne() {
        Plan plan = PLAN.with("tolerance", "1e-9");
        assertThatThrownBy(() -> run(plan, 0.01, 10.1)).isInstanceOf(TrainingException.class);
        assertThat(run(plan, 0.01, 10, 9, 8, 7, 6).round()).isEqualTo(60);
    }

    @Test
    void whoAsksForAFixedNumberOfRoundsGetsThem() {
        assertThat(run(PLAN.with("tolerance", "0").with("rounds", "250"), 1, 1e9, 1e12)
                        .round())
                .isEqualTo(250);
    }

    @Test
    void ofEqualChecksTheEarlierOneIsTheBest() {
        Plan plan = PLAN.with("validation", "0.3").with("patience", "2");
        TrainingLoop loop = Loops.of(plan, reporting(3, 2, 2, 2, 2), Samples.schema(3));
        TrainingState end = loop.run(loop.start(), round -> {});
        assertThat(end.settled()).isTrue();
        assertThat(end.round()).isEqualTo(31);
        assertThat(end.best().round()).isEqualTo(10);
        // The parameters at the end are as good, and later.
        assertThat(loop.result(end).round()).isEqualTo(10);
        assertThat(loop.result(end).theta()).isEqualTo(end.best().theta());
    }

    private final Dataset data = Samples.dataset(Seed.of(1), 300, 3);

    /** What reaches the sink before the run ends with this. */
    private List<Checkpoint> broken(int every, Class<? extends RuntimeException> how, RoundListener listener) {
        List<Checkpoint> kept = new ArrayList<>();
        Training training =
                Training.of(data, PLAN).checkpoints(every, kept::add).listener(listener);
        try {
            assertThatThrownBy(training::run).isInstanceOf(how);
        } finally {
            Thread.interrupted();
        }
        return kept;
    }

    private void expectSameEnd(Checkpoint checkpoint) {
        TrainingRun whole = Training.of(data, PLAN).run();
        TrainingRun resumed = Training.of(data, PLAN).resume(checkpoint).run();
        assertThat(Laws.bits(resumed.model().theta()))
                .isEqualTo(Laws.bits(whole.model().theta()));
        assertThat(resumed.ledger()).isEqualTo(whole.ledger());
    }

    @Test
    void anInterruptedRunLeavesTheRoundsItHasDone() {
        List<Checkpoint> kept = broken(100, CancellationException.class, record -> {
            if (record.round() == 23) {
                Thread.currentThread().interrupt();
            }
        });
        assertThat(kept).extracting(c -> c.state().round()).containsExactly(24);
        expectSameEnd(kept.get(0));
    }

    @Test
    void aRunInterruptedBeforeItsFirstRoundLeavesItsStart() {
        Plan plan = PLAN;
        List<Checkpoint> kept = new ArrayList<>();
        Training training = Training.of(data, plan).checkpoints(10, kept::add);
        PreparedData prepared = training.prepare();
        try {
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> training.run(prepared)).isInstanceOf(CancellationException.class);
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
        } finally {
            Thread.interrupted();
        }
        assertThat(kept).extracting(c -> c.state().round()).containsExactly(0);
        expectSameEnd(kept.get(0));
    }

    @Test
    void whatIsSavedAlreadyIsNotSavedAgain() {
        List<Checkpoint> kept = broken(8, CancellationException.class, record -> {
            if (record.round() == 15) {
                Thread.currentThread().interrupt();
            }
        });
        assertThat(kept).extracting(c -> c.state().round()).containsExactly(8, 16);
        List<Checkpoint> all = new ArrayList<>();
        Training.of(data, PLAN.with("rounds", "24")).checkpoints(8, all::add).run();
        assertThat(all).extracting(c -> c.state().round()).containsExactly(8, 16, 24);
        all.clear();
        Training.of(data, PLAN.with("rounds", "25")).checkpoints(8, all::add).run();
        assertThat(all).extracting(c -> c.state().round()).containsExactly(8, 16, 24, 25);
    }

    /** A listener that throws has not seen the round through, nor has the ledger. */
    @Test
    void aRunThatFailsLeavesTheLastRoundItFinished() {
        List<Checkpoint> kept = broken(100, IllegalStateException.class, record -> {
            if (record.round() == 11) {
                throw new IllegalStateException("full disk");
            }
        });
        assertThat(kept).extracting(c -> c.state().round()).containsExactly(11);
        expectSameEnd(kept.get(0));
    }

    @Test
    void theToleranceIsAShareOfTheLastObjective() {
        assertThat(run(PLAN.with("tolerance", "0.02"), 100, 99, 1).round()).isEqualTo(11);
        assertThat(run(PLAN.with("tolerance", "0.5"), 4, 2, 1).round()).isEqualTo(11);
        assertThat(run(PLAN.with("tolerance", "0.5"), 4, 1.9, 1).round()).isEqualTo(21);
        assertThat(run(PLAN.with("tolerance", "0").with("rounds", "250"), 1, 1, 1)
                        .round())
                .isEqualTo(250);
    }

    @Test
    void theObjectiveIsAskedForWhereItDecidesOrOnceInAHundredRounds() {
        assertThat(checks(PLAN.with("tolerance", "1e-9"))).containsExactly(0, 10, 20, 30, 40, 50);
        assertThat(checks(PLAN.with("validation", "0.3").with("tolerance", "0").with("patience", "50")))
                .containsExactly(0, 10, 20, 30, 40, 50);
        assertThat(checks(PLAN.with("tolerance", "0").with("rounds", "250"))).containsExactly(0, 100, 200);
    }

    private static List<Integer> checks(Plan plan) {
        List<Integer> checks = new ArrayList<>();
        TrainingLoop loop = Loops.of(plan, reporting(9, 8, 7, 6, 5, 4), Samples.schema(3));
        loop.run(loop.start(), record -> {
            if (!Double.isNaN(record.objective())) {
                checks.add(record.round());
            }
        });
        return checks;
    }

    /** Where a loss has no least value, as that of a falsified count. */
    @Test
    void anObjectiveFarBelowZeroIsADivergence() {
        assertThatThrownBy(() -> run(PLAN.with("tolerance", "1e-9"), 5, -5001))
                .isInstanceOf(TrainingException.class)
                .hasMessageContaining("fell from 5.0 to -5001.0");
        assertThat(run(PLAN.with("tolerance", "1e-9"), 5, -5000, 1, 2, 3, 4).round())
                .isEqualTo(60);
        assertThatThrownBy(() -> run(PLAN.with("tolerance", "1e-9"), 0.1, -1001))
                .isInstanceOf(TrainingException.class);
    }

    /** Workers of whom each sends and reports its own. */
    private static WorkerPool sending(WorkerReply... replies) {
        return new WorkerPool() {
            @Override
            public int workers() {
                return replies.length;
            }

            @Override
            public List<WorkerReply> ask(RoundRequest request) {
                return List.of(replies);
            }

            @Override
            public void close() {}
        };
    }

    private static WorkerReply.Update update(int worker, double value, double loss) {
        return new WorkerReply.Update(worker, new double[] {value, 0, 0, 0}, loss, 0);
    }

    /** One of three is left however many may lie. */
    @Test
    void theObjectiveIsTheMiddleOfTheReportsThatTheLiarsLeave() {
        WorkerPool pool = sending(update(0, 1, 100), update(1, 2, 5), update(2, 3, 1));
        TrainingLoop loop = Loops.of(PLAN.with("screened", "2"), pool, Samples.schema(3));
        assertThat(loop.next(loop.start()).objective()).isEqualTo(5);
        loop = Loops.of(PLAN, pool, Samples.schema(3));
        assertThat(loop.next(loop.start()).objective()).isEqualTo(106 / 3.0);
    }

    @Test
    void whereNoUpdateIsFiniteTheRunHasDiverged() {
        WorkerReply lost = new WorkerReply.Fault(2, "dead");
        TrainingLoop all = Loops.of(
                PLAN,
                sending(update(0, Double.NaN, 1), update(1, 1, Double.NaN), update(2, 1, Double.POSITIVE_INFINITY)),
                Samples.schema(3));
        assertThatThrownBy(() -> all.next(all.start()))
                .isInstanceOf(TrainingException.class)
                .hasMessageStartingWith(
                        "training diverged in round 0: no worker's update is finite any more; use a smaller"
                                + " --learning-rate (now 0.1), or let");
        TrainingLoop some =
                Loops.of(PLAN, sending(update(0, Double.NaN, 1), update(1, Double.NaN, 1), lost), Samples.schema(3));
        assertThatThrownBy(() -> some.next(some.start()))
                .isInstanceOf(TrainingException.class)
                .hasMessageStartingWith("round 0: 3 workers failed, the rule tolerates 0 (first: worker 0,");
    }

    @Test
    void liarsDoNotHideThatTooManyFailed() {
        Plan plan = PLAN.with("attack", "aggressive").with("byzantine", "0");
        TrainingLoop loop = Loops.of(
                plan, sending(update(0, 1, 1), update(1, 1, 1), new WorkerReply.Fault(2, "dead")), Samples.schema(3));
        assertThatThrownBy(() -> loop.next(loop.start()))
                .isInstanceOf(TrainingException.class)
                .hasMessageContaining("1 workers failed, the rule tolerates 0 (first: worker 2, dead)");
    }

    @Test
    void aDivergenceNamesTheSettingsThatCouldHaveCausedIt() {
        assertThatThrownBy(() -> run(PLAN.with("tolerance", "0.1").with("local-steps", "2"), 1, 100))
                .hasMessageContaining("--learning-rate (now 0.1) or --local-rate, or let");
        assertThatThrownBy(() -> run(
                        PLAN.with("tolerance", "0.1")
                                .with("lambda", "3")
                                .with("maximiser", "ascent")
                                .with("ascent-steps", "1")
                                .with("box", "2"),
                        1,
                        100))
                .hasMessageContaining("--learning-rate (now 0.1) or a smaller --box, or let");
    }

    @Test
    void theLoopNeedsALearningRate() {
        assertThatThrownBy(() -> Loops.of(PLAN.without(PlanKey.LEARNING_RATE), reporting(1), Samples.schema(3)))
                .isInstanceOf(InputException.class)
                .hasMessage("the loop needs a learning rate, got auto");
    }

    /** Updates of keeping workers come in two phases and are never asked for a second time. */
    @Test
    void whatIsSummedWhereItIsKeptIsNotAskedForAgain() {
        TwoPhasePool pool = new TwoPhasePool() {
            @Override
            public boolean keeps(int parameters) {
                return true;
            }

            @Override
            public List<Measured> measure(RoundRequest request) {
                return List.of(
                        new Measured(new WorkerReply.Update(0, new double[0], 1, 0), 1, 4, true),
                        new Measured(new WorkerReply.Update(1, new double[0], 1, 0), 2, 4, false),
                        new Measured(new WorkerReply.Update(2, new double[0], 1, 0), 3, 4, true));
            }

            @Override
            public Optional<double[]> sum(RoundRequest request, int[] workers, double[] factors) {
                assertThat(workers).containsExactly(0, 2);
                assertThat(factors).containsExactly(1, 1);
                return Optional.of(new double[] {4, 0, 0, 0});
            }

            @Override
            public int workers() {
                return 3;
            }

            @Override
            public List<WorkerReply> ask(RoundRequest request) {
                throw new AssertionError("asked for updates");
            }

            @Override
            public void close() {}
        };
        TrainingLoop loop = Loops.of(PLAN.with("screened", "1"), pool, Samples.schema(3));
        RoundRecord record = loop.next(loop.start());
        assertThat(record.norms()).containsExactly(1, Double.NaN, 3);
        assertThat(record.state().theta()[0]).isEqualTo(-0.1 * 2);
    }
}
