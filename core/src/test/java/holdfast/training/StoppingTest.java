package holdfast.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.Laws;
import holdfast.Samples;
import holdfast.Seed;
import holdfast.data.Dataset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How runs end: by diverging, by the best check on validation rows, and early, with a checkpoint. */
class StoppingTest {
    private static final TrainingPlan PLAN = TrainingPlan.defaults()
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

    private static TrainingState run(TrainingPlan plan, double... losses) {
        TrainingLoop loop = new TrainingLoop(plan, reporting(losses), Samples.schema(3));
        return loop.run(loop.start(), round -> {});
    }

    @Test
    void anObjectiveMoreThanTenTimesTheFirstIsADivergence() {
        for (TrainingPlan plan : List.of(
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
        TrainingPlan plan = PLAN.with("tolerance", "1e-9");
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
        TrainingPlan plan = PLAN.with("validation", "0.3").with("patience", "2");
        TrainingLoop loop = new TrainingLoop(plan, reporting(3, 2, 2, 2, 2), Samples.schema(3));
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
        TrainingPlan plan = PLAN;
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
}
