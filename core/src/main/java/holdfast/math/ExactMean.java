package holdfast.math;

import java.io.Serializable;
import java.util.Arrays;

/**
 * The mean of numbers: their exact sum, rounded once, over their count. So it has the same bits in whatever order and in
 * however many parts the numbers were added. The sum is kept as numbers that do not overlap (Shewchuk 1997, "Adaptive
 * precision floating-point arithmetic"), mostly one or two of them.
 */
public final class ExactMean implements Serializable {
    private static final long serialVersionUID = 1;

    /** Numbers are summed divided by 2^UNIT, so that no sum overflows; those below 1e-280 may lose digits. */
    private static final int UNIT = 64;

    /** The exact sum divided by 2^UNIT, as numbers that do not overlap, by size. */
    private double[] parts = new double[2];

    private int length;
    private long count;

    /** Creates a mean of nothing yet. */
    public ExactMean() {}

    /** Adds a finite number. */
    public void add(double value) {
        addPart(Math.scalb(value, -UNIT));
        count++;
    }

    /** Adds all numbers of another mean. */
    public void addAll(ExactMean other) {
        for (int i = 0; i < other.length; i++) {
            addPart(other.parts[i]);
        }
        count += other.count;
    }

    private void addPart(double part) {
        double sum = part;
        int kept = 0;
        for (int i = 0; i < length; i++) {
            double larger = Math.abs(sum) < Math.abs(parts[i]) ? parts[i] : sum;
            double smaller = larger == sum ? parts[i] : sum;
            sum = larger + smaller;
            double lost = smaller - (sum - larger);
            if (lost != 0) {
                parts[kept++] = lost;
            }
        }
        if (kept == parts.length) {
            parts = Arrays.copyOf(parts, 2 * kept);
        }
        parts[kept] = sum;
        length = kept + 1;
    }

    /** Returns the mean; NaN if nothing was added. */
    public double value() {
        return Math.scalb(sum() / count, UNIT);
    }

    /** Returns the sum of the parts, rounded to the nearest number and, half way between two, to the even one. */
    private double sum() {
        if (length == 0) {
            return 0;
        }
        int i = length - 1;
        double sum = parts[i];
        double lost = 0;
        while (i > 0 && lost == 0) {
            double before = sum;
            sum += parts[--i];
            lost = parts[i] - (sum - before);
        }
        // The parts below decide which way a tie is rounded.
        if (i > 0 && Math.signum(lost) == Math.signum(parts[i - 1])) {
            double other = sum + 2 * lost;
            return other - sum == 2 * lost ? other : sum;
        }
        return sum;
    }
}
