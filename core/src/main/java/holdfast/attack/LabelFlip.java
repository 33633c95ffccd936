package holdfast.attack;

import holdfast.Check;
import holdfast.Seed;
import holdfast.data.Dataset;
import java.util.Arrays;

/** A random share of the rows have their labels turned round: y becomes 1 - y (Biggio, Nelson, Laskov 2011). */
public record LabelFlip(double share) implements DataAttack {
    public LabelFlip {
        Check.that(share >= 0 && share <= 1, "label-flip: share must be from 0 to 1, got %s", share);
    }

    @Override
    public Dataset poison(Dataset shard, Seed seed) {
        int[] flipped = DataAttack.choose(share, shard, seed);
        return shard.relabel(r -> Arrays.binarySearch(flipped, r) >= 0 ? 1 - shard.label(r) : shard.label(r));
    }
}
