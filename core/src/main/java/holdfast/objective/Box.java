package holdfast.objective;

import holdfast.Check;
import holdfast.data.Block;

/**
 * Where rows may move to: every feature within [-side, side], or no further out than the row itself already is. In
 * units of the scaled features.
 */
public record Box(double side) {
    /** Rows may move anywhere. */
    public static final Box NONE = new Box(Double.POSITIVE_INFINITY);

    public Box {
        Check.that(side > 0, "--box must be > 0, got %s", side);
    }

    public boolean bounded() {
        return side < Double.POSITIVE_INFINITY;
    }

    /** @throws holdfast.InputException for sparse rows, which would not stay sparse */
    void requireServes(Block block) {
        Check.that(
                !bounded() || !block.sparse(),
                "rows that move in a box move in every feature, so they cannot be sparse; use --lambda none");
    }

    /** The smallest allowed value of a feature that is x in the original row. */
    public double low(double x) {
        return Math.min(x, -side);
    }

    public double high(double x) {
        return Math.max(x, side);
    }

    /** The allowed value nearest to z of a feature that is x in the original row. */
    public double clip(double z, double x) {
        return Math.max(low(x), Math.min(high(x), z));
    }
}
