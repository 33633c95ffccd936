package holdfast.testkit;

import holdfast.Randomness;
import holdfast.Seed;
import holdfast.data.Block;
import holdfast.data.DataSource;
import holdfast.data.Dataset;
import holdfast.data.DatasetBuilder;
import holdfast.data.DenseBlock;
import holdfast.data.Schema;
import java.util.List;
import java.util.stream.IntStream;

/** Random data with something to learn: the label is the sign of a noisy linear function of normal features. */
public final class Samples {
    /** The schema of data with two classes and two features. */
    public static final Schema TWO_CLASSES = schema(2);

    private Samples() {}

    /** Returns the schema of data with two classes and this many features. */
    public static Schema schema(int columns) {
        return new Schema(names("x", columns), "y", List.of("no", "yes"), List.of());
    }

    /** Makes rows with two classes and no sources. */
    public static Dataset dataset(Seed seed, int rows, int columns) {
        return dataset(seed, rows, columns, 0);
    }

    /** @param sources how many sources the rows name in turn; 0: they name none */
    public static Dataset dataset(Seed seed, int rows, int columns, int sources) {
        Randomness random = seed.child("data").random();
        double[] truth = random.gaussians(columns);
        DatasetBuilder builder = new DatasetBuilder(columns);
        for (int r = 0; r < rows; r++) {
            double[] x = random.gaussians(columns);
            double u = random.nextGaussian();
            for (int i = 0; i < columns; i++) {
                u += truth[i] * x[i];
            }
            builder.add(x, u > 0 ? 1 : 0, sources == 0 ? 0 : r % sources, 1);
        }
        return builder.build(
                new Schema(
                        names("x", columns), "y", List.of("no", "yes"), sources == 0 ? List.of() : names("s", sources)),
                DataSource.MEMORY);
    }

    /** Makes rows with about {@code nonZeros} values that are not zero, some with none, stored without zeros. */
    public static Dataset sparse(Seed seed, int rows, int columns, int nonZeros) {
        return thinned(DatasetBuilder.sparse(columns), seed, rows, columns, nonZeros);
    }

    /** The rows of {@link #sparse}, stored with their zeros. */
    public static Dataset dense(Seed seed, int rows, int columns, int nonZeros) {
        return thinned(new DatasetBuilder(columns), seed, rows, columns, nonZeros);
    }

    private static Dataset thinned(DatasetBuilder builder, Seed seed, int rows, int columns, int nonZeros) {
        Randomness random = seed.child("sparse").random();
        for (int r = 0; r < rows; r++) {
            int[] at = IntStream.generate(() -> random.nextInt(columns))
                    .limit(r % 7 == 3 ? 0 : 1 + random.nextInt(2 * nonZeros))
                    .distinct()
                    .sorted()
                    .toArray();
            int count = at.length;
            double[] x = random.gaussians(count);
            double u = random.nextGaussian() / 2;
            for (int k = 0; k < count; k++) {
                u += at[k] % 2 == 0 ? x[k] : -x[k];
            }
            builder.add(at, x, count, u > 0 ? 1 : 0, r % 3, 1 + r % 2);
        }
        return builder.build(
                new Schema(names("x", columns), "y", List.of("no", "yes"), names("s", 3)), DataSource.MEMORY);
    }

    /** Makes counts with this mean, multiplied by the effect of four features; the last of them has no effect. */
    public static Dataset counts(Seed seed, int rows, double mean) {
        Randomness random = seed.child("counts").random();
        DatasetBuilder builder = new DatasetBuilder(4);
        for (int r = 0; r < rows; r++) {
            double[] x = random.gaussians(4);
            builder.add(x, count(mean * Math.exp(0.5 * x[0] - 0.3 * x[1] + 0.2 * x[2]), random));
        }
        return builder.build(new Schema(names("x", 4), "y", List.of(), List.of()), DataSource.MEMORY);
    }

    /** Draws from the Poisson distribution by inversion. */
    public static int count(double mean, Randomness random) {
        double share = Math.exp(-mean);
        double left = random.nextDouble() - share;
        int count = 0;
        while (left > 0 && count < 10_000) {
            share *= mean / ++count;
            left -= share;
        }
        return count;
    }

    /**
     * Makes several classes: a row belongs to the class with the largest of as many noisy linear functions of its
     * features.
     *
     * @param sources how many sources the rows name in turn; 0: they name none
     */
    public static Dataset classes(Seed seed, int rows, int columns, int classes, int sources) {
        Randomness random = seed.child("classes").random();
        double[] truth = random.gaussians(classes * columns);
        DatasetBuilder builder = new DatasetBuilder(columns);
        for (int r = 0; r < rows; r++) {
            double[] x = random.gaussians(columns);
            double[] u = random.gaussians(classes);
            int best = 0;
            for (int c = 0; c < classes; c++) {
                for (int i = 0; i < columns; i++) {
                    u[c] += truth[c * columns + i] * x[i];
                }
                best = u[c] > u[best] ? c : best;
            }
            builder.add(x, best, sources == 0 ? 0 : r % sources, 1);
        }
        return builder.build(
                new Schema(
                        names("x", columns), "y", names("c", classes), sources == 0 ? List.of() : names("s", sources)),
                DataSource.MEMORY);
    }

    /** Makes labels that are a noisy linear function of the features. */
    public static Dataset numbers(Seed seed, int rows, int columns, int sources) {
        Randomness random = seed.child("numbers").random();
        double[] truth = random.gaussians(columns);
        DatasetBuilder builder = new DatasetBuilder(columns);
        for (int r = 0; r < rows; r++) {
            double[] x = random.gaussians(columns);
            double u = random.nextGaussian();
            for (int i = 0; i < columns; i++) {
                u += truth[i] * x[i];
            }
            builder.add(x, u, sources == 0 ? 0 : r % sources, 1);
        }
        return builder.build(
                new Schema(names("x", columns), "y", List.of(), sources == 0 ? List.of() : names("s", sources)),
                DataSource.MEMORY);
    }

    /** Makes a block with labels 0 and 1, which do not depend on the features. */
    public static Block block(Seed seed, int rows, int columns, boolean weighted) {
        Randomness random = seed.child("block").random();
        double[] values = random.gaussians(rows * columns);
        double[] labels = random.gaussians(rows);
        double[] weights = random.gaussians(rows);
        for (int j = 0; j < rows; j++) {
            labels[j] = labels[j] > 0 ? 1 : 0;
            weights[j] = 0.1 + Math.abs(weights[j]);
        }
        return new DenseBlock(columns, values, labels, weighted ? weights : null);
    }

    private static List<String> names(String prefix, int count) {
        return IntStream.range(0, count).mapToObj(i -> prefix + i).toList();
    }
}
