package holdfast.formats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.InputException;
import holdfast.data.Dataset;
import holdfast.data.Schema;
import holdfast.evaluation.TrainedModel;
import holdfast.model.Models;
import holdfast.plan.Plan;
import holdfast.preparation.Encoding;
import holdfast.preparation.LabelScaling;
import holdfast.preparation.Scaling;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CsvTest {
    private static final Plan PLAN = Plan.defaults();

    @TempDir
    Path folder;

    private String file(String text) throws IOException {
        return Files.writeString(folder.resolve("data.csv"), text).toString();
    }

    private Dataset read(String text) throws IOException {
        return DataFile.read(file(text), PLAN).cells();
    }

    private static double[] labels(Dataset data) {
        return IntStream.range(0, data.rows()).mapToDouble(data::label).toArray();
    }

    private static void expectTable(Dataset data) {
        assertThat(data.schema().features()).containsExactly("age", "bmi");
        assertThat(data.schema().label()).isEqualTo("ill");
        assertThat(data.schema().classes()).containsExactly("no", "yes");
        assertThat(data.hasGroups()).isFalse();
        assertThat(data.rows()).isEqualTo(3);
        assertThat(data.row(0)).containsExactly(40, 22.5);
        assertThat(data.row(1)).containsExactly(-1e3, 0.25);
        assertThat(data.row(2)).containsExactly(7, 8);
        assertThat(labels(data)).containsExactly(1, 0, 1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "age,bmi,ill\n40,22.5,yes\n-1e3,.25,no\n7,8,yes",
                "age,bmi,ill\n40,22.5,yes\n-1e3,.25,no\n7,8,yes\n\n\n",
                "age,bmi,ill\r\n40,22.5,yes\r\n-1e3,.25,no\r\n7,8,yes\r\n",
                "\uFEFFage,bmi,ill\n40,22.5,yes\n-1e3,.25,no\n7,8,yes\n",
                "age;bmi;ill\n40;22.5;yes\n-1e3;.25;no\n7;8;yes\n",
                "age\tbmi\till\n40\t22.5\tyes\n-1e3\t.25\tno\n7\t8\tyes\n",
                " age , bmi , ill \n 40 , 22.5 , yes \n -1e3 , .25 , no \n +7 , 8. ,yes\n",
                "\"age\",\"bmi\",\"ill\"\n\"40\",\"22.5\",\"yes\"\n\"-1e3\",\"0.25\",\"no\"\n7,8,yes\n"
            })
    void readsTheSameTableHoweverItIsWritten(String text) throws IOException {
        expectTable(read(text));
    }

    @Test
    void readsGzip() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream zip = new GZIPOutputStream(bytes)) {
            zip.write("age,bmi,ill\n40,22.5,yes\n-1e3,.25,no\n7,8,yes\n".getBytes(StandardCharsets.UTF_8));
        }
        Path file = Files.write(folder.resolve("data.csv.gz"), bytes.toByteArray());
        expectTable(DataFile.read(file.toString(), PLAN).cells());
        Files.write(file, Arrays.copyOf(bytes.toByteArray(), bytes.size() - 20));
        assertThatThrownBy(() -> DataFile.read(file.toString(), PLAN))
                .isInstanceOf(InputException.class)
                .hasMessageStartingWith(file + ": cannot be read: ");
    }

    @Test
    void quotedFieldsMayHoldSeparatorsQuotesAndNewlines() throws IOException {
        Dataset data = read("\"a,b\",\"say \"\"x\"\"\",\"two\nlines\"\n1,2,\"no, never\"\n3,4,yes\n");
        assertThat(data.schema().features()).containsExactly("a,b", "say \"x\"");
        assertThat(data.schema().label()).isEqualTo("two\nlines");
        assertThat(data.schema().classes()).containsExactly("no, never", "yes");
    }

    @Test
    void withoutAHeaderColumnsAreNumbered() throws IOException {
        Dataset data = read("40,22.5,1\n3,4,0\n");
        assertThat(data.schema().features()).containsExactly("1", "2");
        assertThat(data.schema().label()).isEqualTo("3");
        assertThat(data.rows()).isEqualTo(2);
        assertThat(DataFile.read(file("2020,2021,y\n1,2,0\n3,4,1\n"), PLAN.with("header", "yes"))
                        .schema()
                        .features())
                .containsExactly("2020", "2021");
        assertThatThrownBy(() -> DataFile.read(file("a,b,y\n1,2,0\n3,4,1\n"), PLAN.with("header", "no")))
                .hasMessageContaining("line 1, column 1 (1) must be a finite number like most of the column, got 'a'");
    }

    @Test
    void theLabelMayBeAnyColumnByNameOrNumber() throws IOException {
        String file = file("y,a,b\n0,1,2\n1,3,4\n");
        for (String label : new String[] {"y", "1"}) {
            Dataset data = DataFile.read(file, PLAN.with("label", label)).cells();
            assertThat(data.schema().features()).containsExactly("a", "b");
            assertThat(data.row(1)).containsExactly(3, 4);
            assertThat(labels(data)).containsExactly(0, 1);
        }
    }

    @Test
    void labelsAreSortedByNumberOrAlphabetWhateverComesFirst() throws IOException {
        assertThat(labels(read("x,y\n1,1\n2,-1\n3,1\n"))).containsExactly(1, 0, 1);
        assertThat(labels(read("x,y\n1,-1\n2,1\n"))).containsExactly(0, 1);
        assertThat(labels(read("x,y\n1,10\n2,9\n"))).containsExactly(1, 0);
        assertThat(labels(read("x,y\n1,spam\n2,ham\n"))).containsExactly(1, 0);
        Dataset mixed = read("x,y\n1,1.0\n2,0\n3,1\n4,0.0\n");
        assertThat(labels(mixed)).containsExactly(1, 0, 1, 0);
        assertThat(mixed.schema().classes()).containsExactly("0", "1.0");
    }

    @Test
    void aColumnMayNameTheSourceOfEachRow() throws IOException {
        Dataset data = DataFile.read(
                        file("site,x,y\nnorth,1,0\nsouth,2,1\nnorth,3,1\n"), PLAN.with("workers-by", "site"))
                .cells();
        assertThat(data.schema().features()).containsExactly("x");
        assertThat(data.schema().groups()).containsExactly("north", "south");
        assertThat(IntStream.range(0, 3).map(data::group).toArray()).containsExactly(0, 1, 0);
        assertThatThrownBy(() -> DataFile.read(file("site,x,y\nnorth,1,0\n,2,1\n"), PLAN.with("workers-by", "site")))
                .hasMessage(
                        folder.resolve("data.csv") + ": line 3, column 1 (site) must name a source, got an empty cell");
        assertThatThrownBy(() -> DataFile.read(file("x,y\n1,0\n"), PLAN.with("workers-by", "y")))
                .hasMessageContaining("--label and --workers-by must be different columns, both are 'y'");
    }

    @Test
    void aColumnMayHoldTheWeightOfEachRow() throws IOException {
        Plan plan = PLAN.with("weights-by", "w");
        Dataset data = DataFile.read(file("w,x,y\n2,1,0\n0.5,2,1\n"), plan).cells();
        assertThat(data.schema().features()).containsExactly("x");
        assertThat(data.blocks().get(0).weights()).containsExactly(2, 0.5);
        Dataset counted = DataFile.read(file("w,x,y\n2,1,0\n0,wild,?\n0.5,2,1\n-0,,\n"), plan)
                .cells();
        assertThat(counted.blocks().get(0).weights())
                .as("a row of weight 0 is not there")
                .containsExactly(2, 0.5);
        for (String cell : new String[] {"-0.5", "-1", "", "NaN", "inf", "heavy"}) {
            assertThatThrownBy(() -> DataFile.read(file("w,x,y\n2,1,0\n" + cell + ",2,1\n"), plan))
                    .isInstanceOf(InputException.class)
                    .hasMessage(folder.resolve("data.csv")
                            + ": line 3, column 1 (w) must be a weight, a number >= 0, got '" + cell + "'");
        }
        assertThatThrownBy(() -> DataFile.read(file("w,x,y\n2,1,0\n"), PLAN.with("weights-by", "mass")))
                .hasMessageContaining("--weights-by 'mass' is not a column; there are w, x, y");
        for (String other : new String[] {"label", "workers-by"}) {
            assertThatThrownBy(() -> DataFile.read(file("w,x,y\n2,1,0\n"), plan.with(other, "w")))
                    .hasMessageContaining("--weights-by must be another column than --label and --workers-by, got 'w'");
        }
        // Those who test or predict need no weights, and do not take them for features.
        String later = file("y,w,x\n1,heavy,5\n");
        assertThat(DataFile.read(later, data.schema(), Encoding.NONE, true).row(0))
                .containsExactly(5);
        assertThat(DataFile.read(later, data.schema(), Encoding.NONE, true)
                        .blocks()
                        .get(0)
                        .weights())
                .isNull();
    }

    private void expect(String text, String message) throws IOException {
        String file = file(text);
        assertThatThrownBy(() -> DataFile.read(file, PLAN))
                .isInstanceOf(InputException.class)
                .hasMessageStartingWith(file + ": " + message);
    }

    @Test
    void everyErrorSaysWhere() throws IOException {
        expect("", "is empty; a table is needed");
        expect("a,y\n", "no data rows");
        expect("a,b,y\n1,2,0\n1,2\n", "line 3: must have 3 cells like the first line, got 2");
        expect("a,b,y\n1,2,0\n1,2,3,1\n", "line 3: must have 3 cells like the first line, got 4");
        expect("a,b,y\n1,2,0\n3,four,1\n", "line 3, column 2 (b) must be a finite number, got 'four'");
        for (String cell : new String[] {"inf", "-Infinity", "1e999", "1,5", "1f", "0x1p3", "1_0"}) {
            expect(
                    "a;b;y\n1;2;0\n" + cell + ";4;1\n",
                    "line 3, column 1 (a) must be a finite number, got '" + cell
                            + "'; if a holds categories, name it in --one-hot");
        }
        assertThatThrownBy(() -> DataFile.read(
                        file("a,y\n1,0\n2,1\n3,2\n"), Plan.defaults().with("model", "logistic")))
                .hasMessageContaining(
                        "line 4, column 2 (y): a label must have two values, got a third: '2' beside 0 and 1");
        expect("a,y\n1,0\n2,\n", "line 3, column 2 (y) must be a label, got an empty cell");
        expect("a,y\n1,0\n2,0\n", "there must be rows of different labels, but every y is 0");
        expect("a,b,a\n1,2,0\n", "line 1: two columns are called 'a'");
        expect("y\n0\n1\n", "there must be a feature column beside the label");
        expect(
                "a,y\n1,0\n2,\"1\n4,1\n",
                "is not well-formed CSV: Unclosed quoted field at end of input (record starting at line 3)");
        expect("a,y\n1,0\n2,\"1\"x\n", "is not well-formed CSV: Unexpected character after closing quote");
        // Lines are those of the file, also after a quoted newline and blank lines.
        expect("\"a\nb\",y\n1,0\n\n2,1\nx,1\n", "line 6, column 1 (a\nb) must be a finite number");
    }

    @Test
    void anUnknownLabelListsTheColumns() throws IOException {
        String file = file("age,bmi,ill\n1,2,0\n");
        for (String label : new String[] {"sick", "4", "0"}) {
            assertThatThrownBy(() -> DataFile.read(file, PLAN.with("label", label)))
                    .isInstanceOf(InputException.class)
                    .hasMessage(file + ": --label '" + label + "' is not a column; there are age, bmi, ill");
        }
    }

    @Test
    void aFileThatIsNoneIsSaid() {
        Path missing = folder.resolve("missing.csv");
        assertThatThrownBy(() -> DataFile.read(missing.toString(), PLAN))
                .isInstanceOf(InputException.class)
                .hasMessage(missing + ": cannot be read: no such file");
        assertThatThrownBy(() -> DataFile.read(folder.toString(), PLAN))
                .hasMessage(folder
                        + ": is a folder without tables; their names must end in .csv or .tsv, perhaps with .gz");
        Schema schema = new Schema(List.of("x"), "y", List.of(), List.of());
        assertThatThrownBy(() -> DataFile.read(folder.toString(), schema, Encoding.NONE, true))
                .hasMessage(folder + ": is a folder; a file is needed");
        assertThatThrownBy(() -> DataFile.read("builtin:iris", PLAN))
                .hasMessage("unknown data 'builtin:iris'; known: builtin:spambase, builtin:digits");
    }

    @Test
    void spambaseIsBuiltIn() {
        Dataset data = DataFile.read("builtin:spambase", PLAN).cells();
        assertThat(data.rows()).isEqualTo(4601);
        assertThat(data.columns()).isEqualTo(57);
        assertThat(Arrays.stream(labels(data)).sum()).isEqualTo(1813);
        assertThat(data.source().sha256())
                .isEqualTo("cd273bed7bf400763c974930aae41ca5030c01c5901d9bcdd3050d653d50f532");
    }

    @Test
    void digitsAreBuiltIn() {
        Dataset data = DataFile.read("builtin:digits", PLAN).cells();
        assertThat(data.rows()).isEqualTo(1797);
        assertThat(data.columns()).isEqualTo(64);
        assertThat(data.schema().label()).isEqualTo("digit");
        assertThat(data.schema().classes()).containsExactly("0", "1", "2", "3", "4", "5", "6", "7", "8", "9");
        assertThat(Arrays.stream(labels(data)).sum()).isEqualTo(8070);
        assertThat(data.source().sha256())
                .isEqualTo("fccc643512b5d6ab3194667c8759adc8930c56ff8df26257f70a3ef59d595aeb");
    }

    @Test
    void theHashIsThatOfTheStoredBytes() throws IOException {
        // printf 'x,y\n1,0\n2,1\n' | sha256sum
        assertThat(read("x,y\n1,0\n2,1\n").source().sha256())
                .isEqualTo("f102f9ff55c510db51f750b158671b390256184889f49f2d8ed9609f36ba38f0");
    }

    private static TrainedModel model() {
        return new TrainedModel(
                Models.catalogue().choose("logistic"),
                true,
                new double[] {1, 2, 3},
                new Scaling(Scaling.Kind.NONE, new double[2], new double[] {1, 1}),
                LabelScaling.NONE,
                new Schema(List.of("age", "bmi"), "ill", List.of("no", "yes"), List.of()),
                0.5);
    }

    @Test
    void aModelFindsItsColumnsByNameAmongOthers() throws IOException {
        String file = file("ill,bmi,town,age\nyes,2,Ulm,1\nno,4,Bonn,3\n");
        Dataset data = DataFile.read(file, model(), true);
        assertThat(data.row(0)).containsExactly(1, 2);
        assertThat(data.row(1)).containsExactly(3, 4);
        assertThat(labels(data)).containsExactly(1, 0);
        assertThat(labels(DataFile.read(file, model(), false))).containsExactly(0, 0);
    }

    @Test
    void aModelTakesAFileWithoutHeaderByPosition() throws IOException {
        assertThat(DataFile.read(file("5,6\n7,8\n"), model(), false).row(1)).containsExactly(7, 8);
    }

    @Test
    void whatAModelDoesNotFindIsSaid() throws IOException {
        assertThatThrownBy(() -> DataFile.read(file("age,ill\n1,yes\n"), model(), true))
                .hasMessageContaining("the model's feature 'bmi' is not a column; there are age, ill");
        assertThatThrownBy(() -> DataFile.read(file("age,bmi\n1,2\n"), model(), true))
                .hasMessageContaining("label 'ill' is not a column; there are age, bmi");
        assertThatThrownBy(() -> DataFile.read(file("age,bmi,ill\n1,2,maybe\n"), model(), true))
                .hasMessageContaining("line 2, column 3 (ill) must be a class met in training, no or yes; got 'maybe'");
        assertThatThrownBy(() -> DataFile.read(file("age,bmi,ill\n1,x,yes\n"), model(), true))
                .hasMessageContaining("line 2, column 2 (bmi) must be a finite number, got 'x'");
        assertThatThrownBy(() -> DataFile.read(file("age,bmi\n"), model(), false))
                .hasMessageEndingWith(": no data rows");
    }
}
