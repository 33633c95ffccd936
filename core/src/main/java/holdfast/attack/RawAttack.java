package holdfast.attack;

import holdfast.Seed;
import holdfast.data.Table;

/**
 * Poisons the rows that byzantine workers hand in, before anything is learnt from them: cells, labels and weights. So
 * the poison also reaches what all workers share: categories, fills, scaling and the length of steps. Pure; its only
 * randomness is the seed.
 */
@FunctionalInterface
public non-sealed interface RawAttack extends Attack {
    /**
     * Returns the table as the liars hand it in. Only their rows differ, and text columns may have more categories.
     *
     * @throws holdfast.InputException if the table has nothing that the attack could poison
     */
    Table poison(RawContext context);

    /** Chooses a random share of some rows or columns and returns them, ascending. */
    static int[] choose(double share, int[] from, Seed seed) {
        int[] chosen = seed.random().choose((int) Math.round(share * from.length), from.length);
        for (int i = 0; i < chosen.length; i++) {
            chosen[i] = from[chosen[i]];
        }
        return chosen;
    }
}
