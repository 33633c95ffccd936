package holdfast.theory;

import holdfast.Check;
import holdfast.math.Vectors;
import java.util.List;

/**
 * What is proven about norm clipping, in counts: m workers, b liars, f the number that may be clipped, b &lt;= f &lt;
 * m.
 *
 * <p>||G - S|| &lt;= (f+b)/m ||S|| + Delta for every S, Delta = max over honest i of ||g_i - S||. Let c be the cut, the
 * (m-f)-th norm; at most f updates are clipped; a clipped honest update is within Delta + max(0, ||S|| - c) of S,
 * because clipping is the projection on a ball and moves no two points apart; a liar ends within c + ||S||. If c &lt;=
 * ||S||: m ||G - S|| &lt;= (m-b) Delta + f (||S|| - c) + b (c + ||S||) &lt;= m Delta + (f+b) ||S||. Else c &lt;= ||S||
 * + Delta, as some honest norm is not below it: m ||G - S|| &lt;= m Delta + 2b ||S||.
 */
public final class ClippingBound {
    private ClippingBound() {}

    /** C = (f+b)/m, the liars' influence: 2 alpha for f = b = alpha m, so convergence holds below one half. */
    public static double influence(int workers, int liars, int clipped) {
        Check.that(
                0 <= liars && liars <= clipped && clipped < workers,
                "the bound on clipping needs liars <= clipped < workers, got %d, %d, %d",
                liars,
                clipped,
                workers);
        return (double) (clipped + liars) / workers;
    }

    /** C ||S|| + max over honest i of ||g_i - S||, for the target S. */
    public static double bound(int workers, int clipped, List<double[]> honest, double[] target) {
        return influence(workers, workers - honest.size(), clipped) * Vectors.norm(target)
                + ScreeningBound.spread(honest, target);
    }

    /** Whether the direction descends wherever the gradient is long compared with the spread: C &lt; 1. */
    public static boolean converges(int workers, int liars, int clipped) {
        return influence(workers, liars, clipped) < 1;
    }
}
