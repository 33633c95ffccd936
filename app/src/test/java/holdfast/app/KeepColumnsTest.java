package holdfast.app;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.Randomness;
import holdfast.Seed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code predict --keep-columns}: columns of the input pass through as they are written there. */
class KeepColumnsTest {
    @TempDir
    private Path folder;

    private String path(String name) {
        return folder.resolve(name).toString();
    }

    private static String out(String... args) {
        Shell.Result result = Shell.run(args);
        assertThat(result.code()).as(result.err()).isZero();
        return result.out();
    }

    private static String refusal(String... args) {
        Shell.Result result = Shell.run(args);
        assertThat(result.code()).isEqualTo(2);
        assertThat(result.out()).isEmpty();
        return result.err();
    }

    @BeforeEach
    void writeTables() throws IOException {
        Randomness random = Seed.of(4).child("kept").random();
        StringBuilder csv = new StringBuilder("age,pressure,site,ill\n");
        for (int r = 0; r < 300; r++) {
            double[] x = random.gaussians(2);
            csv.append(String.format(
                    Locale.ROOT, "%.4f,%.4f,s%d,%s%n", x[0], x[1], r % 5, x[0] + x[1] > 0 ? "yes" : "no"));
        }
        Files.writeString(folder.resolve("old.csv"), csv);
        Files.writeString(
                folder.resolve("new.csv"),
                "id,age,probability,pressure,name,ill\n007,1.0,a,-0.50,\"Roe, Ann\",\n8, 2.50 ,,1,N/A,?\n");
    }

    private void train(String... more) {
        out(Stream.concat(Stream.of("train", path("old.csv"), "--workers-by", "site", "--quiet"), Stream.of(more))
                .toArray(String[]::new));
    }

    @Test
    void keepsCellsAsTheyAreWritten() {
        train("--out", path("model.json"));
        List<String> plain =
                out("predict", path("model.json"), path("new.csv")).lines().toList();
        List<String> kept = out("predict", path("model.json"), path("new.csv"), "--keep-columns", "id,name,age")
                .lines()
                .toList();
        assertThat(kept)
                .containsExactly(
                        "id,name,age," + plain.get(0),
                        "007,\"Roe, Ann\",1.0," + plain.get(1),
                        "8,N/A, 2.50 ," + plain.get(2));
        assertThat(out("predict", path("model.json"), path("new.csv"), "--keep-columns", "5,1"))
                .startsWith("name,id,probability,ill\n\"Roe, Ann\",007,");
    }

    @Test
    void aMissingCellOfTheTrainingPlanIsKeptAsItIsWritten() {
        train("--missing-values", "N/A", "--missing", "mean", "--out", path("model.json"));
        assertThat(out("predict", path("model.json"), path("new.csv"), "--keep-columns", "name"))
                .contains("\nN/A,");
    }

    @Test
    void namesOfTheOutputStayUnique() {
        train("--out", path("model.json"));
        assertThat(out("predict", path("model.json"), path("new.csv"), "--keep-columns", "ill,probability,id"))
                .startsWith("input ill,input probability,id,probability,ill\n,a,007,");
    }

    @Test
    void alsoWithVotesAndCoverage() {
        train("--vote", "3", "--classes", "no,yes", "--out", path("votes.json"));
        List<String> plain =
                out("predict", path("votes.json"), path("new.csv")).lines().toList();
        assertThat(out("predict", path("votes.json"), path("new.csv"), "--keep-columns", "id")
                        .lines())
                .containsExactly("id," + plain.get(0), "007," + plain.get(1), "8," + plain.get(2));
        train("--test-share", "0.3", "--out", path("model.json"));
        assertThat(out("predict", path("model.json"), path("new.csv"), "--coverage", "0.8", "--keep-columns", "id"))
                .startsWith("id,probability,set,ill\n007,");
    }

    @Test
    void whatCannotBeKeptIsRefusedInOneLine() throws IOException {
        train("--out", path("model.json"));
        assertThat(refusal("predict", path("model.json"), path("new.csv"), "--keep-columns", "id,nane"))
                .contains("new.csv: --keep-columns 'nane' is not a column; the closest: name, ")
                .hasLineCount(1);
        assertThat(refusal("predict", path("model.json"), path("new.csv"), "--keep-columns", "id,,name"))
                .contains("--keep-columns must be names separated by commas");
        assertThat(refusal("predict", path("model.json"), path("new.csv"), "--keep-columns", "id,1"))
                .contains("--keep-columns names the column '1' twice");
        out("convert", path("old.csv"), path("old.hfd"), "--quiet");
        assertThat(refusal("predict", path("model.json"), path("old.hfd"), "--keep-columns", "age"))
                .contains("old.hfd: --keep-columns needs a table in CSV");
    }
}
