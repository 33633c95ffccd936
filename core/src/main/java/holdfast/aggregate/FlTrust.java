package holdfast.aggregate;

import holdfast.Check;
import holdfast.math.Tree;
import holdfast.math.Vectors;
import holdfast.theory.Proof;
import holdfast.theory.Robustness;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * FLTrust (Cao, Fang, Liu, Gong 2021): the server judges the others by its own gradient g_0, computed from a few
 * trusted rows. Trust T_i = max(0, cos(g_i, g_0)); direction = sum T_i (||g_0|| / ||g_i||) g_i / sum T_i. The direction
 * is never longer than g_0, so even a majority of liars is tolerated. If no update points the server's way, the
 * direction is 0: no step. Every vector averaged is as long as g_0 and at most 90 degrees from it, so ||G - g_0|| &lt;=
 * sqrt(2) ||g_0||.
 */
public record FlTrust(int tolerated) implements Aggregator {
    public FlTrust {
        Aggregator.checkTolerated("fltrust", tolerated);
    }

    @Override
    public Aggregate aggregate(Round round) {
        Check.that(
                round.trusted() != null,
                "fltrust: needs the server's own gradient: --root 100 keeps rows for it, for vectors there is --trusted");
        lies(round);
        List<WorkerUpdate> updates = round.updates();
        double[] own = Vectors.unit(round.trusted());
        double[] trust = updates.stream()
                .mapToDouble(v -> Math.max(0, Vectors.dot(Vectors.unit(v.vector()), own, own.length)))
                .toArray();
        double[] direction = new double[own.length];
        int[] kept = IntStream.range(0, trust.length).filter(i -> trust[i] > 0).toArray();
        if (kept.length > 0) {
            double total = Vectors.sum(trust, trust.length);
            direction = Tree.reduce(
                    kept.length,
                    i -> Vectors.scaled(
                            trust[kept[i]] / total,
                            Vectors.unit(updates.get(kept[i]).vector())),
                    Vectors::add);
            lengthen(direction, round.trusted());
        }
        int[] ids = Arrays.stream(kept).map(i -> updates.get(i).worker()).toArray();
        return new Aggregate(
                direction,
                ids,
                Carry.NONE,
                String.format(
                        Locale.ROOT,
                        "no trust in %s; cosines of the others %.4g to %.4g",
                        Arrays.toString(round.sendersBut(ids)),
                        Arrays.stream(kept).mapToDouble(i -> trust[i]).min().orElse(0),
                        Vectors.maxAbs(trust, trust.length)));
    }

    /** Computes direction *= ||to||. The norm may be above the largest double, but no element of the result is. */
    private static void lengthen(double[] direction, double[] to) {
        double norm = Vectors.norm(Vectors.scaled(0x1p-64, to));
        for (int k = 0; k < direction.length; k++) {
            direction[k] = Vectors.clamped(direction[k] * norm * 0x1p64);
        }
    }

    @Override
    public boolean needsTrusted() {
        return true;
    }

    @Override
    public int minWorkers() {
        return tolerated + 1;
    }

    @Override
    public Robustness robustness(int workers) {
        return Robustness.none(
                "||G - g_0|| <= sqrt(2) ||g_0||, g_0 the server's own; no kappa: G has the length of g_0",
                "aggregate.FlTrust");
    }

    @Override
    public Optional<Proof> proof(int workers) {
        return Optional.of(Proof.below(
                        1,
                        tolerated,
                        workers,
                        "Cao et al. 2021: while the server's own update differs little from g too")
                .withoutLength());
    }
}
