package holdfast.theory;

import holdfast.Check;
import holdfast.math.Vectors;
import java.util.List;

/** What is proven about norm screening, in counts: m workers, b liars, s screened; alpha = b/m, beta = s/m. */
public final class ScreeningBound {
    private ScreeningBound() {}

    /** C = 2 alpha/(1-beta) = 2b/(m-s), the liars' influence; the theorems need C &lt; 1. */
    public static double influence(int workers, int liars, int screened) {
        Check.that(
                0 <= liars && liars <= screened && screened < workers,
                "Theorem 1 needs liars <= screened < workers, got %d, %d, %d",
                liars,
                screened,
                workers);
        return 2.0 * liars / (workers - screened);
    }

    /**
     * Theorem 1's right-hand side for the target S: C ||S|| + max over honest i of ||g_i - S||. Holds whenever liars
     * &lt;= screened &lt; workers, not only for alpha &lt;= 1/2.
     */
    public static double bound(int workers, int screened, List<double[]> honest, double[] target) {
        return influence(workers, workers - honest.size(), screened) * Vectors.norm(target) + spread(honest, target);
    }

    /** Delta = max over honest i of ||g_i - S||. */
    static double spread(List<double[]> honest, double[] target) {
        double spread = 0;
        for (double[] g : honest) {
            double[] gap = g.clone();
            Vectors.addScaled(gap, -1, target, gap.length);
            spread = Math.max(spread, Vectors.norm(gap));
        }
        return spread;
    }

    /**
     * Whether Theorems 2 and 3 apply: 2 alpha + beta &lt; 1. With beta = alpha this is the paper's "alpha &lt; 1/3".
     */
    public static boolean converges(int workers, int liars, int screened) {
        return influence(workers, liars, screened) < 1;
    }

    /** The largest f that m workers tolerate when f are screened: 2f + f &lt; m. */
    public static int maxTolerated(int workers) {
        return (workers - 1) / 3;
    }

    /**
     * Returns the largest number of liars with an influence below a limit: 1 for Theorems 2 and 3, lambda_F/L_F for the
     * paper's Theorem 4. It is at most the number screened, because one more can send anything.
     */
    public static int maxLiars(int workers, int screened, double limit) {
        int liars = 0;
        while (liars < screened && influence(workers, liars + 1, screened) < limit) {
            liars++;
        }
        return liars;
    }

    /**
     * Returns how many times larger Theorem 2's floor is when {@code screened} updates are dropped instead of one per
     * liar: ((1 - 2b/(m-b))/(1 - 2b/(m-s)))^2. The result is infinite if fewer are dropped than lie, and if too many
     * are dropped for any convergence (2b + s &gt;= m).
     */
    public static double costOfScreening(int workers, int liars, int screened) {
        Check.that(
                0 <= liars && 0 <= screened && liars < workers && screened < workers,
                "liars and screened must be from 0 to below %d, got %d and %d",
                workers,
                liars,
                screened);
        if (liars > screened || !converges(workers, liars, screened)) {
            return Double.POSITIVE_INFINITY;
        }
        double ratio = (1 - influence(workers, liars, liars)) / (1 - influence(workers, liars, screened));
        return ratio * ratio;
    }
}
