package holdfast.certificate;

import holdfast.Check;
import holdfast.Seed;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/**
 * The rows of each source that no group learns from. Which rows these are depends on the source's name and its number of
 * rows alone, so no source has a say in what is held out of another.
 */
public final class VoteHoldOut {
    private final Map<String, BitSet> rows = new HashMap<>();

    /**
     * Draws rows.
     *
     * @param counts how many rows each source has
     * @param share of the rows of each source, rounded; every source keeps one
     */
    public VoteHoldOut(Map<String, Integer> counts, double share, Seed seed) {
        Check.that(share >= 0 && share < 1, "the share of held-out rows must be >= 0 and < 1, got %s", share);
        counts.forEach((source, count) -> {
            int held = Math.max(0, Math.min(count - 1, (int) Math.rint(share * count)));
            BitSet chosen = new BitSet();
            for (int row : seed.child("vote").child(source).random().choose(held, count)) {
                chosen.set(row);
            }
            rows.put(source, chosen);
        });
    }

    /**
     * Returns whether a row is held out.
     *
     * @param row its number among the rows of its source, from 0
     */
    public boolean has(String source, int row) {
        return rows.getOrDefault(source, new BitSet()).get(row);
    }

    /** Returns how many rows are held out. */
    public long count() {
        return rows.values().stream().mapToLong(BitSet::cardinality).sum();
    }
}
