package holdfast.data;

import holdfast.InputException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * A column of a {@link Table}. It holds numbers or text; a cell of a text column is the index of its value in
 * {@code categories}.
 *
 * @param categories the distinct values of a text column, in any order; empty if the column holds numbers
 * @param missing what to do with missing cells
 * @param date what the cells were made of, if the file has dates there
 */
public record TableColumn(String name, List<String> categories, Missing missing, DatePart date) {
    /** What to do with missing cells. */
    public enum Missing {
        /** Missing cells are an error. */
        FAIL,
        /** Fills the cell with the mean of the column; for text, with the share of each value. */
        MEAN,
        /** Fills the cell with the median of the column; for text, with the share of each value. */
        MEDIAN,
        /** Fills the cell with the mean of the column and sets an extra feature to 1. */
        INDICATOR;

        /**
         * Reads a setting.
         *
         * @param text as written in plans
         */
        public static Missing parse(String text) {
            return Arrays.stream(values())
                    .filter(m -> m.toString().equals(text))
                    .findFirst()
                    .orElseThrow(() -> new InputException(
                            "--missing must be fail, mean, median or indicator, got '" + text + "'"));
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public TableColumn {
        categories = List.copyOf(categories);
    }

    /** Creates a column without dates. */
    public TableColumn(String name, List<String> categories, Missing missing) {
        this(name, categories, missing, DatePart.NONE);
    }

    /** Creates a column of numbers with no missing cell. */
    public static TableColumn number(String name) {
        return new TableColumn(name, List.of(), Missing.FAIL);
    }

    public boolean isText() {
        return !categories.isEmpty();
    }

    /** Returns whether its cells can be used as a feature unchanged. */
    public boolean isFeature() {
        return !isText() && missing == Missing.FAIL && date == DatePart.NONE;
    }
}
