package holdfast.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import holdfast.data.DataSource;
import holdfast.data.Dataset;
import holdfast.data.DatasetBuilder;
import holdfast.data.Schema;
import holdfast.model.Models;
import holdfast.preparation.Encoding;
import holdfast.preparation.LabelScaling;
import holdfast.preparation.RowSummary;
import holdfast.preparation.Scaling;
import java.util.List;
import org.junit.jupiter.api.Test;

class FarRowsTest {
    private static final double INF = Double.POSITIVE_INFINITY;

    /** Age 20 to 80 in units of 10, a word, a constant, and a column of one value whose unit is 3. */
    private static final TrainedModel MODEL = model();

    private static final RowSummary TRAINING = new RowSummary(
            new double[] {20, 0, 0, 5, 7}, new double[] {80, 0, 0, 5, 7}, new double[5][RowSummary.SLICES]);

    private static TrainedModel model() {
        Encoding encoding = new Encoding(List.of(
                Encoding.Column.number("age"),
                new Encoding.Column("site", List.of("n", "s"), List.of(), false),
                Encoding.Column.number("constant"),
                Encoding.Column.number("one")));
        return new TrainedModel(
                Models.catalogue().choose("logistic"),
                true,
                new double[6],
                encoding,
                new Scaling(Scaling.Kind.STANDARDISE, new double[5], new double[] {10, 1, 1, INF, 3}),
                LabelScaling.NONE,
                new Schema(encoding.features(), "y", List.of("a", "b"), List.of()),
                0.5);
    }

    private static FarRows of(double[]... rows) {
        DatasetBuilder builder = new DatasetBuilder(5);
        for (double[] row : rows) {
            builder.add(row, 0, 0, 1);
        }
        Dataset data = builder.build(MODEL.schema(), DataSource.MEMORY);
        return FarRows.of(MODEL, TRAINING, data);
    }

    private static double[] row(double age, double constant, double one) {
        return new double[] {age, 1, 0, constant, one};
    }

    @Test
    void aRangeBeyondTheRangeIsFar() {
        FarRows found = of(row(20, 5, 7), row(80, 5, 7), row(81, 5, 7), row(139, 5, 7), row(-39, 5, 7));
        assertThat(found)
                .extracting(FarRows::checked, FarRows::outside, FarRows::far)
                .containsExactly(5, 3, 0);
        assertThat(found.warning("new.csv")).isEmpty();
        found = of(row(50, 5, 7), row(141, 5, 7), row(-41, 5, 7), row(50_000, 5, 7));
        assertThat(found).extracting(FarRows::outside, FarRows::far).containsExactly(3, 3);
        assertThat(found.worst().orElseThrow().excess()).isCloseTo((50_000 - 80) / 60.0, within(1e-9));
        assertThat(found.warning("new.csv"))
                .contains(
                        "new.csv: 3 of 4 rows are far outside of the range of the training rows, by more than that range: row 4"
                                + " has age = 50000, and the range is 20 to 80; predictions there are extrapolated");
    }

    @Test
    void aColumnOfOneValueHasTheUnitOfTheScalingAsItsRange() {
        assertThat(of(row(50, 5, 9.9)).far()).isZero();
        assertThat(of(row(50, 5, 10.1)).far()).isEqualTo(1);
    }

    @Test
    void constantsAndWordsAreNeverOutside() {
        assertThat(of(row(50, 1e9, 7)).outside()).isZero();
    }

    @Test
    void hugeRangesDoNotOverflow() {
        assertThat(FarRows.excess(1e308, -1e308, 1e307, 1)).isNotNaN();
        assertThat(FarRows.excess(0, -1.7e308, 1.7e308, 1)).isNotPositive();
    }
}
