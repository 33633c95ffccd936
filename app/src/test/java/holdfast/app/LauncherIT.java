package holdfast.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardCopyOption.COPY_ATTRIBUTES;
import static java.nio.file.StandardOpenOption.APPEND;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The script {@code holdfast} as its users meet it: in a fresh copy of the clone, with what their machines have or
 * lack. One test builds with Maven; for the others a stand-in puts the jar of this build in place and counts how often
 * it was called.
 */
class LauncherIT {
    private static final Path ROOT = root();
    private static final String JAVA_HOME = System.getProperty("java.home");
    private static final String SOURCE = "app/src/main/java/holdfast/app/Main.java";

    /** That of the machine, less what would change the behaviour of the script. */
    private static final Map<String, String> OUTER_ENVIRONMENT = new TreeMap<>(System.getenv());

    static {
        OUTER_ENVIRONMENT.keySet().removeIf(name -> name.matches("HOLDFAST_.*|XDG_.*|CDPATH|.*JAVA.*OPTIONS"));
    }

    @TempDir
    Path temp;

    private final Map<String, String> environment = new TreeMap<>(OUTER_ENVIRONMENT);
    private final List<String> asUser = new ArrayList<>();
    private Path clone;
    private Path home;
    private Path maven;

    @BeforeEach
    void copyTheClone() throws IOException {
        clone = temp.resolve("clone");
        copyClone(clone);
        home = Files.createDirectory(temp.resolve("home"));
        maven = Files.createDirectory(temp.resolve("maven"));
        Files.copy(ROOT.resolve("app/target/holdfast.jar"), maven.resolve("holdfast.jar"));
        Files.createFile(maven.resolve("calls"));
        executable(maven.resolve("mvn"), """
                #!/usr/bin/env bash
                cd "$(dirname "$0")"
                echo called >>calls
                while [ -e wait ]; do sleep 0.05; done
                if [ -e fail ]; then echo "[ERROR] cannot build $OLDPWD/core/pom.xml" && exit 1; fi
                mkdir -p "$OLDPWD/app/target"
                cp holdfast.jar "$OLDPWD/app/target"
                """);
        environment.put("JAVA_HOME", JAVA_HOME);
        environment.put("HOME", home.toString());
        environment.put("PATH", maven + ":" + System.getenv("PATH"));
    }

    /** What the removal of the temporary folder would complain about. */
    @AfterEach
    void tidyUp() throws Exception {
        shell("find . -type l -delete; chmod -R u+w .");
    }

    @Test
    void isBuiltByMavenAndFoundThroughLinksUnderAPathWithSpacesAndOtherLetters() throws Exception {
        shell("mv clone \"$(printf 'my cl\\303\\266ne')\"; mkdir bin");
        shell("ln -s bin/holdfast link; cd bin; ln -s ../my*/holdfast holdfast");
        environment.putAll(OUTER_ENVIRONMENT); // with the settings and the repository of the build that runs this test
        environment.put("JAVA_HOME", JAVA_HOME);
        environment.put("HOLDFAST_MVN_ARGS", "-o -Dmaven.repo.local=" + System.getProperty("localRepository"));
        environment.put("LC_ALL", "C");

        Run first = run(temp.resolve("link"), "--version");
        Run second = run(temp.resolve("link"), "--version");

        assertThat(first.err())
                .isEqualTo("holdfast: building with Java %s (%s), first use only...\n"
                        .formatted(System.getProperty("java.version"), JAVA_HOME));
        assertThat(second).isEqualTo(new Run(0, first.out(), ""));
        assertThat(second.out()).contains(JAVA_HOME);
    }

    @Test
    void callsMavenOnlyWhenASourceChanged() throws Exception {
        Path extra = clone.resolve("core/src/main/resources/extra.txt");
        Files.createDirectories(extra.getParent());
        assertThat(run("--help").exit()).isZero();
        assertThat(run("--help").err()).isEmpty();
        assertCalls(1);

        Files.createDirectories(clone.resolve("core/src/test/java"));
        Files.writeString(clone.resolve("core/src/test/java/ExtraTest.java"), "class ExtraTest {}");
        assertThat(run("--help").err()).isEmpty();
        assertCalls(1);

        Files.setLastModifiedTime(clone.resolve(SOURCE), FileTime.from(Instant.now()));
        assertThat(run("--help").err()).contains("sources changed, building with Java");
        assertCalls(2);

        Files.writeString(extra, "new");
        run("--help");
        assertCalls(3);

        Files.writeString(extra, "old");
        Files.setLastModifiedTime(extra, FileTime.from(Instant.EPOCH));
        run("--help");
        assertCalls(4);

        Files.delete(extra);
        run("--help");
        assertCalls(5);

        assertThat(run("--help").err()).isEmpty();
        assertCalls(5);
    }

    @Test
    void aFailedBuildIsShownAndTheJarOfBeforeIsNotRun() throws Exception {
        run("--help");
        Files.createFile(maven.resolve("fail"));
        Files.writeString(clone.resolve(SOURCE), "// changed", APPEND);

        for (int start = 0; start < 2; start++) {
            Run failed = run("--help");
            assertThat(failed.exit()).isEqualTo(1);
            assertThat(failed.out()).isEmpty();
            assertThat(failed.err())
                    .contains("[ERROR] cannot build core/pom.xml\n")
                    .contains("the build failed; all that Maven said is in " + clone.resolve("target/run/build.log"));
        }

        Files.delete(maven.resolve("fail"));
        assertThat(run("--help").exit()).isZero();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void twoFirstStartsBuildOnce(boolean flock) throws Exception {
        if (!flock) {
            environment.put("PATH", maven + ":" + pathWithout("flock"));
        }
        Path hold = Files.createFile(maven.resolve("wait"));
        Start one = start("one", "--help");
        await(maven.resolve("calls"), "called");
        Start other = start("other", "--help");
        await(other.err(), "waiting for");
        Files.delete(hold);

        assertThat(one.end()).isEqualTo(new Run(0, run("--help").out(), Files.readString(one.err())));
        assertThat(other.end().exit()).isZero();
        assertThat(other.end().err()).hasLineCount(1);
        assertCalls(1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anInterruptedBuildKeepsNobodyWaiting(boolean flock) throws Exception {
        if (!flock) {
            environment.put("PATH", maven + ":" + pathWithout("flock"));
        }
        Path hold = Files.createFile(maven.resolve("wait"));
        Start interrupted = start("interrupted", "--help");
        await(maven.resolve("calls"), "called");
        interrupted.process().destroy();
        assertThat(interrupted.end().exit()).isEqualTo(128 + 15);

        Files.delete(hold);
        Run next = run("--help");
        assertThat(next.exit()).isZero();
        assertThat(next.err()).doesNotContain("waiting").contains("building with Java");
    }

    @Test
    void anUnsuitableJavaHomeIsSkippedWithALine() throws Exception {
        environment.put("PATH", maven + ":" + JAVA_HOME + "/bin:" + System.getenv("PATH"));
        Path java = Files.createDirectories(temp.resolve("java/bin")).getParent();
        environment.put("JAVA_HOME", java.toString());
        String skipped = "holdfast: JAVA_HOME=" + java + " is skipped: ";

        Run broken = run("--version");
        assertThat(broken.err()).startsWith(skipped + "it has no bin/java\n");
        assertThat(broken.out()).contains(JAVA_HOME);

        executable(java.resolve("bin/java"), "#!/bin/sh\nexec '" + JAVA_HOME + "/bin/java' \"$@\"\n");
        Files.writeString(java.resolve("release"), "JAVA_VERSION=\"11.0.2\"\n");
        assertThat(run("--help").err()).isEqualTo(skipped + "it is Java 11.0.2 and 17 or later is needed\n");

        Files.delete(java.resolve("release"));
        assertThat(run("--help").err()).isEmpty();

        Files.setLastModifiedTime(clone.resolve("pom.xml"), FileTime.from(Instant.now()));
        Run needingCompiler = run("--help");
        assertThat(needingCompiler.exit()).isZero();
        assertThat(needingCompiler.err()).startsWith(skipped + "it has no javac and a build is needed\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "train --engine spark rows.csv",
                "train rows.csv --engine=spark",
                "train rows.csv --label y --json --engine spark"
            })
    void sparkIsRefusedInOneLineOnAJavaItDoesNotRunOn(String arguments) throws Exception {
        Path java = Files.createDirectories(temp.resolve("java/bin")).getParent();
        executable(java.resolve("bin/java"), "#!/bin/sh\necho 'openjdk version \"25\" 2025-09-16' >&2\n");
        executable(java.resolve("bin/javac"), "#!/bin/sh\n");
        environment.put("JAVA_HOME", java.toString());

        String said =
                "holdfast: Spark 4 runs on Java 17 to 21, got Java 25 (" + java + "); JAVA_HOME may name another\n";
        assertThat(run(arguments.split(" "))).isEqualTo(new Run(2, "", said));
        assertCalls(0);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "train --engine spark --help",
                "train rows.csv -h --engine=spark",
                "train rows.csv --engine spark --print-plan",
                "train --version --engine spark"
            })
    void whatOnlyPrintsDoesNotBuildSpark(String arguments) throws Exception {
        Run printed = run(arguments.split(" "));
        assertThat(printed.exit()).as(printed.err()).isZero();
        assertThat(printed.out()).isNotEmpty();
        assertThat(printed.err()).contains("building with Java").doesNotContain("Spark");
        assertThat(clone.resolve("target/run/spark")).doesNotExist();
    }

    @Test
    void whatIsMissingIsNamedInOneLine() throws Exception {
        environment.put("PATH", pathWithout("mvn"));
        assertRefused("Maven");

        environment.put("PATH", maven + ":" + pathWithout("java"));
        environment.remove("JAVA_HOME");
        Files.writeString(clone.resolve("scripts/common.sh"), "\njava_folders=('" + temp + "/nowhere')\n", APPEND);
        assertRefused("no JDK of version 17 or later found");

        environment.put("JAVA_HOME", JAVA_HOME);
        assertThat(run("--help").exit()).isZero();
        environment.remove("JAVA_HOME");
        assertRefused("no Java of version 17 or later found");
    }

    @Test
    void aReadOnlyCloneIsBuiltInTheCacheOfTheUser() throws Exception {
        shell("chmod -R a+rwX . && chmod -R a-w clone");
        if (System.getProperty("user.name").equals("root")) {
            asUser.addAll(List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"));
        }

        assertThat(run("--help").exit()).isZero();
        assertThat(run("--help").err()).isEmpty();
        assertCalls(1);
        assertThat(clone.resolve("target")).doesNotExist();
        assertThat(home.resolve(".cache/holdfast"))
                .isDirectoryRecursivelyContaining(path -> path.endsWith("holdfast.jar"));

        environment.remove("HOME");
        environment.put("TMPDIR", home.toString());
        assertThat(run("--help").exit()).isZero();
        assertThat(run("--help").err()).isEmpty();
        assertCalls(2);
    }

    @Test
    void theJvmAddsNothingToTheOutput() throws Exception {
        String help = run("--help").out();
        Path state = clone.resolve("target/run");

        environment.put("JAVA_TOOL_OPTIONS", "-Da='b c'");
        environment.put("JDK_JAVA_OPTIONS", "-Dd=e");
        environment.put("_JAVA_OPTIONS", "-XX:+UseSerialGC");
        assertThat(run("--help")).isEqualTo(new Run(0, help, ""));

        Files.setLastModifiedTime(state.resolve("holdfast.jar"), FileTime.from(Instant.EPOCH));
        assertThat(run("--help")).isEqualTo(new Run(0, help, ""));

        try (Stream<Path> files = Files.list(state)) {
            Path archive = files.filter(file -> file.toString().endsWith(".jsa"))
                    .findAny()
                    .orElseThrow();
            Files.delete(archive);
            Files.writeString(archive, "of another Java");
        }
        assertThat(run("--help")).isEqualTo(new Run(0, help, ""));
    }

    private void assertCalls(int expected) throws IOException {
        assertThat(Files.readAllLines(maven.resolve("calls"))).hasSize(expected);
    }

    private void assertRefused(String reason) throws Exception {
        Run refused = run("--help");
        assertThat(refused.exit()).isEqualTo(3);
        assertThat(refused.out()).isEmpty();
        assertThat(refused.err()).contains(reason).contains("to install it: ").hasLineCount(1);
    }

    private Run run(String... arguments) throws Exception {
        return run(clone.resolve("holdfast"), arguments);
    }

    private Run run(Path script, String... arguments) throws Exception {
        return start("run", script, arguments).end();
    }

    private Start start(String name, String argument) throws Exception {
        return start(name, clone.resolve("holdfast"), argument);
    }

    private Start start(String name, Path script, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(asUser);
        command.add(script.toString());
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).directory(home.toFile());
        builder.environment().clear();
        builder.environment().putAll(environment);
        Path out = temp.resolve(name + ".out");
        Path err = temp.resolve(name + ".err");
        return new Start(
                builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start(), out, err);
    }

    private record Start(Process process, Path out, Path err) {
        Run end() throws Exception {
            assertThat(process.waitFor(120, SECONDS)).as("ends").isTrue();
            return new Run(process.exitValue(), Files.readString(out), Files.readString(err));
        }
    }

    private record Run(int exit, String out, String err) {}

    private void shell(String script) throws Exception {
        Process process = new ProcessBuilder("bash", "-ec", script)
                .directory(temp.toFile())
                .inheritIO()
                .start();
        assertThat(process.waitFor()).isZero();
    }

    private static void await(Path file, String text) throws Exception {
        Instant end = Instant.now().plusSeconds(60);
        while (!Files.readString(file).contains(text)) {
            assertThat(Instant.now()).as("\"%s\" in %s", text, file).isBefore(end);
            Thread.sleep(20); // another process writes it and cannot tell us
        }
    }

    /** A folder of links to all commands of PATH but one. */
    private String pathWithout(String command) throws IOException {
        Path folder = Files.createDirectory(temp.resolve("without " + command));
        for (String entry : System.getenv("PATH").split(":")) {
            if (!Files.isDirectory(Path.of(entry))) {
                continue;
            }
            try (Stream<Path> files = Files.list(Path.of(entry))) {
                for (Path file : files.toList()) {
                    Path link = folder.resolve(file.getFileName());
                    if (!link.endsWith(command) && Files.notExists(link, NOFOLLOW_LINKS)) {
                        Files.createSymbolicLink(link, file);
                    }
                }
            }
        }
        return folder.toString();
    }

    private static void executable(Path file, String text) throws IOException {
        Files.writeString(file, text, UTF_8);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static void copyClone(Path target) throws IOException {
        Set<String> left = Set.of("target", ".git", ".idea", ".vscode", ".settings");
        Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) throws IOException {
                if (left.contains(folder.getFileName().toString())) {
                    return FileVisitResult.SKIP_SUBTREE;
                }
                Files.createDirectories(target.resolve(ROOT.relativize(folder)));
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.copy(file, target.resolve(ROOT.relativize(file)), COPY_ATTRIBUTES);
                return FileVisitResult.CONTINUE;
            }
        });
    }

    private static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.isRegularFile(folder.resolve("holdfast"))) {
            folder = folder.getParent();
        }
        return folder;
    }
}
