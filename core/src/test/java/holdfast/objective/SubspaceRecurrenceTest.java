package holdfast.objective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import holdfast.InputException;
import holdfast.Randomness;
import holdfast.Seed;
import holdfast.data.Block;
import holdfast.data.DenseBlock;
import holdfast.math.Vectors;
import holdfast.model.SoftmaxRegression;
import holdfast.testkit.Laws;
import holdfast.testkit.Samples;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class SubspaceRecurrenceTest {

    /** A random block and parameters, lambda being this many times L_zz. */
    private record Problem(SoftmaxRegression model, Block block, double[] theta, double lambda) {
        static Problem draw(Seed seed, double least, double most) {
            Randomness random = seed.child("problem").random();
            int d = 1 + random.nextInt(8);
            int k = 2 + random.nextInt(5);
            SoftmaxRegression model = new SoftmaxRegression(k, random.nextInt(2) == 0);
            double[] theta = Vectors.scaled(0.2 + random.nextDouble(), random.gaussians(model.parameters(d)));
            double zz = model.smoothness(theta, d, 0, 0).zz();
            Block block = Samples.block(seed, 1 + random.nextInt(20), d, random.nextInt(2) == 0);
            double[] labels =
                    Arrays.stream(block.labels()).map(y -> random.nextInt(k)).toArray();
            return new Problem(
                    model, block.relabelled(labels), theta, zz * (least + (most - least) * random.nextDouble()));
        }

        WorstCase worst(int steps) {
            return new SubspaceRecurrence(model, lambda, 1 / lambda).maximise(theta, block, new Effort.Steps(steps));
        }

        /** f(theta; z_j) - lambda c(z_j, x_j) */
        double gain(WorstCase worst, int j) {
            double[] z = row(worst.rows(), j);
            Block moved = new DenseBlock(z.length, z, new double[] {block.labels()[j]}, null);
            return model.loss(theta, moved) - lambda * worst.costs()[j];
        }
    }

    private static double[] row(Block block, int j) {
        double[] x = new double[block.columns()];
        block.copyRow(j, x, 0);
        return x;
    }

    @Test
    void makesTheIteratesOfTheAscent() {
        Laws.check(300, seed -> {
            Problem p = Problem.draw(seed, 0.5, 4);
            Randomness random = seed.child("effort").random();
            double rate = (0.05 + random.nextDouble()) / p.lambda;
            Effort steps = new Effort.Steps(random.nextInt(101));
            WorstCase slow = new GradientAscent(p.model, p.lambda, rate).maximise(p.theta, p.block, steps);
            WorstCase fast = new SubspaceRecurrence(p.model, p.lambda, rate).maximise(p.theta, p.block, steps);
            for (int j = 0; j < p.block.rows(); j++) {
                assertThat(row(fast.rows(), j)).containsExactly(row(slow.rows(), j), within(1e-10));
            }
            assertThat(fast.costs()).containsExactly(slow.costs(), within(1e-10));
            double[] quick = new double[p.theta.length];
            double[] expected = new double[p.theta.length];
            p.model.addGradient(p.theta, fast.rows(), quick);
            p.model.addGradient(p.theta, slow.rows(), expected);
            assertThat(quick).containsExactly(expected, within(1e-9));
            if (Double.isInfinite(slow.precision())) {
                assertThat(fast.precision()).isInfinite();
            } else {
                assertThat(fast.precision()).isCloseTo(slow.precision(), within(1e-9));
            }
        });
    }

    @Test
    void stepsOfOneOverLambdaNeverLoseAlsoWhereTheProblemIsNotConcave() {
        Laws.check(200, seed -> {
            Problem p = Problem.draw(seed, 0.02, 2);
            WorstCase before = p.worst(0);
            for (int steps = 1; steps <= 20; steps++) {
                WorstCase after = p.worst(steps);
                for (int j = 0; j < p.block.rows(); j++) {
                    double gain = p.gain(before, j);
                    assertThat(p.gain(after, j)).isGreaterThanOrEqualTo(gain - 1e-12 * (1 + Math.abs(gain)));
                }
                before = after;
            }
        });
    }

    /** By Jensen and the worst move towards each class alone: sup_z (v . z - lambda/2 ||z||^2) = ||v||^2 / (2 lambda). */
    @Test
    void neverExceedsTheClosedBound() {
        Laws.check(200, seed -> {
            Problem p = Problem.draw(seed, 0.02, 4);
            int k = p.model.scoresPerRow();
            int d = p.block.columns();
            double[][] w = p.model.weightsByClass(p.theta, d);
            double[] u = new double[p.block.rows() * k];
            p.model.scores(p.theta, p.block, u);
            WorstCase worst = p.worst(200);
            for (int j = 0; j < p.block.rows(); j++) {
                int y = (int) p.block.labels()[j];
                double sum = 0;
                for (int c = 0; c < k; c++) {
                    double[] gap = w[c].clone();
                    Vectors.addScaled(gap, -1, w[y], d);
                    sum += Math.exp(u[j * k + c] - u[j * k + y] + Vectors.dot(gap, gap, d) / (2 * p.lambda));
                }
                assertThat(p.gain(worst, j)).isLessThanOrEqualTo(Math.log(sum) + 1e-12 * (1 + Math.abs(Math.log(sum))));
            }
        });
    }

    /** Where the problem is concave there is one maximum, so more precision must lead to the same place. */
    @Test
    void theCertifiedPrecisionHoldsAndIsTheOneAskedFor() {
        Laws.check(100, seed -> {
            Problem p = Problem.draw(seed, 1.05, 5);
            double epsilon = Math.pow(10, -1 - 5 * seed.random().nextDouble());
            SubspaceRecurrence recurrence = new SubspaceRecurrence(p.model, p.lambda, 1 / p.lambda);
            WorstCase near = recurrence.maximise(p.theta, p.block, new Effort.Precision(epsilon));
            WorstCase there = recurrence.maximise(p.theta, p.block, new Effort.Precision(1e-11));
            assertThat(near.precision()).isLessThanOrEqualTo(epsilon);
            for (int j = 0; j < p.block.rows(); j++) {
                double[] gap = row(near.rows(), j);
                Vectors.addScaled(gap, -1, row(there.rows(), j), gap.length);
                assertThat(Vectors.norm(gap)).isLessThanOrEqualTo(near.precision() + there.precision() + 1e-12);
            }
        });
    }

    @Test
    void isTheSameWhateverWasAskedBefore() {
        Laws.check(20, seed -> {
            Problem p = Problem.draw(seed, 0.5, 3);
            SubspaceRecurrence used = new SubspaceRecurrence(p.model, p.lambda, 1 / p.lambda);
            double[] other = Vectors.scaled(2, p.theta);
            used.maximise(other, p.block, new Effort.Steps(3));
            System.arraycopy(p.theta, 0, other, 0, other.length);
            WorstCase again = used.maximise(other, p.block, new Effort.Steps(3));
            assertThat(Laws.bits(again.costs())).isEqualTo(Laws.bits(p.worst(3).costs()));
            assertThat(again.precision()).isEqualTo(p.worst(3).precision());
        });
    }

    @Test
    void leavesItsInputUntouched() {
        Laws.check(20, seed -> {
            Problem p = Problem.draw(seed, 0.5, 3);
            Problem same = Problem.draw(seed, 0.5, 3);
            p.worst(10);
            assertThat(Laws.bits(p.theta)).isEqualTo(Laws.bits(same.theta));
            for (int j = 0; j < p.block.rows(); j++) {
                assertThat(row(p.block, j)).isEqualTo(row(same.block, j));
            }
        });
    }

    @Test
    void nonsenseIsRefused() {
        SoftmaxRegression model = new SoftmaxRegression(3, true);
        for (double bad : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
            assertThatThrownBy(() -> new SubspaceRecurrence(model, bad, 1)).isInstanceOf(InputException.class);
            assertThatThrownBy(() -> new SubspaceRecurrence(model, 1, bad)).isInstanceOf(InputException.class);
        }
    }
}
