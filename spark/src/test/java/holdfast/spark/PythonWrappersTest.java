package holdfast.spark;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.spark.ml.classification.BinaryClassificationSummary;
import org.apache.spark.ml.classification.ClassificationModel;
import org.apache.spark.ml.classification.Classifier;
import org.apache.spark.ml.classification.ProbabilisticClassificationModel;
import org.apache.spark.ml.classification.ProbabilisticClassifier;
import org.apache.spark.ml.classification.TrainingSummary;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.param.Params;
import org.apache.spark.ml.param.shared.HasFitIntercept;
import org.apache.spark.ml.param.shared.HasMaxIter;
import org.apache.spark.ml.param.shared.HasRegParam;
import org.apache.spark.ml.param.shared.HasThreshold;
import org.apache.spark.ml.param.shared.HasTol;
import org.apache.spark.ml.param.shared.HasWeightCol;
import org.apache.spark.ml.regression.RegressionModel;
import org.apache.spark.ml.regression.Regressor;
import org.apache.spark.ml.util.MLWritable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * What the wrappers for PySpark, in the folder python, expect of Java is there. Their source is read without PySpark,
 * which this build does not have; scripts/pyspark-tests runs them.
 */
class PythonWrappersTest {
    /** The class of Spark whose methods a base class of PySpark calls. */
    private static final Map<String, Class<?>> WRAPPED = Map.ofEntries(
            Map.entry("JavaWrapper", Object.class),
            Map.entry("JavaParams", Params.class),
            Map.entry("JavaMLWritable", MLWritable.class),
            Map.entry("_JavaClassifier", Classifier.class),
            Map.entry("_JavaProbabilisticClassifier", ProbabilisticClassifier.class),
            Map.entry("_JavaRegressor", Regressor.class),
            Map.entry("_JavaClassificationModel", ClassificationModel.class),
            Map.entry("_JavaProbabilisticClassificationModel", ProbabilisticClassificationModel.class),
            Map.entry("_JavaRegressionModel", RegressionModel.class),
            Map.entry("_BinaryClassificationSummary", BinaryClassificationSummary.class),
            Map.entry("_TrainingSummary", TrainingSummary.class),
            Map.entry("HasMaxIter", HasMaxIter.class),
            Map.entry("HasTol", HasTol.class),
            Map.entry("HasRegParam", HasRegParam.class),
            Map.entry("HasFitIntercept", HasFitIntercept.class),
            Map.entry("HasWeightCol", HasWeightCol.class),
            Map.entry("HasThreshold", HasThreshold.class));

    private static List<String[]> facts;

    @BeforeAll
    static void readSource() throws IOException, InterruptedException {
        assumeTrue(
                Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                        .anyMatch(folder -> new File(folder, "python3").canExecute()),
                "no python3: ./verify says how to install it");
        Process python = new ProcessBuilder("python3", "../python/tests/java_names.py")
                .redirectErrorStream(true)
                .start();
        String printed = new String(python.getInputStream().readAllBytes(), UTF_8);
        assertThat(python.waitFor()).as(printed).isZero();
        facts = printed.lines().map(line -> line.split(" ", 4)).toList();
    }

    private static Stream<String[]> facts(String kind) {
        return facts.stream().filter(fact -> fact[0].equals(kind));
    }

    @Test
    void calledMethodsExist() {
        assertThat(facts("calls").filter(call -> !has(type(call[1]), call[2], Integer.parseInt(call[3]))))
                .extracting(call -> call[1] + "." + call[2])
                .isEmpty();
        assertThat(facts("calls")).hasSizeGreaterThan(20);
    }

    private static Class<?> type(String name) {
        try {
            return Class.forName("holdfast.spark." + name);
        } catch (ClassNotFoundException e) {
            throw new AssertionError("Python has a wrapper of " + name + ", which does not exist", e);
        }
    }

    private static boolean has(Class<?> type, String method, int arguments) {
        return Modifier.isPublic(type.getModifiers())
                && Arrays.stream(type.getMethods())
                        .anyMatch(m -> m.getName().equals(method) && m.getParameterCount() == arguments);
    }

    @Test
    void baseClassesOfPySparkFindTheirMethods() throws ReflectiveOperationException {
        for (String[] fact : facts("extends").toList()) {
            Class<?> type = type(fact[1]);
            switch (fact[2]) {
                case "_PredictorParams", "_ClassifierParams", "_ProbabilisticClassifierParams" -> {
                    // Params are compared by name.
                }
                case "JavaMLReadable" ->
                    assertThat(Modifier.isStatic(type.getMethod("read").getModifiers()))
                            .isTrue();
                case "HasTrainingSummary" ->
                    assertThat(List.of("hasSummary", "summary")).allMatch(method -> has(type, method, 0));
                default ->
                    assertThat(WRAPPED.get(fact[2])).as(fact[2]).isNotNull().isAssignableFrom(type);
            }
        }
    }

    @Test
    void keywordsAreTheParamsWithTheirDefaults() throws ReflectiveOperationException {
        Map<String, Map<String, Object>> keywords = new TreeMap<>();
        facts("param")
                .forEach(fact -> keywords.computeIfAbsent(fact[1], name -> new TreeMap<>())
                        .put(fact[2], value(fact[3])));
        assertThat(keywords).isNotEmpty();
        for (String estimator : keywords.keySet()) {
            Params stage = (Params) type(estimator).getConstructor().newInstance();
            Map<String, Object> params = new TreeMap<>();
            for (Param<?> param : stage.params()) {
                Object given = stage.hasDefault(param) ? stage.getDefault(param).get() : null;
                Object value = given instanceof int[] all
                        ? Arrays.stream(all).asDoubleStream().boxed().toList()
                        : given;
                params.put(param.name(), value instanceof Number number ? (Object) number.doubleValue() : value);
            }
            assertThat(params.keySet()).contains("lambda", "screened"); // older names, which Python never had
            params.keySet().removeAll(List.of("lambda", "screened"));
            assertThat(keywords.get(estimator)).as(estimator).isEqualTo(params);
        }
    }

    /** Returns what a value in JSON is in Java; every number as a double. */
    private static Object value(String json) {
        return switch (json.charAt(0)) {
            case 'n' -> null;
            case 't', 'f' -> Boolean.valueOf(json);
            case '"' -> json.substring(1, json.length() - 1);
            case '[' ->
                Stream.of(json.substring(1, json.length() - 1).split(", "))
                        .map(Double::valueOf)
                        .toList();
            default -> Double.valueOf(json);
        };
    }
}
