package holdfast.aggregate;

import holdfast.theory.Proof;
import holdfast.theory.Robustness;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Bulyan over Krum (El Mhamdi, Guerraoui, Rouault 2018): {@link Krum} picks one update and takes it out, until n - 2f
 * are picked. Every coordinate of the direction is the mean of the n - 4f picked values nearest to their median. With r
 * updates left, Krum counts r - f - 2 neighbours as in the paper, but at least one, because the last picks would
 * otherwise have none.
 *
 * <p>Its kappa holds whichever updates are picked. With h = m - f, k = m - 4f, t = floor(m/2) + 1 - 2f: t honest values are
 * not below the median M of the picked if the liars raise it, so r^2 + (M - g)^2 &lt;= (h/t) r^2 as for {@link Median}. The
 * mean of the k honest picked values nearest to M is within sqrt(3f/k) r of g; at most f lies take the place of some of
 * them, as in {@link MeanAroundMedian}, and move it by at most (2/k) sqrt(f h (h/t)) r.
 */
public record Bulyan(int tolerated) implements Aggregator {
    public Bulyan {
        Aggregator.checkTolerated("bulyan", tolerated);
    }

    @Override
    public Aggregate aggregate(Round round) {
        int lies = lies(round);
        List<WorkerUpdate> updates = round.updates();
        double[][] distances = Distances.among(round).matrix();
        int[] left = IntStream.range(0, updates.size()).toArray();
        while (left.length > 2 * lies) {
            int neighbours = Math.min(left.length - 1, Math.max(1, left.length - lies - 2));
            int best = Krum.ranking(distances, left, neighbours).get(0).index();
            left = Arrays.stream(left).filter(i -> i != best).toArray();
        }
        int[] dropped = Arrays.stream(left).map(i -> updates.get(i).worker()).toArray();
        List<WorkerUpdate> picked = updates.stream()
                .filter(v -> Arrays.binarySearch(dropped, v.worker()) < 0)
                .toList();
        int near = picked.size() - 2 * lies;
        return new Aggregate(
                Coordinates.of(picked, round.threads(), x -> MeanAroundMedian.of(x, near)),
                picked.stream().mapToInt(WorkerUpdate::worker).toArray(),
                Carry.NONE,
                "not picked " + Arrays.toString(dropped) + "; " + near + " of " + picked.size()
                        + " values around the median in every coordinate");
    }

    @Override
    public int minWorkers() {
        return 4 * tolerated + 3;
    }

    @Override
    public Robustness robustness(int workers) {
        double f = tolerated;
        double near = workers - 4 * f;
        double root = 2 * (workers - f) / (near * Math.sqrt(Median.part(workers, 2 * tolerated))) + Math.sqrt(3 / near);
        return Robustness.ofKappa(
                f * root * root,
                "f (2(m-f)/((m-4f) sqrt(t)) + sqrt(3/(m-4f)))^2, t = floor(m/2)+1-2f",
                "aggregate.Bulyan");
    }

    @Override
    public Optional<Proof> proof(int workers) {
        return Optional.of(Proof.below(0.25, tolerated, workers, "El Mhamdi, Guerraoui, Rouault 2018: 4f + 3 <= m"));
    }
}
