package holdfast.certificate;

import holdfast.Check;
import holdfast.evaluation.Predictions;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * Which labels a set must contain to cover: all whose score is at most a threshold. {@link ConformalScores} says for which
 * rows the label is then in the set with probability at least the level, over the draw of the calibration
 * rows and of the new row together. Nothing is said about one row, or one class, by itself.
 *
 * @param level 1 - a
 * @param value t
 * @param about which rows this is true of, and what is assumed
 */
public record ConformalThreshold(double level, double value, String about) {
    public ConformalThreshold {
        Check.that(level > 0 && level < 1, "--coverage must be between 0 and 1, got %s", level);
        Check.that(!Double.isNaN(value), "a conformal threshold must be a number, got %s", value);
    }

    /** Returns the classes in the set of a row, ascending; it may be empty, or have all of them. */
    public int[] classes(Predictions said, int row) {
        return IntStream.range(0, said.classes())
                .filter(c -> ConformalScores.of(said, row, c) <= value)
                .toArray();
    }

    /** Returns the lower end of the range of a row whose label is a number. */
    public double low(Predictions said, int row) {
        return Math.nextDown(said.label(row) - Math.nextUp(value));
    }

    /**
     * Returns the upper end. Ends are rounded outwards, so that every label whose score, |y - prediction| as it is computed, is at
     * most t is within.
     */
    public double high(Predictions said, int row) {
        return Math.nextUp(said.label(row) + Math.nextUp(value));
    }

    /** Returns the one sentence that is true of it. */
    @Override
    public String toString() {
        return String.format(
                Locale.ROOT, "the label is covered with probability at least %s for %s", Double.toString(level), about);
    }
}
