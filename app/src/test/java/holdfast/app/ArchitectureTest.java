package holdfast.app;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

class ArchitectureTest {
    private static final JavaClasses APP = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("holdfast.app");

    /** An engine is found when the program runs, so none is among them. */
    @Test
    void appNeedsCoreFormatsAndItsLibrariesOnly() {
        classes()
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage("java..", "holdfast..", "picocli..", "com.fasterxml.jackson..")
                .check(APP);
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("holdfast.spark..", "holdfast.testkit..")
                .check(APP);
    }

    @Test
    void eachPackageKnowsThoseBelowIt() {
        layeredArchitecture()
                .consideringOnlyDependenciesInLayers()
                .layer("program")
                .definedBy("holdfast.app")
                .layer("command")
                .definedBy("holdfast.app.command..")
                .layer("report")
                .definedBy("holdfast.app.report..")
                .layer("lab")
                .definedBy("holdfast.app.lab..")
                .whereLayer("program")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("command")
                .mayOnlyBeAccessedByLayers("program")
                .whereLayer("report")
                .mayOnlyBeAccessedByLayers("command")
                .whereLayer("lab")
                .mayOnlyBeAccessedByLayers("command", "report")
                .check(APP);
    }

    @Test
    void experimentsDoNotKnowEachOther() {
        slices().matching("holdfast.app.lab.(*)..")
                .should()
                .notDependOnEachOther()
                .check(APP);
    }

    @Test
    void onlyCommandsKnowTheCommandLine() {
        noClasses()
                .that()
                .resideInAnyPackage("holdfast.app.lab..", "holdfast.app.report..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("picocli..")
                .check(APP);
    }

    @Test
    void onlyReportsWriteJson() {
        noClasses()
                .that()
                .resideOutsideOfPackages("holdfast.app.report..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("com.fasterxml..")
                .check(APP);
    }
}
