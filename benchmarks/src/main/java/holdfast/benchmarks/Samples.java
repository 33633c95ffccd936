package holdfast.benchmarks;

import holdfast.Randomness;
import holdfast.Seed;
import holdfast.data.DataSource;
import holdfast.data.Dataset;
import holdfast.data.DatasetBuilder;
import holdfast.data.Schema;
import java.util.List;
import java.util.stream.IntStream;

/** Rows to measure with. */
final class Samples {
    private Samples() {}

    /** Two classes, the sign of a noisy linear function of correlated features. */
    static Dataset rows(int rows, int columns) {
        Randomness random = Seed.of(1).random();
        double[] truth = random.gaussians(columns);
        DatasetBuilder builder = new DatasetBuilder(columns);
        for (int r = 0; r < rows; r++) {
            double[] x = random.gaussians(columns);
            double common = random.nextGaussian();
            double u = Math.sqrt(columns) * random.nextGaussian();
            for (int i = 0; i < columns; i++) {
                x[i] += common / 2;
                u += truth[i] * x[i];
            }
            builder.add(x, u > 0 ? 1 : 0);
        }
        return builder.build(
                new Schema(
                        IntStream.range(0, columns).mapToObj(i -> "x" + i).toList(), "y", List.of("0", "1"), List.of()),
                DataSource.MEMORY);
    }
}
