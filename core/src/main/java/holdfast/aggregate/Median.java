package holdfast.aggregate;

import holdfast.theory.Proof;
import holdfast.theory.Robustness;
import java.util.Optional;

/**
 * The coordinate-wise median; for an even number, the mean of the two values in the middle (Yin, Chen, Ramchandran,
 * Bartlett 2018). As long as liars are a minority, every coordinate lies between honest values.
 *
 * <p>Its kappa is (h-t)/t with h = m - f, t = floor(m/2) + 1 - f, and no smaller one: the median grows with every value,
 * so it is highest when all liars send infinity. Then it is at most the mean of the t highest honest values, which is
 * within sqrt((h-t)/t) r of the mean of all (see {@link Robustness}). Coordinates add up. Allouah et al. (2023) have 4 (1 +
 * f/(m-2f))^2.
 */
public record Median(int tolerated) implements Aggregator {
    public Median {
        Aggregator.checkTolerated("median", tolerated);
    }

    @Override
    public Aggregate aggregate(Round round) {
        lies(round);
        return new Aggregate(
                Coordinates.of(round.updates(), round.threads(), Median::of),
                round.senders(),
                Carry.NONE,
                "middle of " + round.updates().size() + " values in every coordinate");
    }

    static double of(double[] ascending) {
        double low = ascending[(ascending.length - 1) / 2];
        double high = ascending[ascending.length / 2];
        double sum = low + high;
        return Double.isFinite(sum) ? sum / 2 : low / 2 + high / 2;
    }

    @Override
    public int minWorkers() {
        return 2 * tolerated + 1;
    }

    @Override
    public Robustness robustness(int workers) {
        int above = part(workers, tolerated);
        return Robustness.ofKappa(
                (workers - tolerated - above) / (double) above, "(ceil(m/2)-1)/(floor(m/2)+1-f)", "aggregate.Median");
    }

    /** How many honest values, of m with f liars, are surely not below the median if the liars raise it. */
    static int part(int workers, int liars) {
        return workers / 2 + 1 - liars;
    }

    @Override
    public Optional<Proof> proof(int workers) {
        return Optional.of(Proof.below(0.5, tolerated, workers, "Yin et al. 2018"));
    }
}
