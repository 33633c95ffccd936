package holdfast.formats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.InputException;
import holdfast.Seed;
import holdfast.data.Dataset;
import holdfast.data.Schema;
import holdfast.model.Models;
import holdfast.plan.PlanKey;
import holdfast.testkit.Laws;
import holdfast.testkit.Samples;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LabelsTest {
    /** Classes, empty where labels are numbers, and the labels. */
    private record Read(List<String> classes, double[] labels) {}

    private static Read read(String model, String... cells) {
        return read(new Labels("f.csv", "y", PlanKey.MODEL.parse(model)), cells);
    }

    private static Read read(Labels labels, String... cells) {
        for (int i = 0; i < cells.length; i++) {
            String at = "line " + (i + 1);
            labels.add(cells[i], () -> at);
        }
        List<String> classes = labels.finish();
        Dataset data = labels.of(Samples.dataset(Seed.of(1), cells.length, 1));
        return new Read(
                classes,
                IntStream.range(0, cells.length).mapToDouble(data::label).toArray());
    }

    private static String[] range(int from, int to) {
        return IntStream.range(from, to).mapToObj(Integer::toString).toArray(String[]::new);
    }

    private static void refused(String message, String model, String... cells) {
        assertThatThrownBy(() -> read(model, cells))
                .isInstanceOf(InputException.class)
                .hasMessage(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "yes no yes              | no yes          | 1 0 1",
                "red green blue green    | blue green red  | 2 1 0 1",
                "1 -1 1                  | -1 1            | 1 0 1",
                "0.5 1.5 0.5             | 0.5 1.5         | 0 1 0",
                "10 9 2 9                | 2 9 10          | 2 1 0 1",
                "1 1.0 0 1e0 -0.0        | 0 1             | 1 1 0 1 0",
                "2 1 3+ 1                | 1 2 3+          | 1 0 2 0",
                "0.5 1.5 unsure          | 0.5 1.5 unsure  | 0 1 2"
            })
    void wordsAndFewWholeNumbersAreClassesInOrder(String cells, String classes, String labels) {
        Read read = read("auto", cells.split(" "));
        assertThat(read.classes).containsExactly(classes.split(" "));
        assertThat(read.labels)
                .containsExactly(Arrays.stream(labels.split(" "))
                        .mapToDouble(Double::parseDouble)
                        .toArray());
    }

    @Test
    void twentyWholeNumbersAreClassesAndTwentyOneAreNumbers() {
        assertThat(read("auto", range(5, 25)).classes).containsExactly(range(5, 25));
        String[] more =
                Stream.concat(Stream.of("7", "7"), Arrays.stream(range(5, 26))).toArray(String[]::new);
        Read read = read("auto", more);
        assertThat(read.classes).isEmpty();
        assertThat(read.labels)
                .containsExactly(
                        Arrays.stream(more).mapToDouble(Double::parseDouble).toArray());
    }

    @Test
    void threeNumbersThatAreNotWholeAreNumbers() {
        Read read = read("auto", "1.5", "2", "3", "1.5");
        assertThat(read.classes).isEmpty();
        assertThat(read.labels).containsExactly(1.5, 2, 3, 1.5);
    }

    @Test
    void aWordAmongNumbersIsAMistakeWhereverItStands() {
        String message =
                "line %d must be a number like other labels, got 'n/a'; use --model softmax if they are classes";
        refused(String.format(message, 2), "auto", "1.5", "n/a", "2.5", "3.5");
        refused(String.format(message, 4), "auto", "1.5", "2.5", "3.5", "n/a", "none");
        for (int at : new int[] {0, 5, 20, 21, 25}) {
            String[] cells = Stream.of(range(0, at), new String[] {"n/a"}, range(at, 30))
                    .flatMap(Arrays::stream)
                    .toArray(String[]::new);
            refused(String.format(message, at + 1), "auto", cells);
            assertThat(read("softmax", cells).classes).hasSize(31).endsWith("n/a");
        }
    }

    @Test
    void thePlanDecidesWhereItNamesAModel() {
        assertThat(read("linear", "0", "1", "1").classes).isEmpty();
        assertThat(read("softmax", "1.5", "2.5", "3.5").classes).containsExactly("1.5", "2.5", "3.5");
        assertThat(read("softmax", range(0, 50)).classes).containsExactly(range(0, 50));
        assertThat(read("poisson", "0", "3", "3.0").labels).containsExactly(0, 3, 3);
        refused("line 2 must be a number, got 'red'", "linear", "1", "red");
        refused("line 2 must be a count, a whole number from 0, got -3", "poisson", "1", "-3");
        refused("line 1 must be a count, a whole number from 0, got 0.5", "poisson", "0.5");
        refused(
                "line 4: a label must have two values, got a third: 'c' beside a and b",
                "logistic",
                "a",
                "b",
                "a",
                "c");
        refused("line 3: a label must have two values, got a third: 'c' beside a and b", "svm", "a", "b", "c");
    }

    @Test
    void thereMustBeSeveralClassesAndNotTooMany() {
        refused("f.csv: there must be rows of different labels, but every y is 3", "auto", "3", "3");
        refused("f.csv: there must be rows of both classes, but every y is x", "logistic", "x");
        String[] words = Arrays.stream(range(0, 1001)).map(i -> "w" + i).toArray(String[]::new);
        assertThat(read("softmax", Arrays.copyOf(words, 1000)).classes).hasSize(1000);
        refused("f.csv: y has more than 1000 different values; is it the label?", "auto", words);
    }

    @Test
    void manyNamesOfWhichHardlyAnyComesBackAreNoLabelUnlessAskedFor() {
        String[] names = Arrays.stream(range(0, 30)).map(i -> "id" + i).toArray(String[]::new);
        refused(
                "f.csv: y has 30 different values in 30 rows; is it the label? use --model softmax if they are classes",
                "auto",
                names);
        assertThat(read("softmax", names).classes).hasSize(30);
        String[] twice =
                Stream.concat(Arrays.stream(names), Arrays.stream(names)).toArray(String[]::new);
        assertThat(read("auto", twice).classes).hasSize(30);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "  ", "\t"})
    void anEmptyCellIsNoLabel(String cell) {
        refused("line 2 must be a label, got an empty cell", "auto", "1", cell);
    }

    @ParameterizedTest
    @ValueSource(strings = {"NA", "nan", "null", "?"})
    void aCellThatStandsForAMissingOneIsNoLabel(String cell) {
        refused("line 2 must be a label, got '" + cell + "', which stands for a missing one", "auto", "1", cell);
    }

    @Test
    void laterLabelsMustBeOfTheSameClasses() {
        Schema schema = new Schema(List.of("x"), "y", List.of("1", "2", "10"), List.of());
        assertThat(read(new Labels("f.csv", schema), "10", "2.0", "1").labels).containsExactly(2, 1, 0);
        assertThatThrownBy(() -> read(new Labels("f.csv", schema), "1", "3"))
                .hasMessage("line 2 must be a class met in training, 1, 2, 10; got '3'");
        Schema numbers = new Schema(List.of("x"), "y", List.of(), List.of());
        assertThat(read(new Labels("f.csv", numbers), "1", "2").labels).containsExactly(1, 2);
        assertThatThrownBy(() -> read(new Labels("f.csv", numbers), "1", "red"))
                .hasMessage("line 2 must be a number, got 'red'");
    }

    /** The order of the rows decides nothing but the order of the labels. */
    @Test
    void shuffledRowsHaveShuffledLabels() {
        Laws.check(50, seed -> {
            int n = 2 + seed.random().nextInt(60);
            String[] cells = new String[n];
            for (int i = 0; i < n; i++) {
                int value = i < 2 ? i : seed.child("cell", i).random().nextInt(1 + n / 3);
                cells[i] = seed.value() % 2 == 0 ? "w" + value : Integer.toString(value);
            }
            int[] order = IntStream.range(0, n).toArray();
            seed.child("order").random().shuffle(order);
            Read plain = read(Models.AUTO.toString(), cells);
            Read shuffled = read(
                    Models.AUTO.toString(),
                    Arrays.stream(order).mapToObj(i -> cells[i]).toArray(String[]::new));
            assertThat(shuffled.classes).isEqualTo(plain.classes);
            assertThat(shuffled.labels)
                    .containsExactly(Arrays.stream(order)
                            .mapToDouble(i -> plain.labels[i])
                            .toArray());
        });
    }
}
