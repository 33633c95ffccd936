package holdfast;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import org.junit.jupiter.api.Test;

class ArchitectureTest {
    private static final String VECTOR_API = "jdk.incubator.vector";
    private static final String VECTOR_CLASSES = "holdfast\\.math\\.Vector(Kernels|Floats|Powers|Products).*";
    private static final List<String> ORDER = List.of(
            "math",
            "data",
            "model",
            "objective",
            "theory",
            "aggregate",
            "attack",
            "rounds",
            "preparation",
            "shift",
            "plan",
            "evaluation",
            "training",
            "sources",
            "certificate");
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

    /** What a newcomer can rely on: to understand a package, those before it are enough. */
    @Test
    void packagesKnowOnlyThoseBeforeThem() {
        assertThat(CORE.stream()
                        .map(JavaClass::getPackageName)
                        .filter(name -> !name.equals("holdfast"))
                        .map(name -> name.split("\\.")[1]))
                .as("packages of core; a new one gets its place in the order")
                .isSubsetOf(ORDER);
        for (int i = 0; i + 1 < ORDER.size(); i++) {
            noClasses()
                    .that()
                    .resideInAPackage("holdfast." + ORDER.get(i) + "..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(ORDER.subList(i + 1, ORDER.size()).stream()
                            .map(later -> "holdfast." + later + "..")
                            .toArray(String[]::new))
                    .check(CORE);
        }
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
