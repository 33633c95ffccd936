package holdfast.attack;

import holdfast.Check;
import holdfast.data.Table;

/**
 * Sets every number of one row of each liar to a value far away: the single outlier that moves a mean anywhere
 * (breakdown point 0; Huber 1981).
 */
public record WildRow(double value) implements RawAttack {
    public WildRow {
        Check.that(Double.isFinite(value), "wild-row: value must be finite, got %s", value);
    }

    @Override
    public Table poison(RawContext context) {
        int[] columns = context.numbers();
        return context.withCells(liar -> {
            int wild = liar.rows()[liar.seed().child("row").random().nextInt(liar.rows().length)];
            return (row, cells) -> {
                for (int c : row == wild ? columns : new int[0]) {
                    cells[c] = value;
                }
            };
        });
    }
}
