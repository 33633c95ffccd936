package holdfast.math;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.Randomness;
import holdfast.testkit.Laws;
import java.util.Arrays;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** The two implementations against each other; {@link VectorsTest} and {@link LogisticTest} hold them to the mathematics. */
class KernelsTest {
    private static final double[] EXTREMES = {
        0,
        -0.0,
        Double.MIN_VALUE,
        -Double.MIN_NORMAL,
        1e-300,
        -708,
        709.9,
        -745,
        1e300,
        -Double.MAX_VALUE,
        Double.NaN,
        Double.POSITIVE_INFINITY,
        Double.NEGATIVE_INFINITY
    };

    private final Kernels plain = Kernels.plain();
    private final Kernels vector = Kernels.vector();

    @Test
    void theVectorApiIsTakenWhereItIsThere() {
        assertThat(Kernels.CHOSEN.name()).isEqualTo(System.getProperty("holdfast.kernels", "vector"));
    }

    @Test
    void dotProductsAndSumsHaveTheSameBits() {
        same(random -> {
            int n = random.nextInt(301);
            int aFrom = random.nextInt(9);
            int bFrom = random.nextInt(9);
            double[] a = values(random, aFrom + n);
            double[] b = values(random, bFrom + n);
            return k -> new double[] {k.dot(a, aFrom, b, bFrom, n), k.sum(a, n)};
        });
    }

    @Test
    void longVectorsHaveTheSameBits() {
        same(random -> {
            int n = 1000 + random.nextInt(3000);
            double[] x = random.gaussians(5 * n);
            double[] theta = random.gaussians(n);
            return k -> {
                double[] out = new double[7];
                k.times(x, 0, 5, n, theta, out);
                out[5] = k.dot(x, 0, theta, 0, n);
                out[6] = k.sum(x, n);
                return out;
            };
        });
    }

    @Test
    void scaledAdditionHasTheSameBitsAndLeavesTheRest() {
        same(random -> {
            int n = random.nextInt(301);
            double[] target = values(random, n + 3);
            double[] a = values(random, n);
            double factor = values(random, 1)[0];
            return k -> {
                double[] out = target.clone();
                k.addScaled(out, factor, a, n);
                return out;
            };
        });
    }

    @Test
    void squaredDistancesHaveTheSameBitsAndWriteOnlyTheirs() {
        same(random -> {
            int from = random.nextInt(9);
            int to = from + random.nextInt(301);
            double[] a = values(random, to);
            double[][] others = new double[1 + random.nextInt(12)][];
            Arrays.setAll(others, j -> values(random, to));
            int first = random.nextInt(others.length);
            int last = first + random.nextInt(others.length - first + 1);
            double[] before = random.gaussians(others.length + 2);
            return k -> {
                double[] out = before.clone();
                k.squaredDistances(a, others, first, last, from, to, out, 2);
                return out;
            };
        });
    }

    @Test
    void sumsOfVectorsHaveTheSameBits() {
        same(random -> {
            int n = random.nextInt(301);
            int from = random.nextInt(9);
            int first = random.nextInt(3);
            double[][] x = new double[first + 8][];
            Arrays.setAll(x, i -> values(random, from + n));
            double[] w = values(random, first + 8);
            double[] target = values(random, n);
            return k -> {
                double[] eight = new double[n];
                k.sumEight(x, first, w, from, eight);
                double[] sum = target.clone();
                k.add(sum, eight);
                return join(eight, sum);
            };
        });
    }

    @Test
    void productsWithRowsHaveTheSameBitsAndWriteOnlyTheirs() {
        same(random -> {
            int rows = random.nextInt(20);
            int n = random.nextInt(301);
            int from = random.nextInt(9);
            double[] x = values(random, from + rows * n);
            double[] theta = values(random, n + random.nextInt(2));
            double[] r = values(random, rows);
            double[] into = values(random, n + 1);
            double[] before = x.clone();
            return k -> {
                double[] out = new double[rows + 1];
                k.times(x, from, rows, n, theta, out);
                double[] sum = Arrays.copyOf(into, n + 1);
                k.addTransposed(x, from, rows, n, r, sum);
                assertThat(Laws.bits(x)).isEqualTo(Laws.bits(before));
                return join(out, sum);
            };
        });
    }

    @Test
    void rowsOfFloatsHaveTheBitsOfTheSameRowsOfDoubles() {
        same(random -> {
            int rows = random.nextInt(12);
            int n = random.nextInt(random.nextInt(4) == 0 ? 2500 : 301);
            int from = random.nextInt(9);
            float[] x = new float[from + rows * n];
            double[] wide = values(random, x.length);
            for (int i = 0; i < x.length; i++) {
                x[i] = (float) (random.nextInt(50) == 0 ? 1e-40 * wide[i] : wide[i]);
                wide[i] = x[i];
            }
            double[] theta = values(random, n + random.nextInt(2));
            double[] r = values(random, rows);
            double[] into = values(random, n + 1);
            return k -> {
                double[] out = new double[rows + 1];
                double[] sum = into.clone();
                k.times(x, from, rows, n, theta, out);
                k.addTransposed(x, from, rows, n, r, sum);
                double[] wideOut = new double[rows + 1];
                double[] wideSum = into.clone();
                k.times(wide, from, rows, n, theta, wideOut);
                k.addTransposed(wide, from, rows, n, r, wideSum);
                assertThat(bits(out)).isEqualTo(bits(wideOut));
                assertThat(bits(sum)).isEqualTo(bits(wideSum));
                return join(out, sum);
            };
        });
    }

    @Test
    void exponentialsHaveTheSameBitsAsOneByOne() {
        same(random -> {
            int n = random.nextInt(301);
            double[] a = Vectors.scaled(random.nextInt(400), values(random, n));
            double[] each = Arrays.stream(a).map(Logistic::exp).toArray();
            double[] sigmoids = Arrays.stream(a).map(Logistic::sigmoid).toArray();
            return k -> {
                double[] exp = new double[n + 1];
                double[] sigmoid = new double[n + 1];
                k.exp(a.clone(), exp, n);
                k.sigmoid(a.clone(), sigmoid, n);
                assertThat(bits(exp)).isEqualTo(bits(Arrays.copyOf(each, n + 1)));
                assertThat(bits(sigmoid)).isEqualTo(bits(Arrays.copyOf(sigmoids, n + 1)));
                return join(exp, sigmoid);
            };
        });
    }

    @Test
    void sharesAndProductsByClassHaveTheSameBitsAndWriteOnlyTheirs() {
        same(random -> {
            int k = 1 + random.nextInt(11);
            int n = 1 + random.nextInt(40);
            double[] u = Vectors.scaled(random.nextInt(400), values(random, k * n));
            double[][] a = new double[k][];
            Arrays.setAll(a, c -> values(random, k));
            return kernels -> {
                double[] shares = new double[k * n + 1];
                kernels.softmax(Arrays.copyOf(u, k * n + 1), shares, k, n);
                double[] product = new double[k * n + 1];
                kernels.product(a, u, product, n);
                return join(shares, product);
            };
        });
    }

    @Test
    void softplusHasTheSameBits() {
        same(random -> {
            int n = random.nextInt(70);
            double[] a = Vectors.scaled(1 + random.nextInt(30), values(random, n + 1));
            return k -> {
                double[] value = new double[n + 1];
                double[] slope = new double[n + 1];
                k.softplus(a, value, slope, n);
                return join(value, slope);
            };
        });
    }

    @Test
    void productsOfMatricesHaveTheSameBitsAndWriteOnlyTheirs() {
        same(random -> {
            int rows = random.nextInt(14);
            int inner = random.nextInt(20);
            int columns = random.nextInt(80);
            int gap = random.nextInt(3);
            double[] a = values(random, 2 + rows * inner);
            double[] b = values(random, 1 + inner * columns);
            double[] out = values(random, 3 + rows * (columns + gap));
            Matrix left = Matrix.of(a, 2, rows, inner);
            Matrix turned = Matrix.of(a, 2, inner, rows).transposed();
            Matrix right = Matrix.of(b, 1, inner, columns);
            return k -> {
                double[] one = out.clone();
                k.addProduct(left, right, new Matrix(one, 3, rows, columns, columns + gap, 1));
                double[] other = out.clone();
                k.addProduct(turned, right, new Matrix(other, 3, rows, columns, columns + gap, 1));
                return join(one, other);
            };
        });
    }

    private void same(Function<Randomness, Function<Kernels, double[]>> law) {
        Laws.check(400, seed -> {
            Function<Kernels, double[]> result = law.apply(seed.random());
            assertThat(bits(result.apply(vector))).isEqualTo(bits(result.apply(plain)));
        });
    }

    /** Gaussian, and half of the time with some extremes among them. */
    private static double[] values(Randomness random, int n) {
        double[] values = random.gaussians(n);
        for (int i = 0; n > 0 && i < random.nextInt(2) * (1 + n / 20); i++) {
            values[random.nextInt(n)] = EXTREMES[random.nextInt(EXTREMES.length)];
        }
        return values;
    }

    private static double[] join(double[] a, double[] b) {
        double[] both = Arrays.copyOf(a, a.length + b.length);
        System.arraycopy(b, 0, both, a.length, b.length);
        return both;
    }

    /** With one NaN for all. */
    private static long[] bits(double[] values) {
        return Arrays.stream(values).mapToLong(Double::doubleToLongBits).toArray();
    }
}
