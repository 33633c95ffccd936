package holdfast.formats;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

class ArchitectureTest {
    @Test
    void formatsKnowCoreAndTheirLibrariesOnly() {
        classes()
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "java..",
                        "com.fasterxml.jackson..",
                        "de.siegmar.fastcsv..",
                        "holdfast",
                        "holdfast.aggregate",
                        "holdfast.data",
                        "holdfast.evaluation",
                        "holdfast.model",
                        "holdfast.plan",
                        "holdfast.preparation",
                        "holdfast.rounds",
                        "holdfast.training",
                        "holdfast.formats")
                .check(new ClassFileImporter()
                        .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                        .importPackages("holdfast.formats"));
    }
}
