package holdfast.modulepath;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.formats.DataFile;
import java.io.File;
import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Formats as a module, with its libraries; the other tests run on the class path, where {@code module-info} says nothing. */
class FormatsOnModulePathTest {
    private static final Path FORMATS = Path.of(
            DataFile.class.getProtectionDomain().getCodeSource().getLocation().getPath());

    /** Entries of the class path, with or without the classes of tests. */
    private static String entries(boolean tests) {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> entry.endsWith("test-classes") == tests)
                .collect(Collectors.joining(File.pathSeparator));
    }

    @Test
    void filesAreReadAndWritten() throws IOException, InterruptedException {
        // What holdfast.formats does not require, as the libraries of the tests, is not resolved. The main class is on
        // the
        // class path; its package is in no module, else that module's would be searched for it.
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--module-path",
                        entries(false),
                        "--add-modules",
                        "holdfast.formats",
                        "-cp",
                        entries(true),
                        ReadsAndWrites.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String printed = new String(process.getInputStream().readAllBytes());
        assertThat(process.waitFor()).isZero();
        assertThat(printed).isEqualTo("holdfast.formats " + ReadsAndWrites.model() + System.lineSeparator());
    }

    @Test
    void everyPackageWithCodeIsExported() {
        ModuleDescriptor formats =
                ModuleFinder.of(FORMATS).find("holdfast.formats").orElseThrow().descriptor();
        assertThat(formats.exports())
                .extracting(ModuleDescriptor.Exports::source)
                .containsExactlyInAnyOrderElementsOf(formats.packages());
    }
}
