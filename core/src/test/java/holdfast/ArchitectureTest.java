package holdfast;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

class ArchitectureTest {
    private static final String VECTOR_API = "jdk.incubator.vector";
    private static final String VECTOR_CLASSES = "holdfast\\.math\\.Vector(Kernels|Floats|Powers).*";
    private static final JavaClasses CORE = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("holdfast");

    @Test
    void coreNeedsTheJdkOnly() {
        classes()
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage("java..", "holdfast..", VECTOR_API)
                .check(CORE);
    }

    @Test
    void coreRunsWithoutTheVectorApi() {
        noClasses()
                .that()
                .haveNameNotMatching(VECTOR_CLASSES)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(VECTOR_API)
                .orShould()
                .dependOnClassesThat()
                .haveNameMatching(VECTOR_CLASSES)
                .check(CORE);
    }

    @Test
    void packagesHaveNoCycles() {
        slices().matching("holdfast.(*)..").should().beFreeOfCycles().check(CORE);
    }

    @Test
    void whatAllUseUsesNothing() {
        noClasses()
                .that()
                .resideInAPackage("holdfast")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("holdfast.*..")
                .check(CORE);
    }
}
