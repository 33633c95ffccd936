package holdfast.benchmarks;

import holdfast.Randomness;
import holdfast.Seed;
import holdfast.data.DataSource;
import holdfast.data.Dataset;
import holdfast.data.DatasetBuilder;
import holdfast.data.Schema;
import java.util.List;
import java.util.SplittableRandom;
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

    /**
     * Returns the features and then the label of one row: two classes, the sign of a noisy linear function of features
     * that resemble their neighbours, so that L-BFGS has something to do. The same number gives the same row.
     */
    static double[] neighbours(long number, int columns) {
        SplittableRandom random = new SplittableRandom(number);
        double[] row = new double[columns + 1];
        double u = Math.sqrt(columns) * random.nextGaussian();
        for (int i = 0; i < columns; i++) {
            row[i] = random.nextGaussian() + (i == 0 ? 0 : 0.9 * row[i - 1]);
            u += i % 2 == 0 ? row[i] : -row[i];
        }
        row[columns] = u > 0 ? 1 : 0;
        return row;
    }
}
