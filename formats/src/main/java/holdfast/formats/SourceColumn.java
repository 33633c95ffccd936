package holdfast.formats;

import holdfast.Spec;
import holdfast.data.DatePart;
import holdfast.data.TableColumn;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The cells of a feature column of a table with several sources, which decide only at the end whether it is text. So
 * cells are kept such that both are possible: as their numbers until the first word, and from then on as indices of
 * their texts. A column without a conflict is never touched again.
 */
final class SourceColumn implements ReadColumn {
    /**
     * How many different numbers are kept as they were written. More are kept as numbers, so that one word costs no
     * more memory than that.
     */
    private static final int MAX_WRITTEN = 1 << 16;

    private final int number;
    private final SourceFacts facts;
    /** Null unless the plan says whether it is text. */
    private final Boolean declared;
    /** The first row whose cell is kept as an index. */
    private int indexedFrom;

    private boolean numbersBefore;
    private final Map<String, Integer> codes = new HashMap<>();
    private final List<String> texts = new ArrayList<>();
    /** The number that a text is; NaN for words. */
    private double[] numbers = new double[16];

    private int written;
    /** Numbers whose text is not kept; cell -1 - i is the i-th of them. */
    private double[] bare = {};

    private int bareCount;
    private boolean text;
    private boolean dates;
    private String leftOut;

    /**
     * @param number of the column among the features
     * @param facts receives what its cells say
     */
    SourceColumn(int number, SourceFacts facts) {
        this.number = number;
        this.facts = facts;
        this.declared = facts.column(number).settings().text();
        this.indexedFrom = Boolean.TRUE.equals(declared) ? 0 : Integer.MAX_VALUE;
    }

    /**
     * Adds a cell.
     *
     * @param c the index of the column in its file; -1 if the file lacks it
     * @param at the number of the row, from 0; every row adds a cell
     * @return how it is kept; NaN if it is missing
     */
    double add(CsvRows.Row row, int c, int at, int source, CsvRows.Place place) {
        if (c < 0) {
            facts.column(number).addAbsent(source);
            return Double.NaN;
        }
        boolean indexed = at >= indexedFrom;
        double value = indexed && (declared != null || written < MAX_WRITTEN) ? Double.NaN : row.number(c);
        if (!Double.isNaN(value)) {
            facts.addNumber(number, source, value);
            return indexed ? bare(value) : value;
        }
        String cell = row.cell(c).strip();
        Integer code = codes.get(cell);
        if (code == null) {
            if (Csv.isMissing(cell)) {
                facts.addMissing(number, source, () -> place.of(row, c));
                return Double.NaN;
            }
            if (Boolean.FALSE.equals(declared)) {
                facts.addWord(number, source, cell, () -> place.of(row, c));
                return Double.NaN;
            }
            if (!indexed) {
                indexedFrom = at;
                numbersBefore = at > facts.column(number).absent();
            }
            code = code(cell);
        }
        if (Double.isNaN(numbers[code])) {
            facts.addWord(number, source, cell, () -> place.of(row, c));
        } else {
            facts.addNumber(number, source, numbers[code]);
        }
        return code;
    }

    private double bare(double value) {
        if (bareCount == bare.length) {
            bare = Arrays.copyOf(bare, Math.max(1 << 10, 2 * bareCount));
        }
        bare[bareCount++] = value;
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

    private double number(int at, double cell) {
        return at < indexedFrom ? cell : cell < 0 ? bare[(int) -cell - 1] : numbers[(int) cell];
    }

    @Override
    public DecidedColumn decided() {
        return new DecidedColumn(facts.column(number).name(), leftOut, dates);
    }

    /** Returns the different cells from the first word on, and those that were converted to text. */
    List<String> texts() {
        return Collections.unmodifiableList(texts);
    }

    /** Says what the column holds; call this after all cells were added. */
    void decide(boolean isText, boolean holdsDates) {
        text = isText;
        dates = holdsDates;
    }

    /** Says why the column is left out; null if it is not. */
    void leaveOut(String reason) {
        leftOut = reason;
    }

    @Override
    public boolean isToBeConverted() {
        return dates || (text ? numbersBefore || bareCount > 0 : indexedFrom < Integer.MAX_VALUE);
    }

    @Override
    public double convert(int at, double cell) {
        if (!text) {
            return number(at, cell);
        }
        if (dates) {
            return DatePart.days(texts.get((int) cell));
        }
        if (at >= indexedFrom && cell >= 0) {
            return cell;
        }
        String printed = Spec.print(number(at, cell));
        Integer code = codes.get(printed);
        return code == null ? code(printed) : code;
    }

    /** Returns whether nearly every row may have a text of its own, as an identifier of rows does. */
    boolean mayBeIdentifier() {
        return text && !dates && declared == null && (texts.size() > LearntColumn.FEW || isToBeConverted());
    }

    @Override
    public TableColumn finish(DatePart part) {
        return new TableColumn(
                part.column(facts.column(number).name()),
                dates ? part.categories() : text ? texts : List.of(),
                facts.column(number).settings().missing(),
                part);
    }
}
