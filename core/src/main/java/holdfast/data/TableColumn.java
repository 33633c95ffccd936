package holdfast.data;

import holdfast.InputException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * A column of a table whose cells are not features yet: numbers, or for text the place of each value among
 * {@code categories}; NaN where a cell is missing. {@link Encoding#learn} finds from training rows which features it makes.
 *
 * @param categories the different values of a column of text, in any order; none: it holds numbers
 * @param missing what becomes of missing cells
 */
public record TableColumn(String name, List<String> categories, Missing missing) {
    /** What becomes of missing cells. */
    public enum Missing {
        /** There must be none. */
        FAIL,
        /** The mean of the column stands there, for text the share of each value. */
        MEAN,
        /** The mean of the column stands there, and one more feature is 1. */
        INDICATOR;

        /** @param text as plans have it */
        public static Missing parse(String text) {
            return Arrays.stream(values())
                    .filter(m -> m.toString().equals(text))
                    .findFirst()
                    .orElseThrow(
                            () -> new InputException("missing must be fail, mean or indicator, got '" + text + "'"));
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public TableColumn {
        categories = List.copyOf(categories);
    }

    public boolean isText() {
        return !categories.isEmpty();
    }

    /** Whether its cells are a feature as they are. */
    boolean isFeature() {
        return !isText() && missing == Missing.FAIL;
    }
}
