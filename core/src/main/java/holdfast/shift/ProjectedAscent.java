package holdfast.shift;

import holdfast.Seed;
import holdfast.data.Block;
import holdfast.data.DenseBlock;
import holdfast.math.Vectors;
import holdfast.model.Model;
import holdfast.shift.WorstCaseShift.Norm;
import java.util.Arrays;

/**
 * Searches ||z - x||_p &lt;= budget for the row with the largest loss, by projected gradient steps (Madry et al. 2018)
 * from x itself and from two other points of the ball. Each step is as long as a fraction of the budget, along the
 * steepest direction in the norm. The answer is the worst row that was seen: its loss is a lower bound of the worst
 * case, which nothing known about the model makes exact.
 */
final class ProjectedAscent {
    private static final int STEPS = 20;
    private static final int STARTS = 3;
    /** The steps together are longer than from one side of the ball to the other. */
    private static final double PATH = 2.5;
    /** Rows start in the same directions in every evaluation. */
    private static final Seed SEED = Seed.of(1).child("projected ascent");

    private final Norm norm;
    private final double budget;

    ProjectedAscent(Norm norm, double budget) {
        this.norm = norm;
        this.budget = budget;
    }

    Block apply(Model model, double[] theta, Block block) {
        int n = block.rows();
        int d = block.columns();
        double[] x = block.filled("use shift noise or trigger");
        double[] best = x.clone();
        double[] most = new double[n];
        model.losses(theta, block, most);
        Model.RowGradient gradient = model.rowGradient(theta, d);
        double[] z = new double[x.length];
        double[] slope = new double[x.length];
        double[] losses = new double[n];
        double[] move = new double[d];
        Block moved = new DenseBlock(d, z, block.labels(), null);
        for (int start = 0; start < STARTS; start++) {
            double[] first = start == 0
                    ? new double[d]
                    : SEED.child("start", start).random().gaussians(d);
            project(first);
            for (int j = 0; j < n; j++) {
                for (int i = 0; i < d; i++) {
                    z[j * d + i] = x[j * d + i] + first[i];
                }
            }
            for (int step = 0; step < STEPS; step++) {
                gradient.at(moved, slope);
                for (int j = 0; j < n; j++) {
                    double[] steepest = norm.steepest(Arrays.copyOfRange(slope, j * d, (j + 1) * d), d);
                    for (int i = 0; i < d; i++) {
                        move[i] = z[j * d + i] - x[j * d + i] + PATH * budget / STEPS * steepest[i];
                    }
                    project(move);
                    for (int i = 0; i < d; i++) {
                        z[j * d + i] = x[j * d + i] + move[i];
                    }
                }
                model.losses(theta, moved, losses);
                for (int j = 0; j < n; j++) {
                    if (losses[j] > most[j]) {
                        most[j] = losses[j];
                        System.arraycopy(z, j * d, best, j * d, d);
                    }
                }
            }
        }
        return new DenseBlock(d, best, block.labels(), block.weights());
    }

    /** Moves v to the nearest point with ||v||_p at most the budget. */
    void project(double[] v) {
        switch (norm) {
            case L1 -> shrink(v);
            case L2 -> {
                double length = Vectors.norm(v);
                for (int i = 0; length > budget && i < v.length; i++) {
                    v[i] *= budget / length;
                }
            }
            case LINF -> {
                for (int i = 0; i < v.length; i++) {
                    v[i] = Math.max(-budget, Math.min(budget, v[i]));
                }
            }
        }
    }

    /** Takes the same from the size of every element, none below 0, until they sum to the budget (Duchi et al. 2008). */
    private void shrink(double[] v) {
        double[] sizes = Arrays.stream(v).map(Math::abs).sorted().toArray();
        double sum = 0;
        double cut = 0;
        for (int k = 1; k <= sizes.length; k++) {
            double size = sizes[sizes.length - k];
            sum += size;
            double next = (sum - budget) / k;
            if (size <= next) {
                break;
            }
            cut = next;
        }
        for (int i = 0; cut > 0 && i < v.length; i++) {
            v[i] = Math.copySign(Math.max(0, Math.abs(v[i]) - cut), v[i]);
        }
    }
}
