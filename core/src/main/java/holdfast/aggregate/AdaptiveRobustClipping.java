package holdfast.aggregate;

import holdfast.theory.ErrorBound;
import holdfast.theory.Robustness;
import java.util.Arrays;
import java.util.List;

/**
 * Adaptive robust clipping, ARC (Allouah, Guerraoui, Gupta, Jellouli, Rizk, Stephan 2025): scales the k = floor(2 (f/n)
 * (n-f)) longest updates down to the length of the next one.
 *
 * <p>Adds at most e = 2f/(m-2f) to kappa. Clipping is the projection P on a ball, so ||x - x'||^2 &gt;= ||P x - P x'||^2 +
 * ||(x - P x) - (x' - P x')||^2. Over all pairs of the h = m - f honest updates: their spread r^2 shrinks by at least the
 * spread of x_i - P x_i, of which at most k &lt;= 2fh/m are not 0, and that is at least ((h-k)/k) d^2 &gt;= d^2/e, d the
 * length of their mean. Now (sqrt(kappa) s + d)^2 &lt;= (kappa + e) (s^2 + d^2/e), s^2 the spread left. For another bound:
 * some honest update is not clipped, so P moves S, and with it the honest updates, by at most Delta more.
 */
public record AdaptiveRobustClipping() implements PreAggregator {
    @Override
    public List<Mixed> mix(Round round, int lies) {
        double[] norms = WorkerUpdate.norms(round.updates(), round.threads());
        Arrays.sort(norms);
        int n = norms.length;
        int longest = Math.toIntExact(2L * lies * (n - lies) / n);
        return StaticClipping.mix(round, norms[n - longest - 1]);
    }

    @Override
    public Robustness robustness(Aggregator rule, int workers) {
        int others = workers - 2 * rule.tolerated();
        return others <= 0
                ? PreAggregator.super.robustness(rule, workers)
                : rule.robustness(workers)
                        .after(
                                kappa -> kappa + 2.0 * rule.tolerated() / others,
                                bound -> new ErrorBound(bound.influence(), bound.spread() * 2),
                                "kappa of the rule + 2f/(m-2f); without kappa, its bound with 2 Delta",
                                "Allouah et al. 2025; aggregate.AdaptiveRobustClipping");
    }
}
