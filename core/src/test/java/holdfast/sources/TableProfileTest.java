package holdfast.sources;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.data.DataSource;
import holdfast.data.DatasetBuilder;
import holdfast.data.Schema;
import holdfast.data.Table;
import holdfast.data.TableColumn;
import java.util.List;
import org.junit.jupiter.api.Test;

class TableProfileTest {
    private static final double NONE = Double.NaN;

    @Test
    void everySourceIsCounted() {
        DatasetBuilder rows = new DatasetBuilder(2);
        rows.add(new double[] {1, 0}, 0, 0, 1);
        rows.add(new double[] {1, 0}, 0, 0, 1);
        rows.add(new double[] {5, 1}, 1, 0, 1);
        rows.add(new double[] {NONE, 1}, 1, 1, 1);
        rows.add(new double[] {1, 0}, 0, 1, 1);
        rows.add(new double[] {1, 0}, 1, 1, 1);
        rows.add(new double[] {-3, NONE}, 1, 1, 1);
        TableProfile profile = TableProfile.of(Table.of(
                List.of(
                        new TableColumn("x", List.of(), TableColumn.Missing.MEAN),
                        new TableColumn("c", List.of("red", "blue"), TableColumn.Missing.MEAN)),
                rows.build(
                        new Schema(List.of("x", "c"), "y", List.of("no", "yes"), List.of("A", "B")),
                        DataSource.MEMORY)));
        assertThat(profile.rows()).isEqualTo(7);
        TableProfile.Cells labels = profile.sources().get(0).values();
        assertThat(profile.sources())
                .containsExactly(
                        new TableProfile.Source("A", 3, 1, 2, List.of(2, 1), labels),
                        new TableProfile.Source("B", 4, 0, 1, List.of(1, 3), labels));
        assertThat(profile.columns())
                .containsExactly(
                        new TableProfile.Column(
                                "x",
                                "number",
                                new TableProfile.Cells(7, 1, 3, -3, 1, 5, ""),
                                List.of(
                                        new TableProfile.Cells(3, 0, 2, 1, 1, 5, ""),
                                        new TableProfile.Cells(4, 1, 2, -3, 1, 1, ""))),
                        new TableProfile.Column(
                                "c",
                                "text",
                                new TableProfile.Cells(7, 1, 2, NONE, NONE, NONE, "red"),
                                List.of(
                                        new TableProfile.Cells(3, 0, 2, NONE, NONE, NONE, "red"),
                                        new TableProfile.Cells(4, 1, 2, NONE, NONE, NONE, "red"))));
        assertThat(profile.columns().get(0).bySource().get(1).missingShare()).isEqualTo(0.25);
    }

    @Test
    void numbersAndTablesWithoutSourcesAreSummedUp() {
        DatasetBuilder rows = new DatasetBuilder(1);
        for (int r = 0; r < 4; r++) {
            rows.add(new double[] {r}, 10 * r);
        }
        TableProfile profile = TableProfile.of(
                Table.of(rows.build(new Schema(List.of("x"), "y", List.of(), List.of()), DataSource.MEMORY)));
        assertThat(profile.sources())
                .containsExactly(new TableProfile.Source(
                        "all rows", 4, 0, 0, List.of(), new TableProfile.Cells(4, 0, 4, 0, 15, 30, "")));
    }
}
