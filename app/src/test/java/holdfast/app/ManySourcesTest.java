package holdfast.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import holdfast.Randomness;
import holdfast.Seed;
import holdfast.app.command.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sources as files and as a column, some of which cannot be used. */
class ManySourcesTest {
    @TempDir
    private Path folder;

    private final List<String> files = new ArrayList<>();
    private Path table;

    @BeforeEach
    void write() throws IOException {
        Randomness random = Seed.of(4).child("hospitals").random();
        StringBuilder all = new StringBuilder("age,pressure,hospital,ill\n");
        Files.createDirectory(folder.resolve("hospitals"));
        for (int h = 0; h < 8; h++) {
            StringBuilder own = new StringBuilder("age,pressure,ill\n");
            for (int r = 0; r < 40; r++) {
                double[] x = random.gaussians(2);
                String cells = String.format(Locale.ROOT, "%.4f,%.4f", x[0], x[1]);
                int ill = x[0] + x[1] + random.nextGaussian() / 2 > 0 ? 1 : 0;
                own.append(cells).append(',').append(ill).append('\n');
                all.append(cells).append(",h").append(h).append(',').append(ill).append('\n');
            }
            files.add(Files.writeString(folder.resolve("hospitals/h" + h + ".csv"), own)
                    .toString());
        }
        table = Files.writeString(folder.resolve("all.csv"), all);
    }

    private String path(String name) {
        return folder.resolve(name).toString();
    }

    private Shell.Result run(String command, List<String> data, String... more) {
        return Shell.run(Stream.of(Stream.of(command), data.stream(), Stream.of(more))
                .flatMap(s -> s)
                .toArray(String[]::new));
    }

    private void spoil(int h, String from, String to) throws IOException {
        Path file = Path.of(files.get(h));
        Files.writeString(file, Files.readString(file).replaceFirst(from, to));
        Files.writeString(table, Files.readString(table).replaceFirst(from.replace(",1\n", ",h" + h + ",1\n"), to));
    }

    @Test
    void filesGiveTheModelOfTheTableThatNamesThem() {
        Shell.Result trained = run("train", files, "--label", "ill", "--quiet", "--out", path("files.json"));
        assertThat(trained.err()).isEmpty();
        assertThat(trained.out())
                .startsWith("data      " + files.get(0) + " and 7 more files, 320 rows, 2 features, ill: 0 or 1\n");
        assertThat(run(
                                "train",
                                List.of(table.toString()),
                                "--workers-by",
                                "hospital",
                                "--quiet",
                                "--out",
                                path("t.json"))
                        .code())
                .isZero();
        assertThat(weights("files.json")).isEqualTo(weights("t.json"));
        assertThat(run("rerun", List.of(path("files.json"), path("hospitals"))).out())
                .startsWith("the same to the bit: 3 weights");
        assertThat(run("rerun", List.of(path("files.json"), files.get(7), files.get(0)))
                        .err())
                .contains("warning: the data differ");
    }

    private JsonNode weights(String name) {
        try {
            return new ObjectMapper().readTree(folder.resolve(name).toFile()).get("weights");
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aRunOnAFolderIsResumed() {
        String[] settings = {"--tolerance", "0", "--quiet", "--checkpoint", path("run.ckpt"), "--rounds"};
        String data = path("hospitals");
        assertThat(run("train", List.of(data, "--out", path("whole.json")), with(settings, "30"))
                        .code())
                .isZero();
        assertThat(run("train", List.of(data), with(settings, "10")).code()).isZero();
        Shell.Result resumed = run("train", files, with(settings, "30", "--resume", "--out", path("resumed.json")));
        assertThat(resumed.err()).isEmpty();
        assertThat(weights("resumed.json")).isEqualTo(weights("whole.json"));
    }

    private static String[] with(String[] settings, String... more) {
        return Stream.of(settings, more).flatMap(Stream::of).toArray(String[]::new);
    }

    @Test
    void anUnusableSourceIsNamedAndFailsInEveryRound() throws IOException {
        spoil(2, "\n[^\n]*,1\n", "\n0.5,n.a.,1\n");
        Shell.Result trained = run("train", files, "--label", "ill", "--rounds", "9", "--tolerance", "0");
        String reason = files.get(2) + ": line ";
        assertThat(trained.code()).isZero();
        assertThat(trained.err())
                .contains(
                        "1 source is left out because of what cannot be used there, and training counts them as liars:"
                                + " h2 (" + reason);
        assertThat(trained.out())
                .contains("workers   8, 1 screened in each round\nunusable  h2, counted as one of the liars: " + reason)
                .contains("column 2 (pressure) must be a finite number, got 'n.a.'")
                .containsPattern("h2 +0 +0\\.0% +9 +- +- +-\n");
        JsonNode json = new ObjectMapper()
                .readTree(run("train", files, "--rounds", "9", "--tolerance", "0", "--json", "--quiet")
                        .out());
        assertThat(json.at("/unusable/0/source").asText()).isEqualTo("h2");
        assertThat(json.at("/unusable/0/reason").asText()).startsWith(reason);
        assertThat(json.at("/ledger/7/worker").asText()).isEqualTo("h2");
        assertThat(json.at("/ledger/7/failed").asInt()).isEqualTo(9);
        assertThat(json.at("/ledger/7/rows").asInt()).isZero();
    }

    @Test
    void aConvertedTableTrainsAlikeWithAnUnusableSource() throws IOException {
        Files.writeString(table, Files.readString(table).replaceFirst("\n[^\n]*,h5,", "\nx,2,h5,"));
        String[] plan = {"--workers-by", "hospital", "--quiet"};
        assertThat(run("convert", List.of(table.toString(), path("t.hfd")), plan)
                        .code())
                .isZero();
        for (String name : List.of("all.csv", "t.hfd")) {
            Shell.Result trained = run("train", List.of(path(name)), with(plan, "--out", path(name + ".json")));
            assertThat(trained.code()).as(trained.err()).isZero();
            assertThat(trained.out()).contains("unusable  h5, counted as one of the liars: " + table + ": line ");
        }
        assertThat(weights("t.hfd.json")).isEqualTo(weights("all.csv.json"));
        refused(ExitCode.BAD_INPUT, "column 1 (age) must be a finite number, got 'x'", "train", path("t.hfd"));
    }

    @Test
    void moreUnusableSourcesThanToleratedStopTheRun() throws IOException {
        spoil(2, "age,pressure,ill\n", "age;pressure\n");
        Files.writeString(Path.of(files.get(6)), "");
        refused(
                ExitCode.STOPPED,
                "2 sources cannot be used, but --tolerated allows 1: h2 (" + files.get(2)
                        + ": has no column ill, unlike h0); h6 (" + files.get(6)
                        + ": is empty; a table is needed)",
                "train",
                path("hospitals"),
                "--tolerated",
                "1",
                "--quiet");
        assertThat(run("train", files, "--tolerated", "2", "--rounds", "5", "--quiet")
                        .code())
                .isZero();
        refused(ExitCode.BAD_INPUT, files.get(2), "train", path("hospitals"), "--tolerated", "0");
        refused(ExitCode.BAD_INPUT, files.get(2), "train", path("hospitals"), "--statistics", "pooled");
    }

    @Test
    void aSourceWithACommaInItsNameCanBeLeftOut() throws IOException {
        Files.writeString(
                table,
                Files.readString(table)
                        .replaceFirst("\n[^\n]*,h5,", "\nx,2,h5,")
                        .replace(",h5,", ",\"Acme, Inc\","));
        String[] data = {"train", table.toString(), "--workers-by", "hospital", "--quiet", "--rounds", "5"};
        Shell.Result all = Shell.run(with(data, "--report", path("run.html")));
        assertThat(all.out()).contains("To train without: --without '\"Acme, Inc\"'\n");
        assertThat(Files.readString(folder.resolve("run.html"))).contains(" --without &#39;&quot;Acme, Inc&quot;&#39;");
        Shell.Result without = Shell.run(with(data, "--without", "\"Acme, Inc\",h1", "--out", path("m.json")));
        assertThat(without.err()).isEmpty();
        assertThat(without.out()).contains(", 240 rows,");
        assertThat(Shell.run("rerun", path("m.json"), table.toString()).code()).isZero();
    }

    @Test
    void rowsOfSourcesThatTheModelWasTrainedWithoutAreNoted() {
        String data = table.toString();
        String model = path("m.json");
        String[] train = {"train", data, "--workers-by", "hospital", "--quiet", "--rounds", "5", "--out", model};
        assertThat(Shell.run(with(train, "--without", "h1,h5")).code()).isZero();
        for (String command : List.of("evaluate", "drift", "certify")) {
            assertThat(Shell.run(command, model, data).err())
                    .as(command)
                    .contains(
                            "holdfast: note: the rows of h1, h5 are counted here; the model was trained --without them\n");
        }
        assertThat(Shell.run(train).code()).isZero();
        assertThat(Shell.run("evaluate", model, data).err()).isEmpty();
    }

    /** One line with the first place, as without sources, also if another source is unusable for a reason of its own. */
    @Test
    void whatIsWrongInMostSourcesIsASetting() throws IOException {
        Files.writeString(table, Files.readString(table).replaceFirst("\n[^\n]*,h5,", "\nx,2,h5,"));
        String[] data = {"train", table.toString(), "--workers-by", "hospital", "--quiet"};
        for (String model : List.of("poisson", "linear", "mlp(loss=huber)")) {
            Files.writeString(
                    table, Files.readString(table).replace(",1\n", ",yes\n").replace(",0\n", ",no\n"));
            Shell.Result result = Shell.run(with(data, "--model", model));
            assertThat(result.code()).as(result.err()).isEqualTo(ExitCode.BAD_INPUT);
            assertThat(result.err())
                    .matches("holdfast: .*all.csv: line 2, column 4 \\(ill\\) must be a number, got '\\w+'\n");
        }
        refused(
                ExitCode.BAD_INPUT,
                "column 4 (ill) must be a weight",
                with(data, "--label", "age", "--weights-by", "ill"));
        Files.writeString(table, Files.readString(table).replaceAll("(?m)^[^,\n]*,[^,\n]*(,h[0-6].*no)$", ",$1"));
        refused(ExitCode.BAD_INPUT, " is missing; use --missing", with(data, "--one-hot", "age"));
    }

    /** Two of eight are less than a third, three are not. */
    @Test
    void anOpenNumberOfLiarsRisesWithUnusableSources() throws IOException {
        spoil(2, "age,pressure,ill\n", "age;pressure\n");
        Files.writeString(Path.of(files.get(6)), "");
        Shell.Result risen = run("train", List.of(path("hospitals")), "--lambda", "none");
        assertThat(risen.code()).isZero();
        assertThat(risen.out())
                .contains("--tolerated auto is 2 instead of 1, because 2 of the sources cannot be used\n");
        spoil(4, "age,pressure,ill\n", "age;pressure\n");
        refused(
                ExitCode.STOPPED,
                "3 sources cannot be used, but --tolerated allows 2: h2 (",
                "train",
                path("hospitals"),
                "--quiet");
    }

    @Test
    void oneSourceDoesNotAddAClass() throws IOException {
        Files.writeString(Path.of(files.get(1)), "age,pressure,ill\n1,2,maybe\n3,4,0\n5,6,1\n7,8,0\n1,1,1\n");
        Shell.Result trained = run("train", files, "--rounds", "5");
        assertThat(trained.out()).contains("ill: 0 or 1\n");
        assertThat(trained.err())
                .contains("1 row of 285 left out, because at most 1 of 8 sources have this ill: 'maybe' from h1\n");
    }

    @Test
    void mistakesAreOneLine() {
        refused(ExitCode.BAD_INPUT, "no such file", "train", files.get(0), path("none.csv"));
        refused(
                ExitCode.BAD_INPUT,
                "--out must differ from the other files",
                "train",
                files.get(0),
                files.get(1),
                "--out",
                files.get(1));
        refused(
                ExitCode.BAD_INPUT,
                "with several files each file is one source, so --workers-by cannot name a column; got 'age'",
                "train",
                path("hospitals"),
                "--workers-by",
                "age");
        refused(
                ExitCode.BAD_INPUT,
                "convert needs a table and the .hfd file to write, got only",
                "convert",
                files.get(0));
    }

    private static void refused(int code, String why, String... command) {
        Shell.Result result = Shell.run(command);
        assertThat(result.err()).contains(why);
        assertThat(result.err().lines()).hasSize(1);
        assertThat(result.code()).isEqualTo(code);
        assertThat(result.out()).isEmpty();
    }
}
