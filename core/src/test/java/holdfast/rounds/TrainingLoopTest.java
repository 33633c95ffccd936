package holdfast.rounds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import holdfast.InputException;
import holdfast.Seed;
import holdfast.aggregate.Carry;
import holdfast.data.Dataset;
import holdfast.math.Vectors;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.plan.ResolvedPlan;
import holdfast.testkit.Laws;
import holdfast.testkit.Samples;
import holdfast.theory.ScreeningBound;
import holdfast.training.Checkpoint;
import holdfast.training.PreparedData;
import holdfast.training.Training;
import holdfast.training.TrainingRun;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TrainingLoopTest {
    private static final Plan PLAN = Plan.defaults()
            .with("workers", "8")
            .with("screened", "2")
            .with("rounds", "6")
            .with("learning-rate", "0.1");

    /** Honest workers but for some who send something else. */
    private record Tampered(InProcessPool honest, int from, Function<WorkerReply.Update, WorkerReply> change)
            implements WorkerPool {
        @Override
        public int workers() {
            return honest.workers();
        }

        @Override
        public List<WorkerReply> ask(RoundRequest request) {
            return honest.ask(request).stream()
                    .map(r -> r.worker() >= from ? change.apply((WorkerReply.Update) r) : r)
                    .toList();
        }

        @Override
        public void close() {}
    }

    /** The workers from this id on send something else. */
    private static WorkerPool pool(int from, Function<WorkerReply.Update, WorkerReply> change) {
        PreparedData prepared = PreparedData.of(Samples.dataset(Seed.of(1), 400, 3), PLAN);
        return new Tampered(new InProcessPool(prepared.workers(PLAN.loss(Samples.TWO_CLASSES)), 1), from, change);
    }

    private static WorkerReply.Update sends(WorkerReply.Update u, double... vector) {
        return new WorkerReply.Update(u.worker(), vector, u.loss(), u.precision());
    }

    private static void expectBorne(Function<WorkerReply.Update, WorkerReply> change, String reason) {
        TrainingLoop loop = Loops.of(PLAN, pool(6, change), Samples.schema(3));
        Ledger ledger = new Ledger(IntStream.range(0, 8).mapToObj(i -> "w" + i).toList());
        List<RoundRecord> records = new ArrayList<>();
        TrainingState end = loop.run(loop.start(), ledger.and(records::add));
        assertThat(end.round()).isEqualTo(6);
        assertThat(Vectors.finite(end.theta())).isTrue();
        assertThat(records).allSatisfy(r -> {
            assertThat(r.faults()).containsExactly(new WorkerReply.Fault(6, reason), new WorkerReply.Fault(7, reason));
            assertThat(r.norms()[7]).isNaN();
            assertThat(r.kept()).containsExactly(0, 1, 2, 3, 4, 5);
        });
        assertThat(ledger.lines()).extracting(Ledger.Line::failed).containsExactly(0, 0, 0, 0, 0, 0, 6, 6);
        assertThat(ledger.lines()).extracting(Ledger.Line::screened).containsOnly(0);
    }

    @Test
    void updatesThatAreNoUpdatesAreFaultsChargedToTheBudget() {
        expectBorne(u -> sends(u, 0, Double.NaN, 0, 0), "update is not finite");
        expectBorne(u -> sends(u, 0, 0, 0, Double.NEGATIVE_INFINITY), "update is not finite");
        expectBorne(u -> sends(u, 1, 2, 3), "update has 3 elements instead of 4");
        expectBorne(u -> sends(u), "update has 0 elements instead of 4");
        expectBorne(u -> new WorkerReply.Fault(u.worker(), "no answer"), "no answer");
    }

    @Test
    void oneFaultMoreThanTheBudgetEndsTrainingWithTheLastGoodState() {
        TrainingLoop honest = Loops.of(PLAN, pool(8, u -> u), Samples.schema(3));
        TrainingState good = honest.next(honest.next(honest.start()).state()).state();
        TrainingLoop loop = Loops.of(PLAN, pool(5, u -> sends(u, Double.NaN, 0, 0, 0)), Samples.schema(3));
        TrainingException stopped = catchThrowableOfType(TrainingException.class, () -> loop.run(good, record -> {}));
        assertThat(stopped)
                .hasMessage(
                        "round 2: 3 workers failed, the rule tolerates 2 (first: worker 5, update is not" + " finite)");
        assertThat(stopped.lastGood()).isSameAs(good);
    }

    @Test
    void aHugeButFiniteUpdateIsScreenedAndNoFault() {
        TrainingLoop loop = Loops.of(PLAN, pool(6, u -> sends(u, 1e308, -1e308, 1e308, 1e308)), Samples.schema(3));
        RoundRecord record = loop.next(loop.start());
        assertThat(record.faults()).isEmpty();
        assertThat(record.kept()).containsExactly(0, 1, 2, 3, 4, 5);
        assertThat(record.explanation()).startsWith("screened [6, 7]");
    }

    @Test
    void aStepIsTheLearningRateTimesTheDirection() {
        TrainingLoop loop =
                Loops.of(PLAN.with("rule", "mean"), pool(0, u -> sends(u, u.worker(), 1, 0, -2)), Samples.schema(3));
        RoundRecord record = loop.next(loop.start());
        assertThat(record.state().theta()).containsExactly(-0.1 * 3.5, -0.1, 0, 0.2);
        assertThat(record.round()).isZero();
        assertThat(record.state().round()).isOne();
    }

    @Test
    void divergenceIsSaidAndCarriesTheLastGoodState() {
        Plan plan = PLAN.with("rounds", "100");
        TrainingException grown = catchThrowableOfType(
                TrainingException.class,
                () -> Training.of(Samples.dataset(Seed.of(1), 400, 3), plan.with("learning-rate", "1e6"))
                        .run());
        assertThat(grown)
                .hasMessageStartingWith("training diverged in round 10: the objective grew from 0.")
                .hasMessageContaining("use a smaller --learning-rate (now 1000000.0)");
        assertThat(Vectors.finite(grown.lastGood().theta())).isTrue();
        // Round 1, because in round 0 the workers would be asked for a loss, which is not finite there either.
        TrainingState beyond = new TrainingState(
                1,
                new double[] {-Double.MAX_VALUE, 0, 0, 0},
                new double[0],
                new double[0],
                new double[0],
                Carry.NONE,
                Double.NaN,
                Double.NaN,
                StepSize.START,
                TrainingState.Best.NONE,
                Stage.START,
                false);
        TrainingException infinite = catchThrowableOfType(
                TrainingException.class,
                () -> Loops.of(plan, pool(0, u -> sends(u, Double.MAX_VALUE, 0, 0, 0)), Samples.schema(3))
                        .run(beyond, record -> {}));
        assertThat(infinite)
                .hasMessageStartingWith("training diverged in round 1: the parameters are no longer finite");
    }

    @Test
    void trainingStopsWhenTheObjectiveHardlyFalls() {
        Plan plan = PLAN.with("rounds", "5000").with("learning-rate", "1");
        TrainingRun run = Training.of(Samples.dataset(Seed.of(1), 400, 3), plan).run();
        assertThat(run.converged()).isTrue();
        assertThat(run.state().round()).isBetween(11, 1000);
        assertThat(run.state().round() % new StoppingRule.Tolerance(1e-4).checkEvery())
                .isOne();
        assertThat(Training.of(
                                Samples.dataset(Seed.of(1), 400, 3),
                                plan.with("rounds", "60").with("tolerance", "0"))
                        .run()
                        .state()
                        .round())
                .isEqualTo(60);
    }

    @Test
    void aStoppingRuleThatFiresInTheLastRoundHasConverged() {
        Plan plan = PLAN.with("rounds", "5000").with("learning-rate", "1");
        Dataset data = Samples.dataset(Seed.of(1), 400, 3);
        int enough = Training.of(data, plan).run().state().round();
        assertThat(Training.of(data, plan.with(PlanKey.ROUNDS, enough)).run().converged())
                .isTrue();
        assertThat(Training.of(data, plan.with(PlanKey.ROUNDS, enough - 1))
                        .run()
                        .converged())
                .isFalse();
    }

    @Test
    void anObjectiveThatFallsWithoutBoundHasDiverged() {
        for (String tolerance : new String[] {"1e-6", "0"}) {
            Plan plan = PLAN.with("rounds", "5000").with("tolerance", tolerance);
            TrainingException fell = catchThrowableOfType(
                    TrainingException.class,
                    () -> Loops.of(
                                    plan,
                                    pool(0, u -> new WorkerReply.Update(u.worker(), u.vector(), -1001, 0)),
                                    Samples.schema(3))
                            .run(from(0.7), record -> {}));
            assertThat(fell)
                    .hasMessageStartingWith("training diverged in round 0: the objective fell from 0.7 to -1001.0;");
        }
    }

    /** A state whose first objective is known. */
    private static TrainingState from(double firstObjective) {
        TrainingState start = TrainingState.start(new double[4]);
        return new TrainingState(
                0,
                start.theta(),
                start.duals(),
                start.velocity(),
                start.momenta(),
                start.carry(),
                firstObjective,
                firstObjective,
                StepSize.START,
                start.best(),
                start.stage(),
                false);
    }

    @Test
    void whatAWorkersOwnCodeThrowsIsNoLie() {
        Plan plan = PLAN.with("screened", "2");
        WorkerPool failing = new WorkerPool() {
            @Override
            public int workers() {
                return 8;
            }

            @Override
            public List<WorkerReply> ask(RoundRequest request) {
                throw new InputException("worker 3: lambda is too small");
            }

            @Override
            public void close() {}
        };
        assertThatThrownBy(() ->
                        Loops.of(plan, failing, Samples.schema(3)).run(TrainingState.start(new double[4]), r -> {}))
                .isInstanceOf(TrainingException.class)
                .hasMessage("round 0: worker 3: lambda is too small");
    }

    @Test
    void anInterruptedRunIsCancelledAndLeavesACheckpoint() {
        List<Checkpoint> kept = new ArrayList<>();
        Training training = Training.of(Samples.dataset(Seed.of(1), 400, 3), PLAN)
                .checkpoints(100, kept::add)
                .listener(r -> {
                    if (r.round() == 2) {
                        Thread.currentThread().interrupt();
                    }
                });
        try {
            assertThatThrownBy(training::run).isInstanceOf(CancellationException.class);
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
        } finally {
            Thread.interrupted();
        }
        assertThat(kept).hasSize(1);
        assertThat(kept.get(0).state().round()).isEqualTo(3);
    }

    @Test
    void liarsReplaceWhatTheyWouldHaveSent() {
        Plan plan = PLAN.with("attack", "aggressive").with("byzantine", "1,4");
        TrainingLoop loop = Loops.of(plan, pool(8, u -> u), Samples.schema(3));
        RoundRecord record = loop.next(loop.start());
        assertThat(record.kept()).containsExactly(0, 2, 3, 5, 6, 7);
        assertThat(record.norms()[1]).isEqualTo(record.norms()[4]).isGreaterThan(record.norms()[0]);
    }

    @Test
    void everyRoundsLiesAreDrawnAnew() {
        Plan plan = PLAN.with("attack", "intelligent").with("byzantine", "0").with("rule", "mean");
        TrainingLoop loop = Loops.of(plan, pool(0, u -> sends(u, 1, 0, 0, 0)), Samples.schema(3));
        TrainingState once = loop.next(loop.start()).state();
        TrainingState twice = loop.next(once).state();
        assertThat(gap(twice.theta(), once.theta())[1]).isNotEqualTo(once.theta()[1]);
    }

    /** Lemma 2, with Delta = max over honest i of ||g_i - grad F|| for its last term. */
    @Test
    void everyRoundsDirectionIsAsCloseToTheTrueGradientAsLemmaTwoSays() {
        for (String attack : new String[] {"aggressive", "intelligent", "none"}) {
            Laws.check(5, seed -> {
                Plan plan = PLAN.with("workers", "10")
                        .with("screened", "3")
                        .with("partition", seed.random().nextInt(2) == 0 ? "iid" : "by-class")
                        .with("attack", attack)
                        .with("liars", attack.equals("none") ? "0" : "3")
                        .with("lambda", "2")
                        .with("ascent-steps", "20")
                        .with(PlanKey.SEED, seed.value());
                PreparedData prepared = PreparedData.of(Samples.dataset(seed, 500, 4), plan);
                List<Worker> workers = prepared.workers(plan.loss(Samples.TWO_CLASSES));
                int[] liars = ResolvedPlan.liars(plan, 10);
                try (InProcessPool pool = new InProcessPool(workers, 1)) {
                    TrainingLoop loop = Loops.of(plan, pool, Samples.schema(4));
                    TrainingState state = loop.start();
                    for (int t = 0; t < 15; t++) {
                        RoundRequest request = new RoundRequest(t, state.theta(), false);
                        List<double[]> truth = workers.stream()
                                .map(w -> ((WorkerReply.Update) w.answer(request)).vector())
                                .toList();
                        double[] mean = new double[5];
                        truth.forEach(g -> Vectors.addScaled(mean, 0.1, g, 5));
                        double spread = IntStream.range(0, 10)
                                .filter(w -> Arrays.binarySearch(liars, w) < 0)
                                .mapToDouble(w -> Vectors.norm(gap(truth.get(w), mean)))
                                .max()
                                .orElseThrow();
                        TrainingState next = loop.next(state).state();
                        double[] direction = Vectors.scaled(1 / 0.1, gap(state.theta(), next.theta()));
                        double influence = ScreeningBound.influence(10, 3, 3);
                        assertThat(Vectors.norm(gap(direction, mean)))
                                .isLessThanOrEqualTo(influence * Vectors.norm(mean) + spread + 1e-12);
                        state = next;
                    }
                }
            });
        }
    }

    private static double[] gap(double[] a, double[] b) {
        double[] gap = a.clone();
        Vectors.addScaled(gap, -1, b, gap.length);
        return gap;
    }

    @Test
    void anObjectiveThatRisesHasNotSettled() {
        Plan plan = PLAN.with("tolerance", "0.01").with("rounds", "45");
        double[] losses = {5, 1, 2, 2.005, 1};
        int[] checked = {0};
        WorkerPool pool = new WorkerPool() {
            @Override
            public int workers() {
                return 8;
            }

            @Override
            public List<WorkerReply> ask(RoundRequest request) {
                double loss = request.withLoss() ? losses[checked[0]++] : Double.NaN;
                return IntStream.range(0, 8)
                        .<WorkerReply>mapToObj(w -> new WorkerReply.Update(w, new double[4], loss, 0))
                        .toList();
            }

            @Override
            public void close() {}
        };
        TrainingLoop loop = Loops.of(plan, pool, Samples.schema(3));
        // The rise from 1 to 2 is no end; that from 2 to 2.005 is within the tolerance.
        assertThat(loop.run(loop.start(), round -> {}).round()).isEqualTo(31);
    }
}
