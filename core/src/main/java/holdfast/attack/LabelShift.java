package holdfast.attack;

import holdfast.Check;
import holdfast.data.Dataset;
import holdfast.data.Table;
import holdfast.math.Vectors;
import java.util.Arrays;

/**
 * Moves all labels of a liar in one direction, which a model follows more readily than noise: class y of k becomes y + 1
 * mod k, as if the table of classes were off by one; a number y becomes factor y + shift s with the standard deviation s
 * of the liar's labels. Whole numbers stay whole, so that a count stays a count.
 *
 * @param shift in standard deviations
 */
public record LabelShift(double shift, double factor) implements RawAttack {
    public LabelShift {
        Check.that(Double.isFinite(shift), "label-shift: shift must be finite, got %s", shift);
        Check.that(Double.isFinite(factor), "label-shift: factor must be finite, got %s", factor);
    }

    @Override
    public Table poison(RawContext context) {
        Dataset rows = context.table().cells();
        int classes = rows.schema().classes().size();
        if (classes > 0) {
            return context.withLabels(liar -> r -> (rows.label(r) + 1) % classes);
        }
        return context.withLabels(liar -> {
            double[] labels =
                    Arrays.stream(liar.rows()).mapToDouble(rows::label).toArray();
            boolean whole = Arrays.stream(labels).allMatch(y -> y == Math.rint(y));
            double moved = shift * ColumnSummary.of(labels).sd();
            return r -> {
                double label = Vectors.clamped(factor * rows.label(r) + moved);
                return whole ? Math.rint(label) : label;
            };
        });
    }
}
