package holdfast.formats;

import holdfast.Check;
import holdfast.Spec;
import holdfast.data.TableColumn;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A feature column of a table with several sources, none of which decides for the others. If the plan does not say what
 * it holds, the sources vote: it is text if in most sources that have cells here, most of these are not numbers. Where
 * it is not, words are charged to their sources.
 *
 * <p>Because that is known only at the end, cells are kept such that both are possible: as their numbers until the first
 * word, and from then on as indices of their texts. A column without a conflict is never touched again.
 */
final class SourceColumn {
    /**
     * How many different numbers are kept as they were written. More are kept as numbers, so that one word costs no
     * more memory than that.
     */
    private static final int MAX_WRITTEN = 1 << 16;

    private final String name;
    /** Null unless the plan says whether it is text. */
    private final Boolean declared;

    private final TableColumn.Missing missing;
    /** The first row whose cell is kept as an index. */
    private int indexedFrom;

    private int absent;
    private boolean numbersBefore;
    private final Map<String, Integer> codes = new HashMap<>();
    private final List<String> texts = new ArrayList<>();
    /** The number that a text is; NaN for words. */
    private double[] numbers = new double[16];

    private int written;
    /** Numbers whose text is not kept; cell -1 - i is the i-th of them. */
    private double[] bare = {};

    private int bareCount;
    private final SourceFaults words = new SourceFaults();
    private final List<int[]> votes = new ArrayList<>();
    private boolean text;

    SourceColumn(String name, Boolean text, TableColumn.Missing missing) {
        this.name = name;
        this.declared = text;
        this.missing = missing;
        this.indexedFrom = Boolean.TRUE.equals(text) ? 0 : Integer.MAX_VALUE;
    }

    /**
     * Adds a cell.
     *
     * @param c the index of the column in its file; -1 if the file lacks it
     * @param at the number of the row, from 0; every row adds a cell
     * @return how it is kept; NaN if it is missing
     */
    double add(CsvRows.Row row, int c, int at, int source, CsvRows.Place place, SourceFaults faults) {
        if (c < 0) {
            absent++;
            return Double.NaN;
        }
        boolean indexed = at >= indexedFrom;
        double number = indexed && (declared != null || written < MAX_WRITTEN) ? Double.NaN : row.number(c);
        if (!indexed && !Double.isNaN(number)) {
            return number;
        }
        if (!Double.isNaN(number)) {
            return bare(number);
        }
        String cell = row.cell(c).strip();
        Integer code = codes.get(cell);
        if (code == null) {
            if (Csv.isMissing(cell)) {
                absent++;
                if (missing == TableColumn.Missing.FAIL) {
                    faults.charge(source, at, () -> LearntColumn.missing(place.of(row, c)));
                }
                return Double.NaN;
            }
            if (Boolean.FALSE.equals(declared)) {
                faults.charge(source, at, () -> LearntColumn.notANumber(place.of(row, c), cell, name));
                return Double.NaN;
            }
            if (!indexed) {
                indexedFrom = at;
                numbersBefore = at > absent;
            }
            code = code(cell);
        }
        if (Double.isNaN(numbers[code]) && words.isFree(source)) {
            words.charge(source, at, () -> LearntColumn.notANumber(place.of(row, c), cell, name));
        }
        return code;
    }

    private double bare(double number) {
        if (bareCount == bare.length) {
            bare = Arrays.copyOf(bare, Math.max(1 << 10, 2 * bareCount));
        }
        bare[bareCount++] = number;
        return -bareCount;
    }

    private int code(String cell) {
        int code = texts.size();
        codes.put(cell, code);
        texts.add(cell);
        if (code == numbers.length) {
            numbers = Arrays.copyOf(numbers, 2 * code);
        }
        numbers[code] = Csv.number(cell);
        written += Double.isNaN(numbers[code]) ? 0 : 1;
        return code;
    }

    private boolean hasNumbers() {
        return numbersBefore || written > 0;
    }

    private double number(int at, double cell) {
        return at < indexedFrom ? cell : cell < 0 ? bare[(int) -cell - 1] : numbers[(int) cell];
    }

    /** Returns whether the sources must vote; otherwise the column has only one kind of cells, or the plan decides. */
    boolean needsVotes() {
        return declared == null && indexedFrom < Integer.MAX_VALUE && hasNumbers();
    }

    /** Counts a cell, which is not NaN, as its source's vote. */
    void vote(int source, int at, double cell) {
        while (source >= votes.size()) {
            votes.add(new int[2]);
        }
        votes.get(source)[Double.isNaN(number(at, cell)) ? 1 : 0]++;
    }

    /** Decides what the column holds, after all votes, and charges the sources that have something else. */
    void decide(SourceFaults faults) {
        long voters = votes.stream().filter(v -> v[0] + v[1] > 0).count();
        long forText = votes.stream().filter(v -> v[1] > v[0]).count();
        text = declared != null ? declared : needsVotes() ? 2 * forText > voters : indexedFrom < Integer.MAX_VALUE;
        if (!text) {
            faults.chargeAll(words);
        }
    }

    /** Returns whether cells were kept in another way than a table has them. */
    boolean isToBeConverted() {
        return text ? numbersBefore || bareCount > 0 : indexedFrom < Integer.MAX_VALUE;
    }

    /** Returns a cell, which is not NaN, as a table has it. */
    double convert(int at, double cell) {
        if (!text) {
            return number(at, cell);
        }
        if (at >= indexedFrom && cell >= 0) {
            return cell;
        }
        String printed = Spec.print(number(at, cell));
        Integer code = codes.get(printed);
        return code == null ? code(printed) : code;
    }

    /** Returns whether it has so many different texts that they may be identifiers of rows. */
    boolean mayBeIdentifier() {
        return text && declared == null && texts.size() > LearntColumn.FEW;
    }

    /**
     * Rejects identifiers of rows.
     *
     * @param known which sources know which texts
     * @param f how many sources may have made theirs up
     */
    void requireBeCategories(KnownValues known, int f, int rows, String file) {
        int distinct = known.certain(f, value -> true);
        Check.that(
                distinct <= LearntColumn.FEW || 2L * distinct <= rows - absent,
                LearntColumn.IDENTIFIER,
                file + ": column " + name,
                distinct,
                rows - absent,
                name);
    }

    /** Returns the column of the table, after all cells were converted. */
    TableColumn finish(String file, int rows) {
        Check.that(absent < rows, "%s: column %s is missing in every row", file, name);
        return new TableColumn(name, text ? texts : List.of(), missing);
    }
}
