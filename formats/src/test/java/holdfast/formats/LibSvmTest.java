package holdfast.formats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.InputException;
import holdfast.Seed;
import holdfast.data.Dataset;
import holdfast.data.Table;
import holdfast.plan.Plan;
import holdfast.preparation.Encoding;
import holdfast.preparation.Scaling;
import holdfast.training.Training;
import holdfast.training.TrainingRun;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LibSvmTest {
    private static final Plan PLAN = Plan.defaults();

    @TempDir
    Path folder;

    private String file(String text) throws IOException {
        return Files.writeString(folder.resolve("data.svm"), text).toString();
    }

    private static void expectRows(Dataset data) {
        assertThat(data.sparse()).isTrue();
        assertThat(data.schema().features()).containsExactly("1", "2", "3", "4");
        assertThat(data.schema().label()).isEqualTo("label");
        assertThat(data.schema().classes()).containsExactly("-1", "+1");
        assertThat(data.rows()).isEqualTo(3);
        assertThat(data.row(0)).containsExactly(0.5, 0, -2, 0);
        assertThat(data.row(1)).containsExactly(0, 0, 0, 0);
        assertThat(data.row(2)).containsExactly(0, 0, 0, 1e-3);
        assertThat(data.label(0)).isEqualTo(1);
        assertThat(data.label(1)).isZero();
        assertThat(data.label(2)).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "+1 1:0.5 3:-2\n-1\n-1 4:1e-3\n",
                "+1 1:0.5 3:-2\r\n-1\r\n-1 4:1e-3",
                "# made by hand\n\n  +1\t1:.5  3:-2 # first\n-1 #1:3\n\n-1 2:0 4:0.001 \n",
                "\uFEFF+1 1:0.5 3:-2\n-1\n-1 4:1e-3\n"
            })
    void readsTheSameRowsHoweverTheyAreWritten(String text) throws IOException {
        expectRows(DataFile.read(file(text), PLAN).cells());
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream zip = new GZIPOutputStream(bytes)) {
            zip.write(text.getBytes(StandardCharsets.UTF_8));
        }
        Path zipped = Files.write(folder.resolve("data.svm.gz"), bytes.toByteArray());
        expectRows(DataFile.read(zipped.toString(), PLAN).cells());
    }

    @Test
    void theHashIsThatOfTheStoredBytes() throws IOException {
        // printf '1 1:2\n0 1:3\n' | sha256sum
        assertThat(DataFile.read(file("1 1:2\n0 1:3\n"), PLAN).source().sha256())
                .isEqualTo("b583f2d9fe67c7148a89288515beb82c55b0466cd04e7e35c55cbc10c40247e3");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1 0:2|LIBSVM counts columns from 1, got '0:2'",
                "1 -1:2|must be index:value, a whole number from 1 to 16777216 and a finite number, got '-1:2'",
                "1 16777217:2|must be index:value, a whole number from 1 to 16777216 and a finite number, got '16777217:2'",
                "1 99999999999999999999:2|must be index:value, a whole number from 1 to 16777216 and a finite number, got '99999999999999999999:2'",
                "1 2:x|must be index:value, a whole number from 1 to 16777216 and a finite number, got '2:x'",
                "1 2:|must be index:value, a whole number from 1 to 16777216 and a finite number, got '2:'",
                "1 2:NaN|must be index:value, a whole number from 1 to 16777216 and a finite number, got '2:NaN'",
                "1 2:1e999|must be index:value, a whole number from 1 to 16777216 and a finite number, got '2:1e999'",
                "1 qid:3 2:1|must be index:value, a whole number from 1 to 16777216 and a finite number, got 'qid:3'",
                "1 2:3:4|must be index:value, a whole number from 1 to 16777216 and a finite number, got '2:3:4'",
                "1 7|must be index:value, a whole number from 1 to 16777216 and a finite number, got '7'",
                "1 3:1 2:1|indices must ascend, got '2:1' after 3",
                "1 2:1 2:5|indices must ascend, got '2:5' after 2",
                "2:1 3:1|must begin with a label, got '2:1'"
            })
    void everyErrorSaysWhere(String line, String message) throws IOException {
        String file = file("0 1:1\n\n" + line + "\n");
        assertThatThrownBy(() -> DataFile.read(file, PLAN))
                .isInstanceOf(InputException.class)
                .hasMessage(file + ": line 3: " + message);
    }

    @Test
    void whatIsNoDataIsSaid() throws IOException {
        String file = file("# nothing\n");
        assertThatThrownBy(() -> DataFile.read(file, PLAN.with("format", "libsvm")))
                .hasMessage(file + ": no data rows");
        file("1\n0\n");
        assertThatThrownBy(() -> DataFile.read(file, PLAN.with("format", "libsvm")))
                .hasMessage(file + ": there must be an index:value in some row");
        file("1 1:1\n0 1:2\n");
        for (String key : List.of("label", "workers-by", "weights-by")) {
            assertThatThrownBy(() -> DataFile.read(file, PLAN.with(key, "site")))
                    .hasMessage(file + ": --" + key + " names a column, and libsvm data have none; got 'site'");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1 1:2 3:4|true",
                "-1.5e3 12:.5|true",
                "1:2 3:4|true",
                "spam 1:2|false",
                "12:30,5|false",
                "1;2|false",
                "x 1:y|false",
                "1 a:2|false"
            })
    void theFirstLineTellsTheFormat(String line, boolean libSvm) throws IOException {
        String file = file("\n" + line + "\n");
        assertThatThrownBy(() -> DataFile.read(file, PLAN.with("format", "csv")))
                .isInstanceOf(InputException.class);
        assertThat(Readers.recognised(new BufferedInputStream(Files.newInputStream(Path.of(file))))
                        .name())
                .isEqualTo(libSvm ? "libsvm" : "csv");
    }

    @Test
    void theSettingOverridesWhatTheFirstLineTells() throws IOException {
        String file = file("spam 1:2\nham 2:1\n");
        Table data = DataFile.read(file, PLAN.with("format", "libsvm"));
        assertThat(data.schema().classes()).containsExactly("ham", "spam");
        Table table = DataFile.read(
                file("1 1:2,0\n1 1:3,1\n"), PLAN.with("format", "csv").with("header", "no"));
        assertThat(table.columns().get(0).categories()).containsExactly("1 1:2", "1 1:3");
    }

    @Test
    void trainsAndPredictsAndIgnoresIndicesUnseenInTraining() throws IOException {
        StringBuilder text = new StringBuilder();
        var random = Seed.of(1).random();
        for (int r = 0; r < 600; r++) {
            double[] x = random.gaussians(2);
            text.append(x[0] > x[1] ? "+1" : "-1")
                    .append(" 3:" + x[0] + " 5000:" + x[1] + " " + (6000 + r % 7) + ":1\n");
        }
        TrainingRun run = Training.of(DataFile.read(file(text.toString()), PLAN), PLAN.with("workers", "4"))
                .run();
        Path stored = folder.resolve("model.json");
        ModelFile.of(run).write(stored);
        ModelFile model = ModelFile.read(stored);
        assertThat(model.model().scaling().kind()).isEqualTo(Scaling.Kind.MAX_ABS);
        Dataset rows = DataFile.read(file("+1 3:2 5000:-1\n0 3:-1 5000:1 7000:9\n3:-1 5000:1\n"), model.model(), false);
        assertThat(rows.columns()).isEqualTo(6006);
        double[] scores = model.model().scores(rows);
        assertThat(scores).isEqualTo(run.model().scores(rows));
        assertThat(scores[0]).isPositive();
        assertThat(scores[1]).isNegative().isEqualTo(scores[2]);
        Dataset labelled = DataFile.read(file("-1 3:2\n1 3:1\n"), model.model(), true);
        assertThat(new double[] {labelled.label(0), labelled.label(1)}).containsExactly(0, 1);
        String file = file("2 3:2\n");
        assertThatThrownBy(() -> DataFile.read(file, model.model(), true))
                .hasMessage(file + ": line 1 must be a class met in training, -1 or +1; got '2'");
    }

    @Test
    void aModelOfNamedColumnsDoesNotFit() throws IOException {
        Table table = DataFile.read(file("age,ill\n1,0\n2,1\n"), PLAN);
        String file = file("1 1:2\n");
        assertThatThrownBy(() -> DataFile.read(file, table.schema(), Encoding.NONE, false))
                .isInstanceOf(InputException.class)
                .hasMessage(file + ": libsvm data number their features, but the model's have names (age, ...)");
    }

    @Test
    void tablesAndSparseRowsOfTheSameNumbersGiveTheSameBits() throws IOException {
        StringBuilder csv = new StringBuilder();
        StringBuilder svm = new StringBuilder();
        var random = Seed.of(2).random();
        for (int r = 0; r < 400; r++) {
            double[] x = random.gaussians(3);
            x[r % 3] = 0;
            int y = x[0] + x[1] > x[2] ? 1 : 0;
            csv.append(x[0] + "," + x[1] + "," + x[2] + "," + y + "\n");
            svm.append(y);
            for (int i = 0; i < 3; i++) {
                svm.append(x[i] == 0 ? "" : " " + (i + 1) + ":" + x[i]);
            }
            svm.append('\n');
        }
        Plan plan = PLAN.with("scale", "none").with("workers", "3").with("rounds", "20");
        double[] sparse = Training.of(DataFile.read(file(svm.toString()), plan), plan)
                .run()
                .state()
                .theta();
        double[] dense = Training.of(DataFile.read(file(csv.toString()), plan), plan)
                .run()
                .state()
                .theta();
        assertThat(Arrays.stream(sparse).mapToLong(Double::doubleToRawLongBits).toArray())
                .isEqualTo(Arrays.stream(dense)
                        .mapToLong(Double::doubleToRawLongBits)
                        .toArray());
    }
}
