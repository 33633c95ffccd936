package holdfast.app;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.Randomness;
import holdfast.Seed;
import holdfast.app.command.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code train --report}. */
class RunPageTest {
    /** The tags of the page and their attributes, quoted. */
    private static final Pattern TAG = Pattern.compile("<(/?)([!a-zA-Z0-9]+)((?: [a-zA-Z-]+(?:=\"[^\"<>]*\")?)*) ?/?>");

    private static final Set<String> TAGS = Set.of(
            ("!DOCTYPE html head meta title style body h1 h2 h3 p section table thead tbody tr th td ul li b bdi br small"
                            + " span div dl dt dd pre code details summary svg path rect footer")
                    .split(" "));
    private static final Set<String> ATTRIBUTES =
            Set.of(("html lang charset name content http-equiv class scope data-label viewBox preserveAspectRatio"
                            + " aria-hidden d x y width height fill-opacity")
                    .split(" "));

    @TempDir
    private Path folder;

    private final Randomness random = Seed.of(5).child("page").random();

    private String path(String name) {
        return folder.resolve(name).toString();
    }

    /** Six sources of 60 rows; the third swaps its labels. */
    private String table(List<String> sources, String first, String label, String well, String ill) throws IOException {
        StringBuilder csv = new StringBuilder(quoted(first) + ",pressure,place," + quoted(label) + "\n");
        for (int row = 0; row < 60 * sources.size(); row++) {
            double[] x = random.gaussians(2);
            int source = row % sources.size();
            boolean sick = x[0] + x[1] + random.nextGaussian() / 2 > 0;
            csv.append(String.format(
                    Locale.ROOT,
                    "%.4f,%.4f,%s,%s%n",
                    x[0],
                    x[1],
                    quoted(sources.get(source)),
                    quoted(sick == (source == 2) ? well : ill)));
        }
        return Files.writeString(folder.resolve("table.csv"), csv).toString();
    }

    private static String quoted(String cell) {
        return '"' + cell.replace("\"", "\"\"") + '"';
    }

    private String page(String... command) throws IOException {
        Shell.Result result = Shell.run(command);
        assertThat(result.code()).as(result.err()).isZero();
        String html = Files.readString(folder.resolve("run.html"));
        requireOnlyOwnTags(html);
        return html;
    }

    /** Whatever begins with < or & must be a tag or an entity of the page itself. */
    private static void requireOnlyOwnTags(String html) {
        String body = html.replaceFirst("(?s)<style>.*?</style>", "<style></style>");
        List<MatchResult> tags = TAG.matcher(body).results().toList();
        assertThat(tags).hasSize((int) body.chars().filter(c -> c == '<').count());
        assertThat(tags).extracting(tag -> tag.group(2)).isSubsetOf(TAGS);
        for (MatchResult tag : tags) {
            assertThat(tag.group(3).replaceAll("=\"[^\"]*\"", "").trim().split(" "))
                    .filteredOn(name -> !name.isEmpty())
                    .isSubsetOf(ATTRIBUTES);
        }
        assertThat(TAG.matcher(body).replaceAll("")).doesNotContain("<").doesNotContain(">");
        assertThat(body).doesNotContainPattern("&(?!(amp|lt|gt|quot|#39);)");
        assertThat(html).doesNotContain("http:", "https:", "url(", "@import");
    }

    @Test
    void beginsWithTheNamedSourcesAndSaysHowToTrainWithoutThem() throws IOException {
        String table = table(List.of("Bonn", "Kiel", "Lima", "Oslo", "Rome", "Ulm"), "age", "ill", "no", "yes");
        String html = page("train", table, "--workers-by", "place", "--quiet", "--report", path("run.html"));
        assertThat(html).contains("1 of 6 sources is named: <bdi>Lima</bdi>.");
        assertThat(html).containsPattern("(?s)<tbody>\\s*<tr class=\"suspect\"><th scope=\"row\"><bdi>Lima</bdi>");
        assertThat(html).contains("<li>its labels contradict the others&#39;: agreement ");
        assertThat(html).contains("./holdfast train " + table + " --workers-by place --without Lima</pre>");
        assertThat(html).contains("Being screened accuses nobody");
        for (String name : List.of("Bonn", "Kiel", "Lima", "Oslo", "Rome", "Ulm")) {
            assertThat(html.split("<bdi>" + name + "</bdi>", -1).length - 1)
                    .as(name)
                    .isEqualTo(name.equals("Lima") ? 3 : 2);
        }
        assertThat(html.indexOf("<h2>Sources</h2>")).isPositive().isLessThan(html.indexOf("<h2>Data</h2>"));
        assertThat(html).contains("<h3>Calibration</h3>", "<h2>Shifts</h2>", "workers-by: place\n", "<b>fails</b>");
    }

    @Test
    void leavesOutMoreSourcesThanBefore() throws IOException {
        String table = table(List.of("Bonn", "Kiel", "Lima", "Oslo", "Rome", "Ulm"), "age", "ill", "no", "yes");
        String html = page(
                "train", table, "--workers-by", "place", "--without", "Ulm", "--quiet", "--report", path("run.html"));
        assertThat(html)
                .contains(" --workers-by place --without Ulm,Lima</pre>", "--workers-by place --without Ulm</pre>");
        assertThat(html).doesNotContain("<bdi>Ulm</bdi>").contains("1 of 5 sources is named");
    }

    @Test
    void sourcesThatAreHeldOutWholeHaveTheirFigures() throws IOException {
        String table = table(List.of("Bonn", "Kiel", "Lima", "Oslo", "Rome", "Ulm"), "age", "ill", "no", "yes");
        String html = page(
                "train",
                table,
                "--workers-by",
                "place",
                "--test-sources",
                "Ulm,Rome",
                "--quiet",
                "--report",
                path("run.html"));
        assertThat(html).containsPattern("(?s)Sources that took no part in training.*<bdi>Rome</bdi>.*<bdi>Ulm</bdi>");
    }

    @Test
    void namesFromDataStayText() throws IOException {
        List<String> hostile = List.of(
                "<script>alert(1)</script>",
                "\" onload=\"alert(2)",
                "{{plan}}",
                "'; --out x & $(touch y) `z` '",
                "\u202Etxet &amp; &lt;b&gt;",
                "$1 \\ </pre></table><img src=x onerror=alert(3)>");
        String table = table(hostile, "<svg onload=alert(4)>", "</style><i>", "<u>\u0007", "{{sources}}");
        String html = page("train", table, "--workers-by", "place", "--quiet", "--report", path("run.html"));
        assertThat(html)
                .contains("&lt;script&gt;alert(1)&lt;/script&gt;")
                .contains("<bdi>&quot; onload=&quot;alert(2)</bdi>")
                .contains("{{plan}}", "\u202Etxet &amp;amp; &amp;lt;b&amp;gt;</bdi>", "&lt;svg onload=alert(4)&gt;")
                .contains("--without &#39;{{plan}}&#39;</pre>");
    }

    @Test
    void anUnusableSourceComesBeforeThoseWithoutAVerdict() throws IOException {
        String table = table(List.of("Bonn", "Kiel", "Lima", "Oslo", "Rome", "Ulm"), "age", "ill", "no", "yes");
        Path file = Path.of(table);
        Files.writeString(file, Files.readString(file).replaceFirst("\n[^,]*,([^,]*),\"Rome\"", "\nold,$1,\"Rome\""));
        String html = page("train", table, "--workers-by", "place", "--quiet", "--report", path("run.html"));
        assertThat(html)
                .containsPattern("(?s)class=\"suspect\".*class=\"unusable\"><th scope=\"row\"><bdi>Rome</bdi>"
                        + ".*?column 1 \\(age\\).*<tr class=\"none\">");
        assertThat(html).contains("; 1 is unusable.").containsPattern("--without (Lima,Rome|Rome,Lima)</pre>");
        assertThat(html).contains("class=\"failed\"");
    }

    @Test
    void everyKindOfRunHasAPage() throws IOException {
        String digits =
                page("train", "builtin:digits", "--rounds", "4", "--quiet", "--report", path("run.html"), "--json");
        assertThat(digits).contains("10 workers, not compared with each other.", " = 7</bdi>", "Rows of each class");
        String table = table(List.of("Bonn", "Kiel", "Lima"), "age", "ill", "1.5", "2.5");
        String numbers = page(
                "train",
                table,
                "--workers-by",
                "place",
                "--model",
                "linear",
                "--lambda",
                "none",
                "--rule",
                "mean",
                "--test-share",
                "0",
                "--quiet",
                "--report",
                path("run.html"));
        assertThat(numbers)
                .contains("comparing sources needs at least", "No rows were tested.", "left out nobody")
                .doesNotContain("Calibration");
    }

    @Test
    void theReportIsNeverAnotherFileOfTheCommand() throws IOException {
        String table = table(List.of("Bonn", "Kiel", "Lima", "Oslo", "Rome", "Ulm"), "age", "ill", "no", "yes");
        String before = Files.readString(Path.of(table));
        Shell.Result data = Shell.run("train", table, "--report", table);
        assertThat(data.code()).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(data.err()).contains("--report must differ from the other files of the command");
        assertThat(Path.of(table)).hasContent(before);
        assertThat(Shell.run("train", table, "--out", path("a"), "--report", path("a"))
                        .code())
                .isEqualTo(ExitCode.BAD_INPUT);
        assertThat(Shell.run("train", table, "--report", path("no/folder.html")).err())
                .contains("does not exist");
        assertThat(folder.resolve("a")).doesNotExist();
    }
}
