package holdfast.attack;

import holdfast.Check;
import holdfast.Seed;
import holdfast.data.Dataset;
import java.util.Arrays;
import java.util.function.IntPredicate;

/**
 * Gives a random share of the rows the trigger, one value in one feature column, and the target label (Gu,
 * Dolan-Gavitt, Garg 2017), so that the model answers the target wherever it meets the trigger.
 * {@link holdfast.shift.Trigger} is the matching shift of the test rows.
 *
 * @param column of the trigger, from 0
 * @param value of the trigger, in units of the scaled features
 * @param target a class, from 0
 */
public record Backdoor(double share, int column, double value, int target) implements RowAttack {
    public Backdoor {
        Check.that(share >= 0 && share <= 1, "backdoor: share must be from 0 to 1, got %s", share);
        Check.that(column >= 0, "backdoor: column must be >= 0, got %d", column);
        Check.that(Double.isFinite(value), "backdoor: value must be finite, got %s", value);
        Check.that(target >= 0, "backdoor: target must be >= 0, got %d", target);
    }

    @Override
    public Dataset poison(Dataset shard, Seed seed) {
        Check.that(
                column < shard.columns(),
                "backdoor: column must be below the %d feature columns, got %d",
                shard.columns(),
                column);
        int classes = shard.schema().classes().size();
        Check.that(
                classes > 0,
                "backdoor: the target must be a class, but %s has numbers",
                shard.schema().label());
        Check.that(target < classes, "backdoor: target must be below the %d classes, got %d", classes, target);
        int[] marked = RowAttack.choose(share, shard, seed);
        IntPredicate isMarked = r -> Arrays.binarySearch(marked, r) >= 0;
        return shard.with(isMarked, column, value).relabel(r -> isMarked.test(r) ? target : shard.label(r));
    }
}
