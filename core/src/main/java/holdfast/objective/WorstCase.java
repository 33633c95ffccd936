package holdfast.objective;

import holdfast.data.Block;

/**
 * A block moved to its worst case.
 *
 * @param rows the moved rows z_j
 * @param costs c(z_j, x_j)
 * @param precision a bound on ||z_j - z_j*|| for all rows; infinite where none can be given
 */
public record WorstCase(Block rows, double[] costs, double precision) {}
