package holdfast.objective;

import java.util.List;

/**
 * What moving a row costs by the prices of its features: those that move by any amount, and the columns of text that change as a
 * whole or not at all.
 */
public sealed interface PricedCost extends TransportCost permits WeightedL2, MixedCost {
    /** Returns what moving the features costs that move by any amount; infinite prices for all others. */
    WeightedL2 features();

    /** Returns the columns that change as a whole. */
    List<MixedCost.Change> changes();

    /** @throws holdfast.InputException if rows of this many features cannot have this cost */
    void requireFits(int columns);
}
