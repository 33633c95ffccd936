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
 * @param number the number of the round, from 0
 * @param workers m, how many were asked
 * @param updates the valid updates by ascending worker id; fewer than m if workers failed
 * @param theta the parameters the updates belong to
 * @param seed of this round, for rules that draw random numbers
 * @param carry what this rule returned in the round before
 * @param trusted the server's own gradient if it has trusted data, else null
 * @param threads that a rule may use; the result does not depend on them
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

    /** Makes a round that uses only the caller's own thread. */
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

    /** Returns the same round with other threads. */
    public Round on(Threads other) {
        return new Round(number, workers, updates, theta, seed, carry, trusted, other);
    }

    /** Ids of the workers whose updates arrived, ascending. */
    public int[] senders() {
        return updates.stream().mapToInt(WorkerUpdate::worker).toArray();
    }

    /** Ids of the senders that are not among these, ascending. */
    int[] sendersBut(int[] kept) {
        return Arrays.stream(senders())
                .filter(w -> Arrays.binarySearch(kept, w) < 0)
                .toArray();
    }

    /** Makes a round from vectors alone, for using a rule without training. */
    public static Round of(double[]... vectors) {
        List<WorkerUpdate> updates = new ArrayList<>();
        for (double[] v : vectors) {
            updates.add(new WorkerUpdate(updates.size(), v));
        }
        return new Round(0, vectors.length, updates, new double[vectors[0].length], Seed.of(0), Carry.NONE, null);
    }
}
