package holdfast.certificate;

import holdfast.certificate.ShiftCurve.Point;
import holdfast.certificate.WorstMoves.Moves;
import java.util.List;
import java.util.function.Supplier;

/**
 * The worst distribution found within a budget: rows of these sources, each source with the same weight, moved in one way or
 * in a mixture of two.
 */
record WorstDistribution(Point point, int[] sources, List<Part> parts) {
    /** Moves that this share of every row makes. */
    record Part(double share, Supplier<Moves> moves) {}

    /** Finds worst distributions. Pure. */
    interface Search {
        WorstDistribution within(double rho);
    }
}
