package holdfast.aggregate;

import holdfast.theory.Proof;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Bulyan over Krum (El Mhamdi, Guerraoui, Rouault 2018): {@link Krum} picks one update and takes it out, until n - 2f
 * are picked. Every coordinate of the direction is the mean of the n - 4f picked values nearest to their median. With r
 * updates left, Krum counts r - f - 2 neighbours as in the paper, but at least one, because the last picks would
 * otherwise have none.
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
    public Optional<Proof> proof(int workers) {
        return Optional.of(Proof.below(0.25, tolerated, workers, "El Mhamdi, Guerraoui, Rouault 2018: 4f + 3 <= m"));
    }
}
