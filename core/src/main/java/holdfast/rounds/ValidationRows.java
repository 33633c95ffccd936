package holdfast.rounds;

import holdfast.Check;
import holdfast.Seed;

/**
 * Which rows of its shard a worker sets aside to report its loss on: the share rounded to the nearest row, at least
 * one, but not the last one. So a shard of one row has none set aside, and its worker reports no loss.
 *
 * <p>At least one, because a loss per worker is reported and not one per row: rows are drawn whatever their class, so the
 * loss on few of them is that of the worker's rows without bias, and every worker with two rows has a say. The more
 * workers report, the less can those do who lie.
 *
 * @param share from 0, which sets nothing aside, to below 1
 * @param seed of the shard, so that workers with the same shard set the same rows aside
 */
public record ValidationRows(double share, Seed seed) {
    /** No row is set aside. */
    public static final ValidationRows NONE = new ValidationRows(0, Seed.of(0));

    public ValidationRows {
        Check.that(share >= 0 && share < 1, "--validation must be at least 0 and below 1, got %s", share);
    }

    /** Returns how many of these rows are set aside. */
    public int count(int rows) {
        return share == 0 ? 0 : Math.min(rows - 1, Math.max(1, (int) Math.rint(share * rows)));
    }

    /** Returns the numbers of the rows that are set aside, ascending. */
    public int[] of(int rows) {
        return seed.random().choose(count(rows), rows);
    }
}
