package holdfast.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.sun.management.ThreadMXBean;
import holdfast.InputException;
import holdfast.Randomness;
import holdfast.Seed;
import holdfast.data.DataSource;
import holdfast.data.Dataset;
import holdfast.data.DatasetBuilder;
import holdfast.evaluation.Evaluation;
import holdfast.plan.Plan;
import holdfast.preparation.Scaling;
import holdfast.rounds.InProcessPool;
import holdfast.rounds.Loops;
import holdfast.rounds.RoundRecord;
import holdfast.rounds.TrainingLoop;
import holdfast.shift.Shift;
import holdfast.shift.WorstCaseShift;
import holdfast.testkit.Laws;
import holdfast.testkit.Samples;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SparseTrainingTest {
    private static final int COLUMNS = 1_000_000;
    private static final int ROWS = 20_000;
    private static final int NON_ZEROS = 20;
    private static final int USED = 200;
    private static final int WORKERS = 4;

    private static final Plan PLAN = Plan.defaults()
            .with("workers", Integer.toString(WORKERS))
            .with("lambda", "3")
            .with("learning-rate", "0.5")
            .with("rounds", "5")
            .with("tolerance", "0");

    /** Up to 4096 columns the blocks are those of dense rows too, so every sum runs along the same tree. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "lambda=none",
                "lambda=3",
                "maximiser=recurrence ascent-steps=5",
                "maximiser=ascent ascent-steps=5",
                "batch=40 local-steps=2",
                "update=newton",
                "root=50 rule=fltrust",
                "class-weights=balanced",
                "attack=backdoor liars=1",
                "attack=label-flip liars=1",
                "attack=feature-noise liars=1",
                "workers-by=source"
            })
    void denseAndSparseRowsGiveTheSameBits(String settings) {
        Plan plan = PLAN.with("scale", "none").with("learning-rate", "auto");
        for (String setting : settings.split(" ")) {
            String[] parts = setting.split("=", 2);
            plan = plan.with(parts[0], parts[1]);
        }
        TrainingRun sparse =
                Training.of(Samples.sparse(Seed.of(1), 1500, 60, 5), plan).run();
        TrainingRun dense =
                Training.of(Samples.dense(Seed.of(1), 1500, 60, 5), plan).run();
        assertThat(Laws.bits(sparse.state().theta()))
                .isEqualTo(Laws.bits(dense.state().theta()));
        assertThat(sparse.objective()).isEqualTo(dense.objective());
        Shift shift = new WorstCaseShift(WorstCaseShift.Norm.L1, 0.3);
        assertThat(Evaluation.of(sparse.model(), sparse.heldOut().orElseThrow(), shift)
                        .metrics())
                .isEqualTo(Evaluation.of(dense.model(), dense.heldOut().orElseThrow(), shift)
                        .metrics());
        assertThat(sparse.model().predict(sparse.heldOut().orElseThrow()).scores())
                .isEqualTo(dense.model().predict(dense.heldOut().orElseThrow()).scores());
    }

    /** The column of the i-th feature that is ever used. */
    private static int column(int i) {
        return (int) ((long) i * 4999 % USED * (COLUMNS / USED)) + 17;
    }

    /** Rows with few features out of a few used; {@code wide}: those are columns far apart among a million. */
    private static Dataset data(boolean wide) {
        Randomness random = Seed.of(3).random();
        int[] columns = IntStream.range(0, USED)
                .map(SparseTrainingTest::column)
                .sorted()
                .toArray();
        int width = wide ? COLUMNS : USED;
        DatasetBuilder builder = wide ? DatasetBuilder.sparse(width) : new DatasetBuilder(width);
        for (int r = 0; r < ROWS; r++) {
            int[] at = random.choose(NON_ZEROS, USED);
            double[] x = random.gaussians(NON_ZEROS);
            double u = random.nextGaussian();
            for (int k = 0; k < NON_ZEROS; k++) {
                u += at[k] % 2 == 0 ? x[k] : -x[k];
                at[k] = wide ? columns[at[k]] : at[k];
            }
            builder.add(at, x, NON_ZEROS, u > 0 ? 1 : 0, 0, 1);
        }
        return builder.build(Samples.schema(width), DataSource.MEMORY);
    }

    @Test
    void aMillionColumnsTrainLikeTheFewThatAreUsed() {
        Dataset wide = data(true);
        TrainingRun sparse = Training.of(wide, PLAN).run();
        TrainingRun dense =
                Training.of(data(false), PLAN.with("scale", "max-abs")).run();
        assertThat(sparse.model().scaling().kind()).isEqualTo(Scaling.Kind.MAX_ABS);
        int[] columns = IntStream.concat(
                        IntStream.range(0, USED).map(SparseTrainingTest::column).sorted(), IntStream.of(COLUMNS))
                .toArray();
        double[] theta = sparse.state().theta();
        double[] used = Arrays.stream(columns).mapToDouble(c -> theta[c]).toArray();
        assertThat(used).containsExactly(dense.state().theta(), within(1e-12));
        assertThat(Arrays.stream(theta).filter(t -> t != 0).count()).isEqualTo(USED + 1);
        Shift shift = new WorstCaseShift(WorstCaseShift.Norm.L2, 0.01);
        Evaluation found = Evaluation.of(sparse.model(), sparse.heldOut().orElseThrow(), shift);
        Evaluation expected = Evaluation.of(dense.model(), dense.heldOut().orElseThrow(), shift);
        assertThat(found.error()).isEqualTo(expected.error()).isLessThan(0.3);
        assertThat(found.logLoss()).isCloseTo(expected.logLoss(), within(1e-12));
    }

    /**
     * All rows with their zeros would be 20,000 vectors as long as theta. Preparing makes at most 32 such vectors, among
     * them the copies of its arrays that a scaling keeps to itself, 3 for the statistics of each worker, and 10 copies of
     * the values stored; a round makes two
     * vectors per worker and five for the server. Half of one more is for vectors of the CPU: after other tests in the same
     * JVM the compiled sigmoid makes objects of them, 17 kB per 256 rows, every round.
     */
    @Test
    void memoryIsThatOfTheValuesStoredAndOfSomeVectors() {
        long vector = 8L * COLUMNS;
        long values = 12L * ROWS * NON_ZEROS;
        Dataset wide = data(true);
        long[] allocated = new long[1];
        PreparedData prepared = allocatedBy(allocated, () -> PreparedData.of(wide, PLAN));
        assertThat(allocated[0]).isLessThan((32 + 3 * WORKERS) * vector + 10 * values);
        try (InProcessPool pool = new InProcessPool(prepared.workers(PLAN), 1)) {
            TrainingLoop loop = Loops.of(PLAN, pool, wide.schema());
            RoundRecord first = allocatedBy(allocated, () -> loop.next(loop.start()));
            allocatedBy(allocated, () -> loop.next(first.state()));
            assertThat(allocated[0]).isLessThan(2 * WORKERS * vector + 5 * vector + vector / 2 + values);
        }
    }

    private static <T> T allocatedBy(long[] bytes, Supplier<T> work) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long id = Thread.currentThread().getId();
        long before = threads.getThreadAllocatedBytes(id);
        T made = work.get();
        bytes[0] = threads.getThreadAllocatedBytes(id) - before;
        return made;
    }

    @Test
    void theAscentOnTooManyColumnsIsRefusedBeforeAnyRound() {
        Plan plan = PLAN.with("maximiser", "ascent").with("ascent-steps", "5");
        Dataset wide = Samples.sparse(Seed.of(1), 400, COLUMNS, 3);
        assertThatThrownBy(() -> Training.of(wide, plan).run())
                .isInstanceOf(InputException.class)
                .hasMessage(
                        "70 sparse rows of 1000000 columns would have to be stored with their zeros, more than 50000000"
                                + " values; use --maximiser exact or recurrence instead of ascent");
    }
}
