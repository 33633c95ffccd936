package holdfast.evaluation;

import holdfast.Spec;
import holdfast.data.Dataset;
import holdfast.preparation.Encoding;
import holdfast.preparation.RowSummary;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Rows with numbers outside of those that a model was trained on. A number is <em>far</em> outside if it is beyond the training
 * range [a, b] by more than max(b - a, the unit of the scaling): beyond what a few more rows of the same kind may reach, as after
 * a change of units. What a model says there is extrapolated. Features of words are never outside, nor columns that the scaling
 * makes 0 because they were constant.
 *
 * @param checked how many rows there are
 * @param outside how many have a number outside of its range
 * @param far how many have one far outside
 * @param worst the number farthest outside, if one is outside
 */
public record FarRows(int checked, int outside, int far, Optional<Worst> worst) {
    /**
     * A number outside of its range.
     *
     * @param row from 0
     * @param excess how far it is outside, in units of what is far: far if above 1
     */
    public record Worst(
            int row, int feature, String column, double value, double lowest, double highest, double excess) {
        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "row %d has %s = %s, and the range is %s to %s",
                    row + 1,
                    column,
                    brief(value),
                    brief(lowest),
                    brief(highest));
        }

        private static String brief(double number) {
            return Double.isFinite(number)
                    ? Spec.print(
                            new BigDecimal(number).round(new MathContext(6)).doubleValue())
                    : Double.toString(number);
        }
    }

    /** Returns how far a number is outside of a range, in units of what is far; not positive if it is inside. */
    static double excess(double value, double lowest, double highest, double unit) {
        double reach = Math.max(highest - lowest, unit);
        return Math.max(value / reach - highest / reach, lowest / reach - value / reach);
    }

    /** Returns for each feature whether it is a number that has an effect. */
    static boolean[] numbers(TrainedModel model) {
        double[] divisors = model.scaling().divisors();
        boolean[] numbers = new boolean[divisors.length];
        if (model.encoding().equals(Encoding.NONE)) {
            IntStream.range(0, numbers.length).forEach(i -> numbers[i] = true);
        }
        List<Encoding.Column> columns = model.encoding().columns();
        int[] first = model.encoding().firstFeatures();
        for (int c = 0; c < first.length; c++) {
            numbers[first[c]] = !columns.get(c).isText();
        }
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] &= divisors[i] < Double.POSITIVE_INFINITY;
        }
        return numbers;
    }

    /**
     * Looks for such rows.
     *
     * @param training what the training rows looked like
     * @param rows unscaled features
     */
    public static FarRows of(TrainedModel model, RowSummary training, Dataset rows) {
        boolean[] numbers = numbers(model);
        double[] lowest = training.lowest();
        double[] highest = training.highest();
        double[] unit = model.scaling().divisors();
        double[] row = new double[numbers.length];
        int outside = 0;
        int far = 0;
        Worst worst = null;
        for (int r = 0; r < rows.rows(); r++) {
            rows.copyRow(r, row);
            double largest = 0;
            for (int i = 0; i < row.length; i++) {
                double excess = numbers[i] ? excess(row[i], lowest[i], highest[i], unit[i]) : 0;
                largest = Math.max(largest, excess);
                if (excess > (worst == null ? 0 : worst.excess)) {
                    String name = model.schema().features().get(i);
                    worst = new Worst(r, i, name, row[i], lowest[i], highest[i], excess);
                }
            }
            outside += largest > 0 ? 1 : 0;
            far += largest > 1 ? 1 : 0;
        }
        return new FarRows(rows.rows(), outside, far, Optional.ofNullable(worst));
    }

    /** Says how many rows are far outside; empty if none is. */
    public Optional<String> warning(String file) {
        return far == 0
                ? Optional.empty()
                : Optional.of(String.format(
                        Locale.ROOT,
                        "%s: %s far outside of the range of the training rows, by more than that range: %s; predictions there"
                                + " are extrapolated",
                        file,
                        checked == 1 ? "the row is" : far + " of " + checked + " rows " + (far == 1 ? "is" : "are"),
                        worst.orElseThrow()));
    }
}
