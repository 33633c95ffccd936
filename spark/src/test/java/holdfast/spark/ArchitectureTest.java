package holdfast.spark;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

class ArchitectureTest {
    private static final JavaClasses SPARK = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("holdfast.spark");

    /** Kryo and Hadoop come with Spark. */
    @Test
    void sparkNeedsCoreFormatsAndSparkOnly() {
        classes()
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(
                        "java..",
                        "holdfast..",
                        "org.apache.spark..",
                        "org.apache.hadoop..",
                        "scala..",
                        "com.esotericsoftware.kryo.."))
                .check(SPARK);
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("holdfast.app..", "holdfast.testkit..")
                .check(SPARK);
    }

    /** Users of pipelines meet these types; everything else in the package is internal. */
    @Test
    void onlyStagesAndSummariesArePublic() {
        assertThat(SPARK.stream()
                        .filter(type -> type.getPackageName().equals("holdfast.spark")
                                && type.getModifiers().contains(JavaModifier.PUBLIC)
                                && type.isTopLevelClass())
                        .map(JavaClass::getSimpleName))
                .containsExactlyInAnyOrder(
                        "RobustClassificationSummary",
                        "RobustClassificationTrainingSummary",
                        "RobustEstimator",
                        "RobustLinearEstimator",
                        "RobustLinearParams",
                        "RobustLinearRegression",
                        "RobustLinearRegressionModel",
                        "RobustLinearSVC",
                        "RobustLinearSVCModel",
                        "RobustLogisticRegression",
                        "RobustLogisticRegressionModel",
                        "RobustModel",
                        "RobustNetworkClassificationModel",
                        "RobustNetworkClassifier",
                        "RobustNetworkEstimator",
                        "RobustNetworkParams",
                        "RobustNetworkRegressionModel",
                        "RobustNetworkRegressor",
                        "RobustParams",
                        "RobustPoissonRegression",
                        "RobustPoissonRegressionModel",
                        "RobustProbabilisticModel",
                        "RobustRegressionModel",
                        "RobustRegressionSummary",
                        "RobustRegressionTrainingSummary",
                        "RobustSummary",
                        "SparkTraining");
    }

    @Test
    void packagesHaveNoCycles() {
        slices().matching("holdfast.(**)").should().beFreeOfCycles().check(SPARK);
    }
}
