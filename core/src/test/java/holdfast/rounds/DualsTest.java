package holdfast.rounds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import holdfast.Seed;
import holdfast.aggregate.Aggregator;
import holdfast.aggregate.MajorityVote;
import holdfast.aggregate.Mean;
import holdfast.aggregate.NormScreening;
import holdfast.data.Dataset;
import holdfast.math.Tree;
import holdfast.math.Vectors;
import holdfast.model.LogisticRegression;
import holdfast.testkit.Laws;
import holdfast.testkit.Samples;
import holdfast.testkit.TrainedOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Variables of the objective's own travel with theta, and liars do not move them. */
class DualsTest {
    private static final Dataset DATA = Samples.dataset(Seed.of(4), 600, 3);
    private static final TrainedOffset OBJECTIVE = new TrainedOffset(new LogisticRegression(true));
    private static final int WORKERS = 6;

    private static LoopSettings settings(Aggregator rule) {
        return settings(rule, new ServerStep(0.2));
    }

    private static LoopSettings settings(Aggregator rule, ServerStep step) {
        return new LoopSettings(rule, OBJECTIVE, new double[4], 25, step);
    }

    /** @param replicas how many workers hold the same rows */
    private static List<Worker> workers(int replicas) {
        return IntStream.range(0, WORKERS)
                .mapToObj(w -> new Worker(
                        w,
                        DATA.select(IntStream.range(0, 100)
                                .map(r -> 100 * (w / replicas) + r)
                                .toArray()),
                        OBJECTIVE))
                .toList();
    }

    /** Workers whose replies change on the way. */
    private record Changing(List<Worker> held, UnaryOperator<WorkerReply.Update> change) implements TwoPhasePool {
        @Override
        public int workers() {
            return held.size();
        }

        @Override
        public List<WorkerReply> ask(RoundRequest request) {
            return held.stream()
                    .<WorkerReply>map(w -> change.apply((WorkerReply.Update) w.answer(request)))
                    .toList();
        }

        @Override
        public boolean keeps(int parameters) {
            return false;
        }

        @Override
        public List<Measured> measure(RoundRequest request) {
            return ask(request).stream().map(Measured::of).toList();
        }

        @Override
        public Optional<double[]> sum(RoundRequest request, int[] ids, double[] factors) {
            List<WorkerReply> replies = ask(request);
            return Optional.of(Tree.reduce(
                    ids.length,
                    i -> Vectors.scaled(factors[i], ((WorkerReply.Update) replies.get(ids[i])).vector()),
                    Vectors::add));
        }

        @Override
        public void close() {}
    }

    private static List<RoundRecord> rounds(Aggregator rule, WorkerPool pool) {
        List<RoundRecord> records = new ArrayList<>();
        TrainingLoop loop = new TrainingLoop(settings(rule), pool);
        loop.run(loop.start(), records::add);
        return records;
    }

    private static WorkerReply.Update with(WorkerReply.Update update, double... duals) {
        return new WorkerReply.Update(update.worker(), update.vector(), duals, update.loss(), update.precision());
    }

    /** By the step of the round, which its schedule shortens. */
    @Test
    void aDualStepsAlongTheMiddleOfTheWorkersGradients() {
        List<Worker> workers = workers(1);
        ServerStep step = new ServerStep(new StepSize.Fixed(0.2), round -> 1 / (1 + round / 4.0), 0);
        TrainingLoop loop = new TrainingLoop(settings(new NormScreening(2), step), new Changing(workers, u -> u));
        TrainingState state = loop.start();
        assertThat(state.duals()).containsExactly(3);
        for (int round = 0; round < 10; round++) {
            RoundRequest request = state.request(false, false);
            double[] gradients = workers.stream()
                    .mapToDouble(w -> ((WorkerReply.Update) w.answer(request)).duals()[0])
                    .sorted()
                    .toArray();
            TrainingState next = loop.next(state).state();
            double middle = (gradients[2] + gradients[3]) / 2;
            assertThat(next.duals()[0]).isCloseTo(state.duals()[0] - 0.2 / (1 + round / 4.0) * middle, within(1e-15));
            assertThat(next.duals()[0]).isNotEqualTo(state.duals()[0]);
            state = next;
        }
    }

    @Test
    void anyStateIsResumedToTheSameBits() {
        List<RoundRecord> whole = rounds(new NormScreening(2), new Changing(workers(1), u -> u));
        TrainingState end = whole.get(whole.size() - 1).state();
        for (RoundRecord record : whole) {
            TrainingLoop loop = new TrainingLoop(settings(new NormScreening(2)), new Changing(workers(1), u -> u));
            TrainingState resumed = loop.run(record.state(), round -> {});
            assertThat(Laws.bits(resumed.theta())).isEqualTo(Laws.bits(end.theta()));
            assertThat(Laws.bits(resumed.duals())).isEqualTo(Laws.bits(end.duals()));
        }
    }

    @Test
    void dualGradientsThatCannotBeUsedAreFaults() {
        expectFaults(u -> with(u, Double.NaN), "dual gradient is not finite");
        expectFaults(u -> with(u, Double.NEGATIVE_INFINITY), "dual gradient is not finite");
        expectFaults(DualsTest::with, "dual gradient has 0 elements instead of 1");
        expectFaults(u -> with(u, 1, 2), "dual gradient has 2 elements instead of 1");
    }

    private static void expectFaults(UnaryOperator<WorkerReply.Update> change, String reason) {
        Changing two = new Changing(workers(1), u -> u.worker() % 3 == 1 ? change.apply(u) : u);
        assertThat(rounds(new NormScreening(2), two))
                .allSatisfy(record -> assertThat(record.faults())
                        .containsExactly(new WorkerReply.Fault(1, reason), new WorkerReply.Fault(4, reason)));
        assertThatThrownBy(() -> rounds(new NormScreening(1), two))
                .isInstanceOf(TrainingException.class)
                .hasMessage("round 0: 2 workers failed, the rule tolerates 1 (first: worker 1, " + reason + ")");
    }

    /** However large their lies, what f liars report of the dual stays between honest reports. */
    @Test
    void liarsDoNotMoveADualBeyondTheHonest() {
        for (double lie : new double[] {1e300, -1e300}) {
            Changing lied = new Changing(workers(1), u -> u.worker() < 2 ? with(u, lie) : u);
            TrainingLoop loop = new TrainingLoop(settings(new NormScreening(2)), lied);
            TrainingState state = loop.start();
            double[] honest = workers(1).stream()
                    .skip(2)
                    .mapToDouble(
                            w -> ((WorkerReply.Update) w.answer(loop.start().request(false, false))).duals()[0])
                    .sorted()
                    .toArray();
            double step = (state.duals()[0] - loop.next(state).state().duals()[0]) / 0.2;
            assertThat(step).isBetween(honest[0] - 1e-12, honest[3] + 1e-12);
        }
    }

    @Test
    void replicasAgreeOnTheDualFirst() {
        MajorityVote vote = new MajorityVote(3, 1, new Mean());
        List<RoundRecord> honest = rounds(vote, new Changing(workers(3), u -> u));
        List<RoundRecord> lied = rounds(vote, new Changing(workers(3), u -> u.worker() == 4 ? with(u, 1e9) : u));
        for (int r = 0; r < honest.size(); r++) {
            assertThat(Laws.bits(lied.get(r).state().duals()))
                    .isEqualTo(Laws.bits(honest.get(r).state().duals()));
        }
        assertThatThrownBy(() -> rounds(vote, new Changing(workers(3), u -> with(u, u.worker()))))
                .isInstanceOf(TrainingException.class)
                .hasMessage("round 0: in no shard do more than half of the replicas agree on the dual gradient");
    }

    /** The same answers in two phases. */
    private record Keeping(Changing pool) implements TwoPhasePool {
        @Override
        public int workers() {
            return pool.workers();
        }

        @Override
        public List<WorkerReply> ask(RoundRequest request) {
            throw new AssertionError("asked for updates");
        }

        @Override
        public boolean keeps(int parameters) {
            return true;
        }

        @Override
        public List<Measured> measure(RoundRequest request) {
            return pool.measure(request);
        }

        @Override
        public Optional<double[]> sum(RoundRequest request, int[] ids, double[] factors) {
            return pool.sum(request, ids, factors);
        }

        @Override
        public void close() {}
    }

    @Test
    void twoPhasesBringTheDualsToo() {
        Changing pool = new Changing(workers(1), u -> u.worker() == 5 ? with(u, Double.NaN) : u);
        List<RoundRecord> expected = rounds(new NormScreening(2), pool);
        List<RoundRecord> made = rounds(new NormScreening(2), new Keeping(pool));
        for (int r = 0; r < expected.size(); r++) {
            assertThat(Laws.bits(made.get(r).state().theta()))
                    .isEqualTo(Laws.bits(expected.get(r).state().theta()));
            assertThat(Laws.bits(made.get(r).state().duals()))
                    .isEqualTo(Laws.bits(expected.get(r).state().duals()));
            assertThat(made.get(r).faults()).isEqualTo(expected.get(r).faults());
        }
    }

    @Test
    void aStateKeepsCopiesOfItsDuals() {
        double[] given = {1, 2};
        TrainingState state = TrainingState.start(new double[3], given);
        given[0] = 7;
        Arrays.fill(state.duals(), 7);
        assertThat(state.duals()).containsExactly(1, 2);
    }
}
