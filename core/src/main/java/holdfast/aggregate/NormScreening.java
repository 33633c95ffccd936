package holdfast.aggregate;

import holdfast.theory.ErrorBound;
import holdfast.theory.Proof;
import holdfast.theory.Robustness;
import holdfast.theory.ScreeningBound;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Norm-based screening, the paper's Algorithm 1: drops the f = beta m longest updates and returns the mean of the
 * others. Among equal norms the higher worker id counts as longer. A worker that sent nothing valid counts as
 * infinitely long, so exactly m - f updates are kept however many of the f failed.
 *
 * <p>Theorem 1: with alpha m liars, alpha &lt;= beta, for every S, ||G - S|| &lt;= 2 alpha/(1-beta) ||S|| + max over
 * honest i of ||g_i - S||; see {@link holdfast.theory.ScreeningBound}.
 */
public record NormScreening(int tolerated) implements NormRule {
    public NormScreening {
        Aggregator.checkTolerated("norm-screening", tolerated);
    }

    @Override
    public Weights weigh(int workers, int[] senders, double[] norms) {
        int keep = senders.length - lies(workers, senders.length);
        List<Integer> byNorm = IntStream.range(0, norms.length)
                .boxed()
                .sorted(Comparator.<Integer>comparingDouble(i -> norms[i]).thenComparingInt(i -> senders[i]))
                .toList();
        String explanation = keep == norms.length
                ? "all kept"
                : String.format(
                        Locale.ROOT,
                        "screened %s: norms %.4g to %.4g, longest kept %.4g",
                        byNorm.subList(keep, norms.length).stream()
                                .map(i -> senders[i])
                                .sorted()
                                .toList(),
                        norms[byNorm.get(keep)],
                        norms[byNorm.get(norms.length - 1)],
                        norms[byNorm.get(keep - 1)]);
        return Weights.mean(
                byNorm.subList(0, keep).stream()
                        .mapToInt(i -> senders[i])
                        .sorted()
                        .toArray(),
                explanation);
    }

    @Override
    public Aggregate aggregate(Round round) {
        return weigh(round.workers(), round.senders(), WorkerUpdate.norms(round.updates(), round.threads()))
                .applyTo(round);
    }

    @Override
    public int minWorkers() {
        return tolerated + 1;
    }

    @Override
    public Robustness robustness(int workers) {
        return Robustness.ofBound(
                new ErrorBound(ScreeningBound.influence(workers, tolerated, tolerated), 1),
                "||G - S|| <= 2f/(m-f) ||S|| + Delta; no kappa: shorter lies move G even from equal honest updates",
                "Zhou et al., Theorem 1");
    }

    @Override
    public Optional<Proof> proof(int workers) {
        return Optional.of(Proof.of(
                ScreeningBound.converges(workers, tolerated, tolerated),
                "2 alpha + beta < 1 with " + tolerated + " of " + workers + " screened",
                "Zhou et al., Theorem 1: 2 alpha + beta < 1"));
    }
}
