package holdfast.data;

import holdfast.InputException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * A column of a {@link Table}: it holds numbers, or text, of which a cell is the place of its value among {@code categories}.
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

    /** A column of numbers of which none is missing. */
    public static TableColumn number(String name) {
        return new TableColumn(name, List.of(), Missing.FAIL);
    }

    public boolean isText() {
        return !categories.isEmpty();
    }

    /** Whether its cells are a feature as they are. */
    public boolean isFeature() {
        return !isText() && missing == Missing.FAIL;
    }
}
