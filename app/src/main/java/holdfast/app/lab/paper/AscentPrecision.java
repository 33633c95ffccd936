package holdfast.app.lab.paper;

import holdfast.data.Block;
import holdfast.data.Dataset;
import holdfast.math.Scratch;
import holdfast.math.Vectors;
import holdfast.model.LinearModel;
import holdfast.objective.AlongTheta;
import holdfast.objective.Effort;
import holdfast.objective.ExactMaximiser;
import holdfast.objective.ScalarRecurrence;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * How many ascent steps bring every training row of a trained model within a precision of its worst case: ||z_T - z*||
 * at most epsilon, z* from the exact maximiser. Beside it stands what the paper's Section VI.D demands, T_z &gt;=
 * ln(D_z/epsilon)/ln(1/p). Its factor is p = L_zz/lambda at its own rate, 1/lambda; at a lower rate eta_z the same
 * argument gives p = 1 - eta_z (lambda - L_zz). One step costs one evaluation of l' per row.
 *
 * @param zz L_zz at the trained parameters, the largest over the seeds
 * @param distance D_z, the farthest that a row has to go, over rows and seeds
 * @param afterTen the largest ||z_T - z*|| after the paper's T_z = 10 steps at its rate
 * @param levels from low to high precision
 */
public record AscentPrecision(double zz, double distance, double afterTen, List<Level> levels) {
    /** Steps that do not reach a precision. */
    public static final int NEVER = Integer.MAX_VALUE;

    private static final List<Double> PRECISIONS = List.of(1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6);
    private static final int MAX_STEPS = 1 << 12;

    public AscentPrecision {
        levels = List.copyOf(levels);
    }

    /**
     * The cost of one precision.
     *
     * @param epsilon the precision
     * @param steps needed at the paper's rate, the most over the seeds
     * @param bound the formula for that rate
     * @param fastSteps needed at the rate 1/lambda
     * @param fastBound the paper's formula
     */
    public record Level(double epsilon, int steps, int bound, int fastSteps, int fastBound) {}

    /** Measures a model whose inner problem is concave at theta: lambda above L_zz. */
    static AscentPrecision measure(LinearModel model, double[] theta, Dataset rows, double lambda, double rate) {
        double n = Vectors.dot(theta, theta, rows.columns());
        double zz = model.smoothness(theta, rows.columns(), 0, 0).zz();
        double[][] exact = moves(new ExactMaximiser(model, lambda), theta, rows, 0);
        AlongTheta slow = new ScalarRecurrence(model, lambda, rate);
        AlongTheta fast = new ScalarRecurrence(model, lambda, 1 / lambda);
        double length = Math.sqrt(n);
        double distance = length * farthest(exact, moves(slow, theta, rows, 0));
        List<Level> levels = new ArrayList<>();
        int slowSteps = 1;
        int fastSteps = 1;
        for (double epsilon : PRECISIONS) {
            slowSteps = steps(slow, theta, rows, exact, epsilon / length, slowSteps);
            fastSteps = steps(fast, theta, rows, exact, epsilon / length, fastSteps);
            levels.add(new Level(
                    epsilon,
                    slowSteps,
                    bound(distance, epsilon, 1 - rate * (lambda - zz)),
                    fastSteps,
                    bound(distance, epsilon, zz / lambda)));
        }
        return new AscentPrecision(zz, distance, length * farthest(exact, moves(slow, theta, rows, 10)), levels);
    }

    /** T_z &gt;= ln(D_z/epsilon)/ln(1/p), as a whole number. */
    static int bound(double distance, double epsilon, double p) {
        return p < 1 ? (int) Math.max(0, Math.ceil(Math.log(distance / epsilon) / Math.log(1 / p))) : NEVER;
    }

    /** The worse of two measurements in every respect. */
    AscentPrecision worse(AscentPrecision other) {
        return new AscentPrecision(
                Math.max(zz, other.zz),
                Math.max(distance, other.distance),
                Math.max(afterTen, other.afterTen),
                IntStream.range(0, levels.size())
                        .mapToObj(i -> {
                            Level a = levels.get(i);
                            Level b = other.levels.get(i);
                            return new Level(
                                    a.epsilon,
                                    Math.max(a.steps, b.steps),
                                    Math.max(a.bound, b.bound),
                                    Math.max(a.fastSteps, b.fastSteps),
                                    Math.max(a.fastBound, b.fastBound));
                        })
                        .toList());
    }

    /**
     * Returns the smallest number of steps whose moves are all within reach: the distance falls with every step.
     *
     * @param guess where the search starts
     */
    private static int steps(
            AlongTheta ascent, double[] theta, Dataset rows, double[][] exact, double reach, int guess) {
        int few = -1;
        int enough = Math.max(1, guess);
        while (enough > MAX_STEPS || farthest(exact, moves(ascent, theta, rows, enough)) > reach) {
            if (enough > MAX_STEPS) {
                return NEVER;
            }
            few = enough;
            enough *= 2;
        }
        while (enough - few > 1) {
            int middle = few + (enough - few) / 2;
            if (farthest(exact, moves(ascent, theta, rows, middle)) > reach) {
                few = middle;
            } else {
                enough = middle;
            }
        }
        return enough;
    }

    private static double[][] moves(AlongTheta maximiser, double[] theta, Dataset rows, int steps) {
        LinearModel model = maximiser.model();
        int features = rows.columns();
        AlongTheta.Line line = AlongTheta.Line.of(model, maximiser.cost(), theta, features);
        List<Block> blocks = rows.blocks();
        double[][] moves = new double[blocks.size()][];
        for (int b = 0; b < moves.length; b++) {
            Block block = blocks.get(b);
            double[] along = new double[block.rows()];
            block.times(theta, along);
            moves[b] = new double[block.rows()];
            maximiser.moves(
                    line, along, block.labels(), new Effort.Steps(steps), moves[b], block.rows(), new Scratch());
        }
        return moves;
    }

    private static double farthest(double[][] a, double[][] b) {
        double most = 0;
        for (int i = 0; i < a.length; i++) {
            for (int j = 0; j < a[i].length; j++) {
                most = Math.max(most, Math.abs(a[i][j] - b[i][j]));
            }
        }
        return most;
    }
}
