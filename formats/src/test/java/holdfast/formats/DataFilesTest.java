package holdfast.formats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.InputException;
import holdfast.data.Table;
import holdfast.data.UnusableSource;
import holdfast.plan.Plan;
import holdfast.testkit.Logged;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DataFilesTest {
    private static final Plan PLAN = Plan.defaults().with("label", "ill").with("tolerated", "1");

    @TempDir
    private Path folder;

    private final List<String> files = new ArrayList<>();

    /** Five clinics with the same columns. */
    @BeforeEach
    void write() throws IOException {
        for (int i = 0; i < 5; i++) {
            write("c" + i + ".csv", "age,bmi,ill\n" + (40 + i) + ",22.5,yes\n7," + i + ",no\n8,8,yes\n");
        }
    }

    private String write(String name, String text) throws IOException {
        String file = Files.writeString(folder.resolve(name), text).toString();
        if (!files.contains(file)) {
            files.add(file);
        }
        return file;
    }

    private Table read() {
        return DataFile.read(files, PLAN);
    }

    private static List<List<Double>> rows(Table table) {
        return IntStream.range(0, table.rows())
                .mapToObj(r -> IntStream.range(0, table.cells().columns())
                        .mapToObj(c -> table.cells().row(r)[c])
                        .toList())
                .toList();
    }

    @Test
    void eachFileIsASourceWhateverItsOrderOfColumnsAndSeparator() throws IOException {
        Table before = read();
        assertThat(before.schema().groups()).containsExactly("c0", "c1", "c2", "c3", "c4");
        assertThat(before.schema().features()).containsExactly("age", "bmi");
        assertThat(before.schema().classes()).containsExactly("no", "yes");
        assertThat(before.rows()).isEqualTo(15);
        assertThat(before.source().name()).isEqualTo(files.get(0) + " and 4 more files");
        assertThat(DataFile.asRead(files, PLAN)).isEqualTo(PLAN.with("workers-by", "file"));
        write("c2.csv", "ill;bmi;age\nyes;22.5;42\nno;2;7\nyes;8;8\n");
        Table after = read();
        assertThat(rows(after)).isEqualTo(rows(before));
        assertThat(after.source().sha256()).isNotEqualTo(before.source().sha256());
    }

    @Test
    void theOrderOfFilesTheirFolderAndGzipDoNotMatterToRows() throws IOException {
        Table table = read();
        assertThat(DataFile.read(folder.toString(), PLAN).source().sha256())
                .isEqualTo(table.source().sha256());
        assertThat(DataFile.read(folder.toString(), PLAN).source().name()).isEqualTo(folder.toString());
        Collections.reverse(files);
        assertThat(rows(read())).isEqualTo(rows(table));
        assertThat(read().source().sha256()).isEqualTo(table.source().sha256());
        Path other = Files.createDirectory(folder.resolve("moved"));
        for (String file : files) {
            Files.move(Path.of(file), other.resolve(Path.of(file).getFileName()));
        }
        Files.writeString(other.resolve("README.txt"), "not a table");
        assertThat(DataFile.read(other.toString(), PLAN).source().sha256())
                .isEqualTo(table.source().sha256());
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(other.resolve("c1.csv.gz")))) {
            out.write(Files.readAllBytes(other.resolve("c1.csv")));
        }
        Files.delete(other.resolve("c1.csv"));
        Table zipped = DataFile.read(other.toString(), PLAN);
        assertThat(rows(zipped)).isEqualTo(rows(table));
        assertThat(zipped.schema()).isEqualTo(table.schema());
    }

    @Test
    void sourcesWithTheSameNameAreToldApart() throws IOException {
        write("c1.tsv", "age\tbmi\till\n1\t2\tyes\n1\t3\tno\n");
        assertThat(read().schema().groups()).containsExactly("c0", "c1.csv", "c1.tsv", "c2", "c3", "c4");
        Path other = Files.createDirectory(folder.resolve("other"));
        files.add(Files.copy(Path.of(files.get(0)), other.resolve("c0.csv")).toString());
        assertThat(read().schema().groups())
                .contains(
                        folder.resolve("c0.csv").toString(),
                        other.resolve("c0.csv").toString());
        files.add(files.get(0));
        refused(files.get(0) + ": is given twice");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                " | is empty; a table is needed",
                "age,bmi,ill | no data rows",
                "age,bmi,ill\n1,2 | line 2: must have 3 cells like the first line, got 2",
                "age,bmi,ill\n1,2,yes\n1,2,no,3 | line 3: must have 3 cells like the first line, got 4",
                "age,bmi,ill\n1,\"2,yes | is not well-formed CSV",
                "age,age,ill\n1,2,yes | line 1: two columns are called 'age'",
                "age,ill\n1,yes | has no column bmi, unlike c0",
                "1,2,yes\n3,4,no | has no column age, bmi, ill, unlike c0",
                "age,bmi,sick\n1,2,yes | has no column ill, unlike c0",
                "1 1:2 3:4\n0 1:2 | must be CSV, as one of several files",
                "age,bmi,ill\nold,2,yes | line 2, column 1 (age) must be a finite number, got 'old'",
                "bmi,age,ill\n3,,yes | line 2, column 2 (age) is missing"
            })
    void aFileThatCannotBeUsedIsAnUnusableSource(String given) throws IOException {
        String[] parts = given.split(" \\| ", -1);
        String file = write("c3.csv", parts[0]);
        Table table = read();
        assertThat(table.schema().groups()).containsExactly("c0", "c1", "c2", "c4");
        assertThat(table.rows()).isEqualTo(12);
        assertThat(table.unusable()).hasSize(1);
        UnusableSource bad = table.unusable().get(0);
        assertThat(bad.name()).isEqualTo("c3");
        assertThat(bad.reason()).startsWith(file + ": " + parts[1]);
        assertThatThrownBy(() -> DataFile.read(files, PLAN.with("tolerated", "0")))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("c3");
    }

    @Test
    void anUnclosedQuoteInTheFirstLineIsAnUnusableSource() throws IOException {
        write("c9.csv", "\"age,bmi\n1,2\n");
        Table table = read();
        assertThat(table.unusable()).extracting(UnusableSource::name).containsExactly("c9");
        assertThat(table.rows()).isEqualTo(15);
    }

    /** The first file has another column there, and would choose the label for all. */
    @Test
    void columnsOfSeveralFilesHaveNamesAndNoNumbers() throws IOException {
        write("b.csv", "age,ill,bmi\n1,yes,2\n3,no,4\n");
        for (String setting : List.of("label", "weights-by", "one-hot")) {
            assertThatThrownBy(() -> DataFile.read(files, PLAN.with(setting, "3")))
                    .isInstanceOf(InputException.class)
                    .hasMessageEndingWith(
                            ": with several files --" + setting + " must be a column's name, got the number 3");
        }
    }

    @Test
    void aBrokenArchiveIsAnUnusableSource() throws IOException {
        Path zipped = folder.resolve("c9.csv.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(zipped))) {
            out.write("age,bmi,ill\n1,2,yes\n".repeat(50).getBytes(StandardCharsets.UTF_8));
        }
        byte[] whole = Files.readAllBytes(zipped);
        for (int length : new int[] {2, 5, whole.length / 2, whole.length - 4}) {
            Files.write(zipped, Arrays.copyOf(whole, length));
            Table table = DataFile.read(folder.toString(), PLAN);
            assertThat(table.unusable()).extracting(UnusableSource::name).containsExactly("c9");
            assertThat(table.rows()).isEqualTo(15);
        }
    }

    @Test
    void columnsOfOneFileAreLeftOutAndMissingOnesCount() throws IOException {
        write("c1.csv", "junk,age,bmi,ill\nx,41,22.5,yes\ny,7,1,no\n");
        write("c2.csv", "age,ill\n42,yes\n7,no\n");
        Plan plan = PLAN.with("missing", "mean");
        List<String> said = Logged.during(() -> {
            Table table = DataFile.read(files, plan);
            assertThat(table.schema().features()).containsExactly("age", "bmi");
            assertThat(table.unusable()).isEmpty();
            assertThat(IntStream.range(0, table.rows())
                            .filter(r -> table.isMissing(r, 1))
                            .map(table.cells()::group)
                            .toArray())
                    .containsExactly(2, 2);
        });
        assertThat(said)
                .containsExactly(
                        files.get(0)
                                + " and 4 more files: at most 1 of 5 files have these columns, which are left out: junk"
                                + " (c1)",
                        folder.resolve("c2.csv") + ": has no column bmi, unlike c0; its cells there count as missing");
    }

    /** The label is by default the last column of most files, whatever one file says. */
    @Test
    void oneFileDoesNotChooseTheLabel() throws IOException {
        write("c0.csv", "ill,bmi,age\nyes,1,2\nno,1,4\n");
        assertThat(DataFile.read(files, Plan.defaults()).schema().label()).isEqualTo("ill");
    }

    @Test
    void mistakesAreOneLine() throws IOException {
        files.add("none.csv");
        refused("none.csv: cannot be read: no such file");
        files.set(5, "-");
        refused("-: standard input cannot be one of several files");
        files.remove(5);
        assertThatThrownBy(() -> DataFile.read(files, PLAN.with("workers-by", "age")))
                .isInstanceOf(InputException.class)
                .hasMessage(
                        "with several files each file is one source, so --workers-by cannot name a column; got 'age'");
        assertThatThrownBy(() -> DataFile.read(files, PLAN.with("format", "libsvm")))
                .isInstanceOf(InputException.class)
                .hasMessage("several files must be CSV, got --format libsvm");
        assertThatThrownBy(() -> DataFile.read(files, PLAN.with("label", "sick")))
                .isInstanceOf(InputException.class)
                .hasMessageEndingWith(": --label 'sick' is not a column; there are age, bmi, ill");
        Path empty = Files.createDirectory(folder.resolve("empty"));
        assertThatThrownBy(() -> DataFile.read(empty.toString(), PLAN))
                .isInstanceOf(InputException.class)
                .hasMessage(
                        empty + ": is a folder without tables; their names must end in .csv or .tsv, perhaps with .gz");
    }

    private void refused(String message) {
        assertThatThrownBy(this::read).isInstanceOf(InputException.class).hasMessage(message);
    }

    @Test
    void severalFilesAreConvertedToOne() throws IOException {
        write("c3.csv", "");
        Path target = folder.resolve("all.hfd");
        assertThat(DataFile.convert(files, PLAN, target, share -> {}, share -> {}))
                .isEqualTo(12);
        Table table = read();
        Table mapped = DataFile.read(target.toString(), PLAN.with("workers-by", "file"));
        assertThat(rows(mapped)).isEqualTo(rows(table));
        assertThat(mapped.schema()).isEqualTo(table.schema());
        assertThat(mapped.source().sha256()).isEqualTo(table.source().sha256());
        assertThat(mapped.unusable()).isEqualTo(table.unusable()).hasSize(1);
    }
}
