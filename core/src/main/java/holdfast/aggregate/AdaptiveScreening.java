package holdfast.aggregate;

import holdfast.Check;
import holdfast.theory.ErrorBound;
import holdfast.theory.Proof;
import holdfast.theory.Robustness;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Screens without knowing the number of liars: drops only updates that are far out, and remembers who sent them. An
 * update is far out when its norm exceeds {@code factor} times the round's (lower) median norm. A worker is barred
 * while it has been far out in more than the share {@code memory} of the rounds so far: with 0.01, each time bars it
 * for a hundred rounds. The direction is the mean of the others. If fewer than half of the updates would be left,
 * barred workers that are not far out in this round count again.
 *
 * <p>Without an attack this drops few workers, while norm screening drops f workers in every round. Liars who stand out
 * in a few early rounds, as in the paper's aggressive attack, are barred for hundreds of later ones.
 *
 * <p>What is proven, for b &lt; n/2 liars of n: let every honest update be within D of S. The median norm is between
 * the shortest and the longest honest norm, so if ||S|| + D &lt;= factor (||S|| - D) no honest update is far out, and a
 * liar's update that is kept is at most factor (||S|| + D) long. If h honest updates are kept, k updates in all, then k
 * {@code <G, S>}/||S|| &gt;= h (||S|| - D) - b factor (||S|| + D), and the step descends where that is positive. While
 * no honest worker was far out before, h = n - b: for small D the rule tolerates any share of liars below 1/(1 +
 * factor). Where honest workers are barred, k &gt;= n/2 still holds, so h &gt;= n/2 - b and the share is 1/(2 + 2
 * factor). Norm screening's 1/3 needs f to be known. In the same way ||G - S|| &lt;= s (1 + factor) ||S|| + (1 + s
 * (factor - 1)) D for every S, s = 2b/n, whoever is barred.
 *
 * @param tolerated f, the number of missing updates that the rule tolerates; the number of liars need not be known
 */
public record AdaptiveScreening(int tolerated, double factor, double memory) implements Aggregator {
    static final double FACTOR = 3;
    static final double MEMORY = 0.01;

    public AdaptiveScreening {
        Aggregator.checkTolerated("adaptive-screening", tolerated);
        Check.that(
                factor > 1 && Double.isFinite(factor),
                "adaptive-screening: factor must be finite and > 1, got %s",
                factor);
        Check.that(memory >= 0 && memory <= 1, "adaptive-screening: memory must be from 0 to 1, got %s", memory);
    }

    @Override
    public Aggregate aggregate(Round round) {
        lies(round);
        List<WorkerUpdate> updates = round.updates();
        double[] norms = WorkerUpdate.norms(updates, round.threads());
        double[] sorted = norms.clone();
        Arrays.sort(sorted);
        double median = sorted[(sorted.length - 1) / 2];
        Past past = Past.of(round);
        boolean[] near = new boolean[norms.length];
        for (int i = 0; i < norms.length; i++) {
            // Dividing, because the product could overflow.
            near[i] = norms[i] / factor <= median;
            past.saw(updates.get(i).worker(), !near[i]);
        }
        List<WorkerUpdate> kept = keep(updates, near, past);
        if (2 * kept.size() < updates.size()) {
            kept = keep(updates, near, null);
        }
        int[] ids = kept.stream().mapToInt(WorkerUpdate::worker).toArray();
        return new Aggregate(
                Mean.of(kept, round.threads()), ids, past.carry(), explanation(updates, norms, ids, median));
    }

    private List<WorkerUpdate> keep(List<WorkerUpdate> updates, boolean[] near, Past past) {
        return IntStream.range(0, near.length)
                .filter(i ->
                        near[i] && (past == null || !past.bars(updates.get(i).worker(), memory)))
                .mapToObj(updates::get)
                .toList();
    }

    private static String explanation(List<WorkerUpdate> updates, double[] norms, int[] kept, double median) {
        List<String> dropped = IntStream.range(0, norms.length)
                .filter(i -> Arrays.binarySearch(kept, updates.get(i).worker()) < 0)
                .mapToObj(i -> String.format(
                        Locale.ROOT, "%d (norm %.4g)", updates.get(i).worker(), norms[i]))
                .toList();
        return dropped.isEmpty()
                ? "all kept"
                : String.format(Locale.ROOT, "dropped %s; median norm %.4g", String.join(", ", dropped), median);
    }

    /**
     * The number of rounds, then how often each worker was far out. The number of rounds comes first because after
     * bucketing one round can have more updates than another.
     */
    private record Past(double[] counts) {
        static Past of(Round round) {
            double[] carried = round.carry().values();
            double[] counts = Arrays.copyOf(carried, Math.max(carried.length, round.workers() + 1));
            counts[0]++;
            return new Past(counts);
        }

        void saw(int worker, boolean far) {
            counts[worker + 1] += far ? 1 : 0;
        }

        boolean bars(int worker, double share) {
            return counts[worker + 1] > share * counts[0];
        }

        Carry carry() {
            return new Carry(counts);
        }
    }

    @Override
    public int minWorkers() {
        return 2 * tolerated + 1;
    }

    @Override
    public Robustness robustness(int workers) {
        double liars = 2.0 * tolerated / workers;
        return Robustness.ofBound(
                new ErrorBound(liars * (1 + factor), 1 + liars * (factor - 1)),
                "||G - S|| <= 2f/m (1+factor) ||S|| + (1 + 2f/m (factor-1)) Delta; no kappa: shorter lies move G even"
                        + " from equal honest updates",
                "aggregate.AdaptiveScreening");
    }

    @Override
    public Optional<Proof> proof(int workers) {
        return Optional.of(Proof.below(
                1 / (2 + 2 * factor),
                tolerated,
                workers,
                "aggregate.AdaptiveScreening: 1/(2 + 2 factor); 1/(1 + factor) while no honest worker is barred"));
    }
}
