package holdfast.aggregate;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * Norm clipping, comparative gradient clipping (Gupta, Vaidya 2019): every update longer than the (n-f)-th norm is
 * shortened to that norm, the mean of all n is the direction. Where screening leaves liars just under its cut while it
 * drops honest updates, clipping keeps the honest ones: it tolerates f &lt; n/2 instead of n/3; see
 * {@link holdfast.theory.ClippingBound}.
 */
public record NormClipping(int tolerated) implements NormRule {
    public NormClipping {
        Aggregator.checkTolerated("norm-clipping", tolerated);
    }

    @Override
    public Weights weigh(int workers, int[] senders, double[] norms) {
        int n = senders.length;
        double[] sorted = norms.clone();
        Arrays.sort(sorted);
        double cut = sorted[n - lies(workers, n) - 1];
        double[] factors = Arrays.stream(norms).map(r -> r > cut ? cut / r : 1).toArray();
        int[] clipped = IntStream.range(0, n)
                .filter(i -> norms[i] > cut)
                .map(i -> senders[i])
                .toArray();
        return new Weights(
                senders,
                factors,
                n,
                clipped.length == 0
                        ? "none clipped"
                        : String.format(
                                Locale.ROOT,
                                "clipped %s: norms up to %.4g times the cut",
                                Arrays.toString(clipped),
                                sorted[n - 1] / cut));
    }

    @Override
    public Aggregate aggregate(Round round) {
        return weigh(round.workers(), round.senders(), WorkerUpdate.comparableNorms(round.updates(), round.threads()))
                .applyTo(round);
    }

    @Override
    public int minWorkers() {
        return 2 * tolerated + 1;
    }
}
