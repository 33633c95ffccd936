package holdfast.attack;

import holdfast.Seed;
import holdfast.data.Dataset;

/** Poisons the rows of a byzantine worker before training. Pure; its only randomness is the seed. */
@FunctionalInterface
public non-sealed interface RowAttack extends Attack {
    /**
     * @param shard the worker's rows, scaled as the server prescribed
     * @param seed of this worker's poison
     */
    Dataset poison(Dataset shard, Seed seed);

    /** Chooses a random share of the rows and returns their numbers, ascending. */
    static int[] choose(double share, Dataset shard, Seed seed) {
        return seed.child("rows").random().choose((int) Math.round(share * shard.rows()), shard.rows());
    }
}
