package holdfast.formats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.InputException;
import holdfast.data.Table;
import holdfast.data.UnusableSource;
import holdfast.plan.Plan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClassListTest {
    @TempDir
    private Path folder;

    private Table read(Plan plan, String text) throws IOException {
        return DataFile.read(Files.writeString(folder.resolve("t.csv"), text).toString(), plan);
    }

    private static final String DEALT = "x,y\n1,yes\n2,no\n3,yes\n";
    private static final String BY_SOURCE =
            "x,s,y\n1,a,yes\n2,a,no\n1,b,yes\n2,b,no\n1,c,yes\n2,c,maybe\n5,d,no\n6,d,yes\n";

    @Test
    void theListIsTheClassesInItsOrder() throws IOException {
        Table table = read(Plan.defaults().with("classes", "yes,no"), DEALT);
        assertThat(table.schema().classes()).containsExactly("yes", "no");
        assertThat(table.cells().label(0)).isZero();
        assertThat(read(Plan.defaults().with("classes", "yes,unknown,no"), DEALT)
                        .schema()
                        .classes())
                .containsExactly("yes", "unknown", "no");
        assertThat(read(Plan.defaults().with("classes", "numbers"), "x,y\n1,0\n2,1\n3,1\n")
                        .schema()
                        .classes())
                .isEmpty();
    }

    @Test
    void anotherLabelIsAnErrorOrMakesItsSourceUnusable() throws IOException {
        Plan plan = Plan.defaults().with("classes", "yes,no");
        assertThatThrownBy(() -> read(plan, DEALT + "4,maybe\n"))
                .isInstanceOf(InputException.class)
                .hasMessage(folder.resolve("t.csv")
                        + ": line 5, column 2 (y) must be one of --classes yes,no, got 'maybe'");
        Table table = read(plan.with("workers-by", "s"), BY_SOURCE);
        assertThat(table.schema().classes()).containsExactly("yes", "no");
        assertThat(table.unusable())
                .containsExactly(new UnusableSource(
                        "c",
                        folder.resolve("t.csv")
                                + ": line 7, column 3 (y) must be one of --classes yes,no, got 'maybe'"));
        assertThat(table.rows()).isEqualTo(6);
        assertThat(table.cells().label(0)).isZero();
        assertThat(table.cells().label(1)).isEqualTo(1);
    }

    /** Without the list, a label that no more than f sources know is no class. */
    @Test
    void aListedClassCountsHoweverFewSourcesKnowIt() throws IOException {
        Plan plan = Plan.defaults().with("workers-by", "s");
        assertThat(read(plan, BY_SOURCE).schema().classes()).containsExactly("no", "yes");
        Table table = read(plan.with("classes", "no,maybe,yes"), BY_SOURCE);
        assertThat(table.schema().classes()).containsExactly("no", "maybe", "yes");
        assertThat(table.unusable()).isEmpty();
        assertThat(table.rows()).isEqualTo(8);
    }

    @Test
    void numbersAreTheSameClassHoweverTheyAreWritten() throws IOException {
        Table table = read(Plan.defaults().with("classes", "1,0"), "x,y\n1,1.0\n2,0\n3,01\n");
        assertThat(table.cells().label(0)).isZero();
        assertThat(table.cells().label(1)).isEqualTo(1);
        assertThat(table.cells().label(2)).isZero();
        for (String by : new String[] {"", "s"}) {
            assertThatThrownBy(() -> read(
                            Plan.defaults().with("classes", "1,1.0").with("workers-by", by),
                            "x,s,y\n1,a,1\n1,b,1\n1,c,1\n1,d,1\n"))
                    .hasMessage("--classes must list every class once, got 1,1.0, of which two are the same number");
        }
    }

    @Test
    void modelAndClassesMustNotContradictEachOther() {
        Plan plan = Plan.defaults();
        assertThatThrownBy(() -> read(plan.with("classes", "a,b,c").with("model", "logistic"), DEALT))
                .hasMessage("--classes a,b,c and --model logistic exclude each other: the model predicts two classes");
        assertThatThrownBy(() -> read(plan.with("classes", "numbers").with("model", "softmax"), DEALT))
                .hasMessage("--classes numbers and --model softmax exclude each other: the model predicts classes");
        assertThatThrownBy(() -> read(plan.with("classes", "a,b").with("model", "linear"), DEALT))
                .hasMessageContaining("the model predicts numbers");
        assertThatThrownBy(() -> plan.with("classes", "a")).hasMessageContaining("two classes or more");
        assertThatThrownBy(() -> plan.with("classes", "a,,b")).hasMessageContaining("separated by commas");
        assertThatThrownBy(() -> plan.with("classes", "a,b,a")).hasMessageContaining("each once, got a,b,a");
    }
}
