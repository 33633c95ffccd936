package holdfast.objective;

import holdfast.Check;
import holdfast.data.Block;
import holdfast.data.DenseBlock;
import holdfast.math.Scratch;
import holdfast.math.Threads;
import holdfast.math.Vectors;
import holdfast.model.LinearScores;
import holdfast.model.Model;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleSupplier;

/**
 * The paper's maximiser, for any model and any cost: z &lt;- z + eta_z grad g(z) from z = x, g(z) = f(theta; z) -
 * lambda c(z, x). O(d) per step and row. With a box every step is projected onto it, and nothing is certain about the
 * result.
 *
 * <p>Under {@link WeightedL2} with prices A it steps along A^-1 grad g, as the ascent on rows A^(1/2) z would, and what
 * follows holds in the norm ||.||_A, in which M = 1.
 *
 * <p>Which steps rise depends on the model. With M the smoothness of the cost (1 for {@link SquaredL2}):
 *
 * <ul>
 *   <li>f convex in z: all up to 2/(lambda M), however large L_zz is; automatic: 1/(lambda M);
 *   <li>else: all up to 2/(lambda M + L_zz), which under Assumption 3, L_zz below lambda, is more than 1/(lambda
 *       M): a rate that is given must not be above it. Automatic: 1/(lambda M + L_zz) at the theta of the round, with
 *       lambda M in the place of an L_zz that is not known or above it: a bound on L_zz may be far too large, and
 *       Assumption 3 does not hold with it anyway.
 * </ul>
 *
 * @param rate eta_z; empty: automatic
 */
public record GradientAscent(Model model, double lambda, TransportCost cost, Optional<Double> rate, Box box)
        implements InnerMaximiser {
    private static final int SLICE = 64;
    private static final ThreadLocal<Scratch> KEPT = ThreadLocal.withInitial(() -> new Scratch(1 << 20));

    public GradientAscent {
        Ascent.requirePrice(lambda);
        rate.ifPresent(Ascent::requireRate);
        double smoothness = WeightedL2.of(cost) != null ? 1 : cost.smoothness();
        double steepness = lambda * smoothness;
        Check.that(
                rate.isPresent() || Double.isFinite(steepness),
                "--ascent-rate must be given: nothing bounds the curvature of the cost %s",
                cost.description());
        boolean convex = model.convexInRows();
        double most = (convex ? 2 : 1) / steepness;
        String limit = smoothness == 1 ? "/lambda" : "/(" + smoothness + " lambda)";
        Check.that(
                rate.isEmpty() || !Double.isFinite(steepness) || (convex ? rate.get() < most : rate.get() <= most),
                convex
                        ? "--ascent-rate must be below 2%s = %s, or the ascent diverges; got %s"
                        : "--ascent-rate must be at most 1%s = %s for a model that is not convex in its rows; got %s",
                limit,
                most,
                rate.orElse(Double.NaN));
    }

    public GradientAscent(Model model, double lambda, double rate) {
        this(model, lambda, rate, Box.NONE);
    }

    public GradientAscent(Model model, double lambda, double rate, Box box) {
        this(model, lambda, new SquaredL2(), Optional.of(rate), box);
    }

    /** The cost in whose norm the ascent takes its steps. */
    private WeightedL2 metric() {
        WeightedL2 own = WeightedL2.of(cost);
        return own != null ? own : WeightedL2.EQUAL;
    }

    /** Returns L_zz wherever rows may move to; with linear scores it is the same everywhere. */
    private double zz(double[] theta, Block block) {
        int d = block.columns();
        return model instanceof LinearScores
                ? metric().zz(model, theta, d, 0, 0)
                : metric().zz(model, theta, d, Double.POSITIVE_INFINITY, Vectors.maxAbs(block.labels(), block.rows()));
    }

    /** @param zz L_zz at this theta */
    private double rate(double zz) {
        double steepness = lambda * (WeightedL2.of(cost) != null ? 1 : cost.smoothness());
        double bend = model.convexInRows() ? 0 : Math.min(zz, steepness);
        return rate.orElse(1 / (steepness + bend));
    }

    private String otherwise() {
        return model instanceof LinearScores
                ? "use --maximiser exact or recurrence instead of ascent"
                : "use --lambda none";
    }

    @Override
    public void requireServes(Block block) {
        box.requireServes(block);
        block.requireFillable(otherwise());
    }

    @Override
    public WorstCase maximise(double[] theta, Block block, Effort effort) {
        block.requireFillable(otherwise());
        int d = block.columns();
        metric().requireFits(d);
        double zz = zz(theta, block);
        double[] z = new double[block.rows() * d];
        double[] costs = new double[block.rows()];
        // With a given number of steps no row depends on another, so threads may share them.
        int together = effort instanceof Effort.Steps ? SLICE : block.rows();
        List<Block> slices = block.slices(together);
        double[] precisions = new double[slices.size()];
        Threads.here()
                .each(
                        slices.size(),
                        s -> precisions[s] = climb(theta, slices.get(s), zz, effort, z, costs, s * together));
        return new WorstCase(
                new DenseBlock(d, z, block.labels(), block.weights()),
                costs,
                Arrays.stream(precisions).max().orElseThrow());
    }

    /**
     * Moves some rows to their worst case, puts them and their costs into the arrays of all rows from {@code first} on,
     * and returns how close they are.
     */
    private double climb(
            double[] theta, Block rows, double zz, Effort effort, double[] moved, double[] costs, int first) {
        int d = rows.columns();
        int size = rows.rows() * d;
        Scratch scratch = KEPT.get();
        KEPT.remove(); // Other work may come to this thread while a model waits for its own threads.
        double[] x = scratch.array(0, size);
        double[] z = scratch.array(1, size);
        double[] slope = scratch.array(2, size);
        double[] pull = scratch.array(3, size);
        for (int j = 0; j < rows.rows(); j++) {
            rows.copyRow(j, x, j * d);
        }
        System.arraycopy(x, 0, z, 0, size);
        Block now = DenseBlock.ofFirst(d, z, rows.labels(), rows.weights());
        double eta = rate(zz);
        double convexity = WeightedL2.of(cost) != null ? 1 : cost.strongConvexity();
        double concavity = box.bounded() ? Double.NEGATIVE_INFINITY : lambda * convexity - zz;
        WeightedL2 metric = metric();
        Ascent ascent = new Ascent(effort, lambda, concavity);
        DoubleSupplier steepest = () -> steepest(slope, rows.rows(), d);
        Model.RowGradient gradient = model.rowGradient(theta, d);
        while (!ascent.endsUncertified()) {
            gradient.at(now, slope);
            if (metric == WeightedL2.EQUAL && WeightedL2.of(cost) != null) {
                for (int i = 0; i < size; i++) {
                    slope[i] -= lambda * (z[i] - x[i]);
                }
            } else {
                for (int from = 0; from < size; from += d) {
                    cost.gradient(z, x, from, d, pull);
                }
                Vectors.addScaled(slope, -lambda, pull, size);
                for (int from = 0; from < size; from += d) {
                    metric.turn(slope, from, d);
                }
            }
            project(slope, z, x, eta, size);
            if (ascent.stopsAt(steepest)) {
                break;
            }
            Vectors.addScaled(z, eta, slope, size);
            clip(z, x, size);
        }
        double precision = concavity > 0 ? ascent.precision(steepest.getAsDouble()) : Double.POSITIVE_INFINITY;
        System.arraycopy(z, 0, moved, first * d, size);
        for (int j = 0; j < rows.rows(); j++) {
            costs[first + j] = cost.cost(z, x, j * d, d);
        }
        KEPT.set(scratch);
        return precision;
    }

    /** Replaces the slope by what a step in the box leaves of it. */
    private void project(double[] slope, double[] z, double[] x, double eta, int size) {
        for (int i = 0; box.bounded() && i < size; i++) {
            slope[i] = (box.clip(z[i] + eta * slope[i], x[i]) - z[i]) / eta;
        }
    }

    /** Puts z back into the box, which the rounding of a step may have left. */
    private void clip(double[] z, double[] x, int size) {
        for (int i = 0; box.bounded() && i < size; i++) {
            z[i] = box.clip(z[i], x[i]);
        }
    }

    /** Returns the longest of the rows' steps, bounded by their length in the norm of the metric. */
    private double steepest(double[] step, int rows, int d) {
        WeightedL2 metric = metric();
        double squares = 0;
        for (int j = 0; j < rows; j++) {
            squares = Math.max(squares, metric.squared(step, j * d, d));
        }
        return Math.sqrt(squares / metric.least());
    }
}
