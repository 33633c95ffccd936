package holdfast.attack;

import holdfast.Check;
import holdfast.Randomness;
import holdfast.data.Table;

/**
 * Replaces each number by a value that stands for "missing" with a probability: what systems do that cannot leave a cell
 * empty.
 *
 * @param share the probability
 */
public record Sentinel(double share, double value) implements RawAttack {
    public Sentinel {
        Check.that(share >= 0 && share <= 1, "sentinel: share must be from 0 to 1, got %s", share);
        Check.that(Double.isFinite(value), "sentinel: value must be finite, got %s", value);
    }

    @Override
    public Table poison(RawContext context) {
        context.requireFillable("sentinel");
        int[] columns = context.numbers();
        return context.withCells(liar -> {
            Randomness random = liar.seed().child("cells").random();
            return (row, cells) -> {
                for (int c : columns) {
                    cells[c] = random.nextDouble() < share ? value : cells[c];
                }
            };
        });
    }
}
