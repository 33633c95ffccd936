package holdfast.plan;

import holdfast.Check;
import holdfast.NameList;
import java.util.List;

/**
 * Which columns of a table hold text; every value of such a column becomes a feature.
 *
 * @param guessed whether the first value of each column decides
 * @param columns otherwise the columns, by name or number
 */
public record OneHot(boolean guessed, List<String> columns) {
    /** The columns whose first value is not a number. */
    public static final OneHot AUTO = new OneHot(true, List.of());

    public OneHot {
        columns = List.copyOf(columns);
        for (String column : columns) {
            Check.that(
                    !column.isEmpty() && !List.of("auto", "none").contains(column),
                    "--one-hot must name columns, and by number those called auto or none, got '%s'",
                    column);
        }
    }

    public static OneHot of(String... columns) {
        return new OneHot(false, List.of(columns));
    }

    static OneHot parse(String text) {
        return switch (text) {
            case "auto" -> AUTO;
            case "none" -> of();
            default -> of(NameList.parse(text).toArray(String[]::new));
        };
    }

    @Override
    public String toString() {
        return guessed ? "auto" : columns.isEmpty() ? "none" : NameList.print(columns);
    }
}
