package holdfast.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the documentation shows is run as it stands there. */
class DocumentationIT {
    private static final Pattern JAVA = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
    private static final Pattern YAML = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL);

    /** Minutes long; the tests of these commands and the guide run them smaller. */
    private static final Pattern LONG = Pattern.compile("^./holdfast (paper|redteam|breakpoint) *(#|$)");

    @TempDir
    private Path folder;

    private static String document(String name) throws IOException {
        return Files.readString(Program.root().resolve(name));
    }

    @Test
    void theFiveLinesOfTheReadmeCompileAndRun() throws IOException, InterruptedException {
        Program program = new Program(folder);
        program.writeMail();
        List<String> snippets = JAVA.matcher(document("README.md"))
                .results()
                .map(m -> m.group(1))
                .toList();
        assertThat(snippets).hasSize(1);
        assertThat(snippets.get(0).lines()).hasSize(5);
        Files.writeString(folder.resolve("Readme.java"), """
                import holdfast.aggregate.*;
                import holdfast.data.*;
                import holdfast.formats.*;
                import holdfast.objective.*;
                import holdfast.plan.*;
                import holdfast.shift.*;
                import holdfast.training.*;
                import java.nio.file.*;

                public class Readme {
                    public static void main(String[] args) {
                """ + snippets.get(0) + "}}\n");
        Program.Ended ended = program.shell("'" + System.getProperty("java.home") + "/bin/java' -cp '"
                + Program.root().resolve("app/target/holdfast.jar") + "' Readme.java");
        assertThat(ended.err()).isEmpty();
        assertThat(ended.out()).startsWith("Evaluation[shift=l2 0.3, rows=1380, error=0.1");
        assertThat(folder.resolve("model.json")).isNotEmptyFile();
    }

    @Test
    void theGuidesChoiceOfKernelsIsOneLineWhenItIsNone() throws IOException, InterruptedException {
        Program.Ended ended = new Program(folder)
                .shell("'" + System.getProperty("java.home") + "/bin/java' -Dholdfast.kernels=foo -jar '"
                        + Program.root().resolve("app/target/holdfast.jar")
                        + "' train builtin:digits --rounds 1 --quiet");
        assertThat(ended.err()).isEqualTo("holdfast: holdfast.kernels must be plain or vector, got foo\n");
        assertThat(ended.code()).isEqualTo(2);
    }

    /** The commands in blocks of code that name no language. */
    private static List<String> commands(String document) {
        List<String> commands = new ArrayList<>();
        String language = null;
        for (String line : document.lines().toList()) {
            if (line.startsWith("```")) {
                language = language == null ? line.substring(3) : null;
            } else if (line.startsWith("./holdfast ") && "".equals(language)) {
                commands.add(line);
            }
        }
        return commands;
    }

    /** The chapter of the guide with this heading. */
    private static String chapter(String heading) throws IOException {
        String guide = document("docs/guide.md");
        int start = guide.indexOf("\n## " + heading + "\n");
        return guide.substring(start, guide.indexOf("\n## ", start + 1));
    }

    private void copyExamples() throws IOException {
        Files.createDirectory(folder.resolve("examples"));
        Files.copy(Program.root().resolve("examples/visits.csv"), folder.resolve("examples/visits.csv"));
    }

    @Test
    void theMessyTableGivesWhatTheGuideShows() throws IOException, InterruptedException {
        Program program = new Program(folder);
        copyExamples();
        StringBuilder said = new StringBuilder();
        List<String> shown = new ArrayList<>();
        String language = null;
        for (String line :
                chapter("A messy table from beginning to end").lines().toList()) {
            if (line.startsWith("```")) {
                language = language == null ? line.substring(3) : null;
            } else if ("text".equals(language)) {
                shown.add(line);
            } else if ("".equals(language)) {
                Program.Ended ended = program.shell(line);
                assertThat(ended.code()).as("%s%n%s", line, ended.err()).isZero();
                said.append(ended.out());
            }
        }
        assertThat(said.toString().lines()).containsAll(shown);
        assertThat(shown).hasSizeGreaterThan(10);
    }

    @Test
    void theExampleIsWhatItsProgramWrites() throws IOException, InterruptedException {
        Program.Ended ended =
                new Program(folder).shell("python3 '" + Program.root().resolve("examples/visits.py") + "'");
        assertThat(ended.code()).as(ended.err()).isZero();
        assertThat(ended.out()).isEqualTo(document("examples/visits.csv"));
    }

    @Test
    void theCommandsOfReadmeAndGuideRun() throws IOException, InterruptedException {
        Program program = new Program(folder);
        program.writeMail();
        program.writeVisits();
        program.writeHospitals();
        program.writeVectors();
        program.writeClaims();
        program.writeNews();
        copyExamples();
        program.shell("sed 's/,ICU,/,icu,/' examples/visits.csv > mended.csv");
        for (String copy : List.of("later.csv", "new.csv")) {
            Files.copy(folder.resolve("mail.csv"), folder.resolve(copy), StandardCopyOption.REPLACE_EXISTING);
        }
        Files.writeString(
                folder.resolve("big.csv"),
                Files.readString(folder.resolve("visits.csv"))
                        .replaceAll(",H\\d,", ",")
                        .replace("hospital,ill", "y"));
        List<String> commands = new ArrayList<>();
        for (String name : List.of("README.md", "docs/guide.md")) {
            commands(document(name)).stream()
                    .filter(line -> !LONG.matcher(line).find())
                    .forEach(commands::add);
        }
        List<String> plans = YAML.matcher(document("docs/guide.md"))
                .results()
                .map(m -> m.group(1))
                .toList();
        assertThat(plans).hasSize(1);
        Files.writeString(folder.resolve("redteam.yaml"), plans.get(0));
        commands.add("./holdfast redteam redteam.yaml --rounds 5 --seeds 1");
        assertThat(commands).hasSizeGreaterThan(10);
        for (String command : commands) {
            Program.Ended ended = program.shell(command);
            assertThat(ended.code()).as("%s%n%s", command, ended.err()).isZero();
            if (command.contains("train visits.csv")
                    && command.contains("--workers-by hospital")
                    && !command.contains("--vote")) {
                assertThat(ended.out()).contains("\n  H2\n    suspect: ");
            }
            if (command.contains("train hospital-*.csv")) {
                assertThat(ended.out()).contains("unusable  hospital-4, ").contains("\n  hospital-2\n    suspect: ");
            }
        }
    }
}
