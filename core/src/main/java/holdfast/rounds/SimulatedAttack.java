package holdfast.rounds;

import holdfast.Check;
import holdfast.Seed;
import holdfast.aggregate.Aggregator;
import holdfast.aggregate.Round;
import holdfast.attack.AttackContext;
import holdfast.attack.Attacks;
import holdfast.attack.UpdateAttack;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Makes some workers of a simulation lie: replaces what they would truthfully have sent before the server looks at it.
 *
 * @param attack forges their updates
 * @param liars their ids, ascending
 */
public record SimulatedAttack(UpdateAttack attack, int[] liars) {
    /** Nobody lies. */
    public static final SimulatedAttack NONE = new SimulatedAttack(Attacks.NONE, new int[0]);

    public SimulatedAttack {
        liars = liars.clone();
        for (int i = 1; i < liars.length; i++) {
            Check.that(
                    liars[i] > liars[i - 1], "liars must be different and ascending, got %s", Arrays.toString(liars));
        }
    }

    /** A copy. */
    @Override
    public int[] liars() {
        return liars.clone();
    }

    /** Whether any reply may be replaced. */
    boolean isActive() {
        return liars.length > 0 && attack != Attacks.NONE;
    }

    /**
     * Returns the replies with those of the liars replaced; liars without a valid update have nothing to replace.
     *
     * @param truth the round made of the valid replies
     * @param defence the rule, which the liars may try out
     * @param seed of this round's attack
     */
    List<WorkerReply> forge(List<WorkerReply> replies, Round truth, Aggregator defence, Seed seed) {
        int[] present = Arrays.stream(truth.senders())
                .filter(w -> Arrays.binarySearch(liars, w) >= 0)
                .toArray();
        List<double[]> forged = attack.forge(new AttackContext(truth, present, defence, seed));
        List<WorkerReply> sent = new ArrayList<>(replies);
        sent.replaceAll(reply -> {
            int liar = Arrays.binarySearch(present, reply.worker());
            return liar >= 0 && reply instanceof WorkerReply.Update update ? update.with(forged.get(liar)) : reply;
        });
        return sent;
    }
}
