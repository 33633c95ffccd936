package holdfast.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import holdfast.Randomness;
import holdfast.Seed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.Locale;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a table holds, by source, before training. */
class ProfileTest {
    @TempDir
    private Path folder;

    private String data;

    /** Six hospitals: one measures in another unit, one repeats rows, one misses cells, one has a word for a number. */
    @BeforeEach
    void write() throws IOException {
        Randomness random = Seed.of(2).child("profile").random();
        StringBuilder csv = new StringBuilder("visit,weight,town,seen,hospital,ill\n");
        for (int r = 0; r < 900; r++) {
            int h = r % 6;
            double weight = 70 + 10 * random.nextGaussian();
            boolean ill = weight + 10 * random.nextGaussian() > 75;
            String row = String.format(
                    Locale.ROOT,
                    "%s,%s,%s,H%d,%s",
                    h == 5 && r == 605 ? "heavy" : h == 3 && r % 4 == 1 ? "" : weight * (h == 1 ? 1000 : 1),
                    random.nextInt(2) == 0 ? "<b>Lyon" : "Basel",
                    LocalDate.ofEpochDay(19_000 + random.nextInt(700)),
                    h,
                    ill ? "yes" : "no");
            csv.append(r).append(',').append(row).append('\n');
            if (h == 2 && r % 5 == 0) {
                csv.append(r).append(',').append(row).append('\n');
            }
        }
        data = Files.writeString(folder.resolve("visits.csv"), csv).toString();
    }

    private Shell.Result profile(String... more) {
        String[] args = new String[more.length + 6];
        System.arraycopy(new String[] {"profile", data, "--workers-by", "hospital", "--tolerated", "1"}, 0, args, 0, 6);
        System.arraycopy(more, 0, args, 6, more.length);
        Shell.Result result = Shell.run(args);
        assertThat(result.code()).as(result.err()).isZero();
        assertThat(result.err()).isEmpty();
        return result;
    }

    @Test
    void theTextNamesWhatIsThere() {
        assertThat(profile().out())
                .contains("label ill (no, yes), 5 sources by hospital")
                .containsPattern("H2 +180 +30 +0 ")
                .contains("weight (number)", "town (text)", "seen (date)")
                .containsPattern("H3 +\\d\\d missing")
                .containsPattern("H5 +unusable: .*must be a finite number, got 'heavy'")
                .containsPattern("H1 differs: weight is .* times the others': another unit\\?")
                .contains("column visit is left out: ");
    }

    @Test
    void theJsonHasEveryNumber() throws IOException {
        JsonNode root =
                new ObjectMapper().readTree(profile("--json", "--keep", "visit").out());
        assertThat(root.get("sources")).hasSize(5);
        assertThat(root.get("sources").get(2).get("repeated").asInt()).isEqualTo(30);
        assertThat(root.get("unusable").get(0).get("source").asText()).isEqualTo("H5");
        assertThat(root.get("columns").get(0).get("name").asText()).isEqualTo("visit");
        JsonNode weight = root.get("columns").get(1);
        assertThat(weight.get("by_source").get("H1").get("median").asDouble()).isBetween(60_000.0, 80_000.0);
        assertThat(weight.get("by_source").get("H0").get("median").asDouble()).isBetween(60.0, 80.0);
        int missing = weight.get("by_source").get("H3").get("missing").asInt();
        assertThat(missing).isBetween(30, 80);
        assertThat(weight.get("missing").asInt()).isEqualTo(missing);
        JsonNode classes = root.get("sources").get(0).get("classes");
        assertThat(classes.get("no").asInt() + classes.get("yes").asInt()).isEqualTo(150);
        assertThat(root.get("sources").get(1).get("findings").get(0).get("kind").asText())
                .isEqualTo("unit");
    }

    @Test
    void thePageEscapesWhatTheDataHold() throws IOException {
        Path page = folder.resolve("profile.html");
        profile("--report", page.toString());
        assertThat(Files.readString(page))
                .contains("<bdi>H1</bdi>", "&lt;b&gt;Lyon", "another unit?")
                .doesNotContain("<b>Lyon", "<script");
    }

    @Test
    void convertedTablesAndTablesWithoutSourcesHaveProfilesToo() {
        String mapped = folder.resolve("visits.hfd").toString();
        assertThat(Shell.run(
                                "convert",
                                data,
                                mapped,
                                "--workers-by",
                                "hospital",
                                "--tolerated",
                                "1",
                                "--missing",
                                "mean")
                        .code())
                .isZero();
        assertThat(Shell.run("profile", mapped, "--workers-by", "hospital", "--tolerated", "1")
                        .out())
                .containsPattern("H2 +180 +30 +0 ");
        assertThat(Shell.run("profile", "builtin:spambase").out())
                .startsWith("builtin:spambase: 4601 rows, 57 columns")
                .contains("Stands out: not asked");
    }
}
