package holdfast.aggregate;

import holdfast.Check;
import holdfast.math.Vectors;
import holdfast.theory.Robustness;
import java.util.List;

/**
 * Static clipping (Pascanu, Mikolov, Bengio 2013): scales every update longer than {@code c} down to that length, x
 * min(1, c/||x||).
 */
public record StaticClipping(double c) implements PreAggregator {
    public StaticClipping {
        Check.that(c > 0 && Double.isFinite(c), "clipping: c must be finite and > 0, got %s", c);
    }

    @Override
    public List<Mixed> mix(Round round, int lies) {
        return mix(round, c);
    }

    @Override
    public Robustness robustness(Aggregator rule, int workers) {
        return Robustness.none("none: equal honest updates longer than c are shortened", "aggregate.StaticClipping");
    }

    static List<Mixed> mix(Round round, double limit) {
        return round.updates().stream()
                .map(v -> new Mixed(new WorkerUpdate(v.worker(), clipped(v.vector(), limit)), new int[] {v.worker()}))
                .toList();
    }

    private static double[] clipped(double[] x, double limit) {
        double norm = Vectors.norm(x);
        if (norm <= limit) {
            return x;
        }
        // A norm can be above the largest double even if no coordinate is.
        double scale = Double.isInfinite(norm) ? 0x1p-64 : 1;
        double[] scaled = Vectors.scaled(scale, x);
        return Vectors.scaled(limit / Vectors.norm(scaled), scaled);
    }
}
