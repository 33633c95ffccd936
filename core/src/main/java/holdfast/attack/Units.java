package holdfast.attack;

import holdfast.Check;
import holdfast.data.Table;
import holdfast.math.Vectors;

/**
 * Hands in numbers in other units: x becomes factor x in a random share of the columns, the same for all liars. The most
 * frequent accident of all, grams for kilograms; one source can set mean and standard deviation of pooled rows by it.
 */
public record Units(double factor, double share) implements RawAttack {
    public Units {
        Check.that(Double.isFinite(factor), "units: factor must be finite, got %s", factor);
        Check.that(share >= 0 && share <= 1, "units: share must be from 0 to 1, got %s", share);
    }

    @Override
    public Table poison(RawContext context) {
        int[] columns =
                RawAttack.choose(share, context.numbers(), context.seed().child("columns"));
        return context.withCells(liar -> (row, cells) -> {
            for (int c : columns) {
                cells[c] = Vectors.clamped(factor * cells[c]);
            }
        });
    }
}
