package holdfast.attack;

import holdfast.Check;
import holdfast.Seed;
import holdfast.data.Dataset;
import java.util.stream.IntStream;

/**
 * Repeats a random share of the rows many times, so that they dominate the worker's update although every row is true.
 *
 * @param times how often each of them occurs
 */
public record Duplicate(double share, int times) implements RowAttack {
    public Duplicate {
        Check.that(share >= 0 && share <= 1, "duplicate: share must be from 0 to 1, got %s", share);
        Check.that(times >= 1, "duplicate: times must be >= 1, got %d", times);
    }

    @Override
    public Dataset poison(Dataset shard, Seed seed) {
        int[] repeated = RowAttack.choose(share, shard, seed);
        IntStream copies = IntStream.range(1, times).flatMap(i -> IntStream.of(repeated));
        return shard.select(
                IntStream.concat(IntStream.range(0, shard.rows()), copies).toArray());
    }
}
