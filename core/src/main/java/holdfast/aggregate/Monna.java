package holdfast.aggregate;

import holdfast.Check;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * MoNNA (Farhadkhani, Guerraoui, Gupta, Hoang, Pinot, Stephan 2023): the mean of the n - f updates nearest to the
 * update of one trusted worker, the pivot, itself included. Among equal distances the lower worker id is nearer. If the
 * pivot sent nothing, the lowest id present takes its place, although nobody vouches for that worker.
 */
public record Monna(int tolerated, int pivot) implements Aggregator {
    public Monna {
        Aggregator.checkTolerated("monna", tolerated);
        Check.that(
                pivot >= 0 && pivot <= Aggregator.MAX_WORKERS,
                "monna: pivot must be a worker's id, 0 to %d, got %d",
                Aggregator.MAX_WORKERS,
                pivot);
    }

    @Override
    public Aggregate aggregate(Round round) {
        List<WorkerUpdate> updates = round.updates();
        int keep = updates.size() - lies(round);
        int index = Math.max(0, Arrays.binarySearch(round.senders(), pivot));
        int centre = updates.get(index).worker();
        Distances.Far far = Distances.from(updates.get(index).vector(), round);
        int[] nearest = Distances.nearest(far.values(), keep);
        double radius =
                Arrays.stream(nearest).mapToDouble(i -> far.values()[i]).max().orElseThrow();
        String who = centre == pivot ? "worker " + centre : "worker " + centre + ", for " + pivot + " sent nothing";
        return Aggregate.meanOf(
                round, nearest, String.format(Locale.ROOT, "within %.4g of %s", radius * far.unit(), who));
    }

    /** A majority must be honest, and the pivot must be one of the workers. */
    @Override
    public int minWorkers() {
        return Math.max(2 * tolerated + 1, pivot + 1);
    }
}
