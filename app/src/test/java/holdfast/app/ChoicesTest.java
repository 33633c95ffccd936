package holdfast.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code train} decides by itself, and that it says so. */
class ChoicesTest {
    @TempDir
    private Path folder;

    private static JsonNode json(String text) throws IOException {
        return new ObjectMapper().readTree(text);
    }

    private String train(String... more) {
        String[] args = new String[more.length + 2];
        args[0] = "train";
        System.arraycopy(more, 0, args, 1, more.length);
        args[args.length - 1] = "--quiet";
        Shell.Result result = Shell.run(args);
        assertThat(result.code()).as(result.err()).isZero();
        return result.out();
    }

    @Test
    void theSummaryShowsPlainTrainingBesideThePrice() throws IOException {
        String data = Clinics.write(folder, 3, 0).toString();
        String page = folder.resolve("run.html").toString();
        assertThat(train(data, "--report", page))
                .containsPattern(
                        "\nprice     lambda [0-9.]+, by --lambda auto: the smallest that costs at most 1 % of the plain"
                                + " loss and one standard error\n"
                                + " +left out in turn +error +l2 0\\.3 +plain loss\n"
                                + " +plain +0\\.\\d{4} +0\\.\\d{4} +0\\.\\d{4}\n"
                                + " +lambda [0-9.]+ +0\\.\\d{4} +0\\.\\d{4} +0\\.\\d{4}\n");
        assertThat(Files.readString(Path.of(page))).contains("What robustness costs and buys", ", chosen</th>");
        JsonNode found = json(train(data, "--json"));
        assertThat(found.at("/price/trials/0/lambda").isNull()).isTrue();
        assertThat(found.at("/price/trials").findValues("lambda")).contains(found.get("lambda"));
        assertThat(found.at("/price/metric").asText()).isEqualTo("error");
        assertThat(json(train(data, "--json", "--lambda", "3")).has("price")).isFalse();
        assertThat(train(data, "--lambda", "3")).doesNotContain("\nprice");
    }

    @Test
    void fewRowsArePenalisedAndTheSummarySaysSo() throws IOException {
        StringBuilder wide = new StringBuilder("y");
        for (int i = 0; i < 40; i++) {
            wide.append(",x").append(i);
        }
        for (int r = 0; r < 60; r++) {
            wide.append('\n').append(r % 2 == 0 ? "no" : "yes");
            for (int i = 0; i < 40; i++) {
                wide.append(',').append(Math.floorMod(r * 31 + i * 17 + r * r * i, 101) / 10.0);
            }
        }
        String data = Files.writeString(folder.resolve("wide.csv"), wide + "\n").toString();
        assertThat(train(data, "--label", "y", "--workers", "2", "--test-share", "0"))
                .contains("\npenalty   0.0167, by --l2 auto: there are fewer than ten training rows for each weight\n");
        assertThat(train(data, "--label", "y", "--workers", "2", "--l2", "0")).doesNotContain("\npenalty");
    }

    @Test
    void sourcesThatStandOutRaiseTheNumberOfLiars() throws IOException {
        String data = Clinics.write(folder, 5, 3).toString();
        String model = folder.resolve("model.json").toString();
        assertThat(train(data, "--workers-by", "clinic", "--out", model))
                .contains("\nworkers   12, 3 screened in each round\n"
                        + "          --tolerated auto is 3 instead of 2, because 3 of the sources stand out: clinic 0, clinic"
                        + " 1, clinic 2\n");
        JsonNode saved = json(Files.readString(Path.of(model)));
        assertThat(saved.at("/plan/tolerated").asText()).isEqualTo("3");
        assertThat(saved.at("/plan/lambda").asText()).isEqualTo("auto");
        assertThat(Shell.run("rerun", model, data).out()).contains("same");
        assertThat(train(data, "--workers-by", "clinic", "--tolerated", "2")).doesNotContain("--tolerated auto is");
        assertThat(json(train(data, "--workers-by", "clinic", "--json"))
                        .at("/tolerated")
                        .toString())
                .isEqualTo("{\"chosen\":3,\"usual\":2}");
        assertThat(train(Clinics.write(folder, 6, 0).toString(), "--workers-by", "clinic"))
                .contains("\nworkers   12, 2 screened in each round\ntraining ");
    }

    /** The rows to test on must be read as the raised number of liars reads the table: categories that few sources know. */
    @Test
    void aTestFileIsReadAsTheModelReadsIt() throws IOException {
        String[] lines = Files.readString(Clinics.write(folder, 5, 3)).split("\n");
        StringBuilder ward = new StringBuilder("ward,").append(lines[0]).append('\n');
        for (int r = 1; r < lines.length; r++) {
            String clinic = lines[r].split(",")[3];
            // Three clinics know this ward: too few once three may lie.
            boolean rare = clinic.matches("clinic [567]") && r % 3 == 0;
            ward.append(rare ? "burns," : r % 2 == 0 ? "north," : "south,")
                    .append(lines[r])
                    .append('\n');
        }
        Path data = Files.writeString(folder.resolve("wards.csv"), ward);
        String model = folder.resolve("wards.json").toString();
        JsonNode run = json(
                train(data.toString(), "--workers-by", "clinic", "--test", data.toString(), "--json", "--out", model));
        JsonNode evaluated =
                json(Shell.run("evaluate", model, data.toString(), "--json").out());
        assertThat(run.at("/held_out/all_rows/log_loss").asDouble())
                .isEqualTo(evaluated.at("/log_loss").asDouble());
    }
}
