package holdfast.spark;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
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

    @Test
    void packagesHaveNoCycles() {
        slices().matching("holdfast.(**)").should().beFreeOfCycles().check(SPARK);
    }
}
