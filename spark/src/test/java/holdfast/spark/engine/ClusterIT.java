package holdfast.spark.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import holdfast.Seed;
import holdfast.data.ContentOrder;
import holdfast.data.Dataset;
import holdfast.math.Kernels;
import holdfast.math.Threads;
import holdfast.model.Target;
import holdfast.plan.Catalogues;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.plan.Plugins;
import holdfast.rounds.RoundListener;
import holdfast.rounds.RoundRequest;
import holdfast.rounds.TrainingException;
import holdfast.rounds.TwoPhasePool;
import holdfast.rounds.WorkerReply;
import holdfast.sources.SourceVerdicts;
import holdfast.spark.Sparks;
import holdfast.testkit.Laws;
import holdfast.testkit.Samples;
import holdfast.training.PreparedData;
import holdfast.training.PreparedRun;
import holdfast.training.Training;
import holdfast.training.TrainingRun;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.spi.ToolProvider;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.function.Function;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** On a cluster whose executors are other processes, some of which die: the bits of one process. */
class ClusterIT {
    private static final Dataset DATA = Samples.dataset(Seed.of(21), 6000, 5);
    private static final Plan PLAN = Plan.defaults()
            .with("partition", "in-turn")
            .with(PlanKey.TEST_SHARE, 0.0)
            .with(PlanKey.WORKERS, 3)
            .with(PlanKey.TOLERANCE, 0.0)
            .with("learning-rate", "0.7")
            .with(PlanKey.ROUNDS, 30);
    private static final int PARTITIONS = 4;
    private static final Dataset SOURCES = DATA.grouped(
            List.of("c", "a", "d", "b"),
            IntStream.range(0, 6000).map(r -> r % 4).toArray());

    private static Cluster cluster;
    private static SparkSession spark;
    private static long[] expected;
    private final Seen seen = new Seen();

    @BeforeAll
    static void start() throws Exception {
        cluster = Cluster.start(Files.createTempDirectory(Path.of("target").toAbsolutePath(), "cluster"));
        spark = Sparks.session(cluster.url())
                .config("spark.jars", cluster.application())
                .config("spark.executor.memory", "512m")
                .config("spark.executor.extraJavaOptions", Cluster.BRIEF)
                .config("spark.scheduler.minRegisteredResourcesRatio", 1)
                .config("spark.scheduler.maxRegisteredResourcesWaitingTime", "60s")
                .config("spark.task.maxFailures", 4)
                .config("spark.speculation", true)
                .config("spark.speculation.interval", "20ms")
                .config("spark.speculation.multiplier", 1.5)
                .config("spark.speculation.quantile", 0.3)
                .config("spark.speculation.minTaskRuntime", "200ms")
                .getOrCreate();
        expected = Laws.bits(Training.of(DATA, PLAN).run().model().theta());
    }

    @AfterAll
    static void stop() {
        try {
            if (spark != null) {
                spark.stop();
            }
        } finally {
            if (cluster != null) {
                cluster.close();
            }
        }
    }

    @BeforeEach
    void bothExecutorsAreThere() throws InterruptedException {
        spark.sparkContext().addSparkListener(seen);
        // The driver is one of those that have memory.
        for (int i = 0;
                i < 600 && spark.sparkContext().getExecutorMemoryStatus().size() < 3;
                i++) {
            Thread.sleep(100); // Executors are other processes, and Spark tells nobody when both have come.
        }
        assertThat(cluster.executors()).hasSize(2);
    }

    @AfterEach
    void lookNoMore() {
        spark.sparkContext().removeSparkListener(seen);
    }

    /** What happened to tasks and executors. */
    private static final class Seen extends SparkListener {
        private final AtomicInteger failed = new AtomicInteger();
        private final AtomicInteger twice = new AtomicInteger();
        private final AtomicInteger lost = new AtomicInteger();

        @Override
        public void onTaskEnd(SparkListenerTaskEnd end) {
            failed.addAndGet(end.taskInfo().failed() ? 1 : 0);
            twice.addAndGet(end.taskInfo().speculative() && end.taskInfo().successful() ? 1 : 0);
        }

        @Override
        public void onExecutorRemoved(SparkListenerExecutorRemoved removed) {
            lost.incrementAndGet();
        }
    }

    private long[] trained(Function<Answers, Answers> change, RoundListener listener) throws Exception {
        PreparedRun plain = Sparks.prepare(spark, DATA, PLAN, PARTITIONS);
        try (PreparedRun prepared = Sparks.with(plain, ((SparkPool) plain.pool()).with(change))) {
            long[] bits = Laws.bits(Training.of(DATA.source(), PLAN)
                    .listener(listener)
                    .run(prepared)
                    .model()
                    .theta());
            spark.sparkContext().listenerBus().waitUntilEmpty();
            return bits;
        }
    }

    private static void kill(ProcessHandle executor) {
        executor.destroyForcibly();
        executor.onExit().orTimeout(20, TimeUnit.SECONDS).join();
    }

    @Test
    void executorsHaveTheVectorApiFromSparksOwnLauncher() {
        assertThat(JavaSparkContext.fromSparkContext(spark.sparkContext())
                        .parallelize(List.of(1, 2), 2)
                        .map(i -> Kernels.CHOSEN.name())
                        .collect())
                .containsOnly("vector");
    }

    @Test
    void trainsToTheSameBits() throws Exception {
        assertThat(trained(holder -> holder, round -> {})).isEqualTo(expected);
        assertThat(seen.failed.get() + seen.lost.get()).isZero();
    }

    @Test
    void anExecutorKilledInTheMiddleOfTrainingChangesNoBit() throws Exception {
        long[] bits = trained(holder -> holder, round -> {
            if (round.round() == 15) {
                kill(cluster.executors().get(0));
            }
        });
        assertThat(bits).isEqualTo(expected);
        assertThat(seen.lost).hasPositiveValue();
    }

    @Test
    void tasksThatFailOrAreTriedTwiceChangeNoBit() throws Exception {
        assertThat(trained(Unreliable::new, round -> {})).isEqualTo(expected);
        assertThat(seen.failed).hasPositiveValue();
        assertThat(seen.twice).hasPositiveValue();
    }

    @Test
    void anExecutorThatDiesAtEveryTryEndsTheRunInALineThatSaysWhy() {
        assertThatThrownBy(() -> trained(Deadly::new, round -> {}))
                .isInstanceOf(TrainingException.class)
                // It takes rows on their way along, which Spark may notice first, and which are nobody's.
                .hasMessageMatching(
                        "Spark gave up on round 3(, workers? [012].*)?: Job aborted due to stage failure: .*"
                                + "(ExecutorLostFailure|FetchFailed).*");
        assertThat(seen.lost).hasPositiveValue();
    }

    /** Ends its process in the third round. */
    private record Deadly(Answers holder) implements Answers {
        @Override
        public int worker() {
            return holder.worker();
        }

        @Override
        public List<Answer> to(RoundRequest request) {
            if (request.round() == 3 && worker() == 1) {
                Runtime.getRuntime().halt(1);
            }
            return holder.to(request);
        }
    }

    @Test
    void updatesKeptOnAnExecutorThatIsKilledAreComputedAgain() {
        int columns = 60_000;
        Dataset data = Samples.sparse(Seed.of(5), 600, columns, 8);
        Plan plan = PLAN.with(PlanKey.WORKERS, 75).with("tolerated", "9").with(PlanKey.ROUNDS, 4);
        PreparedRun plain = Sparks.prepare(spark, data, plan, PARTITIONS);
        SparkPool pool = (SparkPool) plain.pool();
        assertThat(pool.keeps(columns + 1)).isTrue();
        TwoPhasePool restless =
                new Restless(pool, () -> kill(cluster.executors().get(0)));
        try (PreparedRun prepared = Sparks.with(plain, restless)) {
            assertThat(Laws.bits(Training.of(data.source(), plan)
                            .run(prepared)
                            .model()
                            .theta()))
                    .isEqualTo(Laws.bits(Training.of(data, plan).run().model().theta()));
        }
        assertThat(seen.lost).hasPositiveValue();
    }

    /** What docs/scaling.md advises; its rows come in another order when they are computed again. */
    private static org.apache.spark.sql.Dataset<Row> shuffledAndCached() {
        return Sparks.frame(spark, SOURCES, PARTITIONS).repartition(6).cache();
    }

    /** Preemption takes rows, keys and sorted ranges away at any time. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "put the rows in order#1, pass over all rows#2",
                "look at the rows#1, round 0#1",
                "pass over all rows#1, round 11#1, bring rows to the driver#1"
            })
    void executorsKilledWhileAShuffledDataFrameIsFittedChangeNoBit(String when) throws Exception {
        Plan plan = Plan.defaults()
                .with(PlanKey.TEST_SHARE, 0.0)
                .with("workers-by", "source")
                .with(PlanKey.TOLERANCE, 0.0)
                .with(PlanKey.ROUNDS, 20);
        TrainingRun expected = Training.of(ContentOrder.sorted(SOURCES), plan).run();
        org.apache.spark.sql.Dataset<Row> rows = shuffledAndCached();
        rows.count();
        Killer killer = new Killer(List.of(when.split(", ")));
        spark.sparkContext().addSparkListener(killer);
        try {
            SparkTable table =
                    SparkTable.of(rows, new Columns("features", "label", null, "source"), Target.CLASSES, plan);
            SparkEngine engine = new SparkEngine(table, plan, SOURCES.schema(), SOURCES.source(), spark);
            try (PreparedRun prepared = engine.startWorkers(spark)) {
                TrainingRun run = Training.of(SOURCES.source(), plan).run(prepared);
                assertThat(Laws.bits(run.model().theta()))
                        .isEqualTo(Laws.bits(expected.model().theta()));
                assertThat(run.ledger()).isEqualTo(expected.ledger());
                try (PreparedRun here =
                        PreparedData.of(ContentOrder.sorted(SOURCES), plan).startWorkers(plan, 1)) {
                    assertThat(SourceVerdicts.of(prepared)).isEqualTo(SourceVerdicts.of(here));
                }
            }
            spark.sparkContext().listenerBus().waitUntilEmpty();
        } finally {
            spark.sparkContext().removeSparkListener(killer);
            rows.unpersist(false);
        }
        assertThat(killer.left).isEmpty();
        assertThat(seen.lost).hasPositiveValue();
    }

    /** Kills an executor when a job of some description starts for the n-th time. */
    private static final class Killer extends SparkListener {
        private final List<String> left;
        private final Map<String, Integer> started = new HashMap<>();

        Killer(List<String> when) {
            left = new CopyOnWriteArrayList<>(when);
        }

        @Override
        public void onJobStart(SparkListenerJobStart job) {
            String what =
                    job.properties().getProperty("spark.job.description", "").replace("holdfast ", "");
            if (left.remove(what + "#" + started.merge(what, 1, Integer::sum))) {
                List<ProcessHandle> executors = cluster.executors();
                kill(executors.get(left.size() % executors.size()));
            }
        }
    }

    /** In the third round something happens after the norms have come and before the sum is asked for. */
    private record Restless(TwoPhasePool pool, Runnable happens) implements TwoPhasePool {
        @Override
        public int workers() {
            return pool.workers();
        }

        @Override
        public Threads threads() {
            return pool.threads();
        }

        @Override
        public List<WorkerReply> ask(RoundRequest request) {
            return pool.ask(request);
        }

        @Override
        public boolean keeps(int parameters) {
            return pool.keeps(parameters);
        }

        @Override
        public List<Measured> measure(RoundRequest request) {
            return pool.measure(request);
        }

        @Override
        public Optional<double[]> sum(RoundRequest request, int[] workers, double[] factors) {
            if (request.round() == 2) {
                happens.run();
            }
            return pool.sum(request, workers, factors);
        }

        @Override
        public void close() {
            pool.close();
        }
    }

    /** In some rounds breaks at the first try, in others takes long. */
    private record Unreliable(Answers holder) implements Answers {
        @Override
        public int worker() {
            return holder.worker();
        }

        @Override
        public List<Answer> to(RoundRequest request) {
            TaskContext task = TaskContext.get();
            if (task.attemptNumber() == 0 && task.partitionId() == request.round() % PARTITIONS) {
                if (request.round() % 9 == 5) {
                    throw new Error("no more disk");
                }
                if (request.round() % 20 == 6) {
                    try {
                        // Spark must take this task for a straggler and start it elsewhere, even on a busy machine. It
                        // ends this attempt when the other one has finished, so nobody waits the full time.
                        Thread.sleep(10_000);
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                }
            }
            return holder.to(request);
        }
    }

    /** The example plugin's rule, network and objective, from a jar that no class path has: Spark brings it to the executors. */
    @Test
    void rulesModelsAndObjectivesOfAPluginTrainToTheSameBits() throws Exception {
        Plan plan = withPlugin(exampleJar("example", text -> text))
                .with("rule", "middle-norms")
                .with("tolerated", "1")
                .with("model", "tanh(units=3)");
        trainsToTheSameBits(plan, 0);
        trainsToTheSameBits(plan.with("objective", "mean-variance(weight=0.3)"), 1);
        // One worker in several pieces, whose sums for the variable merge.
        trainsToTheSameBits(
                Plan.defaults(plan.catalogues())
                        .with("partition", "in-turn")
                        .with(PlanKey.TEST_SHARE, 0.0)
                        .with(PlanKey.WORKERS, 1)
                        .with(PlanKey.ROUNDS, 12)
                        .with("objective", "mean-variance(weight=0.3)"),
                1);
    }

    /** @param variables how many the objective has of its own */
    private static void trainsToTheSameBits(Plan plan, int variables) {
        TrainingRun expected = Training.of(DATA, plan).run();
        try (PreparedRun prepared = Sparks.prepare(spark, DATA, plan, PARTITIONS)) {
            TrainingRun run = Training.of(DATA.source(), plan).run(prepared);
            assertThat(run.learningRate()).isEqualTo(expected.learningRate());
            assertThat(Laws.bits(run.model().theta()))
                    .isEqualTo(Laws.bits(expected.model().theta()));
            assertThat(run.state().duals()).hasSize(variables);
            assertThat(Laws.bits(run.state().duals()))
                    .isEqualTo(Laws.bits(expected.state().duals()));
        }
    }

    /** By an exception of its own, which only the executors can read. */
    @Test
    void aPluginThatFailsOnAnExecutorIsNamed() throws Exception {
        Path jar = exampleJar(
                "failing",
                text -> text.replace("package example", "package failing")
                        .replaceFirst("addGradient\\(.*\\{", "$0 if (true) throw new Odd();")
                        .replaceFirst(
                                "private final int units;", "$0 static final class Odd extends RuntimeException {}"));
        Plan plan = withPlugin(jar).with("model", "tanh(units=3)").with("learning-rate", "0.1");
        try (PreparedRun prepared = Sparks.prepare(spark, DATA, plan, PARTITIONS)) {
            Throwable thrown =
                    catchThrowable(() -> Training.of(DATA.source(), plan).run(prepared));
            assertThat(Plugins.failure(thrown).orElseThrow())
                    .startsWith("the plugin failing.jar failed in failing.TanhNetwork.addGradient(TanhNetwork.java:")
                    .endsWith(" broke in round 0: failing.TanhNetwork$Odd");
        }
    }

    private static Plan withPlugin(Path jar) {
        spark.sparkContext().addJar(jar.toUri().toString());
        return Plan.defaults(Plugins.load(List.of(jar), Catalogues.standard()))
                .with("partition", "in-turn")
                .with(PlanKey.TEST_SHARE, 0.0)
                .with(PlanKey.WORKERS, 5)
                .with(PlanKey.ROUNDS, 12);
    }

    /** Builds the example plugin from changed sources. */
    private static Path exampleJar(String name, UnaryOperator<String> change) throws IOException {
        Path folder = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "plugin");
        List<String> sources = new ArrayList<>();
        try (DirectoryStream<Path> example = Files.newDirectoryStream(Path.of("../examples/plugin/src/example"))) {
            for (Path file : example) {
                Path changed = folder.resolve(file.getFileName());
                sources.add(Files.writeString(changed, change.apply(Files.readString(file)))
                        .toString());
            }
        }
        Path classes = folder.resolve("classes");
        tool(
                "javac",
                Stream.concat(
                        Stream.of("-proc:none", "-cp", System.getProperty("java.class.path"), "-d", classes.toString()),
                        sources.stream()));
        Path services = Files.createDirectories(classes.resolve("META-INF/services"));
        Files.writeString(services.resolve("holdfast.plan.Plugin"), name + ".ExamplePlugin\n");
        Path jar = folder.resolve(name + ".jar");
        tool("jar", Stream.of("-cf", jar.toString(), "-C", classes.toString(), "."));
        return jar;
    }

    private static void tool(String name, Stream<String> arguments) {
        assertThat(ToolProvider.findFirst(name)
                        .orElseThrow()
                        .run(System.out, System.err, arguments.toArray(String[]::new)))
                .as(name)
                .isZero();
    }
}
