package holdfast.objective;

import holdfast.Check;
import java.util.Arrays;
import java.util.List;

/**
 * The features of a text column in scaled rows: the row of category k has one_k in the k-th feature, and zero_i in every other.
 * Rows may have anything else there, such as shares for a missing cell.
 *
 * @param name of the column
 * @param first the index of its first feature
 * @param zero the scaled 0 of each feature
 * @param one the scaled 1 of each feature
 * @param marked whether the last feature is no category but 1 where the cell is missing
 */
public record CategoryColumn(String name, int first, List<Double> zero, List<Double> one, boolean marked) {
    public CategoryColumn {
        zero = List.copyOf(zero);
        one = List.copyOf(one);
        Check.that(
                first >= 0 && zero.size() > (marked ? 1 : 0) && zero.size() == one.size(),
                "column %s: there must be a scaled 0 and a scaled 1 of each category, got %d and %d",
                name,
                zero.size(),
                one.size());
        for (int k = 0; k < zero.size(); k++) {
            Check.that(
                    Double.isFinite(zero.get(k)) && Double.isFinite(one.get(k)),
                    "column %s: the scaled values of categories must be finite, got %s and %s",
                    name,
                    zero.get(k),
                    one.get(k));
        }
    }

    /** Returns the number of categories. */
    public int categories() {
        return zero.size() - (marked ? 1 : 0);
    }

    /** Returns the number of features, with the mark of missing cells. */
    public int width() {
        return zero.size();
    }

    /** Returns the index after its last feature, with the mark of missing cells. */
    public int end() {
        return first + width();
    }

    /** Puts a category into a row, whose cell is then not missing. */
    public void put(int category, double[] row, int from) {
        for (int i = 0; i < zero.size(); i++) {
            row[from + first + i] = i == category ? one.get(i) : zero.get(i);
        }
    }

    /** Whether two rows have the same features here. */
    boolean same(double[] z, double[] x, int from) {
        int at = from + first;
        return Arrays.equals(z, at, at + zero.size(), x, at, at + zero.size());
    }

    /** Whether a row has the features of one of the categories here. */
    boolean isCategory(double[] z, int from) {
        for (int k = 0; k < categories(); k++) {
            boolean same = true;
            for (int i = 0; i < zero.size(); i++) {
                same &= z[from + first + i] == (i == k ? one.get(i) : zero.get(i));
            }
            if (same) {
                return true;
            }
        }
        return false;
    }
}
