package holdfast.formats;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.codeUnits;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

class ArchitectureTest {
    private static final DescribedPredicate<JavaClass> OF_A_LIBRARY =
            resideInAnyPackage("com.fasterxml.jackson..", "de.siegmar.fastcsv..");
    private static final JavaClasses FORMATS = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("holdfast.formats");

    /** Which packages of Holdfast it sees is Maven's business: core is the only module it depends on. */
    @Test
    void formatsNeedCoreAndTheirLibrariesOnly() {
        classes()
                .should()
                .onlyDependOnClassesThat(
                        resideInAnyPackage("java..", "holdfast..").or(OF_A_LIBRARY))
                .check(FORMATS);
    }

    @Test
    void packagesHaveNoCycles() {
        slices().matching("holdfast.(**)").should().beFreeOfCycles().check(FORMATS);
    }

    /** Whoever uses formats must not need to know which libraries read them. */
    @Test
    void noLibraryIsInASignature() {
        codeUnits()
                .that()
                .arePublic()
                .and()
                .areDeclaredInClassesThat()
                .arePublic()
                .should()
                .notHaveRawReturnType(OF_A_LIBRARY)
                .andShould()
                .haveRawParameterTypes(DescribedPredicate.describe(
                        "of no library", types -> types.stream().noneMatch(OF_A_LIBRARY)))
                .check(FORMATS);
    }
}
