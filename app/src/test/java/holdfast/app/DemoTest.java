package holdfast.app;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.Seed;
import holdfast.app.command.ExitCode;
import holdfast.app.lab.demo.Demo;
import holdfast.app.lab.demo.PoisonedOffices;
import holdfast.formats.DataFile;
import holdfast.plan.Plan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code holdfast demo}. */
class DemoTest {
    private static final Pattern ERROR = Pattern.compile("  (plain|Holdfast)[a-z ]* +(0\\.\\d{3})\n");

    @TempDir
    private Path folder;

    @Test
    void namesTheThreeThatWerePoisonedAndComparesTheModels() throws IOException {
        Path page = folder.resolve("page.html");
        Path table = folder.resolve("offices.csv");
        Shell.Result demo = Shell.run("demo", "--report", page.toString(), "--data", table.toString());
        assertThat(demo.err()).isEmpty();
        assertThat(demo.code()).isZero();
        assertThat(demo.out())
                .contains("3 of the offices hand in bad rows:\n  Chicago  ", "\n  Madrid   ", "\n  Oslo     ")
                .contains("It names 3:\n  Chicago\n    suspect: its labels contradict")
                .contains("\n  Madrid\n    differs: word_freq_", "\n  Oslo\n    differs: its labels look random")
                .contains("for your browser: " + page);
        double[] errors = ERROR.matcher(demo.out())
                .results()
                .map(m -> m.group(2))
                .mapToDouble(Double::parseDouble)
                .toArray();
        assertThat(errors).hasSize(3);
        assertThat(errors[0]).isGreaterThan(errors[1] + 0.05);
        assertThat(errors[1]).isGreaterThan(errors[2]);
        String html = Files.readString(page);
        assertThat(html).contains("3 of 10 sources are named: <bdi>Chicago</bdi>, <bdi>Madrid</bdi>, <bdi>Oslo</bdi>.");
        assertThat(html).contains("./holdfast train " + table + " --workers-by office --without Chicago,Madrid,Oslo");

        Path again = folder.resolve("again.html");
        assertThat(Shell.run(
                                "train",
                                table.toString(),
                                "--workers-by",
                                "office",
                                "--quiet",
                                "--report",
                                again.toString())
                        .code())
                .isZero();
        assertThat(numbers(Files.readString(again))).isEqualTo(numbers(html));
    }

    /** All tables and pictures of a page: what the figures are, but not where the data came from. */
    private static List<String> numbers(String html) {
        return Pattern.compile("(?s)<table.*?</table>|<svg.*?</svg>")
                .matcher(html)
                .results()
                .map(MatchResult::group)
                .toList();
    }

    @ParameterizedTest
    @ValueSource(longs = {2, 3, 4})
    void otherSeedsNameTheSameThree(long seed) {
        PoisonedOffices offices = PoisonedOffices.of(
                DataFile.read("builtin:spambase", Plan.defaults()).cells(), Seed.of(seed));
        Demo.Results results = new Demo(offices, 1).run();
        assertThat(results.review().distrusted())
                .containsExactlyInAnyOrderElementsOf(offices.poisons().keySet());
        assertThat(results.plain().error()).isGreaterThan(results.robust().error());
    }

    @Test
    void writesNothingWhereItMayNot() {
        String taken = folder.resolve("one").toString();
        Shell.Result same = Shell.run("demo", "--report", taken, "--data", taken);
        assertThat(same.code()).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(same.err()).contains("must differ from the other files of the command");
        assertThat(Shell.run("demo", "--report", folder.toString()).code()).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(folder.resolve("one")).doesNotExist();
    }
}
