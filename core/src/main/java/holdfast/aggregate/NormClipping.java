package holdfast.aggregate;

import holdfast.theory.ClippingBound;
import holdfast.theory.ErrorBound;
import holdfast.theory.Proof;
import holdfast.theory.Robustness;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Norm clipping, comparative gradient clipping (Gupta, Vaidya 2019): shortens every update longer than the (n-f)-th
 * norm to that norm; the direction is the mean of all n. Screening drops honest updates while liars stay just under its
 * cut; clipping keeps the honest ones, and so tolerates f &lt; n/2 instead of n/3; see
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

    @Override
    public Robustness robustness(int workers) {
        return Robustness.ofBound(
                new ErrorBound(ClippingBound.influence(workers, tolerated, tolerated), 1),
                "||G - S|| <= 2f/m ||S|| + Delta; no kappa: shorter lies move G even from equal honest updates",
                "theory.ClippingBound");
    }

    @Override
    public Optional<Proof> proof(int workers) {
        return Optional.of(Proof.of(
                ClippingBound.converges(workers, tolerated, tolerated),
                "2 alpha < 1 with " + tolerated + " of " + workers + " clipped",
                "theory.ClippingBound: (b + f)/m < 1"));
    }
}
