package holdfast.formats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.InputException;
import holdfast.data.Dataset;
import holdfast.data.Table;
import holdfast.plan.Plan;
import holdfast.preparation.Encoding;
import holdfast.testkit.Logged;
import holdfast.training.Training;
import holdfast.training.TrainingRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Columns of text and missing cells, from the table to the prediction. */
class TextColumnsTest {
    private static final Plan PLAN = Plan.defaults();
    private static final String HOLES = "age,colour,ill\n30,red,yes\n?,blue,no\n50,NA,no\n40,red,yes\n";

    @TempDir
    Path folder;

    private String file(String text) throws IOException {
        return Files.writeString(folder.resolve("data.csv"), text).toString();
    }

    private Dataset read(String text, String key, String value) throws IOException {
        return encoded(DataFile.read(file(text), PLAN.with(key, value)));
    }

    /** The features of all rows where all train. */
    private static Dataset encoded(Table cells) {
        int[] all = IntStream.range(0, cells.rows()).toArray();
        return Encoding.learn(cells, all).apply(cells, all);
    }

    private void expect(String text, Plan plan, String message) throws IOException {
        String file = file(text);
        assertThatThrownBy(() -> DataFile.read(file, plan))
                .isInstanceOf(InputException.class)
                .hasMessage(file + ": " + message);
    }

    @Test
    void everyValueOfATextColumnBecomesAFeature() throws IOException {
        Dataset data = encoded(DataFile.read(
                file("colour,age,site,w,ill\nred,30,a,1,yes\n blue ,40,b,2,no\nred,0,a,3,no\n"),
                PLAN.with("workers-by", "site").with("weights-by", "w")));
        assertThat(data.schema().features()).containsExactly("colour=blue", "colour=red", "age");
        assertThat(data.row(0)).containsExactly(0, 1, 30);
        assertThat(data.row(1)).containsExactly(1, 0, 40);
        assertThat(data.row(2)).containsExactly(0, 1, 0);
        assertThat(data.label(0)).isEqualTo(1);
        assertThat(data.group(1)).isEqualTo(1);
        assertThat(data.weight(2)).isEqualTo(3);
        assertThat(data.sparse()).isFalse();
    }

    @Test
    void numbersAreCategoriesWhereThePlanSaysSo() throws IOException {
        String text = "zip,age,ill\n10,30,yes\n9,40,no\n10,50,no\n";
        Dataset byName = read(text, "one-hot", "zip");
        assertThat(byName.schema().features()).containsExactly("zip=10", "zip=9", "age");
        assertThat(byName.row(1)).containsExactly(0, 1, 40);
        assertThat(read(text, "one-hot", " 1 , age").schema().features())
                .containsExactly("zip=10", "zip=9", "age=30", "age=40", "age=50");
        assertThat(DataFile.read(file(text), PLAN.with("one-hot", "none")).isNumbers())
                .isTrue();
    }

    @Test
    void aTypoDoesNotMakeCategoriesOfNumbers() throws IOException {
        String typo = "x,ill\n3o,yes\n31,no\n32,no\n";
        expect(
                typo,
                PLAN,
                "line 2, column 1 (x) must be a finite number like most of the column, got '3o'; if x holds categories,"
                        + " name it in --one-hot");
        assertThat(read(typo, "one-hot", "x").schema().features()).containsExactly("x=31", "x=32", "x=3o");
        expect(
                "x,ill\n30,yes\n3l,no\n",
                PLAN,
                "line 3, column 1 (x) must be a finite number, got '3l'; if x holds categories, name it in --one-hot");
        expect(
                "x,ill\n30,yes\nN/A,no\n",
                PLAN,
                "line 3, column 1 (x) must be a finite number, got 'N/A'; if it stands for a missing one, use"
                        + " --missing-values N/A");
        expect(
                "x,ill\nred,yes\nblue,no\n",
                PLAN.with("one-hot", "none"),
                "line 2, column 1 (x) must be a finite number, got 'red'; if x holds categories, name it in --one-hot");
    }

    @Test
    void namesOfTheRowsAreNoCategories() throws IOException {
        StringBuilder csv = new StringBuilder("x,name,ill\n");
        for (int r = 0; r < 30; r++) {
            csv.append(r % 29).append(",n").append(r).append(r % 2 == 0 ? ",yes\n" : ",no\n");
        }
        List<Table> left = new ArrayList<>();
        String file = file(csv.toString());
        assertThat(Logged.during(() -> left.add(DataFile.read(file, PLAN))))
                .containsExactly(file + ": column name is left out: 30 distinct values in 30 rows: looks like an"
                        + " identifier; --keep name would use it");
        assertThat(left.get(0).schema().features()).containsExactly("x");
        assertThat(read(csv.toString(), "one-hot", "name").columns()).isEqualTo(31);
    }

    @Test
    void oneHotMustNameFeatures() throws IOException {
        expect(
                "x,ill\n1,yes\n2,no\n",
                PLAN.with("one-hot", "shape"),
                "--one-hot 'shape' is not a column; there are x, ill");
        expect("x,ill\n1,yes\n2,no\n", PLAN.with("one-hot", "x,ill"), "--one-hot 'ill' is not a feature");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "NA", "na", "NaN", "null", "NULL", "?"})
    void missingCellsFailUnlessThePlanSaysOtherwise(String cell) throws IOException {
        String why = " is missing; use --missing median, mean or indicator to fill it";
        expect("a,b,y\n1,2,0\n" + cell + ",4,1\n", PLAN, "line 3, column 1 (a)" + why);
        expect("a,b,y\n1,red,0\n2," + cell + ",1\n", PLAN, "line 3, column 2 (b)" + why);
        assertThat(read("a,b,y\n" + cell + ",4,1\n1,2,0\n5,2,0\n", "missing", "mean")
                        .row(0))
                .containsExactly(3, 4);
    }

    @Test
    void meanFillsWithTheMeanAndTheShares() throws IOException {
        Dataset data = read(HOLES, "missing", "mean");
        assertThat(data.schema().features()).containsExactly("age", "colour=blue", "colour=red");
        assertThat(data.row(0)).containsExactly(30, 0, 1);
        assertThat(data.row(1)).containsExactly(40, 1, 0);
        assertThat(data.row(2)).containsExactly(50, 1 / 3.0, 2 / 3.0);
    }

    @Test
    void indicatorMarksWhatWasMissing() throws IOException {
        Dataset data = read(HOLES, "missing", "indicator");
        assertThat(data.schema().features())
                .containsExactly("age", "age missing", "colour=blue", "colour=red", "colour missing");
        assertThat(data.row(0)).containsExactly(30, 0, 0, 1, 0);
        assertThat(data.row(1)).containsExactly(40, 1, 1, 0, 0);
        assertThat(data.row(2)).containsExactly(50, 0, 0, 0, 1);
        assertThat(read("age,ill\n1,yes\n2,no\n", "missing", "indicator")
                        .schema()
                        .features())
                .as("nothing is missing")
                .containsExactly("age");
    }

    @Test
    void aColumnWithNothingInItIsSaid() throws IOException {
        expect("a,b,y\n1,,0\n2,?,1\n", PLAN.with("missing", "mean"), "column b is missing in every row");
    }

    @ParameterizedTest
    @CsvSource({"fail,red,12", "mean,red,12", "mean,pink,NA", "indicator,?,12", "indicator,red,"})
    void aModelFileEncodesLaterRowsAlike(String missing, String colour, String age) throws IOException {
        StringBuilder csv = new StringBuilder("age,colour,ill\n");
        for (int r = 0; r < 120; r++) {
            String hole = missing.equals("fail") ? "7" : "?";
            csv.append(r % 10 == 7 ? hole : r * 7 % 40)
                    .append(r % 3 == 0 ? ",red" : r % 3 == 1 ? ",blue" : missing.equals("fail") ? ",green" : ",?")
                    .append((r % 3 == 0) != (r % 5 == 0) ? ",yes\n" : ",no\n");
        }
        String last = (age == null ? "" : age) + "," + colour;
        TrainingRun run = Training.of(
                        DataFile.read(file(csv.toString()), PLAN.with("missing", missing)),
                        PLAN.with("missing", missing).with("workers", "3").with("rounds", "50"))
                .run();
        Path stored = folder.resolve("model.json");
        ModelFile.of(run).write(stored);
        ModelFile model = ModelFile.read(stored);
        assertThat(model.model().schema()).isEqualTo(run.model().schema());
        assertThat(model.model().encoding()).isEqualTo(run.model().encoding());
        Encoding encoding = model.model().encoding();
        assertThat(encoding.columns()).extracting(Encoding.Column::name).containsExactly("age", "colour");
        Dataset rows = DataFile.read(
                file("colour,x,age\nblue,0,3\n" + colour + ",0," + (age == null ? "" : age) + "\n"),
                model.model(),
                false);
        // 57 of the training rows have a colour, 28 of them blue.
        assertThat(rows.row(1))
                .as(last)
                .isEqualTo(
                        switch (last) {
                            case "12,red" ->
                                missing.equals("fail") ? new double[] {12, 0, 0, 1} : new double[] {12, 0, 1};
                            case "NA,pink" -> new double[] {mean(encoding), 28 / 57.0, 29 / 57.0};
                            case "12,?" -> new double[] {12, 0, 0, 0, 1};
                            default -> new double[] {mean(encoding), 1, 0, 1, 0};
                        });
        assertThat(model.model().scores(rows)).isEqualTo(run.model().scores(rows));
    }

    private static double mean(Encoding encoding) {
        return encoding.columns().get(0).fill().get(0);
    }

    @Test
    void whatAModelCannotEncodeIsSaid() throws IOException {
        Table data = DataFile.read(file("age,colour,ill\n1,red,yes\n2,blue,no\n"), PLAN);
        Encoding encoding = Encoding.learn(data, new int[] {0, 1});
        for (String[] row : new String[][] {
            {"3,?", "line 2, column 2 (colour) is missing, which --missing fail in training forbids"},
            {"NA,red", "line 2, column 1 (age) is missing, which --missing fail in training forbids"},
            {"old,red", "line 2, column 1 (age) must be a finite number, got 'old'"}
        }) {
            String file = file("age,colour\n" + row[0] + "\n");
            assertThatThrownBy(() -> DataFile.read(file, encoding.schema(data.schema()), encoding, false))
                    .isInstanceOf(InputException.class)
                    .hasMessage(file + ": " + row[1]);
        }
        Table filled = DataFile.read(file("age,colour,ill\n1,red,yes\n2,blue,no\n"), PLAN.with("missing", "mean"));
        Encoding fills = Encoding.learn(filled, new int[] {0, 1});
        String file = file("age,colour\nold,red\n");
        assertThatThrownBy(() -> DataFile.read(file, fills.schema(filled.schema()), fills, false))
                .hasMessage(file + ": line 2, column 1 (age) must be a finite number, got 'old'");
    }

    /** In a table and in one that was converted; the shares of the three training rows fill what is missing. */
    @ParameterizedTest
    @CsvSource({"fail, 0, 0, the features of the column are 0 there", "mean, 0.5, 0.5, they count as missing"})
    void aValueThatTrainingDidNotHaveDoesNotStopAFile(String missing, double blue, double red, String what)
            throws IOException {
        Plan plan = PLAN.with("missing", missing);
        Table data = DataFile.read(file("age,colour,ill\n1,red,yes\n2,blue,no\n"), plan);
        Encoding encoding = Encoding.learn(data, new int[] {0, 1});
        String later = file("age,colour,ill\n3,red,no\n4,puce,yes\n5,pink,no\n");
        Path converted = folder.resolve("later.hfd");
        DataFile.convert(later, plan, converted, share -> {}, share -> {});
        for (String file : List.of(later, converted.toString())) {
            List<Dataset> rows = new ArrayList<>();
            assertThat(Logged.during(
                            () -> rows.add(DataFile.read(file, encoding.schema(data.schema()), encoding, true))))
                    .containsExactly(file
                            + ": column colour: 2 rows have a value not known from training, such as 'pink'; "
                            + what);
            assertThat(rows.get(0).row(0)).containsExactly(3, 0, 1);
            assertThat(rows.get(0).row(1)).containsExactly(4, blue, red);
            assertThat(rows.get(0).row(2)).containsExactly(5, blue, red);
        }
    }

    @Test
    void manyCategoriesTrainSparse() throws IOException {
        StringBuilder csv = new StringBuilder("word,length,spam\n");
        for (int r = 0; r < 3000; r++) {
            csv.append(
                    String.format(Locale.ROOT, "w%d,%d,%s%n", r * 7 % 500, r % 9, r * 7 % 500 % 2 == 0 ? "yes" : "no"));
        }
        Table cells = DataFile.read(file(csv.toString()), PLAN);
        assertThat(cells.columns()).hasSize(2);
        Dataset data = encoded(cells);
        assertThat(data.columns()).isEqualTo(501);
        assertThat(data.sparse()).isTrue();
        TrainingRun run = Training.of(cells, PLAN.with("lambda", "none").with("rounds", "300"))
                .run();
        double[] scores = run.model().scores(DataFile.read(file("word,length\nw2,1\nw3,1\n"), run.model(), false));
        assertThat(scores[0]).isPositive();
        assertThat(scores[1]).isNegative();
    }
}
