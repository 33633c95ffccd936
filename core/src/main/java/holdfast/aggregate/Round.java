package holdfast.aggregate;

import holdfast.Check;
import holdfast.Seed;
import holdfast.math.Threads;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A round as the server sees it.
 *
 * @param number 0, 1, ...
 * @param workers m, how many were asked
 * @param updates the valid updates by ascending worker id; fewer than m where workers failed
 * @param theta the parameters the updates belong to
 * @param seed of this round, for rules that draw
 * @param carry what this rule returned the round before
 * @param trusted the server's own gradient if it has trusted data, else null
 * @param threads a rule may use; they change nothing in what it makes of the round
 */
public record Round(
        int number,
        int workers,
        List<WorkerUpdate> updates,
        double[] theta,
        Seed seed,
        Carry carry,
        double[] trusted,
        Threads threads) {
    public Round {
        updates = List.copyOf(updates);
        Check.that(
                !updates.isEmpty() && updates.size() <= workers,
                "a round needs between 1 and %d updates, got %d",
                workers,
                updates.size());
    }

    /** A round for the caller's own thread. */
    public Round(
            int number,
            int workers,
            List<WorkerUpdate> updates,
            double[] theta,
            Seed seed,
            Carry carry,
            double[] trusted) {
        this(number, workers, updates, theta, seed, carry, trusted, Threads.ONE);
    }

    /** The same round for other threads. */
    public Round on(Threads other) {
        return new Round(number, workers, updates, theta, seed, carry, trusted, other);
    }

    /** Ids of those whose updates arrived, ascending. */
    public int[] senders() {
        return updates.stream().mapToInt(WorkerUpdate::worker).toArray();
    }

    /** Ids of the voters not among these, ascending. */
    int[] sendersBut(int[] kept) {
        return Arrays.stream(senders())
                .filter(w -> Arrays.binarySearch(kept, w) < 0)
                .toArray();
    }

    /** A round of its own, for using a rule without training. */
    public static Round of(double[]... vectors) {
        List<WorkerUpdate> updates = new ArrayList<>();
        for (double[] v : vectors) {
            updates.add(new WorkerUpdate(updates.size(), v));
        }
        return new Round(0, vectors.length, updates, new double[vectors[0].length], Seed.of(0), Carry.NONE, null);
    }
}
