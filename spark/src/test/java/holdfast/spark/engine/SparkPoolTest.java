package holdfast.spark.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import holdfast.Seed;
import holdfast.aggregate.Aggregators;
import holdfast.aggregate.NormRule;
import holdfast.aggregate.Round;
import holdfast.data.Block;
import holdfast.data.Dataset;
import holdfast.math.Tree;
import holdfast.math.Vectors;
import holdfast.model.LogisticRegression;
import holdfast.objective.Iterate;
import holdfast.objective.ShardSums;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.rounds.RoundRequest;
import holdfast.rounds.TrainingException;
import holdfast.rounds.TwoPhasePool;
import holdfast.rounds.Worker;
import holdfast.rounds.WorkerPool;
import holdfast.rounds.WorkerReply;
import holdfast.spark.Sparks;
import holdfast.testkit.Laws;
import holdfast.testkit.Samples;
import holdfast.testkit.TrainedOffset;
import holdfast.testkit.WorkerPoolContract;
import holdfast.training.PreparedData;
import holdfast.training.PreparedRun;
import holdfast.training.Training;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.SparkContext;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.function.Function;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class SparkPoolTest extends WorkerPoolContract {
    /** The contract's workers cannot travel; executors of a local master find them here. */
    private static final Map<String, List<Worker>> WORKERS = new ConcurrentHashMap<>();

    private static SparkSession spark;

    private record Found(String key, int worker) implements Answers {
        @Override
        public List<Answer> to(RoundRequest request) {
            return List.of(Answer.of(worker, WORKERS.get(key).get(worker).answer(request)));
        }
    }

    @BeforeAll
    static void start() {
        spark = Sparks.local();
    }

    @AfterAll
    static void stop() {
        spark.stop();
    }

    @Override
    protected WorkerPool pool(List<Worker> workers) {
        String key = UUID.randomUUID().toString();
        WORKERS.put(key, workers);
        JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
        List<Answers> holders = IntStream.range(0, workers.size())
                .mapToObj(w -> (Answers) new Found(key, w))
                .toList();
        return new SparkPool(
                context, context.parallelize(holders, 3), workers.size(), 1, null, () -> WORKERS.remove(key));
    }

    @Test
    void anInterruptedRunLetsGoOfItsRowsAndTheSessionGoesOn() {
        Dataset data = Samples.dataset(Seed.of(3), 600, 4);
        Plan plan = Plan.defaults()
                .with(PlanKey.WORKERS, 3)
                .with(PlanKey.TEST_SHARE, 0.0)
                .with("learning-rate", "0.3")
                .with(PlanKey.ROUNDS, 20);
        boolean flag;
        try (PreparedRun prepared = Sparks.prepare(spark, data, plan, 2)) {
            assertThatThrownBy(() -> Training.of(data.source(), plan)
                            .listener(round -> {
                                if (round.round() == 5) {
                                    Thread.currentThread().interrupt();
                                }
                            })
                            .run(prepared))
                    .isInstanceOf(CancellationException.class);
        } finally {
            flag = Thread.interrupted();
        }
        assertThat(flag).isTrue();
        assertThat(spark.sparkContext().getPersistentRDDs().isEmpty()).isTrue();
        Sparks.trainsToTheSameBits(spark, data, plan, 2);
    }

    private static final Plan PLAN = Plan.defaults()
            .with("partition", "in-turn")
            .with(PlanKey.WORKERS, 3)
            .with(PlanKey.TEST_SHARE, 0.0)
            .with("learning-rate", "0.3")
            .with(PlanKey.TOLERANCE, 0.0)
            .with(PlanKey.ROUNDS, 20);

    private static final Dataset DATA = Samples.dataset(Seed.of(3), 600, 4);

    /** What ends a run whose holders are changed, and the rounds of its checkpoints. */
    private static Throwable stopped(Function<Answers, Answers> change, List<Integer> saved) {
        PreparedRun plain = Sparks.prepare(spark, DATA, PLAN, 3);
        try (PreparedRun prepared = Sparks.with(plain, ((SparkPool) plain.pool()).with(change))) {
            return catchThrowable(() -> Training.of(DATA.source(), PLAN)
                    .checkpoints(4, checkpoint -> saved.add(checkpoint.state().round()))
                    .run(prepared));
        } finally {
            assertThat(spark.sparkContext().getPersistentRDDs().isEmpty()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(Cancels.How.class)
    void aCancelledJobIsACancellationAndTheLastRoundIsSaved(Cancels.How how) {
        JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
        context.setJobGroup("mine", "my pipeline", false);
        List<Integer> saved = new ArrayList<>();
        try {
            assertThat(stopped(holder -> new Cancels(holder, how), saved))
                    .isInstanceOf(CancellationException.class)
                    .hasMessageContaining("cancelled in round 6: ")
                    .message()
                    .doesNotContain("\n");
        } finally {
            context.clearJobGroup();
        }
        assertThat(saved).containsExactly(4, 6);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        Sparks.trainsToTheSameBits(spark, DATA, PLAN, 2);
    }

    /** In round 6 somebody cancels the jobs while a task of them runs. */
    private record Cancels(Answers holder, How how) implements Answers {
        enum How {
            GROUP,
            ALL,
            STAGE
        }

        @Override
        public int worker() {
            return holder.worker();
        }

        @Override
        public List<Answer> to(RoundRequest request) {
            if (request.round() == 6 && worker() == 1) {
                SparkContext context = spark.sparkContext();
                switch (how) {
                    case GROUP -> context.cancelJobGroup("mine");
                    case ALL -> context.cancelAllJobs();
                    default -> context.cancelStage(TaskContext.get().stageId());
                }
                try {
                    new CountDownLatch(1).await(); // The task is interrupted.
                } catch (InterruptedException e) {
                    throw new IllegalStateException("woken");
                }
            }
            return holder.to(request);
        }
    }

    @Test
    void aTaskThatSparkGivesUpOnEndsTheRunInALineAndTheLastRoundIsSaved() {
        List<Integer> saved = new ArrayList<>();
        assertThat(stopped(holder -> new Breaks(holder, new Error("out of disk")), saved))
                .isInstanceOf(TrainingException.class)
                .hasMessageStartingWith(
                        "Spark gave up on round 6, worker 1: Job aborted due to stage failure: Task 1 in")
                .hasMessageContaining("out of disk")
                .message()
                .doesNotContain("\n");
        assertThat(saved).containsExactly(4, 6);
    }

    @Test
    void aBugInAWorkerIsNotTakenForALie() {
        List<Integer> saved = new ArrayList<>();
        assertThat(stopped(holder -> new Breaks(holder, new ArithmeticException("one too many")), saved))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("worker 1 broke in round 6: java.lang.ArithmeticException: one too many")
                .rootCause()
                .isInstanceOf(ArithmeticException.class);
        assertThat(saved).containsExactly(4, 6);
    }

    private record Breaks(Answers holder, Throwable thrown) implements Answers {
        @Override
        public int worker() {
            return holder.worker();
        }

        @Override
        public List<Answer> to(RoundRequest request) {
            if (request.round() == 6 && worker() == 1) {
                if (thrown instanceof RuntimeException bug) {
                    throw bug;
                }
                throw (Error) thrown;
            }
            return holder.to(request);
        }
    }

    @Test
    void theRoundAfterOneThatSparkGaveUpOnIsAnswered() {
        int[] closed = new int[1];
        JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
        try (WorkerPool pool = new SparkPool(
                context,
                context.parallelize(List.of(new Failing(0), new Failing(1)), 2),
                2,
                1,
                null,
                () -> closed[0]++)) {
            assertThat(pool.ask(new RoundRequest(0, new double[] {2}, false)))
                    .allSatisfy(reply -> assertThat(reply).isInstanceOf(WorkerReply.Update.class));
            assertThatThrownBy(() -> pool.ask(new RoundRequest(1, new double[] {2}, false)))
                    .isInstanceOf(TrainingException.class)
                    .hasMessageStartingWith("Spark gave up on round 1: ");
            assertThat(pool.ask(new RoundRequest(2, new double[] {2}, false)))
                    .allSatisfy(reply -> assertThat(reply).isInstanceOf(WorkerReply.Update.class));
        }
        assertThat(closed[0]).as("times the rows were let go").isEqualTo(1);
    }

    @Test
    void parametersOfPastRoundsAreDestroyed() throws InterruptedException {
        JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
        double[] theta = new double[1 << 17];
        long before = stored();
        try (WorkerPool pool = new SparkPool(
                context, context.parallelize(List.of(new Short(0), new Short(1)), 2), 2, 1, null, () -> {})) {
            for (int round = 0; round < 20; round++) {
                pool.ask(new RoundRequest(round, theta, false));
            }
        }
        // They are destroyed some time later; the collector's cleaner would not have come for so little.
        for (int i = 0; i < 50 && stored() - before > 8 * theta.length; i++) {
            Thread.sleep(100); // Spark tells nobody.
        }
        assertThat(stored() - before)
                .as("bytes kept of 20 times %d", 8 * theta.length)
                .isLessThan(8 * theta.length);
    }

    private static long stored() {
        var memory = spark.sparkContext().getExecutorMemoryStatus().head()._2();
        return (Long) memory._1() - (Long) memory._2();
    }

    private record Short(int worker) implements Answers {
        @Override
        public List<Answer> to(RoundRequest request) {
            return List.of(Answer.of(worker, new WorkerReply.Update(worker, new double[] {request.theta()[0]}, 0, 0)));
        }
    }

    private record Failing(int worker) implements Answers {
        @Override
        public List<Answer> to(RoundRequest request) {
            if (request.round() == 1 && worker == 1) {
                throw new Error("out of disk");
            }
            return List.of(Answer.of(worker, new WorkerReply.Update(worker, request.theta(), 0, 0)));
        }
    }

    private static final TrainedOffset WITH_DUAL = new TrainedOffset(new LogisticRegression(true));

    /** Some blocks of a worker, which executors of a local master find. */
    private record Part(String key, int worker, int from, int to) implements Answers {
        @Override
        public List<Answer> to(RoundRequest request) {
            List<Block> blocks = WORKERS.get(key).get(worker).shard().blocks();
            ShardSums sums = WITH_DUAL.sums(request.at(), blocks.subList(from, to), request.withLoss());
            return List.of(Answer.of(worker, new Tree.Node(from, to), sums));
        }
    }

    private static void expectSame(WorkerReply made, WorkerReply expected) {
        WorkerReply.Update update = (WorkerReply.Update) made;
        WorkerReply.Update own = (WorkerReply.Update) expected;
        assertThat(Laws.bits(update.vector())).isEqualTo(Laws.bits(own.vector()));
        assertThat(Laws.bits(update.duals())).isEqualTo(Laws.bits(own.duals())).hasSize(1);
        assertThat(update.loss()).isEqualTo(Double.valueOf(own.loss()));
    }

    @Test
    void dualsTravelWithTheParametersAndTheirGradientsWithTheUpdates() {
        Dataset rows = Samples.dataset(Seed.of(6), 1500, 3);
        List<Worker> workers = IntStream.range(0, 2)
                .mapToObj(w -> new Worker(
                        w, rows.select(IntStream.range(750 * w, 750 * w + 750).toArray()), WITH_DUAL))
                .toList();
        RoundRequest request =
                new RoundRequest(new Iterate(4, new double[] {1, -1, 0.5, 2}, new double[] {0.75}), true);
        String key = UUID.randomUUID().toString();
        WORKERS.put(key, workers);
        JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
        BlockLayout layout = BlockLayout.of(new long[] {750, 750}, 256, 2, true);
        List<Answers> parts = IntStream.range(0, 2)
                .boxed()
                .<Answers>flatMap(w -> Stream.of(new Part(key, w, 0, 2), new Part(key, w, 2, 3)))
                .toList();
        try (WorkerPool whole = pool(workers);
                WorkerPool merged = new SparkPool(
                        context,
                        context.parallelize(parts, 2),
                        2,
                        1,
                        new SparkPool.Merging(WITH_DUAL, layout, 3),
                        () -> WORKERS.remove(key))) {
            for (int w = 0; w < 2; w++) {
                WorkerReply expected = workers.get(w).answer(request);
                expectSame(whole.ask(request).get(w), expected);
                expectSame(merged.ask(request).get(w), expected);
                TwoPhasePool.Measured measured =
                        ((TwoPhasePool) whole).measure(request).get(w);
                assertThat(measured.norm()).isEqualTo(Vectors.norm(((WorkerReply.Update) expected).vector()));
                assertThat(measured.size()).isEqualTo(4);
                assertThat(((WorkerReply.Update) measured.reply()).duals())
                        .isEqualTo(((WorkerReply.Update) expected).duals());
            }
        }
    }

    /** Of both norm rules, to the bit, though executors only add up. */
    @ParameterizedTest
    @ValueSource(strings = {"norm-screening", "norm-clipping"})
    void aSumOfKeptUpdatesIsWhatTheRuleMakesOfThemAll(String name) {
        Plan plan = PLAN.with(PlanKey.WORKERS, 7);
        List<Worker> workers = PreparedData.of(DATA, plan).workers(plan.loss(DATA.schema()));
        RoundRequest request = new RoundRequest(0, new double[] {1, -1, 0.5, 2, 0}, false);
        NormRule rule = (NormRule) Aggregators.create(name, 2);
        try (WorkerPool pool = pool(workers)) {
            TwoPhasePool keeping = (TwoPhasePool) pool;
            double[] norms = keeping.measure(request).stream()
                    .mapToDouble(TwoPhasePool.Measured::norm)
                    .toArray();
            NormRule.Weights weights = rule.weigh(7, IntStream.range(0, 7).toArray(), norms);
            double[] made = weights.applyTo(keeping.sum(request, weights.kept(), weights.factors())
                            .orElseThrow())
                    .direction();
            double[][] updates = pool.ask(request).stream()
                    .map(reply -> ((WorkerReply.Update) reply).vector())
                    .toArray(double[][]::new);
            assertThat(Laws.bits(made))
                    .isEqualTo(Laws.bits(rule.aggregate(Round.of(updates)).direction()));
        }
    }
}
