package holdfast.formats;

import holdfast.InputException;
import holdfast.data.DatePart;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What was decided about a feature column of a file after all its cells were read.
 *
 * @param leftOut why it holds identifiers of rows and is left out; null if it is not
 * @param dates whether it holds dates
 */
public record DecidedColumn(String name, String leftOut, boolean dates) {
    /** Decides about a column of numbers. */
    public static DecidedColumn ofNumbers(ColumnSettings settings, RowNumbers numbers) {
        boolean left = !settings.kept() && numbers.areIdentifiers(settings.name());
        return new DecidedColumn(settings.name(), left ? RowNumbers.reason() : null, false);
    }

    /**
     * Decides about a column of text.
     *
     * @param texts the different cells
     * @param counts how often each is there
     * @param first the first cell
     * @param firstAt where it is
     * @param notADate what is wrong with the first cell that is not a date; null if all are dates
     * @throws InputException if a few cells are not like most
     */
    public static DecidedColumn ofText(
            ColumnSettings settings,
            List<String> texts,
            List<? extends Number> counts,
            String first,
            String firstAt,
            String notADate) {
        String name = settings.name();
        if (settings.text() != null) {
            return new DecidedColumn(name, null, false);
        }
        long cells = counts.stream().mapToLong(Number::longValue).sum();
        if (settings.dates() && 2 * count(texts, counts, text -> !Double.isNaN(DatePart.days(text))) > cells) {
            if (notADate != null) {
                throw new InputException(notADate);
            }
            return new DecidedColumn(name, null, true);
        }
        LearntColumn.requireBeText(
                name, firstAt, first, count(texts, counts, text -> !Double.isNaN(Csv.number(text))), cells);
        boolean left = !settings.kept() && LearntColumn.areIdentifiers(texts.size(), cells);
        return new DecidedColumn(
                name, left ? LearntColumn.withHint(LearntColumn.identifiers(texts.size(), cells), texts) : null, false);
    }

    private static long count(List<String> texts, List<? extends Number> counts, Predicate<String> kind) {
        return IntStream.range(0, texts.size())
                .filter(i -> kind.test(texts.get(i)))
                .mapToLong(i -> counts.get(i).longValue())
                .sum();
    }

    /**
     * Where a column of the table comes from.
     *
     * @param from the index of the file's column among the features
     */
    public record Origin(int from, DatePart part) {}

    /**
     * Returns the columns of the table, without those that are left out.
     *
     * @param ofDates what a column of dates becomes
     */
    public static List<Origin> table(List<DecidedColumn> columns, List<DatePart> ofDates) {
        return IntStream.range(0, columns.size())
                .boxed()
                .filter(c -> columns.get(c).leftOut == null)
                .flatMap(c -> (columns.get(c).dates ? ofDates.stream() : Stream.of(DatePart.NONE))
                        .map(part -> new Origin(c, part)))
                .toList();
    }
}
