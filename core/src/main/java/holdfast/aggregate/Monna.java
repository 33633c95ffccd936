package holdfast.aggregate;

import holdfast.Check;
import holdfast.theory.Robustness;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * MoNNA (Farhadkhani, Guerraoui, Gupta, Hoang, Pinot, Stephan 2023): the mean of the n - f updates nearest to the
 * update of one trusted worker, the pivot, itself included. Among equal distances the lower worker id is nearer. If the
 * pivot sent nothing, the lowest id present takes its place, although nobody vouches for that worker.
 *
 * <p>If the pivot x_p is honest, kappa is 4f: with h = m - f, every chosen lie takes the place of an honest x_i that is no
 * nearer to x_p and moves the sum by at most 2 ||x_i - x_p||, so ||h (G - g)||^2 &lt;= 4f sum over H of ||x_i - x_p||^2 =
 * 4f h (r^2 + ||x_p - g||^2) &lt;= 4f h (h r^2), as one of h updates is at most sqrt(h-1) r from their mean.
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

    @Override
    public Robustness robustness(int workers) {
        return new Robustness(
                OptionalDouble.of(4.0 * tolerated),
                Optional.empty(),
                "kappa = 4f while the pivot is honest, else none",
                "aggregate.Monna");
    }
}
