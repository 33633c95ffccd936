package holdfast.attack;

import holdfast.data.Dataset;
import java.util.Arrays;

/** Mean and standard deviation of the numbers of a column that are not missing; both NaN if all are. */
record ColumnSummary(double mean, double sd) {
    static ColumnSummary of(double[] values) {
        double mean = 0;
        double squares = 0;
        int count = 0;
        for (double value : values) {
            if (!Double.isNaN(value)) {
                // Welford's recurrence, which does not lose a small spread around a large mean.
                double gap = value - mean;
                mean += gap / ++count;
                squares += gap * (value - mean);
            }
        }
        return count == 0
                ? new ColumnSummary(Double.NaN, Double.NaN)
                : new ColumnSummary(mean, Math.sqrt(squares / count));
    }

    /** Summarises every column of some rows. */
    static ColumnSummary[] of(Dataset cells, int[] rows) {
        double[][] columns = new double[cells.columns()][rows.length];
        double[] row = new double[cells.columns()];
        for (int r = 0; r < rows.length; r++) {
            cells.copyRow(rows[r], row);
            for (int c = 0; c < row.length; c++) {
                columns[c][r] = row[c];
            }
        }
        return Arrays.stream(columns).map(ColumnSummary::of).toArray(ColumnSummary[]::new);
    }
}
