package holdfast.formats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.InputException;
import holdfast.Randomness;
import holdfast.data.Table;
import holdfast.data.TableColumn;
import holdfast.plan.Plan;
import holdfast.testkit.Laws;
import holdfast.training.Training;
import holdfast.training.TrainingRun;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which columns are read, and tables that are written in other ways than usual. */
class CellFormatTest {
    private static final Plan PLAN = Plan.defaults();

    @TempDir
    private Path folder;

    private String file(String name, String text, Charset encoding) {
        try {
            return Files.write(folder.resolve(name), text.getBytes(encoding)).toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String file(String text) {
        return file("data.csv", text, StandardCharsets.UTF_8);
    }

    private static List<String> content(Table table) {
        List<String> out = new ArrayList<>();
        out.add(table.schema().toString());
        table.columns().stream().map(TableColumn::toString).forEach(out::add);
        for (int r = 0; r < table.rows(); r++) {
            out.add(table.cells().label(r) + " " + table.cells().group(r) + " "
                    + Arrays.toString(table.cells().row(r)));
        }
        return out;
    }

    /** A table of numbers, words and missing cells, written in a certain way. */
    private static String table(Randomness random, String separator, char mark, String missing) {
        List<String> places = List.of("Köln", "Lyon", "Besançon", "Malmö");
        StringBuilder csv = new StringBuilder(String.join(separator, "größe", "place", "site", "label") + "\n");
        for (int r = 0; r < 60; r++) {
            double size = random.nextGaussian() * 100;
            String number = String.format(Locale.ROOT, "%.3f", size).replace('.', mark);
            csv.append(random.nextInt(5) == 0 ? missing : number)
                    .append(separator)
                    .append(random.nextInt(6) == 0 ? missing : places.get(random.nextInt(4)))
                    .append(separator)
                    .append("s")
                    .append(r % 4)
                    .append(separator)
                    .append(size > 0 ? "0" + mark + "5\n" : "1" + mark + "5\n");
        }
        return csv.toString();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "site"})
    void aTableIsTheSameHoweverItIsWritten(String workersBy) {
        Plan plain = PLAN.with("missing", "mean").with("workers-by", workersBy);
        Laws.check(20, seed -> {
            String usual = file("usual.csv", table(seed.random(), ",", '.', ""), StandardCharsets.UTF_8);
            List<String> expected = content(DataFile.read(usual, plain));
            for (Map.Entry<String, Charset> encoding : Map.of(
                            "utf-8", StandardCharsets.UTF_8,
                            "latin-1", StandardCharsets.ISO_8859_1,
                            "windows-1252", Charset.forName("windows-1252"),
                            "utf-16", StandardCharsets.UTF_16)
                    .entrySet()) {
                for (String missing : List.of("", "N/A", "-999", "n/a", "-999,00")) {
                    String other = file("other.csv", table(seed.random(), ";", ',', missing), encoding.getValue());
                    Plan plan = plain.with("encoding", encoding.getKey())
                            .with("decimal", "comma")
                            .with("missing-values", "N/A,-999");
                    assertThat(content(DataFile.read(other, plan))).isEqualTo(expected);
                    Path mapped = folder.resolve("other.hfd");
                    DataFile.convert(other, plan, mapped, share -> {}, share -> {});
                    assertThat(content(DataFile.read(mapped.toString(), plan))).isEqualTo(expected);
                }
            }
        });
    }

    @Test
    void lettersThatNeedFourBytesSurviveTheEndOfABuffer() {
        for (int before = 8180; before < 8200; before++) {
            String text = "word,y\n" + "a".repeat(before) + "😀,1\nb,0\n";
            Table table =
                    DataFile.read(file("wide.csv", text, StandardCharsets.UTF_16), PLAN.with("encoding", "utf-16"));
            assertThat(table.columns().get(0).categories()).containsExactly("a".repeat(before) + "😀", "b");
        }
    }

    @Test
    void aModelReadsLaterTablesAsItsOwn() throws IOException {
        String head = "größe;place;label\n";
        StringBuilder csv = new StringBuilder(head);
        for (int r = 0; r < 80; r++) {
            csv.append(r % 9 == 0 ? "-999" : r * 7 % 13 + ",5")
                    .append(r % 3 == 0 ? ";Köln" : ";Lyon")
                    .append(r * 7 % 13 > 5 ? ";ja\n" : ";nein\n");
        }
        Plan plan = PLAN.with("encoding", "latin-1")
                .with("decimal", "comma")
                .with("missing-values", "-999")
                .with("missing", "mean")
                .with("workers", "3")
                .with("rounds", "20");
        String data = file("training.csv", csv.toString(), StandardCharsets.ISO_8859_1);
        TrainingRun run = Training.of(DataFile.read(data, plan), plan).run();
        Path stored = folder.resolve("model.json");
        ModelFile.of(run).write(stored);
        ModelFile model = ModelFile.read(stored);
        assertThat(model.cells())
                .isEqualTo(
                        new CellFormat(StandardCharsets.ISO_8859_1, holdfast.plan.DecimalMark.COMMA, List.of("-999")));
        assertThat(model.plan()).isEqualTo(plan);
        String later = file("later.csv", head + "2,25;Köln;ja\n-999,0;Lyon;nein\n", StandardCharsets.ISO_8859_1);
        String usual = file("größe,place,label\n2.25,Köln,ja\n,Lyon,nein\n");
        assertThat(model.model().scores(DataFile.read(later, model, true)))
                .isEqualTo(model.model().scores(DataFile.read(usual, model.model(), true)));
        assertThatThrownBy(() -> DataFile.read(usual, model, false)).isInstanceOf(InputException.class);
        String pointed = file("pointed.csv", head + "2.25;Köln;ja\n", StandardCharsets.ISO_8859_1);
        assertThatThrownBy(() -> DataFile.read(pointed, model, false))
                .hasMessage(
                        "%s: line 2, column 1 (größe) must be a finite number, got '2.25'; the model was trained with"
                                + " --decimal comma, so numbers must have commas here too",
                        pointed);
    }

    @Test
    void aPointIsNoDecimalComma() {
        String file = file("a;b;y\n1,5;2;0\n2.5;3;1\n");
        assertThatThrownBy(() -> DataFile.read(file, PLAN.with("decimal", "comma")))
                .isInstanceOf(InputException.class)
                .hasMessage(
                        "%s: line 3, column 1 (a) must be a finite number, got '2.5'; with --decimal"
                                + " comma, numbers have commas",
                        file);
    }

    @Test
    void aFirstLineOfNumbersWithCommasIsNoHeader() {
        Table table = DataFile.read(file("1,5;x;0\n2,5;y;1\n"), PLAN.with("decimal", "comma"));
        assertThat(table.rows()).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource({
        "drop, 'b', 'a,c'",
        "drop, '2,c', 'a'",
        "only, 'c,a', 'a,c'",
        "only, '3', 'c'",
    })
    void columnsAreLeftOutAsIfTheyWereNotThere(String key, String columns, String left) {
        String full = "a,b,c,s,y\n1,u,2,p,0\n3,v,4,q,1\n5,u,7,p,1\n";
        List<Integer> kept = Arrays.stream((left + ",s,y").split(","))
                .map(List.of("a", "b", "c", "s", "y")::indexOf)
                .toList();
        StringBuilder without = new StringBuilder();
        full.lines()
                .map(line -> line.split(","))
                .forEach(cells -> without.append(String.join(
                                ",", kept.stream().map(c -> cells[c]).toList()))
                        .append('\n'));
        Plan plan = PLAN.with("workers-by", "s");
        List<String> expected =
                content(DataFile.read(file("less.csv", without.toString(), StandardCharsets.UTF_8), plan));
        assertThat(content(DataFile.read(file(full), plan.with(key, columns)))).isEqualTo(expected);
        Plan pooled = plan.with("statistics", "pooled");
        assertThat(content(DataFile.read(file(full), pooled.with(key, columns))))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "drop, y, --drop 'y' is not a feature",
        "only, s, --only 's' is not a feature",
        "drop, z, '--drop ''z'' is not a column; there are a, b, s, y'",
        "drop, 'a,b', '--drop and --only leave no feature; there are a, b'",
    })
    void columnsMustBeFeatures(String key, String columns, String message) {
        String file = file("a,b,s,y\n1,2,p,0\n3,4,q,1\n");
        assertThatThrownBy(
                        () -> DataFile.read(file, PLAN.with("workers-by", "s").with(key, columns)))
                .isInstanceOf(InputException.class)
                .hasMessage(file + ": " + message);
    }

    @Test
    void aColumnThatSplitsTheRowsCannotBeLeftOut() {
        String file = file("a,day,y\n1,2,0\n3,4,1\n");
        assertThatThrownBy(
                        () -> DataFile.read(file, PLAN.with("split-by", "day").with("drop", "day")))
                .hasMessage(file + ": --split-by needs column day, which --drop leaves out");
        assertThatThrownBy(
                        () -> DataFile.read(file, PLAN.with("split-by", "day").with("only", "a")))
                .hasMessage(file + ": --split-by needs column day, which --only leaves out");
    }

    @Test
    void aFileMayLackAColumnThatIsLeftOut() {
        List<String> files = new ArrayList<>();
        for (int h = 0; h < 4; h++) {
            files.add(file(
                    "h" + h + ".csv", h == 3 ? "a,y\n1,0\n2,1\n" : "a,note,y\n1,u,0\n2,v,1\n", StandardCharsets.UTF_8));
        }
        assertThat(DataFile.read(files, PLAN.with("tolerated", "1")).unusable()).hasSize(1);
        Table table = DataFile.read(files, PLAN.with("tolerated", "1").with("drop", "note"));
        assertThat(table.unusable()).isEmpty();
        assertThat(table.schema().features()).containsExactly("a");
    }

    @ParameterizedTest
    @CsvSource({"drop,1", "only,1", "decimal,comma", "missing-values,0"})
    void libsvmDataHaveNoSuchColumnsAndCells(String key, String value) {
        String file = file("1 1:2 3:4\n0 2:1\n");
        assertThatThrownBy(() -> DataFile.read(file, PLAN.with(key, value)))
                .hasMessage("%s: --%s is for tables, not for libsvm data; got '%s'", file, key, value);
    }

    @Test
    void anUnknownEncodingIsSaid() {
        assertThatThrownBy(() -> PLAN.with("encoding", "latin-x"))
                .hasMessage("--encoding must be utf-8, latin-1 or another encoding that Java knows, got 'latin-x'");
    }
}
