package holdfast.theory;

import holdfast.data.Block;
import holdfast.data.DataSource;
import holdfast.data.Dataset;
import holdfast.data.DenseBlock;
import holdfast.math.Vectors;
import holdfast.model.LogisticRegression;
import holdfast.model.Model;
import holdfast.model.Smoothness;
import holdfast.testkit.Samples;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A distributed problem whose objective F(theta) = mean over workers of their mean phi_lambda, its gradient and its
 * minimum the test computes by itself: by bisection for worst cases and by one-dimensional searches or many exact steps
 * for the minimum.
 */
abstract class Problem {
    final Model model;
    final double lambda;
    final double l2;
    /** By worker, row and feature. */
    final double[][][] rows;

    private Problem(Model model, double lambda, double l2, double[][][] rows) {
        this.model = model;
        this.lambda = lambda;
        this.l2 = l2;
        this.rows = rows;
    }

    /** The constants of Assumption 1 where the run goes. */
    abstract Smoothness constants();

    /** lambda_F; 0 if F is not strongly convex. */
    abstract double convexity();

    /** The gradient of F_i at exact worst cases. */
    abstract double[] gradient(int worker, double[] theta);

    abstract double value(double[] theta);

    abstract double[] minimiser();

    abstract double[] labels(int worker);

    int workers() {
        return rows.length;
    }

    /** L_F of Lemma 1, with the penalty. */
    double smoothness() {
        return RobustSurrogate.objectiveSmoothness(constants(), lambda) + l2;
    }

    double[] gradient(double[] theta) {
        double[] mean = new double[theta.length];
        for (int w = 0; w < workers(); w++) {
            Vectors.addScaled(mean, 1.0 / workers(), gradient(w, theta), mean.length);
        }
        return mean;
    }

    List<Dataset> shards() {
        int d = rows[0][0].length;
        return IntStream.range(0, workers())
                .mapToObj(w -> {
                    double[] values = Arrays.stream(rows[w])
                            .flatMapToDouble(Arrays::stream)
                            .toArray();
                    Block block = new DenseBlock(d, values, labels(w), null);
                    return Dataset.of(Samples.schema(d), List.of(block), DataSource.MEMORY);
                })
                .toList();
    }

    /** A loss of differences, with exactly known constants. */
    static Problem of(DifferenceLoss loss, double lambda, double[][][] rows) {
        return new Problem(loss, lambda, 0, rows) {
            @Override
            Smoothness constants() {
                return loss.smoothness(null, loss.h().length, 0, 0);
            }

            @Override
            double convexity() {
                double least = Arrays.stream(loss.h()).min().orElseThrow();
                // The Hessian of phi is H + H (lambda I - H)^-1 H for the quadratic loss.
                return loss.isQuadratic() ? Math.min(smoothness(), lambda * least / (lambda - least)) : 0;
            }

            @Override
            double[] labels(int worker) {
                return new double[rows[worker].length];
            }

            @Override
            double[] gradient(int worker, double[] theta) {
                double[] sum = new double[theta.length];
                for (double[] row : rows[worker]) {
                    for (int i = 0; i < sum.length; i++) {
                        sum[i] += loss.surrogateSlope(i, theta[i], row[i], lambda) / rows[worker].length;
                    }
                }
                return sum;
            }

            @Override
            double value(double[] theta) {
                return IntStream.range(0, theta.length)
                        .mapToDouble(i -> value(i, theta[i]))
                        .sum();
            }

            private double value(int i, double theta) {
                double sum = 0;
                for (double[][] shard : rows) {
                    for (double[] row : shard) {
                        sum += loss.surrogate(i, theta, row[i], lambda) / shard.length;
                    }
                }
                return sum / rows.length;
            }

            /** The least of a fine grid, refined by ternary search between its neighbours. */
            @Override
            double[] minimiser() {
                return IntStream.range(0, loss.h().length)
                        .mapToDouble(i -> {
                            double[] column = Arrays.stream(rows)
                                    .flatMap(Arrays::stream)
                                    .mapToDouble(row -> row[i])
                                    .sorted()
                                    .toArray();
                            double from = column[0];
                            double width = Math.max(column[column.length - 1] - from, 1e-9);
                            int cells = loss.convex() ? 2 : 300;
                            int best = 0;
                            for (int c = 1; c <= cells; c++) {
                                if (value(i, from + width * c / cells) < value(i, from + width * best / cells)) {
                                    best = c;
                                }
                            }
                            double low = from + width * (best - 1) / cells;
                            double high = from + width * (best + 1) / cells;
                            while (high - low > 1e-9 * Math.max(1, Math.abs(low))) {
                                double third = (high - low) / 3;
                                if (value(i, low + third) < value(i, high - third)) {
                                    high -= third;
                                } else {
                                    low += third;
                                }
                            }
                            return (low + high) / 2;
                        })
                        .toArray();
            }
        };
    }

    /** Logistic regression with a penalty and no intercept; constants hold for ||theta|| &lt;= length. */
    static Problem ridgeLogistic(double lambda, double l2, double length, double[][][] rows, double[][] labels) {
        LogisticRegression model = new LogisticRegression(false);
        return new Problem(model, lambda, l2, rows) {
            @Override
            Smoothness constants() {
                double longest = Arrays.stream(rows)
                        .flatMap(Arrays::stream)
                        .mapToDouble(Vectors::norm)
                        .max()
                        .orElseThrow();
                // The paper's constants on a ball: Z = X + R/lambda.
                double reach = longest + length / lambda;
                double cross = 1 + reach * length / 4;
                return new Smoothness(reach * reach / 4, cross, cross, length * length / 4);
            }

            @Override
            double convexity() {
                return l2;
            }

            @Override
            double[] labels(int worker) {
                return labels[worker];
            }

            /** s with sigma(u + s n) - y = lambda s: unique, because lambda &gt; n/4. */
            private double move(double u, double n, double y) {
                double low = -1 / lambda;
                double high = 1 / lambda;
                for (int step = 0; step < 100; step++) {
                    double s = (low + high) / 2;
                    if (1 / (1 + Math.exp(-u - s * n)) - y - lambda * s > 0) {
                        low = s;
                    } else {
                        high = s;
                    }
                }
                return (low + high) / 2;
            }

            @Override
            double[] gradient(int worker, double[] theta) {
                double[] sum = Vectors.scaled(l2, theta);
                double n = Vectors.dot(theta, theta, theta.length);
                for (int j = 0; j < rows[worker].length; j++) {
                    double[] x = rows[worker][j];
                    double u = Vectors.dot(theta, x, x.length);
                    double s = move(u, n, labels[worker][j]);
                    double slope = (1 / (1 + Math.exp(-u - s * n)) - labels[worker][j]) / rows[worker].length;
                    Vectors.addScaled(sum, slope, x, x.length);
                    Vectors.addScaled(sum, slope * s, theta, x.length);
                }
                return sum;
            }

            @Override
            double value(double[] theta) {
                double n = Vectors.dot(theta, theta, theta.length);
                double sum = 0;
                for (int w = 0; w < rows.length; w++) {
                    for (int j = 0; j < rows[w].length; j++) {
                        double u = Vectors.dot(theta, rows[w][j], theta.length);
                        double s = move(u, n, labels[w][j]);
                        double v = labels[w][j] == 1 ? -u - s * n : u + s * n;
                        sum += (Math.log1p(Math.exp(v)) - lambda / 2 * s * s * n) / rows[w].length;
                    }
                }
                return sum / rows.length + l2 / 2 * n;
            }

            /** Many exact steps: the factor of each is at most 1 - l2/L_F. */
            @Override
            double[] minimiser() {
                double[] theta = new double[rows[0][0].length];
                for (int t = 0; t < 20 * smoothness() / l2; t++) {
                    Vectors.addScaled(theta, -1 / smoothness(), gradient(theta), theta.length);
                }
                return theta;
            }
        };
    }
}
