package holdfast.shift;

import holdfast.Check;
import holdfast.data.Block;
import holdfast.model.Model;

/**
 * Puts the trigger of a backdoor into every row: one value in one feature column. The labels stay, so the error tells
 * how often the backdoor works.
 *
 * @param column from 0
 * @param value in units of the scaled features
 */
public record Trigger(int column, double value) implements Shift {
    public Trigger {
        Check.that(column >= 0, "trigger: column must be >= 0, got %d", column);
        Check.that(Double.isFinite(value), "trigger: value must be finite, got %s", value);
    }

    @Override
    public Block apply(Model model, double[] theta, Block block) {
        int d = block.columns();
        Check.that(column < d, "trigger: column must be below the %d feature columns, got %d", d, column);
        return block.with(j -> true, column, value);
    }

    @Override
    public boolean adversarial() {
        return true;
    }

    @Override
    public String name() {
        return "trigger " + value + " in column " + column;
    }
}
