package holdfast.attack;

import holdfast.Seed;
import holdfast.aggregate.Aggregator;
import holdfast.aggregate.Carry;
import holdfast.aggregate.Mean;
import holdfast.aggregate.Vote;
import java.util.List;

/**
 * All that liars know when they forge a round's updates.
 *
 * @param round the number of the round
 * @param theta the current parameters
 * @param honest what every worker, the liars included, would truthfully send; not to be written
 * @param byzantine ids of the liars, ascending
 * @param defence the rule the server uses; pure, so trying it changes nothing
 * @param carry what the rule will be given this round
 * @param seed of this round's attack
 */
public record Situation(
        int round, double[] theta, List<Vote> honest, int[] byzantine, Aggregator defence, Carry carry, Seed seed) {

    /** g, the mean of all truthful updates. */
    public double[] trueMean() {
        return Mean.of(honest);
    }
}
