package example;

import holdfast.Check;
import holdfast.Seed;
import holdfast.data.Block;
import holdfast.math.Logistic;
import holdfast.math.Vectors;
import holdfast.model.Model;
import holdfast.model.Target;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;

/**
 * A network with one hidden layer: u = v . t + c, t = tanh(W x + b). The loss is the cross-entropy of sigma(u) for two
 * classes, (u - y)^2/2 for a number. It is neither convex nor linear in anything, and nothing is known about its
 * smoothness.
 *
 * <p>theta is W, row after row, then v, then b, then c; the penalty covers W and v.
 */
public final class TanhNetwork implements Model {
    private final Target target;
    private final int units;

    public TanhNetwork(Target target, int units) {
        Check.that(
                target == Target.TWO_CLASSES || target == Target.NUMBER,
                "tanh: labels must be two classes or numbers, got %s",
                target);
        Check.that(units >= 1, "tanh: units must be at least 1, got %d", units);
        this.target = target;
        this.units = units;
    }

    @Override
    public Target target() {
        return target;
    }

    @Override
    public int scoresPerRow() {
        return 1;
    }

    @Override
    public int parameters(int features) {
        return penalised(features) + units + 1;
    }

    @Override
    public int penalised(int features) {
        return Math.multiplyExact(units, features + 1);
    }

    @Override
    public boolean givesProbabilities() {
        return target.isClass();
    }

    @Override
    public String name() {
        return "tanh";
    }

    /** So that a network given as an object is written into plans by the name that the plugin gives it. */
    @Override
    public Optional<Map<String, ?>> catalogueParameters() {
        return Optional.of(Map.of("units", units));
    }

    /**
     * Draws weights whose sums have variance 1, because at zero all units are the same and stay so; biases are zero.
     */
    @Override
    public double[] start(int features, Seed seed) {
        double[] theta = Arrays.copyOf(seed.random().gaussians(penalised(features)), parameters(features));
        for (int i = 0; i < penalised(features); i++) {
            theta[i] /= Math.sqrt(i < units * features ? features : units);
        }
        return theta;
    }

    /**
     * A forward pass.
     *
     * @param hidden t of all rows, unit after unit
     * @param scores u of all rows
     */
    private record Pass(double[][] hidden, double[] scores) {}

    private Pass pass(double[] theta, Block block) {
        int n = block.rows();
        int d = block.columns();
        double[][] hidden = new double[units][n];
        double[] scores = new double[n];
        Arrays.fill(scores, theta[penalised(d) + units]);
        for (int h = 0; h < units; h++) {
            block.times(Arrays.copyOfRange(theta, h * d, (h + 1) * d), hidden[h]);
            for (int j = 0; j < n; j++) {
                hidden[h][j] = StrictMath.tanh(hidden[h][j] + theta[penalised(d) + h]);
                scores[j] += theta[units * d + h] * hidden[h][j];
            }
        }
        return new Pass(hidden, scores);
    }

    private double[] slopes(double[] scores, double[] labels) {
        double[] slopes = new double[scores.length];
        for (int j = 0; j < slopes.length; j++) {
            slopes[j] = expected(scores[j]) - labels[j];
        }
        return slopes;
    }

    /** Returns the gradient at W x + b of one unit: slope v (1 - t^2). */
    private static double[] back(double[] slopes, double v, double[] t) {
        double[] back = new double[slopes.length];
        for (int j = 0; j < back.length; j++) {
            back[j] = slopes[j] * v * (1 - t[j] * t[j]);
        }
        return back;
    }

    @Override
    public void scores(double[] theta, Block block, double[] out) {
        System.arraycopy(pass(theta, block).scores, 0, out, 0, block.rows());
    }

    @Override
    public void losses(double[] theta, Block block, double[] out) {
        scores(theta, block, out);
        for (int j = 0; j < block.rows(); j++) {
            double u = out[j];
            double y = block.label(j);
            out[j] = target.isClass() ? Logistic.softplus(y == 1 ? -u : u) : (u - y) * (u - y) / 2;
        }
    }

    @Override
    public void addGradient(double[] theta, Block block, double[] gradient) {
        int n = block.rows();
        int d = block.columns();
        Pass pass = pass(theta, block);
        double[] slopes = slopes(pass.scores, block.labels());
        for (int j = 0; j < n; j++) {
            slopes[j] *= block.weight(j);
        }
        for (int h = 0; h < units; h++) {
            double[] back = back(slopes, theta[units * d + h], pass.hidden[h]);
            double[] own = new double[d];
            block.addTransposed(back, own);
            for (int i = 0; i < d; i++) {
                gradient[h * d + i] += own[i];
            }
            gradient[units * d + h] += Vectors.dot(slopes, pass.hidden[h], n);
            gradient[penalised(d) + h] += Vectors.sum(back, n);
        }
        gradient[penalised(d) + units] += Vectors.sum(slopes, n);
    }

    @Override
    public void gradientInRows(double[] theta, Block block, double[] out) {
        int d = block.columns();
        Pass pass = pass(theta, block);
        double[] slopes = slopes(pass.scores, block.labels());
        Arrays.fill(out, 0, block.rows() * d, 0);
        for (int h = 0; h < units; h++) {
            double[] back = back(slopes, theta[units * d + h], pass.hidden[h]);
            for (int j = 0; j < back.length; j++) {
                for (int i = 0; i < d; i++) {
                    out[j * d + i] += back[j] * theta[h * d + i];
                }
            }
        }
    }
}
