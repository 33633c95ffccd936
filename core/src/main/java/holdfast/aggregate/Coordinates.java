package holdfast.aggregate;

import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Coordinate-wise statistics. Values are sorted first, so the order of workers does not change a bit of the result. */
final class Coordinates {
    private Coordinates() {}

    /** @param statistic of one coordinate's values over all votes, ascending */
    static double[] of(List<Vote> votes, ToDoubleFunction<double[]> statistic) {
        double[] out = new double[votes.get(0).vector().length];
        double[] values = new double[votes.size()];
        for (int k = 0; k < out.length; k++) {
            for (int i = 0; i < values.length; i++) {
                values[i] = votes.get(i).vector()[k];
            }
            Arrays.sort(values);
            out[k] = statistic.applyAsDouble(values);
        }
        return out;
    }
}
