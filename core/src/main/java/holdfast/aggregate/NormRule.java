package holdfast.aggregate;

import holdfast.Check;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * A rule that looks only at the lengths of the updates: G = (1/divisor) sum over the kept i of factor_i g_i. If workers
 * keep their updates, the server needs only their norms and one sum, never the updates themselves.
 */
public interface NormRule extends Aggregator {
    /**
     * Turns norms into weights.
     *
     * @param workers m, how many were asked
     * @param senders ids of the workers with a valid update, ascending
     * @param norms lengths of their updates, all in one unit
     * @throws holdfast.InputException if there are too few workers or too many updates are missing
     */
    Weights weigh(int workers, int[] senders, double[] norms);

    /**
     * Which updates count, and how much.
     *
     * @param kept ids of the workers whose updates count, ascending; must not be written
     * @param factors what each of these updates is multiplied by, from 0 to 1; must not be written
     * @param divisor what their sum is divided by, at least 1
     * @param explanation one line: who was left out or shortened, and by what margin
     */
    record Weights(int[] kept, double[] factors, double divisor, String explanation) {
        public Weights {
            Check.that(
                    kept.length == factors.length && kept.length > 0,
                    "a norm rule must keep at least one update and give each a factor, got %d updates and %d factors",
                    kept.length,
                    factors.length);
            Check.that(
                    divisor >= 1 && Double.isFinite(divisor),
                    "a norm rule's divisor must be finite and at least 1, got %s",
                    divisor);
        }

        /** Returns the weights of the plain mean of the kept updates. */
        static Weights mean(int[] kept, String explanation) {
            double[] ones = new double[kept.length];
            Arrays.fill(ones, 1);
            return new Weights(kept, ones, kept.length, explanation);
        }

        /** Combines a round whose updates are all at hand; finite whenever they are. */
        public Aggregate applyTo(Round round) {
            List<WorkerUpdate> updates = round.updates().stream()
                    .filter(update -> Arrays.binarySearch(kept, update.worker()) >= 0)
                    .sorted(Comparator.comparingInt(WorkerUpdate::worker))
                    .toList();
            return new Aggregate(
                    Mean.divided(updates, factors, divisor, round.threads()), kept, Carry.NONE, explanation);
        }

        /**
         * Does the same from the sum of the kept updates times their factors, summed along the fixed tree of their
         * places.
         */
        public Aggregate applyTo(double[] sum) {
            double[] direction = new double[sum.length];
            Arrays.setAll(direction, i -> sum[i] / divisor);
            return new Aggregate(direction, kept, Carry.NONE, explanation);
        }
    }
}
