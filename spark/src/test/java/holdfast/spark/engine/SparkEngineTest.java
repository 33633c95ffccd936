package holdfast.spark.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.InputException;
import holdfast.Seed;
import holdfast.attack.UpdateAttack;
import holdfast.data.Dataset;
import holdfast.model.Target;
import holdfast.plan.Plan;
import holdfast.shift.Shift;
import holdfast.spark.Sparks;
import holdfast.testkit.Laws;
import holdfast.testkit.Samples;
import holdfast.training.PreparedData;
import holdfast.training.PreparedRun;
import holdfast.training.Training;
import holdfast.training.TrainingRun;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerBlockUpdated;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.storage.BlockUpdatedInfo;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The same plan, seed and rows give the bits of the engine in one process. */
class SparkEngineTest {
    private static SparkSession spark;

    @BeforeAll
    static void start() {
        spark = Sparks.local();
    }

    @AfterAll
    static void stop() {
        spark.stop();
    }

    /** @param settings as in {@code workers=5;rounds=30}, on top of all rows dealt in turn and a given rate */
    private static Plan plan(String settings) {
        Plan plan = Plan.defaults()
                .with("partition", "in-turn")
                .with("test-share", "0")
                .with("learning-rate", "0.3");
        for (String setting : settings.split(";")) {
            String[] pair = setting.split("=", 2);
            plan = plan.with(pair[0], pair[1]);
        }
        return plan;
    }

    private static void trainsToTheSameBits(Dataset data, Plan plan, int... partitions) {
        TrainingRun expected = Training.of(data, plan).run();
        for (int count : partitions) {
            try (PreparedRun prepared = Sparks.prepare(spark, data, plan, count);
                    PreparedRun here = PreparedData.of(data, plan).startWorkers(plan, 1)) {
                assertThat(prepared.price()).isEqualTo(here.price());
                same(Training.of(data.source(), plan).run(prepared), expected, count + " partitions");
            }
        }
    }

    private static void same(TrainingRun run, TrainingRun expected, String where) {
        assertThat(Laws.bits(run.model().theta()))
                .as(where)
                .isEqualTo(Laws.bits(expected.model().theta()));
        assertThat(run.model().calibration()).isEqualTo(expected.model().calibration());
        assertThat(run.model().threshold()).isEqualTo(expected.model().threshold());
        assertThat(run.objective()).isEqualTo(expected.objective());
        assertThat(run.learningRate()).isEqualTo(expected.learningRate());
        assertThat(run.ledger()).isEqualTo(expected.ledger());
        assertThat(run.provenance().rows()).isEqualTo(expected.provenance().rows());
        if (expected.heldOut().isEmpty()) {
            assertThat(run.heldOut()).isEmpty();
        } else {
            assertThat(run.evaluate(Shift.NONE))
                    .hasToString(expected.evaluate(Shift.NONE).toString());
            assertThat(sources(run.heldOut().orElseThrow()))
                    .isEqualTo(sources(expected.heldOut().orElseThrow()));
        }
    }

    private static List<String> sources(Dataset data) {
        return data.hasGroups()
                ? IntStream.range(0, data.rows())
                        .mapToObj(r -> data.schema().groups().get(data.group(r)))
                        .toList()
                : null;
    }

    @ParameterizedTest
    @CsvSource({
        "workers=5;rounds=30;learning-rate=auto",
        "workers=1;rounds=20;scale=none",
        "model=mlp(hidden=5-4);workers=4;rounds=15;learning-rate=auto;lambda=100;test-share=0.2",
        "model=mlp(hidden=6);workers=3;rounds=10;batch=20;local-steps=2;lambda=none;learning-rate=auto",
        "workers=3;rounds=20;lambda=3;ascent-steps=10;ascent-rate=0.05",
        "workers=4;rounds=10;lambda=none;l2=0.1;intercept=false",
        "'workers=3;rounds=20;lambda=3;prices=x1=4,x2=fixed'",
        "workers=3;rounds=20;lambda=0.5;label-price=1;learning-rate=auto",
        "workers=4;rounds=25;radius=0.02;learning-rate=auto;test-share=0.2",
        "'workers=3;rounds=20;radius=0.05;learning-rate=auto;prices=x1=4,x2=fixed'",
        "'workers=4;rounds=40;lambda=auto;l2=auto;learning-rate=auto;test-share=0.2;prices=x1=0.5,x2=fixed'",
        "partition=iid;test-share=0.25;workers=6;rounds=20",
        "partition=by-class;test-share=0.2;workers=4;rounds=20;attack=aggressive;liars=1",
        "partition=iid;workers=5;rounds=10;batch=20;local-steps=3;validation=0.2",
        "workers=6;replicas=3;rounds=10;screened=1;rule=mean",
        "workers=4;rounds=5;update=newton",
        "workers=4;rounds=10;partition=dirichlet(alpha=0.5);source-weights=rows",
        "workers=4;rounds=5;update=delta;local-steps=2;local-rate=0.2",
        "workers=4;rounds=5;update=delta;local-steps=2",
        "workers=4;rounds=10;class-weights=balanced;scale=min-max",
        "workers=4;rounds=40;lambda=auto;l2=auto;learning-rate=auto;partition=iid;test-share=0.2",
        "workers=4;rounds=10;storage=float;learning-rate=auto;test-share=0.2"
    })
    void twoClasses(String settings) {
        trainsToTheSameBits(Samples.dataset(Seed.of(7), 2700, 6), plan(settings), 1, 2, 7);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "workers-by=source;rounds=15",
                "workers-by=source;rounds=10;replicas=3;attack=aggressive;byzantine=3;screened=1",
                "workers-by=source;rounds=10;test-share=0.3",
                "workers-by=source;rounds=10;test-share=0.3;source-weights=rows;replicas=3;learning-rate=auto",
                "workers-by=source;rounds=10;test-sources=s3,s11,s0",
                "workers-by=source;rounds=40;lambda=auto;l2=auto;learning-rate=auto;test-share=0.3",
                "workers-by=source;rounds=10;test-sources=s2;test-share=0.2;learning-rate=auto",
                "workers=4;rounds=10;test-share=0.3"
            })
    void rowsThatNameTheirSource(String settings) {
        // In the order of their names they would not be as they come: s10 is before s2.
        trainsToTheSameBits(Samples.dataset(Seed.of(8), 1900, 4, 12), plan(settings), 1, 7);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "model=poisson;workers=4;rounds=20;learning-rate=auto",
                "model=poisson;workers=4;rounds=10;lambda=none;learning-rate=auto;l2=0.01",
                "model=poisson;workers-by=source;rounds=10;box=3;learning-rate=auto",
                "model=poisson;workers-by=source;rounds=10;tolerated=0;statistics=pooled;learning-rate=auto",
                "model=poisson;workers=4;rounds=10;maximiser=ascent;ascent-steps=5;ascent-rate=0.05;learning-rate=0.05",
                "model=poisson;workers=4;rounds=10;test-share=0.2;learning-rate=auto"
            })
    void counts(String settings) {
        Dataset data = Samples.counts(Seed.of(18), 1900, 3);
        List<String> sources = List.of("s0", "s1", "s2", "s3", "s4");
        trainsToTheSameBits(
                data.grouped(
                        sources, IntStream.range(0, data.rows()).map(r -> r % 5).toArray()),
                plan(settings),
                1,
                7);
    }

    @Test
    void labelsThatAreNoCountsAreRefusedForAModelOfCounts() {
        Dataset data = Samples.counts(Seed.of(18), 90, 3);
        Plan plan = plan("model=poisson;workers=3");
        for (double label : new double[] {-1, 1.5}) {
            assertThatThrownBy(() -> SparkTable.of(
                            Sparks.frame(spark, data.relabel(r -> r == 30 ? label : data.label(r)), 2),
                            new Columns("features", "label", null, null),
                            Target.COUNT,
                            plan))
                    .isInstanceOf(InputException.class)
                    .hasMessage("row 31: column label must be a count, a whole number from 0, got "
                            + (label == -1 ? "-1" : "1.5"));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"workers-by=source;rounds=3;learning-rate=auto", "workers-by=source;rounds=3;test-share=0.2"})
    void manySources(String settings) {
        trainsToTheSameBits(Samples.dataset(Seed.of(15), 9000, 3, 2000), plan(settings), 1, 23);
    }

    @Test
    void noTaskCarriesTheSourcesOfOtherPartitions() throws Exception {
        // Each source has one row, so a partition has a fortieth of them.
        int sources = 20_000;
        Dataset data = Samples.dataset(Seed.of(16), sources, 1, sources);
        LongAdder broadcast = new LongAdder();
        SparkListener listener = new SparkListener() {
            @Override
            public void onBlockUpdated(SparkListenerBlockUpdated updated) {
                BlockUpdatedInfo info = updated.blockUpdatedInfo();
                if (info.blockId().isBroadcast()) {
                    broadcast.add(info.memSize());
                }
            }
        };
        SparkTable table =
                Sparks.table(Sparks.frame(spark, data, 40), new Columns("features", "label", null, "source"));
        RowAssignment deal = table.bySource();
        spark.sparkContext().listenerBus().waitUntilEmpty();
        spark.sparkContext().addSparkListener(listener);
        try {
            table.dealt(
                            deal,
                            BlockLayout.of(deal.sizes, 256, 40, false),
                            data.schema().classes())
                    .rdd()
                    .count();
            spark.sparkContext().listenerBus().waitUntilEmpty();
        } finally {
            spark.sparkContext().removeSparkListener(listener);
        }
        assertThat(broadcast.sum()).as("bytes broadcast").isBetween(1L, 100L * sources);
    }

    @ParameterizedTest
    @CsvSource({
        "300, workers=3;rounds=10;learning-rate=auto",
        "300, workers-by=source;rounds=10;test-share=0.2;scale=sd",
        "300, workers=3;rounds=5;update=newton",
        "5000, workers=2;rounds=5",
        "5000, workers=3;rounds=5;lambda=none;test-share=0.2;partition=iid"
    })
    void sparseRowsWithWeights(int columns, String settings) {
        Dataset data = Samples.sparse(Seed.of(9), columns == 300 ? 2300 : 1500, columns, 6);
        assertThat(data.sparse() && data.weighted()).isTrue();
        trainsToTheSameBits(data, plan(settings), 7);
    }

    @Test
    void denseRowsWithWeights() {
        trainsToTheSameBits(Samples.dense(Seed.of(10), 1700, 30, 8), plan("workers=5;rounds=10"), 7);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "workers=4;rounds=10",
                "workers=4;rounds=10;lambda=none;class-weights=balanced",
                "partition=iid;workers=3;rounds=5;test-share=0.2"
            })
    void manyClasses(String settings) {
        trainsToTheSameBits(Samples.classes(Seed.of(11), 1300, 5, 4, 0), plan(settings), 7);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "model=linear;workers=4;rounds=20;learning-rate=auto",
                "model=linear;workers=4;rounds=20;radius=0.05;learning-rate=auto",
                "model=mlp(hidden=4,loss=huber);workers=3;rounds=10;lambda=100;learning-rate=auto",
                "model=linear;workers=4;rounds=20;lambda=none;test-share=0.2;partition=iid",
                "model=huber;workers=4;rounds=20",
                "model=huber;workers=3;rounds=20;scale=none"
            })
    void numbers(String settings) {
        trainsToTheSameBits(Samples.numbers(Seed.of(12), 1700, 5, 0), plan(settings), 7);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "objective=cvar(level=0.8);workers=4;learning-rate=auto",
                "objective=cvar(level=0.8);workers=1",
                "objective=chi-square;workers=4;learning-rate=auto",
                "objective=kl;workers=4;rule=norm-clipping",
                "objective=moments;workers=3;learning-rate=auto",
                "objective=group(cap=1.5);workers=4;learning-rate=auto",
                "objective=group(cap=1);workers=1"
            })
    void otherAmbiguitySets(String settings) {
        trainsToTheSameBits(Samples.dataset(Seed.of(15), 1700, 4), plan("rounds=10;" + settings), 7);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void aWorkerInManyPieces(int workers) {
        Dataset data = Samples.dataset(Seed.of(13), 15_000, 3);
        Plan plan = plan("rounds=10;workers=" + workers);
        TrainingRun expected = Training.of(data, plan).run();
        try (PreparedRun prepared = Sparks.prepare(spark, data, plan, 20)) {
            TrainingRun run = Training.of(data.source(), plan).run(prepared);
            var cached = JavaSparkContext.fromSparkContext(spark.sparkContext()).getPersistentRDDs();
            assertThat(cached).hasSize(1);
            assertThat(cached.values().iterator().next().count()).as("pieces").isGreaterThanOrEqualTo(20);
            same(run, expected, workers + " workers");
        }
    }

    @Test
    void refusesWhatOneProcessRefusesBeforeTheFirstRound() {
        Dataset data = Samples.dataset(Seed.of(14), 300, 2);
        refused(
                data,
                "workers=7;replicas=2",
                "--workers must be a multiple of --replicas, got 7 workers for 2 replicas");
        refused(
                data,
                "workers=301",
                "there must be at least one training row per worker, got 300 rows for 301 workers");
        refused(
                data,
                "workers=100;batch=4",
                "--batch must be at most the rows of every worker, got 4, but worker 0 trains on 3");
        refused(
                data.with(r -> r == 130, 1, 1e39),
                "workers=3;storage=float;scale=none",
                "memory: row 131, column x1: --storage float cannot hold 1.0E39, which is too large; use --storage double");
        refused(
                Samples.sparse(Seed.of(14), 900, 300, 3),
                "workers=3;storage=float",
                "memory: its rows are sparse, which --storage float cannot hold; use --storage double");
        refused(
                Samples.sparse(Seed.of(14), 900, 300, 3),
                "workers=3;maximiser=ascent;ascent-steps=3;box=1",
                "rows that move in a box move in every feature, so they cannot be sparse; use --lambda none");
        refused(data.relabel(r -> 1), "workers=3", "column label must have several classes, but every value is 1");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "attack=label-flip | attacks on rows are simulated in one process only, not on Spark; got --attack label-flip",
                "split-by=x | --split-by is for one process only, not for Spark; got 'x'",
                "intervals=100 | --intervals is for one process only, not for Spark; got 100",
                "encoding=utf-16 | --encoding utf-16 is for one process only, not for Spark, which finds lines by the bytes of ASCII; store the table in UTF-8",
                "root=10 | --root rows are for one process only, not for Spark; got 10",
                "rule=nnm + fltrust | --rule nnm + fltrust needs --root rows, which are for one process only, not for Spark",
                "workers=4;rule=krum(f=2) | --rule krum(tolerated=2): tolerated = 2 needs at least 7 workers, got 4",
                "workers=4;liars=1 | --liars and --byzantine need an attack, such as --attack aggressive",
                "update=newton;local-steps=2 | --update newton is one step: --local-steps must be 1, got 2"
            })
    void refusesWhatOnlyOneProcessCan(String settings, String message) {
        assertThatThrownBy(() -> SparkEngine.requireServes(plan(settings)))
                .isInstanceOf(InputException.class)
                .hasMessage(message);
    }

    @Test
    void refusesObjectsWithoutANameBeforeAnyJob() {
        UpdateAttack silent = context -> UpdateAttack.together(context, new double[1]);
        Plan own = plan("rounds=1").withAttack(silent);
        assertThatThrownBy(() -> SparkEngine.requireServes(own))
                .isInstanceOf(InputException.class)
                .hasMessage("Spark needs names for everything in the plan, but --attack is <"
                        + silent.getClass().getName()
                        + ">, an object that no catalogue knows; add it by a plugin");
    }

    private static void refused(Dataset data, String settings, String message) {
        assertThatThrownBy(() -> Sparks.prepare(spark, data, plan(settings), 2))
                .isInstanceOf(InputException.class)
                .hasMessage(message);
        assertThat(spark.sparkContext().getPersistentRDDs().isEmpty()).isTrue();
    }
}
