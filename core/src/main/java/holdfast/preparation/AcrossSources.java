package holdfast.preparation;

import holdfast.Check;
import holdfast.math.Vectors;
import java.util.Arrays;

/**
 * Combines one number per source into one for all, so that f sources, whatever they contain, cannot move it beyond
 * where the others are. For k values of which at most f are arbitrary and the others, the honest ones, lie in [a, b]:
 *
 * <ul>
 *   <li>{@link #median}, {@link #mean} and {@link #upper} are in [a, b] if k &gt; 2f;
 *   <li>{@link #most} is at most b if k &gt; f, and at least a if k &gt; 2f;
 *   <li>{@link #least} is at least a if k &gt; f, and at most b if k &gt; 2f.
 * </ul>
 *
 * <p>Infinite values are allowed; NaN stands for a source that knows nothing and is left out. With one value and f = 0,
 * which is how statistics are pooled, each of these is that value to the bit.
 *
 * @param tolerated f
 */
public record AcrossSources(int tolerated) {
    /** All rows count as one source, which is trusted. */
    public static final AcrossSources POOLED = new AcrossSources(0);

    public AcrossSources {
        Check.that(tolerated >= 0, "the number of sources that may lie must be at least 0, got %d", tolerated);
    }

    /** Returns the middle value, or the mean of the two in the middle; NaN if there is none. */
    public double median(double... values) {
        return median(values.clone(), values.length);
    }

    /** Does the same with the first {@code n} elements of an array, which it sorts. */
    double median(double[] values, int n) {
        int known = sort(values, n);
        if (known == 0) {
            return Double.NaN;
        }
        double low = values[(known - 1) / 2];
        double high = values[known / 2];
        // Halves first, because the sum may overflow; equal values must stay as they are.
        return low == high ? low : low / 2 + high / 2;
    }

    /** Returns the (f+1)-th largest value, or the smallest if there are no more than f; NaN if there is none. */
    public double most(double... values) {
        return most(values.clone(), values.length);
    }

    /** Does the same with the first {@code n} elements of an array, which it sorts. */
    double most(double[] values, int n) {
        return fromTop(values, n, tolerated);
    }

    /** Returns the (f+1)-th smallest value, or the largest if there are no more than f; NaN if there is none. */
    public double least(double... values) {
        return least(values.clone(), values.length);
    }

    /** Does the same with the first {@code n} elements of an array, which it sorts. */
    double least(double[] values, int n) {
        int known = sort(values, n);
        return known == 0 ? Double.NaN : values[Math.min(known - 1, tolerated)];
    }

    /**
     * Returns a large value that is still typical: larger are the f largest or a fifth of all, whichever is more. A
     * spread that is 0 for most sources, as in a column that is nearly always zero, needs a value above the median; the
     * largest of many sources' spreads would be an outlier's.
     */
    public double upper(double... values) {
        return upper(values.clone(), values.length);
    }

    /** Does the same with the first {@code n} elements of an array, which it sorts. */
    double upper(double[] values, int n) {
        return fromTop(values, n, Math.max(tolerated, n / 5));
    }

    private static double fromTop(double[] values, int n, int skipped) {
        int known = sort(values, n);
        return known == 0 ? Double.NaN : values[Math.max(0, known - 1 - skipped)];
    }

    /**
     * Returns the mean of the values that are left without the f largest and the f smallest, or the median if none
     * would be left; NaN if there is no value.
     */
    public double mean(double... values) {
        double[] sorted = values.clone();
        int known = sort(sorted, sorted.length);
        if (known <= 2 * tolerated) {
            return median(sorted, known);
        }
        double[] middle = Arrays.copyOfRange(sorted, tolerated, known - tolerated);
        double mean = Vectors.sum(middle, middle.length) / middle.length;
        // Rounding must not take the mean of nearly equal values out of their range.
        return Math.max(middle[0], Math.min(middle[middle.length - 1], mean));
    }

    /** Sorts the first {@code n} elements, NaN last, and returns how many are numbers. */
    private static int sort(double[] values, int n) {
        Arrays.sort(values, 0, n);
        int known = n;
        while (known > 0 && Double.isNaN(values[known - 1])) {
            known--;
        }
        return known;
    }

    /** Returns whether more than f of the sources say yes, so that an honest one does. */
    public boolean knows(int yes) {
        return yes > tolerated;
    }
}
