package holdfast.rounds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.Seed;
import holdfast.data.Dataset;
import holdfast.math.Tree;
import holdfast.math.Vectors;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.plan.Tolerated;
import holdfast.testkit.Laws;
import holdfast.testkit.Samples;
import holdfast.training.PreparedData;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Screening and clipping in two phases give the bits of one phase. */
class TwoPhasePoolTest {
    private static final Dataset DATA = Samples.dataset(Seed.of(3), 900, 5);
    private static final Plan PLAN = Plan.defaults()
            .with(PlanKey.WORKERS, 9)
            .with(PlanKey.TOLERATED, Tolerated.count(2))
            .with(PlanKey.TOLERANCE, 0.0)
            .with(PlanKey.ROUNDS, 25);

    /** Keeps what another pool brings. */
    private static final class Keeping implements TwoPhasePool {
        private final WorkerPool pool;
        private final int[] broken;
        private List<WorkerReply> kept = List.of();
        private int sums;
        private int asked;
        private boolean loses;

        Keeping(WorkerPool pool, int... broken) {
            this.pool = pool;
            this.broken = broken;
        }

        @Override
        public boolean keeps(int parameters) {
            return true;
        }

        private List<WorkerReply> replies(RoundRequest request) {
            List<WorkerReply> replies = new ArrayList<>(pool.ask(request));
            for (int i = 0; i < broken.length; i++) {
                int w = broken[i];
                replies.set(
                        w,
                        i % 2 == 0
                                ? new WorkerReply.Fault(w, "dead")
                                : new WorkerReply.Update(w, new double[] {0, 0, Double.NaN, 0, 0, 0}, 1, 0));
            }
            return replies;
        }

        @Override
        public List<Measured> measure(RoundRequest request) {
            kept = replies(request);
            return kept.stream().map(Measured::of).toList();
        }

        @Override
        public Optional<double[]> sum(RoundRequest request, int[] workers, double[] factors) {
            sums++;
            return loses
                    ? Optional.empty()
                    : Optional.of(Tree.reduce(
                            workers.length,
                            i -> Vectors.scaled(factors[i], ((WorkerReply.Update) kept.get(workers[i])).vector()),
                            Vectors::add));
        }

        @Override
        public int workers() {
            return pool.workers();
        }

        @Override
        public List<WorkerReply> ask(RoundRequest request) {
            asked++;
            return replies(request);
        }

        @Override
        public void close() {
            pool.close();
        }
    }

    /** The same answers, none of which is kept. */
    private record Telling(Keeping pool) implements WorkerPool {
        @Override
        public int workers() {
            return pool.workers();
        }

        @Override
        public List<WorkerReply> ask(RoundRequest request) {
            return pool.ask(request);
        }

        @Override
        public void close() {
            pool.close();
        }
    }

    private static List<RoundRecord> rounds(WorkerPool pool, Plan plan) {
        List<RoundRecord> records = new ArrayList<>();
        try (pool) {
            TrainingLoop loop = Loops.of(plan, pool, DATA.schema());
            loop.run(loop.start(), records::add);
        }
        return records;
    }

    private static Keeping pool(Plan plan, int... broken) {
        PreparedData prepared = PreparedData.of(DATA, plan);
        return new Keeping(new InProcessPool(prepared.workers(plan), 1), broken);
    }

    private static Plan resolved(Plan plan) {
        return PreparedData.of(DATA, plan).resolve(plan);
    }

    private static void expectSame(List<RoundRecord> made, List<RoundRecord> expected) {
        assertThat(made).hasSameSizeAs(expected);
        for (int r = 0; r < expected.size(); r++) {
            assertThat(Laws.bits(made.get(r).state().theta()))
                    .isEqualTo(Laws.bits(expected.get(r).state().theta()));
            assertThat(Laws.bits(made.get(r).norms()))
                    .isEqualTo(Laws.bits(expected.get(r).norms()));
            assertThat(made.get(r).kept()).isEqualTo(expected.get(r).kept());
            assertThat(made.get(r).faults()).isEqualTo(expected.get(r).faults());
            assertThat(made.get(r).explanation()).isEqualTo(expected.get(r).explanation());
            assertThat(made.get(r).objective())
                    .isEqualTo(Double.valueOf(expected.get(r).objective()));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"norm-screening", "norm-clipping"})
    void everyRoundIsTheSameToTheBit(String rule) {
        Plan plan = resolved(PLAN.with("rule", rule));
        for (int[] broken : new int[][] {{}, {4}, {4, 7}}) {
            Keeping keeping = pool(plan, broken);
            List<RoundRecord> made = rounds(keeping, plan);
            List<RoundRecord> expected = rounds(new Telling(pool(plan, broken)), plan);
            assertThat(keeping.sums).isEqualTo(expected.size()).isGreaterThan(10);
            assertThat(keeping.asked).isZero();
            expectSame(made, expected);
        }
    }

    /** Every worker sends its own multiple of one vector. */
    private record Sending(int workers, double largest) implements WorkerPool {
        @Override
        public List<WorkerReply> ask(RoundRequest request) {
            return IntStream.range(0, workers)
                    .<WorkerReply>mapToObj(w -> {
                        double x = largest * (1 - w / 100.0);
                        return new WorkerReply.Update(w, new double[] {x, -x, 0, 0, 0, x}, 1, 0);
                    })
                    .toList();
        }

        @Override
        public void close() {}
    }

    /** Sums and norms above the largest double need all updates at the server: the direction may be finite for all that. */
    @ParameterizedTest
    @CsvSource({"norm-screening, 1e308", "norm-screening, 5e307", "norm-clipping, 1e308", "norm-clipping, 5e307"})
    void whatOverflowsIsAggregatedOnTheServer(String rule, double largest) {
        Plan plan =
                resolved(PLAN.with("rule", rule).with("learning-rate", "1e-300").with(PlanKey.ROUNDS, 3));
        Keeping keeping = new Keeping(new Sending(9, largest));
        List<RoundRecord> made = rounds(keeping, plan);
        assertThat(keeping.asked).isEqualTo(3);
        expectSame(made, rounds(new Sending(9, largest), plan));
    }

    @Test
    void updatesThatAreLostAreAskedForAgain() {
        Plan plan = resolved(PLAN);
        Keeping losing = pool(plan);
        losing.loses = true;
        List<RoundRecord> made = rounds(losing, plan);
        List<RoundRecord> expected = rounds(new Telling(pool(plan)), plan);
        assertThat(losing.sums).isEqualTo(expected.size());
        int last = expected.size() - 1;
        assertThat(Laws.bits(made.get(last).state().theta()))
                .isEqualTo(Laws.bits(expected.get(last).state().theta()));
    }

    @Test
    void moreFaultsThanTheRuleBearsEndTheRun() {
        Plan plan = resolved(PLAN);
        assertThatThrownBy(() -> rounds(pool(plan, 1, 2, 3), plan))
                .isInstanceOf(TrainingException.class)
                .hasMessageContaining("3 workers failed, the rule tolerates 2 (first: worker 1, dead)");
    }

    @Test
    void whereUpdatesMustBeSeenTheyAre() {
        for (Plan plan : List.of(
                PLAN.with("rule", "median"),
                PLAN.with("worker-momentum", "0.5"),
                PLAN.with("attack", "aggressive").with(PlanKey.LIARS, 2))) {
            Keeping keeping = pool(resolved(plan));
            rounds(keeping, resolved(plan));
            assertThat(keeping.sums).as(plan.toString()).isZero();
        }
    }
}
