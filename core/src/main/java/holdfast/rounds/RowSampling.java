package holdfast.rounds;

import holdfast.Check;
import holdfast.Seed;
import holdfast.data.Dataset;

/**
 * Which rows of its shard a worker looks at in a round: all, or so many, drawn anew for every round and so the same on
 * every engine and after a resume.
 *
 * @param size how many; 0: all
 * @param seed of the shard, so that whoever holds the same shard draws the same rows
 */
public record RowSampling(int size, Seed seed) {
    /** Every row, every time. */
    public static final RowSampling ALL = new RowSampling(0, Seed.of(0));

    public RowSampling {
        Check.that(size >= 0, "batch must be >= 0, got %d", size);
    }

    /** The rows of a step in a round, steps counted from 0; the shard itself if they are all of it. */
    public Dataset of(Dataset shard, int round, int step) {
        if (size == 0 || size == shard.rows()) {
            return shard;
        }
        Seed drawn = seed.child("round", round);
        return shard.select(
                (step == 0 ? drawn : drawn.child("step", step)).random().choose(size, shard.rows()));
    }
}
