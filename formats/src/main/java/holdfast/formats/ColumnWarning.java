package holdfast.formats;

/**
 * What may be wrong with a column of a table.
 *
 * @param kind one word, for programs: label, missing, copy, decimal, spelling or encoding
 * @param text one sentence that names the column and the setting to use
 */
public record ColumnWarning(String column, String kind, String text) {}
