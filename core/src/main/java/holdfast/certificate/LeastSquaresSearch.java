package holdfast.certificate;

import holdfast.certificate.ShiftCurve.Point;
import holdfast.certificate.WorstDistribution.Part;
import holdfast.certificate.WorstMoves.Moves;
import holdfast.math.Vectors;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The closed form for the squared loss. With residuals r_j, R = mean r^2 and n = theta . A^-1 theta, phi_lambda = (r^2/2)
 * lambda/(lambda - n) for lambda &gt; n and infinite below; so lambda = n + sqrt(R n/(2 rho)), the certified loss is (1/2)(sqrt(R)
 * + sqrt(2 rho n))^2, and all residuals grow by the same factor. Sources have the same order for every lambda, that of their
 * mean squares.
 */
final class LeastSquaresSearch implements WorstDistribution.Search {
    /** More than the rounding of a mean and of the formula. */
    private static final double ROUNDING = 0x1p-46;

    private final OneScoreMoves model;
    private final ScoredRows rows;
    private final double[] losses;
    private final int[] sources;
    private final double half;

    LeastSquaresSearch(OneScoreMoves model, ScoredRows rows, int kept) {
        this.model = model;
        this.rows = rows;
        this.losses = model.lossesAtRest();
        double[] bySource = rows.means(losses);
        this.sources =
                LargestSources.of(bySource, IntStream.range(0, rows.sources()).toArray(), kept);
        this.half = LargestSources.mean(bySource, sources);
    }

    @Override
    public WorstDistribution within(double rho) {
        double n = model.squared();
        double root = Math.sqrt(half) + Math.sqrt(rho * n);
        double certified = root * root * (1 + ROUNDING);
        double lambda = rho == 0 ? Double.POSITIVE_INFINITY : n + Math.sqrt(half) * Math.sqrt(n) / Math.sqrt(rho);
        Moves moves = rho == 0 || n == 0 ? Moves.none(losses) : moves(rho);
        double attained = LargestSources.mean(rows.means(moves.losses()), sources);
        return new WorstDistribution(
                new Point(rho, lambda, certified, attained), sources, List.of(new Part(1, () -> moves)));
    }

    private Moves moves(double rho) {
        double n = model.squared();
        // Root by root, because a quotient of squares may be beyond all numbers.
        double perResidual = Math.sqrt(rho) / (Math.sqrt(half) * Math.sqrt(n));
        // Without residuals every row moves alike; either direction is as bad.
        double alike = Math.sqrt(2 * rho) / Math.sqrt(n);
        double[] s = new double[rows.rows()];
        double[] u = new double[s.length];
        double[] costs = new double[s.length];
        for (int j = 0; j < s.length; j++) {
            s[j] = half > 0 ? (rows.scores()[j] - rows.labels()[j]) * perResidual : alike;
            u[j] = rows.scores()[j] + s[j] * n;
            costs[j] = s[j] * (s[j] * n) / 2;
        }
        double[] moved = model.losses(u);
        double[] along = model.along();
        return new Moves(moved, moved, costs, (row, x) -> Vectors.addScaled(x, s[row], along, along.length));
    }
}
