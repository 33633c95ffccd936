package holdfast.spark.engine;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.Randomness;
import holdfast.Seed;
import holdfast.Spec;
import holdfast.attack.Attacks;
import holdfast.attack.RawAttack;
import holdfast.data.DataSource;
import holdfast.data.Dataset;
import holdfast.data.DatasetBuilder;
import holdfast.data.Schema;
import holdfast.data.Table;
import holdfast.data.TableColumn;
import holdfast.model.Target;
import holdfast.plan.LearningRate;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.preparation.Preparation;
import holdfast.preparation.Scaling;
import holdfast.spark.Sparks;
import holdfast.testkit.Laws;
import holdfast.testkit.Samples;
import holdfast.training.Checkpoint;
import holdfast.training.PreparedData;
import holdfast.training.PreparedRun;
import holdfast.training.Training;
import holdfast.training.TrainingRun;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is learnt by group of sources, and the run that starts from it, have the bits of one process. */
class RobustStatisticsTest {
    /** Rows of each source: large ones, and small ones that are measured together. */
    private static final int[] SIZES = {800, 2, 300, 3, 90, 2, 70, 5, 64, 30, 4, 40, 9, 20, 80};

    private static final int HEAVY = 2;
    private static final int POISONED = 4;
    private static final int ODD = 8;
    private static SparkSession spark;

    @BeforeAll
    static void start() {
        spark = Sparks.local();
    }

    @AfterAll
    static void stop() {
        spark.stop();
    }

    private static Plan plan(String settings) {
        Plan plan = Plan.defaults()
                .with("partition", "in-turn")
                .with("test-share", "0")
                .with("rounds", "6");
        for (String setting : settings.split(";")) {
            String[] pair = setting.split("=", 2);
            plan = plan.with(pair[0], pair[1]);
        }
        return plan;
    }

    /** The source of each row; sources have their numbers in the order of their first rows. */
    private static int[] sources(Randomness random) {
        int[] rest = IntStream.range(0, SIZES.length)
                .flatMap(s -> IntStream.generate(() -> s).limit(SIZES[s] - 1))
                .toArray();
        random.shuffle(rest);
        return IntStream.concat(IntStream.range(0, SIZES.length), IntStream.of(rest))
                .toArray();
    }

    private static List<String> names() {
        return IntStream.range(0, SIZES.length).mapToObj(s -> "s" + s).toList();
    }

    /**
     * Rows with numbers and text. Source {@value #HEAVY} is heavy, the numbers of {@value #POISONED} are in other units,
     * and {@value #ODD} has texts of its own.
     */
    private static Table table(Seed seed, TableColumn.Missing missing, boolean weighted, boolean classes) {
        Randomness random = seed.random();
        List<TableColumn> columns = List.of(
                new TableColumn("unknown", names(), missing),
                new TableColumn("number", List.of(), missing),
                new TableColumn("text", List.of("c", "a", "odd", "b"), missing),
                TableColumn.number("plain"));
        boolean holes = missing != TableColumn.Missing.FAIL;
        DatasetBuilder builder = new DatasetBuilder(columns.size());
        for (int s : sources(random)) {
            double unit = s == POISONED ? 1000 : 1;
            double[] x = {
                s,
                unit * (random.nextGaussian() + 0.1 * s),
                s == ODD ? 2 : random.nextInt(2) == 0 ? random.nextInt(2) : 3,
                unit * random.nextGaussian()
            };
            double score = x[1] / unit - x[3] / unit + (x[2] == 3 ? 1 : 0) + random.nextGaussian();
            for (int c = 0; holes && c < 3; c++) {
                x[c] = random.nextInt(6) == 0 ? Double.NaN : x[c];
            }
            double weight = !weighted ? 1 : (s == HEAVY ? 40 : 0.5) + random.nextDouble();
            builder.add(x, !classes ? unit * score : score > 0 ? 1 : 0, s, weight);
        }
        return Table.of(
                columns,
                builder.build(
                        new Schema(
                                columns.stream().map(TableColumn::name).toList(),
                                "y",
                                classes ? List.of("no", "yes") : List.of(),
                                names()),
                        DataSource.MEMORY));
    }

    private static PreparedRun prepare(Table table, Plan plan, int partitions) {
        Dataset cells = table.cells();
        if (table.isNumbers()) {
            return Sparks.prepare(spark, cells, plan, partitions);
        }
        List<Row> rows = IntStream.range(0, table.rows())
                .mapToObj(r -> RowFactory.create(
                        Vectors.dense(cells.row(r)),
                        cells.label(r),
                        cells.weight(r),
                        cells.schema().groups().get(cells.group(r))))
                .toList();
        JavaRDD<Row> spread =
                JavaSparkContext.fromSparkContext(spark.sparkContext()).parallelize(rows, partitions);
        SparkTable onSpark = SparkTable.of(
                spread,
                new Columns("features", "y", cells.weighted() ? "w" : null, "source"),
                Target.NUMBER,
                false,
                table.columns());
        return new SparkEngine(onSpark, plan, cells.schema(), cells.source(), spark).startWorkers(spark);
    }

    private static void sameAsInOneProcess(Table table, Plan plan, int... partitions) {
        TrainingRun expected = Training.of(table, plan).run();
        for (int count : partitions) {
            try (PreparedRun here = PreparedData.of(table, plan).startWorkers(plan, 1);
                    PreparedRun there = prepare(table, plan, count)) {
                same(there.preparation(), here.preparation());
                assertThat(there.plan()).as("box and rates").isEqualTo(here.plan());
                assertThat(there.reach()).isEqualTo(here.reach());
                assertThat(there.schema()).isEqualTo(here.schema().withoutGroups());
                assertThat(there.sizes()).isEqualTo(here.sizes());
                same(Training.of(table.source(), plan).run(there), expected);
            }
            assertThat(spark.sparkContext().getPersistentRDDs().isEmpty()).isTrue();
        }
    }

    private static void same(Preparation there, Preparation here) {
        assertThat(there.encoding()).isEqualTo(here.encoding());
        Scaling scaling = there.scaling();
        assertThat(Laws.bits(scaling.offsets()))
                .isEqualTo(Laws.bits(here.scaling().offsets()));
        assertThat(Laws.bits(scaling.divisors()))
                .isEqualTo(Laws.bits(here.scaling().divisors()));
        assertThat(scaling.clip()).isEqualTo(here.scaling().clip());
        assertThat(there.labels()).isEqualTo(here.labels());
        assertThat(Laws.bits(there.weighting().rows().workers()))
                .isEqualTo(Laws.bits(here.weighting().rows().workers()));
        assertThat(Laws.bits(there.weighting().rows().groups()))
                .isEqualTo(Laws.bits(here.weighting().rows().groups()));
        assertThat(there.weighting().classes()).isEqualTo(here.weighting().classes());
        assertThat(there.weighting().sources()).isEqualTo(here.weighting().sources());
    }

    private static void same(TrainingRun run, TrainingRun expected) {
        assertThat(Laws.bits(run.model().theta()))
                .isEqualTo(Laws.bits(expected.model().theta()));
        assertThat(run.objective()).isEqualTo(expected.objective());
        assertThat(run.state().step()).isEqualTo(expected.state().step());
        assertThat(run.learningRate()).isEqualTo(expected.learningRate());
        assertThat(run.guarantee()).isEqualTo(expected.guarantee());
        assertThat(run.ledger()).isEqualTo(expected.ledger());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "workers-by=s;tolerated=2",
                "workers-by=s;tolerated=2;statistics=pooled",
                "workers-by=s;tolerated=2;test-share=0.2;class-weights=balanced",
                "workers-by=s;tolerated=2;source-weights=rows",
                "workers-by=s;tolerated=4;replicas=3",
                "workers-by=s;tolerated=2;scale=min-max;storage=float",
                "workers=12;tolerated=3;class-weights=balanced",
                "workers=40;tolerated=2;partition=iid;test-share=0.25",
                "workers=8;tolerated=1;partition=by-class",
                "workers=12;tolerated=3;replicas=3;rule=median;update=delta;local-steps=2",
                "workers=300;tolerated=5;lambda=none;learning-rate=0.2"
            })
    void cellsOfManyKinds(String settings) {
        Seed seed = Seed.of(21).child(settings);
        TableColumn.Missing missing = TableColumn.Missing.values()[seed.random().nextInt(3)];
        sameAsInOneProcess(table(seed, missing, true, true), plan(settings), 1, 2, 7);
    }

    @ParameterizedTest
    @ValueSource(strings = {"fail", "mean", "indicator"})
    void aTextThatFewSourcesKnowIsLeftOutOnSparkToo(String missing) {
        Table table = table(Seed.of(22), TableColumn.Missing.parse(missing), false, true);
        Plan plan = plan("workers-by=s;tolerated=2");
        sameAsInOneProcess(table, plan, 7);
        try (PreparedRun prepared = prepare(table, plan, 2)) {
            assertThat(prepared.schema().features())
                    .doesNotContain("unknown=s8", "text=odd")
                    .contains("number", "text=a", "plain");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "model=linear;workers-by=s;tolerated=2",
                "model=huber;workers-by=s;tolerated=2;test-share=0.2",
                "model=huber;workers=20;tolerated=3;schedule=root"
            })
    void numbersAsLabels(String settings) {
        Seed seed = Seed.of(23).child(settings);
        sameAsInOneProcess(table(seed, TableColumn.Missing.MEAN, true, false), plan(settings), 2, 7);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "workers-by=s;tolerated=2",
                "workers=20;tolerated=2",
                "workers-by=s;tolerated=1;scale=sd;box=3;lambda=none"
            })
    void sparseRowsWithOneHeavySource(String settings) {
        Dataset rows = Samples.sparse(Seed.of(24), IntStream.of(SIZES).sum(), 300, 6);
        int[] sources = sources(Seed.of(24).random());
        Dataset data = rows.grouped(names(), sources);
        assertThat(data.sparse() && data.weighted()).isTrue();
        sameAsInOneProcess(Table.of(data), plan(settings), 1, 7);
    }

    static Stream<String> rawAttacks() {
        return Attacks.catalogue().names().stream()
                .filter(name -> Attacks.catalogue().create(Spec.parse(name)) instanceof RawAttack);
    }

    /**
     * Spark simulates no attack on rows, so it reads what the liars hand in to one process. No rows are held out, because
     * the labels decide which ones.
     */
    @ParameterizedTest
    @MethodSource("rawAttacks")
    void poisonedRowsDoOnSparkWhatTheyDoInOneProcess(String name) {
        Plan plan = plan("workers-by=s;tolerated=2");
        RawAttack attack = (RawAttack) Attacks.catalogue().create(Spec.parse(name));
        AtomicReference<Table> handedIn = new AtomicReference<>();
        RawAttack noted = context -> {
            handedIn.set(attack.poison(context));
            return handedIn.get();
        };
        Table clean = table(Seed.of(28), TableColumn.Missing.MEAN, true, true);
        long[] attacked = theta(Training.of(clean, plan).attack(noted, 2));
        assertThat(attacked).isNotEqualTo(theta(Training.of(clean, plan)));
        assertThat(attacked).isEqualTo(theta(Training.of(handedIn.get(), plan)));
        sameAsInOneProcess(handedIn.get(), plan, 2, 7);
    }

    private static long[] theta(Training training) {
        return Laws.bits(training.run().model().theta());
    }

    @Test
    void aPoisonedSourceChangesNoScale() {
        Plan plan = plan("workers-by=s;tolerated=2");
        try (PreparedRun prepared = prepare(table(Seed.of(25), TableColumn.Missing.MEAN, true, true), plan, 3)) {
            assertThat(prepared.preparation().scaling().divisors()[0]).isLessThan(3);
            assertThat(prepared.plan().get(PlanKey.LEARNING_RATE)).isInstanceOf(LearningRate.QuasiNewton.class);
        }
    }

    @Test
    void aRunOfQuasiNewtonStepsResumesAnywhere() {
        Table table = table(Seed.of(26), TableColumn.Missing.INDICATOR, true, true);
        Plan plan = plan("workers-by=s;tolerated=2;rounds=25;tolerance=0");
        List<Checkpoint> saved = new ArrayList<>();
        TrainingRun expected = Training.of(table, plan).run();
        try (PreparedRun prepared = prepare(table, plan, 2)) {
            same(Training.of(table.source(), plan).checkpoints(10, saved::add).run(prepared), expected);
        }
        Checkpoint middle = saved.get(0);
        LearningRate.QuasiNewton rate = (LearningRate.QuasiNewton) rate(table, plan);
        assertThat(middle.state().step().size()).isGreaterThan(rate.start());
        same(Training.of(table, plan).resume(middle).run(), expected);
        try (PreparedRun prepared = prepare(table, plan, 7)) {
            same(Training.of(table.source(), plan).resume(middle).run(prepared), expected);
        }
    }

    private static LearningRate rate(Table table, Plan plan) {
        try (PreparedRun prepared = PreparedData.of(table, plan).startWorkers(plan, 1)) {
            return prepared.plan().get(PlanKey.LEARNING_RATE);
        }
    }

    /** Sixty power steps took more than sixty. */
    @Test
    void aFewPassesOverTheRowsAreEnoughBeforeTheFirstRound() throws Exception {
        assertThat(jobs(Table.of(Samples.dataset(Seed.of(27), 900, 5, 9)), "workers-by=s;tolerated=2"))
                .as("look, ranges, spreads, summary, step size, reach")
                .isEqualTo(6);
        assertThat(jobs(table(Seed.of(27), TableColumn.Missing.MEAN, true, true), "workers-by=s;tolerated=2"))
                .as("and weights by worker, cells, sums")
                .isEqualTo(9);
    }

    private static int jobs(Table table, String settings) throws Exception {
        AtomicInteger jobs = new AtomicInteger();
        SparkListener listener = new SparkListener() {
            @Override
            public void onJobStart(SparkListenerJobStart job) {
                jobs.incrementAndGet();
            }
        };
        spark.sparkContext().listenerBus().waitUntilEmpty();
        spark.sparkContext().addSparkListener(listener);
        try {
            prepare(table, plan(settings), 3).close();
            spark.sparkContext().listenerBus().waitUntilEmpty();
        } finally {
            spark.sparkContext().removeSparkListener(listener);
        }
        return jobs.get();
    }
}
