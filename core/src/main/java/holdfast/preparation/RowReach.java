package holdfast.preparation;

import holdfast.data.Block;
import holdfast.data.Rows;
import holdfast.objective.Box;
import java.util.Objects;

/**
 * How far the training rows reach. This bounds the constants of Assumption 1.
 *
 * @param radius the length of the longest row; with a box, the longest that a row can become in it
 * @param label the largest |y|
 * @param weight the largest weight of a row
 */
public record RowReach(double radius, double label, double weight) {
    /** If rows reach further, no step is small enough anyway; this limit keeps the constants finite. */
    private static final double MAX = 1e100;

    /**
     * Measures training rows.
     *
     * @param training the training rows, scaled and weighted
     */
    public static RowReach of(Rows training, Box box) {
        double side = box.side();
        boolean bounded = box.bounded();
        // A maximum has the same bits however rows are grouped, and by source is how an engine has them at hand.
        double[] most = training.reduceBySource(block -> of(block, side, bounded), RowReach::larger).stream()
                .filter(Objects::nonNull)
                .reduce(RowReach::larger)
                .orElseThrow();
        return new RowReach(Math.min(Math.sqrt(most[0]), MAX), Math.min(most[1], MAX), Math.min(most[2], MAX));
    }

    /** Returns whether these numbers are bounds, and no row reaches further. */
    public boolean isBound() {
        return radius < MAX && label < MAX && weight < MAX;
    }

    /** Returns the same for rows that a source may make heavier, whichever source they are of. */
    public RowReach counted(Weighting weighting) {
        return new RowReach(radius, label, Math.min(weight * weighting.heaviest(), MAX));
    }

    private static double[] larger(double[] a, double[] b) {
        for (int i = 0; i < a.length; i++) {
            a[i] = Math.max(a[i], b[i]);
        }
        return a;
    }

    private static double[] of(Block block, double side, boolean bounded) {
        double[] most = new double[3];
        // A feature that is zero can move to the side of the box like any other.
        double empty = bounded ? side * side : 0;
        for (int j = 0; j < block.rows(); j++) {
            double[] squares = {empty * block.columns()};
            block.nonZeros(j, (i, x) -> {
                double reach = bounded ? Math.max(side, Math.abs(x)) : Math.abs(x);
                squares[0] += reach * reach - empty;
            });
            most[0] = Math.max(most[0], squares[0]);
            most[1] = Math.max(most[1], Math.abs(block.label(j)));
            most[2] = Math.max(most[2], block.weight(j));
        }
        return most;
    }
}
