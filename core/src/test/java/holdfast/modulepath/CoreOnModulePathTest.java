package holdfast.modulepath;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.ReferencedClassObject;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import holdfast.math.Kernels;
import java.io.File;
import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Core as a module. The other tests run on the class path, where every package is open and {@code module-info} says nothing.
 */
class CoreOnModulePathTest {
    private static final String VECTOR_MODULE = "--add-modules jdk.incubator.vector";
    private static final String LATE_LOADING = "--add-opens java.base/jdk.internal.module=holdfast.core";
    private static final Path CORE = Path.of(
            Kernels.class.getProtectionDomain().getCodeSource().getLocation().getPath());

    @ParameterizedTest
    @CsvSource(
            nullValues = "none",
            value = {
                VECTOR_MODULE + ", vector",
                LATE_LOADING + ", vector",
                LATE_LOADING + " -Dholdfast.kernels=plain, plain",
                "none, plain"
            })
    void theVectorKernelsAreChosenWhereTheJvmHasTheirModule(String flags, String expected)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        if (flags != null) {
            command.addAll(Arrays.asList(flags.split(" ")));
        }
        // The main class is on the class path; its package is in no module, else that module's would be searched for
        // it.
        command.addAll(List.of("--module-path", CORE.toString(), "--add-modules", "holdfast.core"));
        command.addAll(List.of("-cp", testClasses(), PrintsKernels.class.getName()));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String printed = new String(process.getInputStream().readAllBytes());
        assertThat(process.waitFor()).isZero();
        assertThat(printed).isEqualTo("holdfast.core " + expected + " 285.0" + System.lineSeparator());
    }

    @Test
    void everyPackageIsExported() {
        assertThat(descriptor().exports())
                .allMatch(exported -> !exported.isQualified())
                .extracting(ModuleDescriptor.Exports::source)
                .containsExactlyInAnyOrderElementsOf(descriptor().packages());
    }

    /** In a module that does not say so, looking for them fails. */
    @Test
    void everyServiceThatIsLookedForIsUsed() {
        Set<String> sought = new ClassFileImporter()
                .importPath(CORE).stream()
                        .flatMap(type -> type.getMethodCallsFromSelf().stream())
                        .filter(call -> call.getTargetOwner().isEquivalentTo(ServiceLoader.class)
                                && call.getName().equals("load"))
                        .flatMap(call -> call.getOrigin().getReferencedClassObjects().stream())
                        .map(ReferencedClassObject::getRawType)
                        .filter(JavaClass::isInterface)
                        .map(JavaClass::getName)
                        .collect(Collectors.toSet());
        assertThat(sought).isNotEmpty().isEqualTo(descriptor().uses());
    }

    private static ModuleDescriptor descriptor() {
        return ModuleFinder.of(CORE).find("holdfast.core").orElseThrow().descriptor();
    }

    private static String testClasses() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> entry.endsWith("test-classes"))
                .findFirst()
                .orElseThrow();
    }
}
