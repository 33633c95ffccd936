package holdfast.rounds;

import holdfast.Check;
import holdfast.Seed;
import holdfast.data.Dataset;

/** Which rows of its shard a worker uses in a step; the same on every engine and after a resume. */
public sealed interface RowSampling {
    /** Every row, every time. */
    RowSampling ALL = new All();

    /** Returns the rows of a step in a round, steps counted from 0; the shard itself if the step uses all of it. */
    Dataset of(Dataset shard, int round, int step);

    /** Uses all rows. */
    record All() implements RowSampling {
        @Override
        public Dataset of(Dataset shard, int round, int step) {
            return shard;
        }
    }

    /**
     * Draws a new batch for every step of every round.
     *
     * @param size its number of rows
     * @param seed of the shard, so that workers with the same shard draw the same rows
     */
    record Batch(int size, Seed seed) implements RowSampling {
        public Batch {
            Check.that(size >= 1, "--batch must be at least 1, got %d", size);
        }

        @Override
        public Dataset of(Dataset shard, int round, int step) {
            if (size == shard.rows()) {
                return shard;
            }
            Seed drawn = seed.child("round", round);
            return shard.select(
                    (step == 0 ? drawn : drawn.child("step", step)).random().sample(size, shard.rows()));
        }
    }
}
