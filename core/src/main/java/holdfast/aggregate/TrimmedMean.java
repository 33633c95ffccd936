package holdfast.aggregate;

import holdfast.theory.Proof;
import holdfast.theory.Robustness;
import java.util.Optional;

/**
 * The coordinate-wise trimmed mean (Yin, Chen, Ramchandran, Bartlett 2018): leaves out the f lowest and the f highest
 * values of every coordinate, G_k = 1/(n-2f) sum over f &lt; j &lt;= n-f of x_(j)k.
 *
 * <p>Its kappa is f/(m-2f), which no rule undercuts. G_k grows with every value, so it is largest when all liars send
 * infinity; then it is the mean of the m - 2f highest of the m - f honest values. That is within sqrt(f/(m-2f)) r of the
 * mean of all (see {@link Robustness}), and liars at minus infinity get as far. Coordinates add up.
 * Allouah et al. (2023) have 6f/(m-2f) (1 + f/(m-2f)).
 */
public record TrimmedMean(int tolerated) implements Aggregator {
    public TrimmedMean {
        Aggregator.checkTolerated("trimmed-mean", tolerated);
    }

    @Override
    public Aggregate aggregate(Round round) {
        int lies = lies(round);
        return new Aggregate(
                Coordinates.of(round.updates(), round.threads(), x -> mean(x, lies, x.length - lies)),
                round.senders(),
                Carry.NONE,
                "lowest and highest " + lies + " of " + round.updates().size()
                        + " values left out in every coordinate");
    }

    /** Returns the mean of ascending[from..to), which is finite whenever the values are. */
    static double mean(double[] ascending, int from, int to) {
        double mean = mean(ascending, from, to, 0);
        if (!Double.isFinite(mean)) {
            mean = mean(ascending, from, to, 32);
        }
        // Rounding must not leave the range of the values, which may end at the largest double.
        return Math.max(ascending[from], Math.min(ascending[to - 1], mean));
    }

    private static double mean(double[] values, int from, int to, int exponent) {
        double up = Math.scalb(1.0, exponent);
        double down = 1 / up;
        double sum = 0;
        for (int i = from; i < to; i++) {
            sum += values[i] * down;
        }
        return sum / (to - from) * up;
    }

    @Override
    public int minWorkers() {
        return 2 * tolerated + 1;
    }

    @Override
    public Robustness robustness(int workers) {
        int f = tolerated;
        return Robustness.ofKappa(f / (workers - 2.0 * f), "f/(m-2f), the least possible", "aggregate.TrimmedMean");
    }

    @Override
    public Optional<Proof> proof(int workers) {
        return Optional.of(Proof.below(0.5, tolerated, workers, "Yin et al. 2018"));
    }
}
