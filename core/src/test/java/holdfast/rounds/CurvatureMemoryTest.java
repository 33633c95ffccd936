package holdfast.rounds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import holdfast.Randomness;
import holdfast.data.Dataset;
import holdfast.math.Vectors;
import holdfast.plan.Plan;
import holdfast.testkit.Laws;
import holdfast.testkit.Samples;
import holdfast.training.Training;
import holdfast.training.TrainingRun;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What quasi-Newton steps remember, against the matrices that it stands for. */
class CurvatureMemoryTest {
    private static CurvatureMemory start(double[] direction, double[] step) {
        return CurvatureMemory.read(new double[0], direction.length).after(direction, step);
    }

    /** The BFGS formula H' = (I - r s y^T) H (I - r y s^T) + r s s^T, r = 1/(s^T y), with whole matrices. */
    @Test
    void turningMultipliesByTheInverseCurvatureOfThePairs() {
        Laws.check(60, seed -> {
            Randomness random = seed.random();
            int n = 2 + random.nextInt(6);
            double[] curvatures = random.gaussians(n);
            Arrays.setAll(curvatures, i -> Math.exp(curvatures[i]));
            double[] theta = random.gaussians(n);
            CurvatureMemory memory = CurvatureMemory.read(new double[0], n);
            double[] direction = times(curvatures, theta);
            for (int round = 0; round < 9; round++) {
                double[] step = Vectors.scaled(-0.3, random.gaussians(n));
                memory = memory.after(direction, step);
                theta = Vectors.add(theta, step);
                double[] next = times(curvatures, theta);
                double[] change = Vectors.add(Vectors.scaled(-1, direction), next);
                memory = memory.withPair(next);
                direction = next;
                double[][] expected = scaledStart(memory);
                for (int i = 0; i < memory.steps().size(); i++) {
                    expected = updated(
                            expected, memory.steps().get(i), memory.changes().get(i));
                }
                double[] exact = product(expected, next);
                double[] found = memory.turned(next, Double.NaN, 0);
                double length = Vectors.norm(exact);
                boolean bounded = length <= 10 * Vectors.norm(step)
                        && Vectors.dot(exact, next, n) >= 0.0101 * length * Vectors.norm(next);
                if (bounded) {
                    for (int i = 0; i < n; i++) {
                        assertThat(found[i]).isCloseTo(exact[i], within(1e-9 * length));
                    }
                }
                assertThat(Vectors.dot(step, change, n)).isPositive();
            }
            assertThat(memory.steps()).hasSize(9);
        });
    }

    private static double[] times(double[] diagonal, double[] v) {
        return IntStream.range(0, v.length).mapToDouble(i -> diagonal[i] * v[i]).toArray();
    }

    private static double[][] identity(int n) {
        double[][] out = new double[n][n];
        for (int i = 0; i < n; i++) {
            out[i][i] = 1;
        }
        return out;
    }

    private static double[][] scaledStart(CurvatureMemory memory) {
        int last = memory.steps().size() - 1;
        double[] s = memory.steps().get(last);
        double[] y = memory.changes().get(last);
        double[][] out = identity(s.length);
        for (int i = 0; i < s.length; i++) {
            out[i][i] = Vectors.dot(s, y, s.length) / Vectors.dot(y, y, y.length);
        }
        return out;
    }

    private static double[][] updated(double[][] h, double[] s, double[] y) {
        int n = s.length;
        double r = 1 / Vectors.dot(s, y, n);
        double[][] left = identity(n);
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                left[i][j] -= r * s[i] * y[j];
            }
        }
        double[][] out = new double[n][n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                for (int k = 0; k < n; k++) {
                    for (int l = 0; l < n; l++) {
                        out[i][j] += left[i][k] * h[k][l] * left[j][l];
                    }
                }
                out[i][j] += r * s[i] * s[j];
            }
        }
        return out;
    }

    private static double[] product(double[][] h, double[] v) {
        return Arrays.stream(h)
                .mapToDouble(row -> Vectors.dot(row, v, v.length))
                .toArray();
    }

    /** Whatever liars make of the directions, within the rule's bound or not. */
    @Test
    void stepsStayNearTheDirectionAndNeitherTooLongNorTooShort() {
        Laws.check(200, seed -> {
            Randomness random = seed.random();
            int n = 1 + random.nextInt(5);
            CurvatureMemory memory = CurvatureMemory.read(new double[0], n);
            double lowest = 1e-3;
            for (int round = 0; round < 30; round++) {
                double[] wild = random.gaussians(n);
                double factor = Math.pow(10, 6 * random.nextGaussian());
                double[] direction = random.nextInt(20) == 0 ? new double[n] : Vectors.scaled(factor, wild);
                double before = memory.isEmpty() ? Double.NaN : Vectors.norm(memory.step());
                memory = random.nextInt(10) == 0 ? memory.withoutPairs() : memory.withPair(direction);
                double[] found = memory.turned(direction, 0.01, lowest);
                double length = Vectors.norm(found);
                double norm = Vectors.norm(direction);
                assertThat(Vectors.finite(found)).isTrue();
                assertThat(Vectors.dot(found, direction, n)).isGreaterThanOrEqualTo(0.0099 * length * norm);
                assertThat(length).isGreaterThanOrEqualTo(lowest * norm * (1 - 1e-9));
                assertThat(length <= 0.01 * norm * (1 + 1e-9) || length <= 10 * before * (1 + 1e-9))
                        .isTrue();
                memory = memory.after(direction, Vectors.scaled(-1, found));
                assertThat(memory.steps().size()).isLessThanOrEqualTo(10);
                CurvatureMemory copy = CurvatureMemory.read(memory.numbers(), n);
                assertThat(copy.numbers()).isEqualTo(memory.numbers());
                assertThat(copy.steps()).hasSameSizeAs(memory.steps());
            }
        });
    }

    @Test
    void stepsAcrossTheChangeAreNotRemembered() {
        CurvatureMemory memory = start(new double[] {1, 0}, new double[] {0, 1});
        assertThat(memory.withPair(new double[] {2, 0}).steps()).isEmpty();
        assertThat(memory.withPair(new double[] {1, -1}).steps())
                .as("no curvature")
                .isEmpty();
        assertThat(memory.withPair(new double[] {1, 1}).steps()).hasSize(1);
    }

    /** Features that go together make the objective flat along their differences. */
    @Test
    void featuresThatGoTogetherTakeFewRounds() {
        Laws.check(3, seed -> {
            Dataset apart = Samples.dataset(seed, 600, 6);
            Dataset data = apart.changed(IntStream.range(0, apart.rows()).toArray(), (r, row) -> {
                for (int i = 1; i < row.length; i++) {
                    row[i] = 0.97 * row[i - 1] + 0.1 * row[i];
                }
            });
            Plan plan = Plan.defaults()
                    .with("lambda", "none")
                    .with("l2", "1e-5")
                    .with("rule", "mean")
                    .with("tolerance", "1e-6")
                    .with("rounds", "5000");
            TrainingRun turned = Training.of(data, plan).run();
            assertThat(turned.converged()).isTrue();
            TrainingRun along = Training.of(data, plan.with("learning-rate", "spectral(first=0.1, shortest=0.1)"))
                    .run();
            assertThat(turned.objective()).isCloseTo(along.objective(), within(1e-3 * along.objective()));
            assertThat(turned.state().round()).isLessThan(along.state().round());
        });
    }

    @Test
    void memoryIsEmptyBeforeTheFirstRound() {
        assertThat(CurvatureMemory.read(new double[0], 3).isEmpty()).isTrue();
        assertThat(CurvatureMemory.read(new double[0], 3).change(new double[3])).isEqualTo(StepSize.Change.NONE);
        assertThat(CurvatureMemory.read(new double[0], 3).turned(new double[] {1, 2, 3}, 0.5, 0.1))
                .containsExactly(0.5, 1, 1.5);
    }
}
