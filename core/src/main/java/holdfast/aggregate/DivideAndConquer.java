package holdfast.aggregate;

import holdfast.Check;
import holdfast.Randomness;
import holdfast.theory.Robustness;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * Divide and conquer, DnC (Shejwalkar, Houmansadr 2021). Each iteration draws random coordinates, finds v, the
 * direction of largest spread about the mean, and scores every update by &lt;v, g_i - mean&gt;^2. It drops the
 * ceil(factor f) highest scores; among equal ones the higher worker id goes first. The direction is the mean of the
 * updates that no iteration dropped.
 *
 * <p>One liar of any size is found if all coordinates are drawn. Several may be missed: the largest turns v its way,
 * and along v a smaller one in another direction looks honest.
 *
 * @param coordinates how many are drawn per iteration; all, if there are no more
 */
public record DivideAndConquer(int tolerated, int iterations, int coordinates, double factor) implements Aggregator {
    public DivideAndConquer {
        Aggregator.checkTolerated("dnc", tolerated);
        Check.that(iterations >= 1, "dnc: iterations must be >= 1, got %d", iterations);
        Check.that(coordinates >= 1, "dnc: coordinates must be >= 1, got %d", coordinates);
        Check.that(factor > 0 && factor <= 1000, "dnc: factor must be > 0 and <= 1000, got %s", factor);
    }

    @Override
    public Aggregate aggregate(Round round) {
        int keep = round.updates().size() - dropped(lies(round));
        List<WorkerUpdate> updates = round.updates();
        int n = updates.size();
        int length = updates.get(0).vector().length;
        Distances distances = Distances.among(round);
        double[] weights = new double[n];
        Arrays.fill(weights, 1);
        boolean[] good = new boolean[n];
        Arrays.fill(good, true);
        double least = 1;
        double most = 0;
        for (int t = 0; keep < n && t < iterations; t++) {
            Randomness random = round.seed().child("dnc", t).random();
            double[] scores = Spread.of(distances.matrix(random.choose(Math.min(coordinates, length), length)), weights)
                    .scores();
            List<Integer> ascending = IntStream.range(0, n)
                    .boxed()
                    .sorted(Comparator.comparingDouble(i -> scores[i]))
                    .toList();
            ascending.subList(keep, n).forEach(i -> good[i] = false);
            most = Math.max(most, scores[ascending.get(keep - 1)]);
            least = Math.min(least, scores[ascending.get(keep)]);
        }
        List<WorkerUpdate> kept = IntStream.range(0, n)
                .filter(i -> good[i])
                .mapToObj(updates::get)
                .toList();
        int[] ids = kept.stream().mapToInt(WorkerUpdate::worker).toArray();
        return new Aggregate(
                Mean.of(kept, round.threads()),
                ids,
                Carry.NONE,
                keep == n
                        ? "all kept"
                        : String.format(
                                Locale.ROOT,
                                "dropped %s: scores from %.4g of the largest, kept up to %.4g",
                                Arrays.toString(round.sendersBut(ids)),
                                least,
                                most));
    }

    private int dropped(int lies) {
        return (int) Math.ceil(factor * lies);
    }

    /** One update must be left after the missing ones, even if every iteration drops different updates. */
    @Override
    public int minWorkers() {
        return (int) Math.min(
                Integer.MAX_VALUE, tolerated + Math.max(tolerated, (long) iterations * dropped(tolerated)) + 1);
    }

    @Override
    public Robustness robustness(int workers) {
        return Robustness.none(
                "none: of two lies the larger hides the other, which may have any size", "aggregate.DivideAndConquer");
    }
}
