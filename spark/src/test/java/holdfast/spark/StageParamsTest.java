package holdfast.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.spark.ml.Estimator;
import org.apache.spark.ml.Model;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.param.Params;
import org.apache.spark.ml.param.shared.HasFitIntercept;
import org.apache.spark.ml.param.shared.HasMaxIter;
import org.apache.spark.ml.param.shared.HasRegParam;
import org.apache.spark.ml.param.shared.HasSeed;
import org.apache.spark.ml.param.shared.HasThreshold;
import org.apache.spark.ml.param.shared.HasThresholds;
import org.apache.spark.ml.param.shared.HasTol;
import org.apache.spark.ml.param.shared.HasWeightCol;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** All Params of all stages are reached by their getters and setters, by reflection too, as Python does. */
class StageParamsTest {
    /** A value that is no default, for each Param that holds no name of a column. */
    private static final Map<String, Object> VALUES = Map.ofEntries(
            Map.entry("maxIter", 7),
            Map.entry("tol", 0.25),
            Map.entry("learningRate", 0.5),
            Map.entry("regParam", 0.5),
            Map.entry("fitIntercept", false),
            Map.entry("scale", "sd"),
            Map.entry("seed", 9L),
            Map.entry("price", 3.0),
            Map.entry("lambda", 3.0),
            Map.entry("ascentSteps", 3),
            Map.entry("ascentRate", 0.5),
            Map.entry("rule", "mean"),
            Map.entry("tolerated", "2"),
            Map.entry("screened", "2"),
            Map.entry("statistics", "pooled"),
            Map.entry("numWorkers", 3),
            Map.entry("plan", "rounds: 3"),
            Map.entry("family", "binomial"),
            Map.entry("loss", "huber"),
            Map.entry("hiddenLayers", new int[] {16, 8}),
            Map.entry("activation", "tanh"),
            Map.entry("threshold", 0.25),
            Map.entry("thresholds", new double[] {0.25, 0.75}));

    private static Object value(Param<?> param) {
        Object value = param.name().endsWith("Col") ? "a column" : VALUES.get(param.name());
        assertThat(value).as(param.name()).isNotNull();
        return value;
    }

    private static Params stage(Class<?> type) throws ReflectiveOperationException {
        return (Params) type.getConstructor().newInstance();
    }

    private static String capital(String name) {
        return Character.toUpperCase(name.charAt(0)) + name.substring(1);
    }

    private static Method callable(Method method) {
        assertThat(Modifier.isPublic(method.getDeclaringClass().getModifiers()))
                .as("%s is declared in a public type", method)
                .isTrue();
        return method;
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                RobustLogisticRegression.class,
                RobustLogisticRegressionModel.class,
                RobustLinearSVC.class,
                RobustLinearSVCModel.class,
                RobustLinearRegression.class,
                RobustLinearRegressionModel.class,
                RobustPoissonRegression.class,
                RobustPoissonRegressionModel.class,
                RobustNetworkClassifier.class,
                RobustNetworkClassificationModel.class,
                RobustNetworkRegressor.class,
                RobustNetworkRegressionModel.class
            })
    void everyParamHasAGetterAndOnEstimatorsASetter(Class<?> type) throws ReflectiveOperationException {
        Param<?>[] params = stage(type).params();
        assertThat(params).hasSizeGreaterThanOrEqualTo(22);
        for (Param<?> param : params) {
            Object value = value(param);
            Method getter = callable(type.getMethod("get" + capital(param.name())));
            Params set = stage(type).set(param.name(), value);
            assertThat(getter.invoke(set)).as(param.name()).isEqualTo(value);
            if (!Estimator.class.isAssignableFrom(type)) {
                continue;
            }
            Params stage = stage(type);
            Method setter = Arrays.stream(type.getMethods())
                    .filter(m -> m.getName().equals("set" + capital(param.name()))
                            && m.getParameterCount() == 1
                            && m.getParameterTypes()[0] == getter.getReturnType())
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("no setter for " + param.name()));
            assertThat(callable(setter).invoke(stage, value)).isSameAs(stage);
            assertThat(getter.invoke(stage)).isEqualTo(value);
        }
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                RobustLogisticRegression.class,
                RobustLogisticRegressionModel.class,
                RobustLinearSVC.class,
                RobustLinearSVCModel.class,
                RobustLinearRegression.class,
                RobustLinearRegressionModel.class,
                RobustPoissonRegression.class,
                RobustPoissonRegressionModel.class,
                RobustNetworkClassifier.class,
                RobustNetworkClassificationModel.class,
                RobustNetworkRegressor.class,
                RobustNetworkRegressionModel.class
            })
    void sparkKnowsTheParamsByItsOwnTraits(Class<?> type) throws ReflectiveOperationException {
        Params stage = stage(type);
        assertThat(stage)
                .isInstanceOf(HasMaxIter.class)
                .isInstanceOf(HasTol.class)
                .isInstanceOf(HasRegParam.class)
                .isInstanceOf(HasSeed.class)
                .isInstanceOf(HasWeightCol.class);
        assertThat(((HasMaxIter) stage).maxIter()).isEqualTo(stage.getParam("maxIter"));
        assertThat(((HasMaxIter) stage).getMaxIter()).as("the plan's default").isEqualTo(1000);
        assertThat(((HasWeightCol) stage).weightCol()).isEqualTo(stage.getParam("weightCol"));
        boolean network = type.getName().contains("Network");
        assertThat(stage instanceof HasFitIntercept).isEqualTo(!network);
        assertThat(stage.hasParam("fitIntercept")).isEqualTo(!network);
        boolean hasProbabilities =
                type.getName().contains("Logistic") || type.getName().contains("NetworkClass");
        assertThat(stage instanceof HasThreshold)
                .isEqualTo(hasProbabilities || type.getName().contains("SVC"));
        assertThat(stage instanceof HasThresholds).isEqualTo(hasProbabilities);
        if (stage instanceof HasThreshold owner) {
            assertThat(owner.getThreshold()).isEqualTo(stage instanceof HasThresholds ? 0.5 : 0);
        }
        for (Param<?> param : stage.params()) {
            assertThat(param.doc()).as(param.name()).isNotBlank();
            assertThat(param.parent()).isEqualTo(stage.uid());
        }
    }

    @Test
    void aModelHasTheParamsOfItsEstimator() throws ReflectiveOperationException {
        Map<Class<?>, Class<?>> models = Map.of(
                RobustLogisticRegression.class, RobustLogisticRegressionModel.class,
                RobustLinearSVC.class, RobustLinearSVCModel.class,
                RobustLinearRegression.class, RobustLinearRegressionModel.class,
                RobustPoissonRegression.class, RobustPoissonRegressionModel.class,
                RobustNetworkClassifier.class, RobustNetworkClassificationModel.class,
                RobustNetworkRegressor.class, RobustNetworkRegressionModel.class);
        for (Class<?> type : models.keySet()) {
            Params model = stage(models.get(type));
            assertThat(model).isInstanceOf(Model.class);
            assertThat(Arrays.stream(stage(type).params()).map(Param::name))
                    .filteredOn(name -> !List.of("family", "loss").contains(name))
                    .containsExactlyInAnyOrderElementsOf(
                            Arrays.stream(model.params()).map(Param::name).toList());
        }
    }
}
