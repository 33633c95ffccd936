package holdfast.attack;

import holdfast.Seed;
import holdfast.aggregate.Aggregate;
import holdfast.aggregate.Aggregator;
import holdfast.aggregate.Mean;
import holdfast.aggregate.Round;
import holdfast.aggregate.WorkerUpdate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Everything that liars know when they forge a round's updates.
 *
 * @param truth the round as it would be if every worker, the liars included, told the truth; must not be written
 * @param byzantine ids of the liars, ascending; liars without data of their own have no update in the truth
 * @param defence the rule the server uses; pure, so trying it changes nothing
 * @param seed of this round's attack
 */
public record AttackContext(Round truth, int[] byzantine, Aggregator defence, Seed seed) {

    /** g, the mean of all truthful updates. */
    public double[] trueMean() {
        return Mean.of(truth.updates());
    }

    /** The updates of the honest workers; of all workers if everybody lies. */
    public List<WorkerUpdate> honest() {
        List<WorkerUpdate> honest =
                truth.updates().stream().filter(v -> !lies(v)).toList();
        return honest.isEmpty() ? truth.updates() : honest;
    }

    boolean lies(WorkerUpdate update) {
        return Arrays.binarySearch(byzantine, update.worker()) >= 0;
    }

    /**
     * Returns what the server would compute if the liars sent these vectors, which must be finite. The rule gets its
     * carried state, which is never advanced. A rule that draws random numbers draws others than the server will.
     */
    public Aggregate attempt(List<double[]> forged) {
        return defence.aggregate(sent(forged, seed.child("attempt")));
    }

    /** Returns the round in which the honest tell the truth and the liars send these vectors. */
    Round sent(List<double[]> forged, Seed drawn) {
        List<WorkerUpdate> updates = new ArrayList<>();
        truth.updates().stream().filter(v -> !lies(v)).forEach(updates::add);
        for (int i = 0; i < byzantine.length; i++) {
            updates.add(new WorkerUpdate(byzantine[i], forged.get(i)));
        }
        updates.sort(Comparator.comparingInt(WorkerUpdate::worker));
        return new Round(
                truth.number(),
                truth.workers(),
                updates,
                truth.theta(),
                drawn,
                truth.carry(),
                truth.trusted(),
                truth.threads());
    }
}
