package holdfast.formats;

import holdfast.Check;
import holdfast.InputException;
import holdfast.data.DatePart;
import holdfast.data.TableColumn;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * A feature column of a table, learnt cell by cell: whether it holds numbers or text, and its distinct values. If the
 * plan does not say, the first cell that is not missing decides.
 */
public final class LearntColumn implements ReadColumn {
    /** Up to this many categories are accepted, however few rows there are. */
    static final int FEW = 20;

    /** Words that often stand for a missing cell, but are not read as one unless the plan says so. */
    private static final Set<String> MISSING_WORDS =
            Set.of("n/a", "#n/a", "-", "--", ".", "none", "nil", "missing", "unknown", "<na>", "nan.");

    private final ColumnSettings settings;
    /** Null until the cells have shown it. */
    private Boolean text;

    private final Map<String, Integer> codes = new HashMap<>();
    private final List<String> categories = new ArrayList<>();
    private final List<Integer> counts = new ArrayList<>();
    private String firstAt;
    private int present;
    /** What is wrong with the first word that is not a date; null if all are dates. */
    private String notADate;

    private final RowNumbers numbers = new RowNumbers();
    private DecidedColumn decided;

    LearntColumn(ColumnSettings settings) {
        this.settings = settings;
        this.text = settings.text();
    }

    /**
     * Adds a cell.
     *
     * @param c the index of the column in the row
     * @param place describes where the cell is
     * @return the number, the index of the category in order of first appearance, or NaN for a missing cell
     */
    double add(CsvRows.Row row, int c, CsvRows.Place place) {
        double number = text == null || !text ? row.number(c) : Double.NaN;
        if (text != null && !Double.isNaN(number)) {
            firstAt = firstAt == null ? place.of(row, c) : firstAt;
            present++;
            numbers.add(number);
            return number;
        }
        return add(row.cell(c), number, () -> place.of(row, c));
    }

    private double add(String cell, double number, Supplier<String> at) {
        if (Double.isNaN(number) && Csv.isMissing(cell)) {
            requireMayBeMissing(settings.missing(), at);
            return Double.NaN;
        }
        text = text == null ? (Boolean) Double.isNaN(number) : text;
        firstAt = firstAt == null ? at.get() : firstAt;
        present++;
        if (text) {
            return category(cell.strip(), at);
        }
        if (Double.isNaN(number)) {
            throw new InputException(notANumber(at.get(), cell, settings.name()));
        }
        numbers.add(number);
        return number;
    }

    /** Says that a cell of a column of numbers is not a number. */
    static String notANumber(String at, String cell, String column) {
        return at + " must be a finite number, got '" + CellReader.written(cell) + "'; "
                + (CellReader.hasPoint(cell)
                        ? "with --decimal comma, numbers have commas"
                        : MISSING_WORDS.contains(cell.strip().toLowerCase(Locale.ROOT))
                                ? "if it stands for a missing one, use "
                                        + ShellArgument.option("--missing-values", cell.strip())
                                : "if " + column + " holds categories, name it in --one-hot");
    }

    /** Says that a cell of a column of dates is not a date. */
    public static String notADate(String at, String cell) {
        return at + " must be a date like most of the column, got '" + cell
                + "'; use --missing-values if it stands for a missing one, --dates text if the column holds categories";
    }

    /** Says that a missing cell must not be. */
    static String missing(String at) {
        return at + " is missing; use --missing median, mean or indicator to fill it";
    }

    /**
     * Checks that a cell may be missing.
     *
     * @throws holdfast.InputException unless the plan says how to fill missing cells
     */
    public static void requireMayBeMissing(TableColumn.Missing missing, Supplier<String> at) {
        if (missing == TableColumn.Missing.FAIL) {
            throw new InputException(missing(at.get()));
        }
    }

    private int category(String cell, Supplier<String> at) {
        int code = codes.computeIfAbsent(cell, c -> codes.size());
        if (code == categories.size()) {
            categories.add(cell);
            counts.add(0);
            if (notADate == null && settings.mayHoldDates() && Double.isNaN(DatePart.days(cell))) {
                notADate = notADate(at.get(), cell);
            }
        }
        counts.set(code, counts.get(code) + 1);
        return code;
    }

    /**
     * Decides what the column is, after all cells have been added.
     *
     * @throws InputException if it has no cells, or others than most
     */
    void decide(String file) {
        Check.that(present > 0, "%s: column %s is missing in every row", file, settings.name());
        decided = text
                ? DecidedColumn.ofText(settings, categories, counts, categories.get(0), firstAt, notADate)
                : DecidedColumn.ofNumbers(settings, numbers);
    }

    @Override
    public DecidedColumn decided() {
        return decided;
    }

    @Override
    public boolean isToBeConverted() {
        return decided.dates();
    }

    @Override
    public double convert(int row, double cell) {
        return decided.dates() ? DatePart.days(categories.get((int) cell)) : cell;
    }

    /** Returns the column, with categories in order of first appearance. */
    @Override
    public TableColumn finish(DatePart part) {
        return new TableColumn(
                part.column(settings.name()),
                decided.dates() ? part.categories() : categories,
                settings.missing(),
                part);
    }

    /**
     * Rejects columns that only look like text: numbers with a typo in the first cell.
     *
     * @param at where the first cell is
     * @param numbers how many of the cells could be numbers
     */
    public static void requireBeText(String name, String at, String first, long numbers, long cells) {
        Check.that(
                2 * numbers <= cells,
                "%s must be a finite number like most of the column, got '%s'; if %s holds categories, name it in --one-hot",
                at,
                first,
                name);
    }

    /** Returns whether texts are identifiers of rows: more than half of the cells differ from all others. */
    public static boolean areIdentifiers(long categories, long cells) {
        return categories > FEW && 2 * categories > cells;
    }

    /** Adds to the reason to leave texts out what they may be instead. */
    static String withHint(String reason, List<String> texts) {
        return ColumnWarnings.areDecimalCommas(texts)
                ? reason + ", or like numbers with a decimal comma, for which there is "
                        + ColumnWarnings.readCommas(texts)
                : reason;
    }

    /** Says why texts are identifiers. */
    public static String identifiers(long categories, long cells) {
        return categories + " distinct values in " + cells + " rows: looks like an identifier";
    }
}
