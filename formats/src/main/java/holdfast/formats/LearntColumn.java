package holdfast.formats;

import holdfast.Check;
import holdfast.InputException;
import holdfast.data.TableColumn;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * A feature column of a table, learnt cell by cell: whether it holds numbers or text, and its distinct values. If the
 * plan does not say, the first cell that is not missing decides.
 */
public final class LearntColumn {
    /** Up to this many categories are accepted, however few rows there are. */
    static final int FEW = 20;

    /** Says, after a place, that a column has too many different values: these, of these rows, in this column. */
    static final String IDENTIFIER =
            "%s: %d distinct values in %d rows: looks like an identifier; remove column %s, or name it in --one-hot";

    private final String name;
    /** Null until the cells have shown it. */
    private Boolean text;

    private final boolean guessed;
    private final TableColumn.Missing missing;
    private final Map<String, Integer> codes = new HashMap<>();
    private final List<String> categories = new ArrayList<>();
    private final List<Integer> counts = new ArrayList<>();
    private String firstAt;
    private int present;

    /**
     * Creates a column.
     *
     * @param text whether it is a text column; null means that the cells decide
     * @param missing what the plan says about missing cells
     */
    LearntColumn(String name, Boolean text, TableColumn.Missing missing) {
        this.name = name;
        this.text = text;
        this.guessed = text == null;
        this.missing = missing;
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
            return number;
        }
        return add(row.cell(c), number, () -> place.of(row, c));
    }

    private double add(String cell, double number, Supplier<String> at) {
        if (Double.isNaN(number) && Csv.isMissing(cell)) {
            requireMayBeMissing(missing, at);
            return Double.NaN;
        }
        text = text == null ? (Boolean) Double.isNaN(number) : text;
        firstAt = firstAt == null ? at.get() : firstAt;
        present++;
        if (text) {
            return category(cell.strip());
        }
        if (Double.isNaN(number)) {
            throw new InputException(notANumber(at.get(), cell, name));
        }
        return number;
    }

    /** Says that a cell of a column of numbers is not a number. */
    static String notANumber(String at, String cell, String column) {
        return at + " must be a finite number, got '" + cell + "'; if " + column
                + " holds categories, name it in --one-hot";
    }

    /** Says that a missing cell must not be. */
    static String missing(String at) {
        return at + " is missing; use --missing mean or --missing indicator to fill it";
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

    private int category(String cell) {
        int code = codes.computeIfAbsent(cell, c -> codes.size());
        if (code == categories.size()) {
            categories.add(cell);
            counts.add(0);
        }
        counts.set(code, counts.get(code) + 1);
        return code;
    }

    /** Returns the column after all cells have been added, with categories in order of first appearance. */
    TableColumn finish(String file) {
        Check.that(present > 0, "%s: column %s is missing in every row", file, name);
        if (text && guessed) {
            requireBeText();
        }
        return new TableColumn(name, categories, missing);
    }

    private void requireBeText() {
        int numbers = 0;
        for (int code = 0; code < categories.size(); code++) {
            numbers += Double.isNaN(Csv.number(categories.get(code))) ? 0 : counts.get(code);
        }
        requireBeText(name, firstAt, categories.get(0), numbers, categories.size(), present);
    }

    /**
     * Rejects columns that only look like text: numbers with a typo in the first cell, and identifiers of rows.
     *
     * @param at where the first cell is
     * @param numbers how many of the cells could be numbers
     */
    public static void requireBeText(String name, String at, String first, long numbers, long categories, long cells) {
        Check.that(
                2 * numbers <= cells,
                "%s must be a finite number like most of the column, got '%s'; if %s holds categories, name it in --one-hot",
                at,
                first,
                name);
        Check.that(categories <= FEW || 2 * categories <= cells, IDENTIFIER, at, categories, cells, name);
    }
}
