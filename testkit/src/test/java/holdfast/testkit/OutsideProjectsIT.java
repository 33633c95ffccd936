package holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Projects of users, built by Maven from what the modules publish, which is all of Holdfast that their local repository has.
 * Plugins and libraries come from the local repository of this build, so nothing is fetched.
 */
class OutsideProjectsIT {
    private static final Path BASE = Path.of(System.getProperty("basedir"));
    private static final String VERSION = System.getProperty("holdfast.version");
    private static final Path CORE = Path.of("holdfast", "holdfast-core", VERSION, "holdfast-core-" + VERSION + ".jar");

    @TempDir
    static Path folder;

    private static Path repository;
    private static Path settings;

    private record Result(int code, String said) {}

    @BeforeAll
    static void install() throws IOException {
        repository = Files.createDirectory(folder.resolve("repository"));
        for (String module : List.of("..", "../bom", "../core", ".")) {
            Path published = BASE.resolve(module).resolve("target/published");
            assertThat(published)
                    .as("what Maven publishes; `mvn -pl testkit -am verify` builds it")
                    .isDirectory();
            copy(published, repository);
        }
        settings = Files.writeString(folder.resolve("settings.xml"), """
                <settings>
                  <mirrors>
                    <mirror>
                      <id>this-build</id>
                      <mirrorOf>*</mirrorOf>
                      <url>%s</url>
                    </mirror>
                  </mirrors>
                </settings>
                """.formatted(
                        Path.of(System.getProperty("localRepository")).toUri()));
    }

    @Test
    void coreAloneTrainsOnTheModulePathAndOnTheClassPath() throws IOException, InterruptedException {
        Path project = project("core-alone");
        assertThat(maven(project, "compile"))
                .satisfies(built -> assertThat(built.code).as(built.said).isZero());

        String path = repository.resolve(CORE) + File.pathSeparator + project.resolve("target/classes");
        String opened = "java.base/jdk.internal.module=";
        Result asModule = java("--add-opens", opened + "holdfast.core", "-p", path, "-m", "outside/outside.Main");
        Result asClass = java("--add-opens", opened + "ALL-UNNAMED", "-cp", path, "outside.Main");
        assertThat(asModule.said).matches("outside, vector, \\[\\d+\\.\\d+, -\\d+\\.\\d+, -?\\d+\\.\\d+(E-\\d+)?]\\R");
        assertThat(asClass.said).isEqualTo(asModule.said.replaceFirst("outside", "null"));
    }

    @Test
    void anOwnRuleIsTestedByTheContract() throws IOException, InterruptedException {
        Path project = project("own-rule");
        Result built = maven(project, "test");
        assertThat(built.code).as(built.said).isZero();
        long laws = Stream.of(AggregatorContract.class.getDeclaredMethods())
                .filter(method -> method.isAnnotationPresent(Test.class))
                .count();
        assertThat(laws).isGreaterThan(10);
        assertThat(built.said).contains("Tests run: " + laws + ", Failures: 0, Errors: 0, Skipped: 0");
    }

    @Test
    void aRuleThatLiarsCanMoveFailsTheContract() throws IOException, InterruptedException {
        Path project = project("own-rule");
        Path rule = project.resolve("src/main/java/outside/LowerMedian.java");
        String median = Files.readString(rule);
        String maximum = median.replace("(values.length - 1) / 2", "values.length - 1");
        assertThat(maximum).isNotEqualTo(median);
        Files.writeString(rule, maximum);
        Result built = maven(project, "test");
        assertThat(built.code).as(built.said).isNotZero();
        assertThat(built.said)
                .contains("LowerMedianTest>AggregatorContract.liarsOfAnySize", "broken for Seed.of(")
                .contains("Errors: 0, Skipped: 0");
    }

    /** A fresh copy of one of the projects among the resources. */
    private static Path project(String name) throws IOException {
        try {
            Path target = Files.createTempDirectory(folder, name);
            copy(Path.of(OutsideProjectsIT.class.getResource(name).toURI()), target);
            return target;
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }

    private static Result maven(Path project, String phase) throws IOException, InterruptedException {
        return run(
                project,
                Path.of(System.getProperty("maven.home"), "bin", "mvn").toString(),
                "-B",
                "-ntp",
                "-s",
                settings.toString(),
                "-Dmaven.repo.local=" + repository,
                phase);
    }

    private static Result java(String... arguments) throws IOException, InterruptedException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        return run(folder, Stream.concat(Stream.of(java), Stream.of(arguments)).toArray(String[]::new));
    }

    private static Result run(Path directory, String... command) throws IOException, InterruptedException {
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true);
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Result(process.waitFor(), said);
    }

    /** Copies a tree into a folder that may have part of it. */
    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            files.filter(Files::isRegularFile).forEach(file -> {
                Path target = to.resolve(from.relativize(file).toString());
                try {
                    Files.createDirectories(target.getParent());
                    Files.copy(file, target);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
    }
}
