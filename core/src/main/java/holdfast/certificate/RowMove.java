package holdfast.certificate;

import holdfast.Check;
import holdfast.math.Vectors;
import holdfast.shift.WorstCaseShift.Norm;
import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * How far a row may move: by delta with ||(delta_i / unit_i)||_p &lt;= budget, i over the columns of the table that hold
 * numbers. Units are given by the user or taken from a trusted file; if they came from the sources, these could shrink them.
 * Columns without a unit do not move, and neither does text.
 *
 * @param units of columns by name, above 0
 */
public record RowMove(Norm norm, double budget, Map<String, Double> units) {
    public RowMove {
        Check.that(budget >= 0 && Double.isFinite(budget), "budget must be finite and >= 0, got %s", budget);
        units = Collections.unmodifiableMap(new TreeMap<>(units));
        units.forEach((column, unit) -> Check.that(
                unit > 0 && Double.isFinite(unit), "the unit of %s must be finite and > 0, got %s", column, unit));
    }

    /** Returns the same move with another budget. */
    public RowMove within(double budget) {
        return new RowMove(norm, budget, units);
    }

    /**
     * Returns by how much the row's score can change in either direction: budget times the dual norm of slopes_i unit_i,
     * which is the largest for p = 1, the Euclidean norm for p = 2 and the sum for p = infinity.
     *
     * @param slopes how the score depends on each column, in the same order as the units
     * @param moved the unit of each, 0 for a column that does not move
     */
    double change(double[] slopes, double[] moved) {
        double[] steps = new double[slopes.length];
        Arrays.setAll(steps, i -> Math.abs(slopes[i] * moved[i]));
        return budget
                * switch (norm) {
                    case L1 -> Vectors.maxAbs(steps, steps.length);
                    case L2 -> Vectors.norm(steps);
                    case LINF -> Vectors.sum(steps, steps.length);
                };
    }
}
