package holdfast.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.InputException;
import holdfast.Seed;
import holdfast.spark.engine.Columns;
import holdfast.testkit.Samples;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.apache.spark.SparkContext;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.ml.param.DoubleParam;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.assertj.core.api.ThrowableAssert;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Estimators refuse what cannot be learnt from, in a line: plans before any job, rows before the first round. */
class EstimatorRefusalsTest {
    private static SparkSession spark;

    @BeforeAll
    static void start() {
        spark = Sparks.local();
    }

    @AfterAll
    static void stop() {
        spark.stop();
    }

    private static RobustLogisticRegression logistic() {
        return new RobustLogisticRegression().setMaxIter(25).setNumWorkers(4);
    }

    private static org.apache.spark.sql.Dataset<Row> frame(Object[]... rows) {
        List<Row> all = new ArrayList<>();
        for (Object[] row : rows) {
            all.add(RowFactory.create(row));
        }
        return spark.createDataFrame(
                all,
                new StructType()
                        .add("features", SQLDataTypes.VectorType())
                        .add("label", DataTypes.DoubleType)
                        .add("weight", DataTypes.DoubleType)
                        .add("source", DataTypes.StringType));
    }

    private static Object[] row(Vector features, Double label, Double weight, String source) {
        return new Object[] {features, label, weight, source};
    }

    private static final Vector X = Vectors.dense(1, 2);
    private static final Object[] GOOD = {X, 0.0, 1.0, "a"};
    private static final Object[] OTHER = {Vectors.dense(2, 1), 1.0, 1.0, "b"};

    @Test
    void refusesRowsThatCannotBeLearntFrom() {
        refuses("row 3: column features must have a vector, got null", GOOD, OTHER, row(null, 0.0, 1.0, "a"));
        refuses(
                "column features must have vectors of one size, got 3 elements after 2",
                GOOD,
                OTHER,
                row(Vectors.dense(1, 2, 3), 0.0, 1.0, "a"));
        refuses(
                "column features must have finite numbers, got NaN at 1",
                GOOD,
                OTHER,
                row(Vectors.dense(1, Double.NaN), 0.0, 1.0, "a"));
        refuses(
                "column features must have finite numbers, got Infinity at 4",
                row(Vectors.sparse(9, new int[] {4}, new double[] {Double.POSITIVE_INFINITY}), 0.0, 1.0, "a"));
        refuses("column label must be a finite number, got null", GOOD, OTHER, row(X, null, 1.0, "a"));
        refuses("column label must be a finite number, got NaN", GOOD, OTHER, row(X, Double.NaN, 1.0, "a"));
        refuses(
                "row 2: column label must be a class 0, 1, ..., got 1.5",
                GOOD,
                row(X, 1.5, 1.0, "a"),
                row(X, -1.0, 1.0, "a"));
        refuses("column label must be a class 0, 1, ..., got -1", GOOD, OTHER, row(X, -1.0, 1.0, "a"));
        refuses("column label must have at most 1000 classes from 0, got 5000", GOOD, row(X, 5000.0, 1.0, "a"));
        refuses("column weight must be finite and >= 0, got -0.5", GOOD, OTHER, row(X, 0.0, -0.5, "a"));
        refuses("column weight must be finite and >= 0, got null", GOOD, OTHER, row(X, 0.0, null, "a"));
        refuses("column source must name the source of the row, got null", GOOD, OTHER, row(X, 0.0, 1.0, null));
        refuses("column label must have several classes, but every value is 0", GOOD, GOOD, row(X, 0.0, 1.0, "b"));
        refuses("the DataFrame has no rows");
    }

    private static void refuses(String message, Object[]... rows) {
        RobustLogisticRegression estimator = logistic().setWeightCol("weight").setWorkerCol("source");
        assertThatThrownBy(() -> estimator.fit(frame(rows)))
                .isInstanceOf(InputException.class)
                .hasMessageContaining(message);
    }

    @Test
    void refusesOtherFrames() {
        assertThatThrownBy(() -> logistic().setLabelCol("price").fit(frame(GOOD)))
                .hasMessage("there must be a column price; there are features, label, weight, source");
        assertThatThrownBy(() -> logistic().setWorkerCol("vendor").fit(frame(GOOD)))
                .hasMessage("there must be a column vendor; there are features, label, weight, source");
        assertThatThrownBy(() -> logistic().setWeightCol("source").fit(frame(GOOD)))
                .hasMessage("column source must be numbers, got string");
        assertThatThrownBy(() -> logistic().setFeaturesCol("source").fit(frame(GOOD)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("source must be of type");
        assertThatThrownBy(() -> logistic().setNumWorkers(3).fit(frame(GOOD, OTHER)))
                .hasMessage("there must be at least one training row per worker, got 2 rows for 3 workers");
        assertThatThrownBy(() -> new RobustLinearRegression().fit(frame(GOOD, GOOD)))
                .hasMessage("column label must have different values, but every value is 0");
        assertThatThrownBy(() -> logistic().setFamily("binomial").fit(frame(GOOD, OTHER, row(X, 2.0, 1.0, "c"))))
                .hasMessage("model logistic predicts two classes, but label has 3 classes");
        RobustLogisticRegressionModel model = logistic().setNumWorkers(2).fit(frame(GOOD, OTHER));
        assertThatThrownBy(() -> model.predict(Vectors.dense(1, 2, 3)))
                .hasMessage("the model is for vectors of 2 features, got 3");
    }

    private static RobustLogisticRegression data(String plan) {
        return logistic().setPlan(plan);
    }

    @Test
    void refusesPlansBeforeAnyJob() {
        // A frame that no job gets through.
        var never = frame(GOOD, OTHER)
                .withColumn(
                        "label", functions.raise_error(functions.lit("a job")).cast("double"));
        assertThatThrownBy(() -> logistic().fit(never)).hasMessageContaining("a job");
        refusesPlan("plan: line 2: rounds is given twice", () -> logistic().setPlan("rounds: 3\nrounds: 4"), never);
        refusesPlan(
                "plan: --model must be auto or logistic or softmax, got svm",
                () -> logistic().setPlan("model: svm"),
                never);
        refusesPlan(
                "give --ascent-steps or --precision, not both",
                () -> logistic().setAscentSteps(3).setPlan("precision: 0.1"),
                never);
        refusesPlan("--rule krum: ", () -> logistic().setRule("krum").setTolerated("3"), never);
        refusesPlan("--liars and --byzantine need an attack", () -> logistic().setPlan("liars: 1"), never);
        assertThatThrownBy(() ->
                        new RobustLinearRegression().setPlan("model: logistic").fit(never))
                .hasMessage("plan: --model must be auto or linear or huber, got logistic");
        refusesPlan(
                "plan: --test-share must be 0, as fit trains on all rows, got 0.5; split the DataFrame before",
                () -> logistic().setPlan("test-share: 0.5"),
                never);
        refusesPlan(
                "plan: --threshold must be none, as the Param threshold of the model decides, got auto",
                () -> logistic().setPlan("threshold: auto"),
                never);
        refusesPlan(
                "plan: --recalibration must be none, as the Params threshold",
                () -> logistic().setPlan("recalibration: auto"),
                never);
        refusesPlan(
                "attacks on rows are simulated in one process only", () -> data("attack: label-flip\nliars: 1"), never);
        refusesPlan("plan: --test-sources must be empty, as fit trains", () -> data("test-sources: a"), never);
        refusesPlan("--split-by is for one process only", () -> data("split-by: a"), never);
        refusesPlan("--intervals is for one process only", () -> data("intervals: 5"), never);
        refusesPlan("--root rows are for one process only", () -> data("root: 5"), never);
        refusesPlan("--workers must be a multiple of --replicas", () -> data("replicas: 3"), never);
        assertThatThrownBy(() -> logistic().setNumWorkers(0))
                .hasMessage("numWorkers must be a whole number >= 1, got 0");
        refusesPlan(
                "--rule fltrust needs --root rows, which are for one process only",
                () -> logistic().setRule("fltrust"),
                never);
        refusesPlan("--patience needs --validation above 0", () -> data("patience: 3"), never);
        refusesPlan(
                "--local-rate needs --local-steps above 1 or --update delta",
                () -> data("local-rate: 0.1").setWorkerCol("source"),
                never);
    }

    @Test
    void refusesNamesWhenTheyAreSet() {
        RobustLogisticRegression learner = logistic();
        refusesSetting("rule: unknown rule 'nonsense'; known: ", () -> learner.setRule("nonsense"));
        refusesSetting(
                "rule trimmed-mean: unknown parameter 'g'; known: tolerated",
                () -> learner.setRule("trimmed-mean(g=2)"));
        refusesSetting("rule must not be null", () -> learner.setRule(null));
        assertThatThrownBy(() -> learner.setTolerated("several"))
                .as("named by its Param")
                .hasMessageStartingWith("tolerated must be ");
        assertThatThrownBy(() -> learner.setScale("up")).hasMessageStartingWith("scale must be one of auto, none");
        refusesSetting(
                "family must be one of auto, binomial, multinomial; got 'trinomial'",
                () -> learner.setFamily("trinomial"));
        refusesSetting(
                "loss must be one of squaredError, huber; got 'absolute'",
                () -> new RobustLinearRegression().setLoss("absolute"));
        refusesSetting("unknown plan key 'attak'; known: ", () -> learner.setPlan("attak: aggressive"));
        refusesSetting("attack: unknown attack 'nonsense'; known: ", () -> learner.setPlan("attack: nonsense"));
        refusesSetting("model: unknown model 'nonsense'; known: ", () -> learner.setPlan("model: nonsense"));
        refusesSetting("--maximiser must be one of auto, exact", () -> learner.setPlan("maximiser: nonsense"));
        refusesSetting("plan: --workers-by is for files", () -> learner.setPlan("workers-by: source"));
        refusesSetting("plan must not be null", () -> learner.setPlan(null));
        refusesSetting(
                "rule: unknown rule 'nonsense'",
                () -> new ParamMap().put(learner.rule().w("nonsense")));
        assertThat(List.of(
                        learner.isSet(learner.rule()), learner.isSet(learner.plan()), learner.isSet(learner.scale())))
                .as("what was refused is not set")
                .containsOnly(false);
    }

    @Test
    void refusesNumbersThatNoPlanAllowsWhenTheyAreSet() {
        RobustLogisticRegression learner = logistic();
        refusesSetting("learningRate must be > 0 and finite, got 0", () -> learner.setLearningRate(0));
        refusesSetting(
                "learningRate must be > 0 and finite, got Infinity",
                () -> learner.setLearningRate(Double.POSITIVE_INFINITY));
        refusesSetting("ascentRate must be > 0 and finite, got 0", () -> learner.setAscentRate(0));
        refusesSetting("ascentRate must be > 0 and finite, got NaN", () -> learner.setAscentRate(Double.NaN));
        refusesSetting("ascentSteps must be a whole number >= 0, got -1", () -> learner.setAscentSteps(-1));
        refusesSetting(
                "regParam must be >= 0 and finite, got Infinity", () -> learner.setRegParam(Double.POSITIVE_INFINITY));
        refusesSetting("regParam must be >= 0 and finite, got -1", () -> learner.setRegParam(-1));
        refusesSetting("tol must be ", () -> learner.setTol(1));
        refusesSetting("tol must be ", () -> learner.setTol(-1e-9));
        refusesSetting("maxIter must be a whole number >= 0, got -1", () -> learner.setMaxIter(-1));
        refusesSetting("numWorkers must be a whole number >= 1, got 0", () -> learner.setNumWorkers(0));
        refusesSetting("price must be ", () -> learner.setPrice(0));
        refusesSetting("tolerated must be ", () -> learner.setTolerated(-1));
        refusesSetting("threshold must be in (0, 1), got 1.0", () -> learner.setThreshold(1));
        refusesSetting("maxIter must be a whole number >= 0, got -1", () -> new ParamMap().put(learner.maxIter(), -1));
        for (Param<?> param : List.of(learner.learningRate(), learner.ascentRate(), learner.ascentSteps())) {
            assertThat(learner.isDefined(param)).as(param.name()).isFalse();
        }
    }

    @Test
    void refusesNamesOfColumnsThatAreNone() {
        RobustLogisticRegression learner = logistic();
        refusesSetting("workerCol must name a column, got an empty name", () -> learner.setWorkerCol(""));
        refusesSetting("workerCol must name a column, got null", () -> learner.setWorkerCol(null));
        refusesSetting("weightCol must name a column, got an empty name", () -> learner.setWeightCol(""));
        refusesSetting("weightCol must name a column, got null", () -> learner.setWeightCol(null));
        refusesSetting("weightCol must not be null", () -> learner.set(learner.weightCol(), null));
        refusesSetting(
                "featuresCol must name a column, got an empty name",
                () -> logistic().setFeaturesCol("").fit(frame(GOOD, OTHER)));
        refusesSetting(
                "labelCol must name a column, got null",
                () -> logistic().setLabelCol(null).fit(frame(GOOD, OTHER)));
        assertThat(learner.isSet(learner.workerCol()) || learner.isSet(learner.weightCol()))
                .isFalse();
        // As Spark has it, and as stages may have been saved: an empty name is none.
        learner.set(learner.weightCol(), "").set(learner.workerCol(), "");
        assertThat(learner.settings().columns()).isEqualTo(new Columns("features", "label", null, null));
    }

    private static void refusesSetting(String message, ThrowableAssert.ThrowingCallable setting) {
        assertThatThrownBy(setting)
                .isInstanceOf(InputException.class)
                .hasMessageContaining(message)
                .message()
                .doesNotContain("\n");
    }

    @Test
    void aRuleThatCannotServeTheSourcesIsRefusedAfterTheOneJobThatCountsThem() throws Exception {
        SparkContext context = spark.sparkContext();
        AtomicInteger jobs = new AtomicInteger();
        SparkListener counts = new SparkListener() {
            @Override
            public void onJobStart(SparkListenerJobStart job) {
                jobs.incrementAndGet();
            }
        };
        var sources = frame(GOOD, OTHER, row(X, 1.0, 1.0, "c"));
        context.listenerBus().waitUntilEmpty();
        context.addSparkListener(counts);
        try {
            refusesPlan(
                    "--rule krum(tolerated=2): tolerated = 2 needs at least 7 workers, got 3",
                    () -> logistic().setWorkerCol("source").setRule("krum(f=2)"),
                    sources);
            context.listenerBus().waitUntilEmpty();
            assertThat(jobs).hasValue(1);
            refusesPlan(
                    "liars must be at most the number of workers, got 4 of 3",
                    () -> logistic().setWorkerCol("source").setPlan("attack: aggressive\nliars: 4"),
                    sources);
            context.listenerBus().waitUntilEmpty();
            assertThat(jobs).hasValue(2);
        } finally {
            context.removeSparkListener(counts);
        }
    }

    @Test
    void thresholdsForOtherClassesAreRefusedBeforeTheFirstRound() {
        var frame = Sparks.frame(spark, Samples.dataset(Seed.of(3), 100, 2), 2);
        RobustLogisticRegression learner = new RobustLogisticRegression();
        learner.setThresholds(new double[] {0.3, 0.3, 0.4});
        assertThatThrownBy(() -> learner.setMaxIter(1_000_000).setTol(0).fit(frame))
                .hasMessage("thresholds: there must be one for each of the 2 classes, got 3");
    }

    @Test
    void anOlderNameInThePlanIsThatOfItsSetting() {
        var frame = Sparks.frame(spark, Samples.dataset(Seed.of(3), 100, 2), 2);
        RobustLogisticRegression learner =
                new RobustLogisticRegression().setMaxIter(2).setPlan("screened: 2");
        assertThat(learner.fit(frame).getTolerated()).isEqualTo("2");
        assertThat(learner.setTolerated(1).fit(frame).getTolerated()).isEqualTo("1");
    }

    @Test
    void noParamIsNaN() {
        RobustLogisticRegression estimator = logistic();
        List<String> refused = new ArrayList<>();
        for (Param<?> param : estimator.params()) {
            if (param instanceof DoubleParam number) {
                refusesSetting(number.name() + " must be ", () -> estimator.set(number, Double.NaN));
                refused.add(number.name());
            }
        }
        assertThat(refused)
                .containsExactlyInAnyOrder(
                        "tol", "learningRate", "regParam", "lambda", "price", "ascentRate", "threshold");
    }

    private static void refusesPlan(
            String message, Supplier<RobustLogisticRegression> estimator, org.apache.spark.sql.Dataset<Row> never) {
        assertThatThrownBy(() -> estimator.get().fit(never))
                .isInstanceOf(InputException.class)
                .hasMessageContaining(message)
                .message()
                .doesNotContain("\n");
    }
}
