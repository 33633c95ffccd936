package holdfast.formats;

import holdfast.data.DatePart;
import holdfast.data.TableColumn;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.function.Supplier;

/**
 * What the sources of a table say about a feature column, none of which decides for the others. If the plan does not
 * say what it holds, the sources vote: it is text if in most sources that have cells here, most of these are not
 * numbers, and holds dates if most of these are. Where it is not, words are charged to their sources.
 *
 * <p>Only cells that are missing or words are counted; all others are numbers.
 */
final class ColumnVotes implements Serializable {
    private static final long serialVersionUID = 1;

    private final ColumnSettings settings;
    private final SourceFaults words = new SourceFaults();
    private final SourceFaults otherThanDates = new SourceFaults();
    /** For each source, how many cells are words, how many of these are dates, and how many cells are missing. */
    private long[] wordsOf = {};

    private long[] datesOf = {};

    private long[] absentOf = {};
    private long firstWord = Long.MAX_VALUE;
    /** The first numbers of each source. */
    private final ArrayList<RowNumbers> numbers = new ArrayList<>();

    ColumnVotes(ColumnSettings settings) {
        this.settings = settings;
    }

    String name() {
        return settings.name();
    }

    ColumnSettings settings() {
        return settings;
    }

    /** Adds a number. */
    void addNumber(int source, double value) {
        if (!settings.kept()) {
            numbersOf(source).add(value);
        }
    }

    private RowNumbers numbersOf(int source) {
        while (source >= numbers.size()) {
            numbers.add(new RowNumbers());
        }
        return numbers.get(source);
    }

    /** Adds the cell of a row whose file lacks the column. */
    void addAbsent(int source) {
        absentOf = counted(absentOf, source, 1);
    }

    /** Adds a missing cell. */
    void addMissing(int source, long row, Supplier<String> at, SourceFaults faults) {
        addAbsent(source);
        if (settings.missing() == TableColumn.Missing.FAIL) {
            faults.charge(source, row, "missing", () -> LearntColumn.missing(at.get()));
        }
    }

    /** Adds a cell that is neither missing nor a number. */
    void addWord(int source, long row, String cell, Supplier<String> at, SourceFaults faults) {
        if (Boolean.TRUE.equals(settings.text())) {
            return;
        }
        SourceFaults charged = settings.text() == null ? words : faults;
        charged.charge(source, row, "number " + name(), () -> LearntColumn.notANumber(at.get(), cell, name()));
        if (settings.mayHoldDates()) {
            if (Double.isNaN(DatePart.days(cell))) {
                otherThanDates.charge(source, row, "date " + name(), () -> LearntColumn.notADate(at.get(), cell));
            } else {
                datesOf = counted(datesOf, source, 1);
            }
        }
        wordsOf = counted(wordsOf, source, 1);
        firstWord = Math.min(firstWord, row);
    }

    private static long[] counted(long[] counts, int source, long more) {
        long[] enough = source < counts.length ? counts : Arrays.copyOf(counts, 2 * source + 2);
        enough[source] += more;
        return enough;
    }

    /** Adds the votes of rows that come next; see {@link SourceFacts#merge}. */
    void merge(ColumnVotes next, int[] sourceOf, long before) {
        words.merge(next.words, sourceOf, before);
        otherThanDates.merge(next.otherThanDates, sourceOf, before);
        for (int s = 0; s < next.numbers.size(); s++) {
            numbersOf(sourceOf[s]).merge(next.numbers.get(s));
        }
        for (int s = 0; s < sourceOf.length; s++) {
            datesOf = counted(datesOf, sourceOf[s], of(next.datesOf, s));
            wordsOf = counted(wordsOf, sourceOf[s], of(next.wordsOf, s));
            absentOf = counted(absentOf, sourceOf[s], of(next.absentOf, s));
        }
        if (next.firstWord < Long.MAX_VALUE) {
            firstWord = Math.min(firstWord, before + next.firstWord);
        }
    }

    private static long of(long[] counts, int source) {
        return source < counts.length ? counts[source] : 0;
    }

    /** Returns the number of the first row with a word; {@link Long#MAX_VALUE} if there is none. */
    long firstWord() {
        return firstWord;
    }

    /** Returns how many cells are missing. */
    long absent() {
        return Arrays.stream(absentOf).sum();
    }

    /**
     * Decides what the column holds, after all votes, and charges the sources that have something else.
     *
     * @param rows how many rows each source has
     */
    boolean isText(long[] rows, SourceFaults faults) {
        long voters = 0;
        long forText = 0;
        for (int s = 0; s < rows.length; s++) {
            long cells = rows[s] - of(absentOf, s);
            voters += cells > 0 ? 1 : 0;
            forText += 2 * of(wordsOf, s) > cells ? 1 : 0;
        }
        boolean text = settings.text() != null ? settings.text() : 2 * forText > voters;
        if (!text) {
            faults.chargeAll(words);
        }
        return text;
    }

    /**
     * Decides whether a column of text holds dates: if in most sources that have cells here, most of these are dates.
     * Charges the sources that have something else.
     */
    boolean isDates(long[] rows, SourceFaults faults) {
        long voters = 0;
        long forDates = 0;
        for (int s = 0; s < rows.length; s++) {
            long cells = rows[s] - of(absentOf, s);
            voters += cells > 0 ? 1 : 0;
            forDates += 2 * of(datesOf, s) > cells ? 1 : 0;
        }
        if (2 * forDates <= voters) {
            return false;
        }
        faults.chargeAll(otherThanDates);
        for (int s = 0; s < rows.length; s++) {
            long others = rows[s] - of(absentOf, s) - of(wordsOf, s);
            if (others > 0) {
                faults.charge(
                        s,
                        Long.MAX_VALUE,
                        "dates " + name(),
                        () -> "column " + name() + " must hold dates like the others', got " + others
                                + (others == 1 ? " number" : " numbers") + "; use --dates text if they are categories");
            }
        }
        return true;
    }

    /**
     * Decides whether a column of numbers numbers the rows: it does in most sources that have enough of them to tell, and
     * in more than f.
     */
    boolean isRowNumbers(int f) {
        long voters = numbers.stream().filter(RowNumbers::canTell).count();
        long yes = numbers.stream().filter(own -> own.areIdentifiers(name())).count();
        return yes > f && 2 * yes > voters;
    }
}
