package holdfast.spark.engine;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A standalone Master and two Workers as processes of their own, from the jars that the tests run with, on the loopback
 * interface. Holdfast itself is not among their jars: it travels with an application.
 */
final class Cluster implements AutoCloseable {
    private static final Pattern URL = Pattern.compile("Starting Spark master at (spark://127\\.0\\.0\\.1:\\d+)");
    private static final int SECONDS = 60;

    /** For a JVM that does not live long enough to be worth much compiling. */
    static final String BRIEF = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC";

    private final Path folder;
    private final List<Process> processes = new ArrayList<>();
    private final List<String> application = new ArrayList<>();
    private final String url;

    private Cluster(Path folder) throws IOException, InterruptedException {
        this.folder = folder;
        Path jars = Files.createDirectories(folder.resolve("home/jars"));
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            Path path = Path.of(entry).toAbsolutePath();
            if (Files.isDirectory(path)) {
                application.add(packed(path).toString());
            } else if (path.getFileName().toString().startsWith("holdfast")) {
                application.add(path.toString());
            } else if (Files.exists(path)) {
                Files.createSymbolicLink(jars.resolve(path.getFileName()), path);
            }
        }
        try {
            Path log = start("master.Master", "--host", "127.0.0.1", "--port", "0", "--webui-port", "0");
            url = awaited(log, URL);
            // A task is never tried twice at once on one host: these are two by name.
            for (String host : List.of("127.0.0.1", "localhost")) {
                Path worker = start(
                        "worker.Worker",
                        "--host",
                        host,
                        "--port",
                        "0",
                        "--webui-port",
                        "0",
                        "--cores",
                        "1",
                        "--memory",
                        "1g",
                        "--work-dir",
                        folder.resolve("work-" + host).toString(),
                        url);
                awaited(worker, Pattern.compile("(Successfully registered with master)"));
            }
        } catch (IOException | InterruptedException | RuntimeException e) {
            close();
            throw e;
        }
    }

    static Cluster start(Path folder) throws IOException, InterruptedException {
        return new Cluster(folder);
    }

    /** The classes of a folder as a jar. */
    private Path packed(Path classes) throws IOException {
        Path jar = folder.resolve(classes.getFileName() + "-" + application.size() + ".jar");
        try (FileSystem zip = FileSystems.newFileSystem(URI.create("jar:" + jar.toUri()), Map.of("create", "true"));
                Stream<Path> files = Files.walk(classes)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path to = zip.getPath("/" + classes.relativize(file));
                Files.createDirectories(to.getParent());
                Files.copy(file, to);
            }
        }
        return jar;
    }

    /** Returns its log. */
    private Path start(String main, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx256m"));
        command.addAll(List.of((BRIEF + " " + System.getProperty("holdfast.flags")).split(" ")));
        command.addAll(List.of(
                "-Dspark.master.rest.enabled=false",
                "-cp",
                folder.resolve("home/jars") + "/*",
                "org.apache.spark.deploy." + main));
        command.addAll(List.of(arguments));
        Path log = folder.resolve(processes.size() + ".log");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment()
                .putAll(Map.of(
                        "SPARK_HOME",
                        folder.resolve("home").toString(),
                        "SPARK_SCALA_VERSION",
                        "2.13",
                        "SPARK_LOCAL_IP",
                        "127.0.0.1"));
        processes.add(builder.start());
        return log;
    }

    private String awaited(Path log, Pattern sign) throws IOException, InterruptedException {
        Process process = processes.get(processes.size() - 1);
        for (int i = 0; i < 10 * SECONDS && process.isAlive(); i++) {
            Matcher matcher = sign.matcher(Files.readString(log));
            if (matcher.find()) {
                return matcher.group(1);
            }
            Thread.sleep(100); // Another process writes it.
        }
        throw new IllegalStateException("no '" + sign + "' in its log: " + Files.readString(log));
    }

    String url() {
        return url;
    }

    /** The jars of an application that has Holdfast and its tests. */
    String application() {
        return String.join(",", application);
    }

    /** The processes in which tasks run. */
    List<ProcessHandle> executors() {
        return processes.stream()
                .flatMap(Process::descendants)
                .filter(process -> process.info().commandLine().orElse("").contains("CoarseGrainedExecutorBackend"))
                .toList();
    }

    @Override
    public void close() {
        List<ProcessHandle> all = processes.stream()
                .flatMap(process -> Stream.concat(process.descendants(), Stream.of(process.toHandle())))
                .toList();
        all.forEach(ProcessHandle::destroyForcibly);
        for (Process process : processes) {
            try {
                process.waitFor(SECONDS, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
