package holdfast.aggregate;

import java.util.Arrays;
import java.util.List;

/**
 * Adaptive robust clipping, ARC (Allouah, Guerraoui, Gupta, Jellouli, Rizk, Stephan 2025): scales the k = floor(2 (f/n)
 * (n-f)) longest updates down to the length of the next one.
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
}
