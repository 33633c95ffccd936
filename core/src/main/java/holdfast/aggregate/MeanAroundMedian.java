package holdfast.aggregate;

import holdfast.theory.Proof;
import holdfast.theory.Robustness;
import java.util.Optional;

/**
 * MeaMed, the mean around the median (Xie, Koyejo, Gupta 2018): every coordinate is the mean of the n-f values nearest
 * to the median. If two values are equally far, the lower one counts as nearer.
 *
 * <p>Its kappa is 4f/t, t = floor(m/2) + 1 - f. With h = m - f, every lie among the chosen h values takes the place of an
 * honest value x_i that is no nearer to the median M, and moves the sum by at most 2 |x_i - M|. There are at most f, so
 * (h (G - g))^2 &lt;= 4f sum over H of (x_i - M)^2 = 4f h (r^2 + (M - g)^2) &lt;= 4f h (h/t) r^2 by {@link Median}'s
 * kappa.
 */
public record MeanAroundMedian(int tolerated) implements Aggregator {
    public MeanAroundMedian {
        Aggregator.checkTolerated("meamed", tolerated);
    }

    @Override
    public Aggregate aggregate(Round round) {
        int near = round.updates().size() - lies(round);
        return new Aggregate(
                Coordinates.of(round.updates(), round.threads(), x -> of(x, near)),
                round.senders(),
                Carry.NONE,
                near + " of " + round.updates().size() + " values around the median in every coordinate");
    }

    /** The mean of the {@code near} values nearest to the median. */
    static double of(double[] ascending, int near) {
        double median = Median.of(ascending);
        int from = 0;
        int to = ascending.length;
        while (to - from > near) {
            if (ascending[to - 1] - median >= median - ascending[from]) {
                to--;
            } else {
                from++;
            }
        }
        return TrimmedMean.mean(ascending, from, to);
    }

    @Override
    public int minWorkers() {
        return 2 * tolerated + 1;
    }

    @Override
    public Robustness robustness(int workers) {
        int above = Median.part(workers, tolerated);
        return Robustness.ofKappa(4.0 * tolerated / above, "4f/(floor(m/2)+1-f)", "aggregate.MeanAroundMedian");
    }

    @Override
    public Optional<Proof> proof(int workers) {
        return Optional.of(Proof.below(0.5, tolerated, workers, "Xie, Koyejo, Gupta 2018"));
    }
}
