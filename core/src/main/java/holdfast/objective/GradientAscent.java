package holdfast.objective;

import holdfast.data.Block;
import holdfast.data.DenseBlock;
import holdfast.math.Vectors;
import holdfast.model.Model;

/**
 * The paper's maximiser, for any model: z &lt;- z + eta_z grad g(z) from z = x, g(z) = f(theta; z) - lambda/2 ||z-x||^2.
 * O(d) per step and row. In a box every step ends at the nearest point of it, and nothing is certain about the result.
 */
public record GradientAscent(Model model, double lambda, double rate, Box box) implements InnerMaximiser {
    private static final String SPARSE = "use maximiser exact or recurrence instead of ascent";

    public GradientAscent {
        Ascent.check(lambda, rate);
    }

    public GradientAscent(Model model, double lambda, double rate) {
        this(model, lambda, rate, Box.NONE);
    }

    @Override
    public void requireServes(Block block) {
        box.requireServes(block);
        block.requireFillable(SPARSE);
    }

    @Override
    public WorstCase maximise(double[] theta, Block block, Effort effort) {
        int d = block.columns();
        int size = block.rows() * d;
        double[] x = block.filled(SPARSE);
        double[] z = x.clone();
        double[] slope = new double[size];
        Block moved = new DenseBlock(d, z, block.labels(), block.weights());
        double zz = box.bounded()
                ? Double.POSITIVE_INFINITY
                : model.smoothness(theta, d, 0, 0).zz();
        Ascent ascent = new Ascent(effort, lambda, zz);
        while (true) {
            model.gradientInRows(theta, moved, slope);
            for (int i = 0; i < size; i++) {
                slope[i] -= lambda * (z[i] - x[i]);
            }
            project(slope, z, x);
            if (ascent.stopsAt(() -> steepest(slope, block.rows(), d))) {
                break;
            }
            Vectors.addScaled(z, rate, slope, size);
            clip(z, x);
        }
        return new WorstCase(moved, costs(x, z, block.rows(), d), ascent.precision(steepest(slope, block.rows(), d)));
    }

    /** What a step in the box leaves of the slope. */
    private void project(double[] slope, double[] z, double[] x) {
        for (int i = 0; box.bounded() && i < z.length; i++) {
            slope[i] = (box.clip(z[i] + rate * slope[i], x[i]) - z[i]) / rate;
        }
    }

    /** Against what rounding adds to a step. */
    private void clip(double[] z, double[] x) {
        for (int i = 0; box.bounded() && i < z.length; i++) {
            z[i] = box.clip(z[i], x[i]);
        }
    }

    private static double steepest(double[] slope, int rows, int d) {
        double squares = 0;
        for (int j = 0; j < rows; j++) {
            squares = Math.max(squares, Vectors.dot(slope, j * d, slope, j * d, d));
        }
        return Math.sqrt(squares);
    }

    private static double[] costs(double[] x, double[] z, int rows, int d) {
        double[] gap = z.clone();
        Vectors.addScaled(gap, -1, x, gap.length);
        double[] costs = new double[rows];
        for (int j = 0; j < rows; j++) {
            costs[j] = Vectors.dot(gap, j * d, gap, j * d, d) / 2;
        }
        return costs;
    }
}
