package holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import holdfast.InputException;
import holdfast.Randomness;
import holdfast.Seed;
import holdfast.data.Block;
import holdfast.data.DenseBlock;
import holdfast.math.Vectors;
import holdfast.model.Model;
import holdfast.model.Smoothness;
import java.util.Arrays;
import java.util.function.ToDoubleFunction;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/**
 * The laws of every model: its gradients are those of its loss, by finite differences; losses and gradients add up over
 * rows and blocks and scale with weights; its smoothness constants bound differences of gradients.
 *
 * <p>To test a model, extend this class and implement {@link #model}. If its labels are not the classes 0 and 1,
 * override {@link #label}. A model that is linear in its score has more to promise: extend {@link LinearModelContract}.
 */
public abstract class ModelContract {
    private static final int CASES = 60;
    private static final double STEP = 1e-5;

    /** Returns the model to test. */
    protected abstract Model model();

    /** Whether the model knows its curvature; a model that does not must throw when asked for it. */
    protected boolean hasCurvature() {
        return true;
    }

    /** Whether the curvature is the Hessian; a loss that is not convex may give another matrix in its place. */
    protected boolean curvatureIsHessian() {
        return true;
    }

    /** Returns parameters that neither theta nor other is longer than, in the sense of {@link Model#smoothness}. */
    protected double[] longest(double[] theta, double[] other, int features) {
        return Vectors.norm(theta) >= Vectors.norm(other) ? theta : other;
    }

    /** Draws a label that the model can meet. */
    protected double label(Randomness random) {
        return random.nextInt(2);
    }

    /** A random block, with weights in every other case, and parameters for it. */
    private record Point(Block block, double[] theta) {}

    private Point point(Seed seed) {
        Randomness random = seed.child("point").random();
        int d = 1 + random.nextInt(12);
        Block block = Samples.block(seed, 1 + random.nextInt(20), d, random.nextInt(2) == 0);
        double[] labels = Arrays.stream(block.labels()).map(y -> label(random)).toArray();
        double[] theta = Vectors.scaled(2 / Math.sqrt(d), random.gaussians(model().parameters(d)));
        return new Point(block.relabelled(labels), theta);
    }

    @Test
    protected void theStartDependsOnTheSeedAloneAndThePenaltyCoversSomeOfIt() {
        Laws.check(CASES, seed -> {
            int d = 1 + seed.random().nextInt(12);
            double[] start = model().start(d, seed);
            assertThat(start).hasSize(model().parameters(d)).isEqualTo(model().start(d, seed));
            assertThat(Vectors.finite(start)).isTrue();
            assertThat(model().penalised(d)).isBetween(0, start.length);
        });
    }

    @Test
    protected void thereAreAsManyScoresAsTheTargetNeeds() {
        int k = model().scoresPerRow();
        switch (model().target()) {
            case NUMBER, COUNT -> assertThat(k).isEqualTo(1);
            case TWO_CLASSES -> assertThat(k).isBetween(1, 2);
            case CLASSES -> assertThat(k).isGreaterThan(1);
        }
        assertThat(model().givesProbabilities() && !model().target().isClass()).isFalse();
    }

    /** To the bit, because some callers score rows one by one and others in blocks. */
    @Test
    protected void theScoresOfARowDoNotDependOnTheOthers() {
        Laws.check(CASES, seed -> {
            Point p = point(seed);
            int k = model().scoresPerRow();
            double[] all = new double[p.block.rows() * k];
            model().scores(p.theta, p.block, all);
            for (int j = 0; j < p.block.rows(); j++) {
                double[] alone = new double[k];
                model().scores(p.theta, row(p.block, j), alone);
                assertThat(Laws.bits(alone)).isEqualTo(Laws.bits(Arrays.copyOfRange(all, j * k, (j + 1) * k)));
            }
        });
    }

    @Test
    protected void aLossSaidToBeConvexInRowsIs() {
        Laws.check(CASES, seed -> {
            if (model().convexInRows()) {
                Point p = point(seed);
                int d = p.block.columns();
                Randomness random = seed.child("segment").random();
                double[] label = {p.block.labels()[0]};
                double[] x = random.gaussians(d);
                double[] z = random.gaussians(d);
                double[] middle = Vectors.scaled(0.5, Vectors.add(x.clone(), z));
                double ends = model().loss(p.theta, new DenseBlock(d, x, label, null))
                        + model().loss(p.theta, new DenseBlock(d, z, label, null));
                assertThat(model().loss(p.theta, new DenseBlock(d, middle, label, null)))
                        .isLessThanOrEqualTo(ends / 2 + 1e-12 * (1 + Math.abs(ends)));
            }
        });
    }

    private static double[] differences(double[] at, ToDoubleFunction<double[]> f) {
        double[] out = new double[at.length];
        for (int i = 0; i < at.length; i++) {
            double[] moved = at.clone();
            moved[i] = at[i] + STEP;
            double above = f.applyAsDouble(moved);
            moved[i] = at[i] - STEP;
            out[i] = (above - f.applyAsDouble(moved)) / (2 * STEP);
        }
        return out;
    }

    /** Returns this precision, relative to the numbers if they are large. */
    private static Offset<Double> near(double precision, double... numbers) {
        return within(precision * (1 + Vectors.maxAbs(numbers, numbers.length)));
    }

    private double[] losses(double[] theta, Block block) {
        double[] losses = new double[block.rows()];
        model().losses(theta, block, losses);
        return losses;
    }

    private double[] gradient(double[] theta, Block block) {
        double[] gradient = new double[theta.length];
        model().addGradient(theta, block, gradient);
        return gradient;
    }

    private double[] gradientInRows(double[] theta, Block block) {
        double[] out = new double[block.rows() * block.columns()];
        model().gradientInRows(theta, block, out);
        return out;
    }

    @Test
    protected void theGradientInThetaIsThatOfTheLoss() {
        Laws.check(CASES, seed -> {
            Point p = point(seed);
            double[] numeric = differences(p.theta, t -> model().loss(t, p.block));
            assertThat(gradient(p.theta, p.block)).containsExactly(numeric, near(1e-6, numeric));
        });
    }

    @Test
    protected void theGradientInRowsIsThatOfEachRowsUnweightedLoss() {
        Laws.check(CASES, seed -> {
            Point p = point(seed);
            int d = p.block.columns();
            double[] all = gradientInRows(p.theta, p.block);
            for (int j = 0; j < p.block.rows(); j++) {
                double[] x = new double[d];
                p.block.copyRow(j, x, 0);
                double[] label = {p.block.labels()[j]};
                double[] numeric = differences(x, z -> model().loss(p.theta, new DenseBlock(d, z, label, null)));
                assertThat(Arrays.copyOfRange(all, j * d, (j + 1) * d)).containsExactly(numeric, near(1e-7, numeric));
            }
        });
    }

    @Test
    protected void gradientsAreAddedToWhatIsThereAndArgumentsStayUntouched() {
        Laws.check(CASES, seed -> {
            Point p = point(seed);
            double[] theta = p.theta.clone();
            double[] start = seed.random().gaussians(theta.length);
            double[] sum = start.clone();
            model().addGradient(theta, p.block, sum);
            double[] expected = Vectors.add(start, gradient(theta, p.block));
            assertThat(sum).containsExactly(expected, near(1e-11, expected));
            assertThat(theta).isEqualTo(p.theta);
        });
    }

    /** Each to the bit that of the row alone: an objective may choose rows by their losses. */
    @Test
    protected void theLossIsTheWeightedSumOfTheLossesOfTheRows() {
        Laws.check(CASES, seed -> {
            Point p = point(seed);
            double[] losses = losses(p.theta, p.block);
            double sum = 0;
            for (int j = 0; j < losses.length; j++) {
                Block alone = row(p.block, j).weighted(null);
                assertThat(Laws.bits(losses(p.theta, alone))).isEqualTo(Laws.bits(new double[] {losses[j]}));
                double loss = model().loss(p.theta, alone);
                assertThat(losses[j]).isCloseTo(loss, near(1e-12, loss));
                sum += p.block.weight(j) * losses[j];
            }
            assertThat(model().loss(p.theta, p.block)).isCloseTo(sum, near(1e-12, sum));
        });
    }

    @Test
    protected void lossAndGradientAddUpOverBlocks() {
        Laws.check(CASES, seed -> {
            Point p = point(seed);
            double loss = 0;
            double[] sum = new double[p.theta.length];
            for (int j = 0; j < p.block.rows(); j++) {
                loss += model().loss(p.theta, row(p.block, j));
                model().addGradient(p.theta, row(p.block, j), sum);
            }
            assertThat(model().loss(p.theta, p.block)).isCloseTo(loss, near(1e-12, loss));
            assertThat(gradient(p.theta, p.block)).containsExactly(sum, near(1e-11, sum));
        });
    }

    private static Block row(Block block, int j) {
        double[] x = new double[block.columns()];
        block.copyRow(j, x, 0);
        return new DenseBlock(
                x.length,
                x,
                new double[] {block.labels()[j]},
                block.weights() == null ? null : new double[] {block.weights()[j]});
    }

    @Test
    protected void weightsScaleLossAndGradient() {
        Laws.check(CASES, seed -> {
            Point p = point(seed);
            double[] threes = new double[p.block.rows()];
            Arrays.fill(threes, 3);
            Block plain = p.block.weighted(null);
            Block heavy = p.block.weighted(threes);
            double loss = 3 * model().loss(p.theta, plain);
            assertThat(model().loss(p.theta, heavy)).isCloseTo(loss, near(1e-12, loss));
            double[] threefold = Vectors.scaled(3, gradient(p.theta, plain));
            assertThat(gradient(p.theta, heavy)).containsExactly(threefold, near(1e-11, threefold));
        });
    }

    @Test
    protected void theSmoothnessConstantsBoundDifferencesOfGradientsInTheBall() {
        Laws.check(2000, seed -> {
            Randomness random = seed.random();
            int d = 1 + random.nextInt(5);
            int size = model().parameters(d);
            int weights = model().penalised(d);
            double radius = Math.pow(10, 2 * random.nextDouble() - 1);
            double length = Math.pow(10, 2 * random.nextDouble() - 1);
            double[] theta = inBall(random, size, weights, length);
            double[] other =
                    random.nextInt(2) == 0 ? inBall(random, size, weights, length) : near(random, theta, weights);
            double[] label = {label(random)};
            Block x = new DenseBlock(d, inBall(random, d, d, radius), label, null);
            Block z = new DenseBlock(d, inBall(random, d, d, radius), label, null);
            double move = gap(row(x), row(z));
            double turn = gap(theta, other);
            Smoothness bound = model().smoothness(longest(theta, other, d), d, radius, Math.abs(label[0]));
            if (bound.equals(Smoothness.UNKNOWN)) {
                return;
            }
            double slack = 1e-12 * (1 + radius) * (1 + length) * (1 + Vectors.norm(gradient(theta, x)));
            assertThat(gap(gradient(theta, x), gradient(other, x)))
                    .as("theta, theta")
                    .isLessThanOrEqualTo(times(bound.thetaTheta(), turn) + slack);
            assertThat(gap(gradient(theta, x), gradient(theta, z)))
                    .as("theta, z")
                    .isLessThanOrEqualTo(times(bound.thetaZ(), move) + slack);
            assertThat(gap(gradientInRows(theta, x), gradientInRows(other, x)))
                    .as("z, theta")
                    .isLessThanOrEqualTo(times(bound.zTheta(), turn) + slack);
            assertThat(gap(gradientInRows(theta, x), gradientInRows(theta, z)))
                    .as("z, z")
                    .isLessThanOrEqualTo(times(bound.zz(), move) + slack);
        });
    }

    /** An infinite constant times no distance is 0. */
    private static double times(double constant, double distance) {
        return distance == 0 ? 0 : constant * distance;
    }

    /** Draws a vector of this size; its first d elements are no longer than the length, the others are small. */
    private static double[] inBall(Randomness random, int size, int d, double length) {
        double[] v = random.gaussians(size);
        double factor = length * (random.nextInt(2) == 0 ? 1 : random.nextDouble()) / Vectors.norm(v, d);
        for (int i = 0; i < d; i++) {
            v[i] *= factor * (1 - 1e-12);
        }
        return v;
    }

    /**
     * Returns parameters that differ from theta after its first d elements or, if there are none, by a little
     * shrinking.
     */
    private static double[] near(Randomness random, double[] theta, int d) {
        double[] v = theta.clone();
        if (v.length == d) {
            return Vectors.scaled(0.9, v);
        }
        for (int i = d; i < v.length; i++) {
            v[i] += 0.1 * random.nextGaussian();
        }
        return v;
    }

    private static double[] row(Block block) {
        double[] x = new double[block.columns()];
        block.copyRow(0, x, 0);
        return x;
    }

    private static double gap(double[] a, double[] b) {
        double[] gap = a.clone();
        Vectors.addScaled(gap, -1, b, gap.length);
        return Vectors.norm(gap);
    }

    @Test
    protected void theCurvatureIsTheSlopeOfTheGradientOrRefused() {
        Laws.check(CASES, seed -> {
            Point p = point(seed);
            if (!hasCurvature()) {
                assertThatThrownBy(() -> model().curvature(p.theta, p.block))
                        .isInstanceOf(InputException.class)
                        .hasMessageStartingWith("--update newton needs a model with a known curvature");
                return;
            }
            double[] v = seed.child("v").random().gaussians(p.theta.length);
            double[] above = p.theta.clone();
            double[] below = p.theta.clone();
            Vectors.addScaled(above, STEP, v, v.length);
            Vectors.addScaled(below, -STEP, v, v.length);
            double[] numeric = gradient(above, p.block);
            Vectors.addScaled(numeric, -1, gradient(below, p.block), v.length);
            double[] made = new double[v.length];
            model().curvature(p.theta, p.block).addTimes(v, made);
            double[] slope = Vectors.scaled(1 / (2 * STEP), numeric);
            if (!curvatureIsHessian()) {
                return;
            }
            assertThat(made).containsExactly(slope, near(1e-5, slope));
        });
    }

    @Test
    protected void theCurvatureIsSymmetricAndPositive() {
        Laws.check(CASES, seed -> {
            if (!hasCurvature()) {
                return;
            }
            Point p = point(seed);
            double[] v = seed.child("v").random().gaussians(p.theta.length);
            double[] w = seed.child("w").random().gaussians(p.theta.length);
            double[] alongV = new double[v.length];
            double[] alongW = new double[v.length];
            model().curvature(p.theta, p.block).addTimes(v, alongV);
            model().curvature(p.theta, p.block).addTimes(w, alongW);
            double size =
                    Vectors.norm(v) * (Vectors.norm(alongW) + Vectors.norm(w)) + Vectors.norm(w) * Vectors.norm(alongV);
            assertThat(Vectors.dot(w, alongV, v.length))
                    .isCloseTo(Vectors.dot(v, alongW, v.length), within(1e-12 * size));
            assertThat(Vectors.dot(v, alongV, v.length)).isGreaterThanOrEqualTo(-1e-12 * size);
        });
    }
}
