package holdfast.sources;

import holdfast.data.Table;
import holdfast.data.TableColumn;
import holdfast.model.Target;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;

/**
 * What the tests see of the sources.
 *
 * @param columns the columns of the table
 * @param cells [source][column][row], NaN where a cell is missing; no columns if the rows are sparse
 * @param labels [source][row]
 * @param scores the scores of the rows of each source by a model that has not seen them
 * @param adapted the same for one source, by a model that follows the source itself as far as its rows allow
 * @param scoresPerRow how many scores a row has
 * @param classes the names of the classes; empty if labels are numbers
 * @param target the kind of label
 * @param misleading sources from which no model may learn; tests take them for bad from the start
 */
record SourceComparison(
        List<TableColumn> columns,
        double[][][] cells,
        double[][] labels,
        double[][] scores,
        IntFunction<double[]> adapted,
        int scoresPerRow,
        List<String> classes,
        Target target,
        Set<Integer> misleading) {

    int count() {
        return labels.length;
    }

    static double[][][] cells(Table table, List<int[]> bySource) {
        double[][][] cells = new double[bySource.size()][table.cells().columns()][];
        for (int s = 0; s < cells.length; s++) {
            int[] rows = bySource.get(s);
            for (int c = 0; c < cells[s].length; c++) {
                cells[s][c] = new double[rows.length];
            }
            for (int j = 0; j < rows.length; j++) {
                double[] row = table.cells().row(rows[j]);
                for (int c = 0; c < row.length; c++) {
                    cells[s][c][j] = row[c];
                }
            }
        }
        return cells;
    }

    SourceComparison with(double[][] others, IntFunction<double[]> own, Set<Integer> named) {
        return new SourceComparison(columns, cells, labels, others, own, scoresPerRow, classes, target, named);
    }
}
