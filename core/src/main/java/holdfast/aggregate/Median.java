package holdfast.aggregate;

import holdfast.theory.Proof;
import java.util.Optional;

/**
 * The coordinate-wise median; for an even number, the mean of the two values in the middle (Yin, Chen, Ramchandran,
 * Bartlett 2018). As long as liars are a minority, every coordinate lies between honest values.
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
    public Optional<Proof> proof(int workers) {
        return Optional.of(Proof.below(0.5, tolerated, workers, "Yin et al. 2018"));
    }
}
