package holdfast.attack;

import holdfast.Check;
import holdfast.data.Table;

/**
 * Makes one row of each liar, or all of them, as heavy as a value says, so that in a sum over rows no other row counts.
 * Who hands in rows without weights cannot do this, so the data must have weights.
 *
 * @param rows one of a liar's rows or all of them
 */
public record WildWeights(double value, Extent rows) implements RawAttack {
    /** How many of a liar's rows are poisoned. */
    public enum Extent {
        ONE,
        ALL
    }

    public WildWeights {
        Check.that(value > 0 && Double.isFinite(value), "wild-weights: value must be finite and > 0, got %s", value);
    }

    @Override
    public Table poison(RawContext context) {
        Check.that(
                context.table().cells().weighted(),
                "wild-weights: rows must have weights, see --weights-by, but those of %s have none",
                context.table().source().name());
        return context.withWeights(liar -> {
            int wild = liar.rows()[liar.seed().child("row").random().nextInt(liar.rows().length)];
            return row -> rows == Extent.ALL || row == wild
                    ? value
                    : context.table().cells().weight(row);
        });
    }
}
