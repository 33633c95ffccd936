package holdfast.certificate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import holdfast.Randomness;
import holdfast.Seed;
import holdfast.data.DataSource;
import holdfast.data.DatasetBuilder;
import holdfast.evaluation.TrainedModel;
import holdfast.model.Models;
import holdfast.preparation.LabelScaling;
import holdfast.preparation.Scaling;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ScoreShiftTest {
    /** A shift of every row along the weights costs what it costs; shuffled rows cost nothing. */
    @Test
    void rowsMovedAlongTheWeightsCostTheirMove() {
        double[] offsets = {3, -1};
        double[] divisors = {2, 0.5};
        double[] w = {0.6, -0.8};
        TrainedModel model = new TrainedModel(
                Models.catalogue().choose("logistic"),
                true,
                new double[] {3 * w[0], 3 * w[1], 7},
                new Scaling(Scaling.Kind.STANDARDISE, offsets, divisors, Double.POSITIVE_INFINITY),
                LabelScaling.NONE,
                ShiftCases.schema(2, 2, 0),
                0.5);
        Randomness random = Seed.of(5).random();
        DatasetBuilder before = new DatasetBuilder(2);
        DatasetBuilder after = new DatasetBuilder(2);
        double[][] rows = new double[9][];
        Arrays.setAll(rows, j -> random.gaussians(2));
        for (int j = 0; j < rows.length; j++) {
            before.add(rows[j], 0, 0, 1);
            double[] other = rows[(j + 4) % rows.length];
            after.add(new double[] {other[0] + 0.3 * w[0] * divisors[0], other[1] + 0.3 * w[1] * divisors[1]}, 0, 0, 1);
        }
        double cost = ScoreShift.cost(
                        model,
                        before.build(model.schema(), DataSource.MEMORY),
                        after.build(model.schema(), DataSource.MEMORY))
                .orElseThrow();
        assertThat(cost).isCloseTo(0.3 * 0.3 / 2, within(1e-12));
    }

    /** numpy: both lists repeated to the same length, sorted, and the mean squared difference. */
    @Test
    void listsOfDifferentLengths() {
        double[] a = IntStream.range(0, 6)
                .mapToDouble(i -> (7 * i * i + 3 * i) % 101)
                .toArray();
        double[] b = IntStream.range(0, 9)
                .mapToDouble(i -> (11 * i * i + 5 * i + 2) % 97)
                .toArray();
        assertThat(ScoreShift.squaredDistance(a, b)).isCloseTo(80.77777777777777, within(1e-9));
        assertThat(ScoreShift.squaredDistance(b, a)).isCloseTo(80.77777777777777, within(1e-9));
        assertThat(ScoreShift.squaredDistance(a, a)).isZero();
    }
}
