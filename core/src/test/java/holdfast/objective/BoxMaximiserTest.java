package holdfast.objective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import holdfast.InputException;
import holdfast.Randomness;
import holdfast.Seed;
import holdfast.data.Block;
import holdfast.data.DenseBlock;
import holdfast.data.SparseBlock;
import holdfast.math.Vectors;
import holdfast.model.LogisticRegression;
import holdfast.model.Model;
import holdfast.model.PoissonRegression;
import holdfast.testkit.Laws;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class BoxMaximiserTest {

    /** One row of so many features, some without weight, some outside the box. */
    private record Problem(PoissonRegression model, double[] theta, double[] x, double label, double lambda, Box box) {
        static Problem draw(Seed seed, int d) {
            Randomness random = seed.child("problem").random();
            PoissonRegression model = new PoissonRegression(random.nextInt(2) == 0);
            double[] theta = Vectors.scaled(2 * random.nextDouble(), random.gaussians(model.parameters(d)));
            if (random.nextInt(4) == 0) {
                theta[random.nextInt(d)] = 0;
            }
            if (random.nextInt(4) == 0) {
                theta[random.nextInt(d)] = random.nextGaussian() * 1e-170;
            }
            double[] x = random.gaussians(d);
            Box box = new Box(random.nextInt(3) == 0 ? Math.abs(x[0]) : 0.1 + 3 * random.nextDouble());
            double lambda = Math.pow(10, 4 * random.nextDouble() - 2);
            double label = random.nextInt(3) == 0 ? random.nextInt(100) : random.nextInt(4);
            return new Problem(model, theta, x, label, lambda, box);
        }

        DenseBlock block(double[] row) {
            return new DenseBlock(x.length, row, new double[] {label}, null);
        }

        double[] at(double s) {
            double[] z = new double[x.length];
            Arrays.setAll(z, i -> box.clip(x[i] + s * theta[i], x[i]));
            return z;
        }

        double gain(double[] z) {
            double[] gap = z.clone();
            Vectors.addScaled(gap, -1, x, x.length);
            return model.loss(theta, block(z)) - lambda * Vectors.dot(gap, gap, x.length) / 2;
        }

        WorstCase worst() {
            return new BoxMaximiser(model, lambda, box).maximise(theta, block(x), new Effort.Steps(0));
        }

        double[] worstRow() {
            double[] z = new double[x.length];
            worst().rows().copyRow(0, z, 0);
            return z;
        }

        double slack() {
            double best = gain(worstRow());
            return 1e-11 * (1 + Math.abs(best) + Math.abs(model.loss(theta, block(worstRow()))));
        }
    }

    @Test
    void noPointOfADenseGridAlongThetaIsWorse() {
        int[] inner = new int[4];
        Laws.check(1500, seed -> {
            Problem p = Problem.draw(seed, 1 + seed.random().nextInt(8));
            double[] z = p.worstRow();
            double best = p.gain(z);
            double rival = Double.NEGATIVE_INFINITY;
            int turns = 0;
            double last = Double.NEGATIVE_INFINITY;
            boolean rising = true;
            for (int i = -500; i <= 500; i++) {
                // Denser around 0, yet wide enough for every feature with a weight to reach its bound.
                double value = p.gain(p.at(Math.sinh(i / 40.0) / 20));
                rival = Math.max(rival, value);
                turns += rising && value < last ? 1 : 0;
                rising = value > last || rising && value == last;
                last = value;
            }
            assertThat(rival).isLessThanOrEqualTo(best + p.slack());
            boolean stopped = Arrays.equals(z, p.at(1e200)) || Arrays.equals(z, p.at(-1e200));
            inner[Arrays.equals(z, p.x) ? 0 : stopped ? 1 : 2]++;
            inner[3] += turns > 1 ? 1 : 0;
        });
        assertThat(Arrays.stream(inner).skip(1))
                .as("problems solved at a corner, before it, and with several local maxima")
                .allMatch(count -> count > 20);
    }

    @Test
    void noPointOfADenseGridOfTheBoxIsWorse() {
        Laws.check(150, seed -> {
            int d = 1 + seed.random().nextInt(3);
            Problem p = Problem.draw(seed, d);
            double best = p.gain(p.worstRow());
            int points = d == 1 ? 2000 : d == 2 ? 60 : 16;
            double rival = Double.NEGATIVE_INFINITY;
            for (int cell = 0; cell < Math.pow(points + 1, d); cell++) {
                double[] z = new double[d];
                int rest = cell;
                for (int i = 0; i < d; i++) {
                    double share = rest % (points + 1) / (double) points;
                    z[i] = p.box.low(p.x[i]) + share * (p.box.high(p.x[i]) - p.box.low(p.x[i]));
                    rest /= points + 1;
                }
                rival = Math.max(rival, p.gain(z));
            }
            assertThat(rival).isLessThanOrEqualTo(best + p.slack());
        });
    }

    @Test
    void rowsStayInTheBoxOrWhereTheyAreAndCostWhatTheyMove() {
        Laws.check(300, seed -> {
            Problem p = Problem.draw(seed, 1 + seed.random().nextInt(8));
            WorstCase worst = p.worst();
            double[] z = p.worstRow();
            double cost = 0;
            for (int i = 0; i < z.length; i++) {
                double bound = Math.max(p.box.side(), Math.abs(p.x[i]));
                assertThat(Math.abs(z[i])).isLessThanOrEqualTo(bound);
                cost += (z[i] - p.x[i]) * (z[i] - p.x[i]) / 2;
            }
            assertThat(worst.costs()[0]).isCloseTo(cost, within(1e-12 * (1 + cost)));
            assertThat(worst.precision()).isBetween(0.0, 1e-11 * (1 + Vectors.norm(z)));
        });
    }

    /** The envelope theorem, the box included; weights are larger than the differences, for signs decide about corners. */
    @Test
    void theGradientOfTheRobustLossIsThatOfItsValue() {
        Laws.check(100, seed -> {
            Problem p = Problem.draw(seed, 1 + seed.random().nextInt(5));
            int d = p.x.length;
            if (Arrays.stream(p.theta).anyMatch(weight -> Math.abs(weight) < 0.01)) {
                return;
            }
            RobustLoss loss = new RobustLoss(
                    p.model, new BoxMaximiser(p.model, p.lambda, p.box), Effort.always(new Effort.Steps(0)), 0.1);
            double[] gradient =
                    loss.gradient(Iterate.of(p.theta), loss.sums(Iterate.of(p.theta), List.of(p.block(p.x)), false), d);
            for (int i = 0; i < p.theta.length; i++) {
                double[] up = p.theta.clone();
                double[] down = p.theta.clone();
                up[i] += 1e-6;
                down[i] -= 1e-6;
                double slope = (loss.value(Iterate.of(up), loss.sums(Iterate.of(up), List.of(p.block(p.x)), true), d)
                                - loss.value(
                                        Iterate.of(down), loss.sums(Iterate.of(down), List.of(p.block(p.x)), true), d))
                        / 2e-6;
                assertThat(gradient[i]).isCloseTo(slope, within(1e-6 * (1 + p.slack() * 1e11)));
            }
        });
    }

    @Test
    void anAscentInTheBoxClimbsTowardsIt() {
        Laws.check(200, seed -> {
            Problem p = Problem.draw(seed, 1 + seed.random().nextInt(5));
            WorstCase near = new GradientAscent(p.model, p.lambda, 0.01 / p.lambda, p.box)
                    .maximise(p.theta, p.block(p.x), new Effort.Steps(200));
            double[] z = new double[p.x.length];
            near.rows().copyRow(0, z, 0);
            for (int i = 0; i < z.length; i++) {
                assertThat(z[i]).isBetween(p.box.low(p.x[i]), p.box.high(p.x[i]));
            }
            assertThat(p.gain(z)).isLessThanOrEqualTo(p.gain(p.worstRow()) + p.slack());
            assertThat(near.precision()).isInfinite();
        });
    }

    /** Where the maximum is the only one, the ascent finds it: for any model, since theirs is the same projection. */
    @Test
    void aLongAscentWithALargeLambdaArrives() {
        Laws.check(100, seed -> {
            Problem drawn = Problem.draw(seed, 1 + seed.random().nextInt(5));
            double far = Vectors.norm(drawn.x) + drawn.box.side() * Math.sqrt(drawn.x.length);
            double zz = drawn.model
                    .smoothness(drawn.theta, drawn.x.length, far, drawn.label)
                    .zz();
            Problem p = new Problem(drawn.model, drawn.theta, drawn.x, drawn.label, 1.2 * zz + 1e-3, drawn.box);
            WorstCase near = new GradientAscent(p.model, p.lambda, 1 / p.lambda, p.box)
                    .maximise(p.theta, p.block(p.x), new Effort.Precision(1e-9));
            double[] z = new double[p.x.length];
            near.rows().copyRow(0, z, 0);
            assertThat(z).containsExactly(p.worstRow(), within(1e-7));
        });
    }

    @Test
    void aWideBoxChangesNothingForAnAscentThatDoesNotReachIt() {
        Laws.check(50, seed -> {
            Randomness random = seed.random();
            Model model = new LogisticRegression(true);
            double[] theta = random.gaussians(4);
            DenseBlock block = new DenseBlock(3, random.gaussians(6), new double[] {0, 1}, null);
            Effort steps = new Effort.Steps(20);
            WorstCase free = new GradientAscent(model, 3, 0.1).maximise(theta, block, steps);
            WorstCase boxed = new GradientAscent(model, 3, 0.1, new Box(100)).maximise(theta, block, steps);
            assertThat(boxed.costs()).containsExactly(free.costs(), within(1e-13));
            assertThat(free.precision())
                    .isEqualTo(new GradientAscent(model, 3, 0.1, Box.NONE)
                            .maximise(theta, block, steps)
                            .precision());
        });
    }

    @Test
    void nonsenseIsRefused() {
        PoissonRegression model = new PoissonRegression(true);
        for (double bad : new double[] {0, -1, Double.NaN}) {
            assertThatThrownBy(() -> new Box(bad)).isInstanceOf(InputException.class);
            assertThatThrownBy(() -> new BoxMaximiser(model, bad, new Box(1))).isInstanceOf(InputException.class);
        }
        assertThatThrownBy(() -> new BoxMaximiser(model, 1, Box.NONE)).isInstanceOf(InputException.class);
    }

    /** How far a row moves does not depend on the rows before it. */
    @Test
    void rowsTogetherMoveAsEachAlone() {
        Laws.check(50, seed -> {
            Randomness random = seed.random();
            int d = 1 + random.nextInt(5);
            Problem p = Problem.draw(seed, d);
            double[] values = random.gaussians(6 * d);
            double[] labels = new double[6];
            Arrays.setAll(labels, j -> random.nextInt(5));
            BoxMaximiser maximiser = new BoxMaximiser(p.model, p.lambda, p.box);
            WorstCase together =
                    maximiser.maximise(p.theta, new DenseBlock(d, values, labels, null), new Effort.Steps(0));
            for (int j = 0; j < 6; j++) {
                double[] x = Arrays.copyOfRange(values, j * d, (j + 1) * d);
                WorstCase alone = maximiser.maximise(
                        p.theta, new DenseBlock(d, x, new double[] {labels[j]}, null), new Effort.Steps(0));
                double[] expected = new double[d];
                double[] z = new double[d];
                alone.rows().copyRow(0, expected, 0);
                together.rows().copyRow(j, z, 0);
                assertThat(Laws.bits(z)).isEqualTo(Laws.bits(expected));
                assertThat(together.costs()[j]).isEqualTo(alone.costs()[0]);
                assertThat(together.precision()).isGreaterThanOrEqualTo(alone.precision());
            }
        });
    }

    /** The precision is that of the move, not of the parameter along theta: also where theta is short and that parameter large. */
    @Test
    void thePrecisionIsAFewRoundingsOfTheMove() {
        int[] inner = new int[1];
        Laws.check(1000, seed -> {
            Problem drawn = Problem.draw(seed, 1 + seed.random().nextInt(8));
            double size = Math.pow(10, 4 * seed.child("size").random().nextDouble() - 4);
            Problem p = new Problem(
                    drawn.model,
                    Vectors.scaled(size, drawn.theta),
                    drawn.x,
                    drawn.label,
                    drawn.lambda * size,
                    drawn.box);
            double[] move = p.worstRow();
            Vectors.addScaled(move, -1, p.x, move.length);
            double precision = p.worst().precision();
            inner[0] += precision > 0 ? 1 : 0;
            assertThat(precision).isLessThanOrEqualTo(0x1p-50 * Vectors.norm(move));
        });
        assertThat(inner[0]).as("maxima between corners").isGreaterThan(200);
    }

    @Test
    void sparseRowsAreRefusedWhereTheyWouldFillUp() {
        Block sparse = SparseBlock.row(5, new int[] {1}, new double[] {2});
        Block wide = SparseBlock.row(60_000_000, new int[] {1}, new double[] {2});
        Block dense = new DenseBlock(1, new double[1], new double[1], null);
        PoissonRegression model = new PoissonRegression(true);
        BoxMaximiser exact = new BoxMaximiser(model, 1, new Box(1));
        GradientAscent boxed = new GradientAscent(model, 1, 1, new Box(1));
        GradientAscent free = new GradientAscent(model, 1, 1);
        for (InnerMaximiser maximiser : new InnerMaximiser[] {exact, boxed}) {
            assertThatThrownBy(() -> maximiser.requireServes(sparse))
                    .isInstanceOf(InputException.class)
                    .hasMessageContaining("cannot be sparse");
            maximiser.requireServes(dense);
        }
        assertThatThrownBy(() -> free.requireServes(wide)).isInstanceOf(InputException.class);
        free.requireServes(sparse);
        free.requireServes(dense);
    }
}
