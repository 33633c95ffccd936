package holdfast.aggregate;

import holdfast.math.Threads;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Coordinate-wise statistics. Values are sorted first, so the order of the workers does not change a single bit of the
 * result.
 */
final class Coordinates {
    /** How many coordinates one thread handles at a time. */
    private static final int PIECE = 1024;

    /** How many coordinates are sorted side by side. */
    private static final int WIDTH = 128;

    private Coordinates() {}

    /**
     * @param statistic computes a result from one coordinate's values over all updates, ascending; must not keep the
     *     array
     */
    static double[] of(List<WorkerUpdate> updates, Threads threads, ToDoubleFunction<double[]> statistic) {
        double[] out = new double[updates.get(0).vector().length];
        threads.each((out.length + PIECE - 1) / PIECE, piece -> {
            int last = Math.min(out.length, (piece + 1) * PIECE);
            double[][] rows = new double[updates.size()][Math.min(WIDTH, last - piece * PIECE)];
            double[] values = new double[rows.length];
            for (int from = piece * PIECE; from < last; from += WIDTH) {
                int width = Math.min(WIDTH, last - from);
                for (int i = 0; i < rows.length; i++) {
                    System.arraycopy(updates.get(i).vector(), from, rows[i], 0, width);
                }
                sortColumns(rows, width);
                for (int k = 0; k < width; k++) {
                    for (int i = 0; i < values.length; i++) {
                        values[i] = rows[i][k];
                    }
                    out[from + k] = statistic.applyAsDouble(values);
                }
            }
        });
        return out;
    }

    /**
     * Sorts by Batcher's merge exchange (1968; Knuth, The Art of Computer Programming 3, Algorithm 5.2.2M). Which
     * values are compared does not depend on the values, so whole rows are compared at once, without a branch to
     * mispredict.
     */
    static void sortColumns(double[][] rows, int width) {
        int half = Integer.highestOneBit(Math.max(1, rows.length - 1));
        for (int p = half; p > 0; p /= 2) {
            int r = 0;
            int distance = p;
            for (int q = half; q >= p; q /= 2) {
                for (int i = 0; i + distance < rows.length; i++) {
                    if ((i & p) == r) {
                        exchange(rows[i], rows[i + distance], width);
                    }
                }
                distance = q - p;
                r = p;
            }
        }
    }

    /** Moves the smaller values to a and the larger ones to b; -0 counts as smaller than 0. */
    private static void exchange(double[] a, double[] b, int width) {
        for (int k = 0; k < width; k++) {
            double x = a[k];
            double y = b[k];
            a[k] = Math.min(x, y);
            b[k] = Math.max(x, y);
        }
    }
}
