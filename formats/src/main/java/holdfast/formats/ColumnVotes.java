package holdfast.formats;

import holdfast.data.TableColumn;
import java.io.Serializable;
import java.util.Arrays;
import java.util.function.Supplier;

/**
 * What the sources of a table say about a feature column, none of which decides for the others. If the plan does not
 * say what it holds, the sources vote: it is text if in most sources that have cells here, most of these are not
 * numbers. Where it is not, words are charged to their sources.
 *
 * <p>Only cells that are missing or words are counted; all others are numbers.
 */
final class ColumnVotes implements Serializable {
    private static final long serialVersionUID = 1;

    private final String name;
    /** Null unless the plan says whether it is text. */
    private final Boolean declared;

    private final TableColumn.Missing missing;
    private final SourceFaults words = new SourceFaults();
    /** For each source, how many cells are words and how many are missing. */
    private long[] wordsOf = {};

    private long[] absentOf = {};
    private long firstWord = Long.MAX_VALUE;

    ColumnVotes(String name, Boolean text, TableColumn.Missing missing) {
        this.name = name;
        this.declared = text;
        this.missing = missing;
    }

    String name() {
        return name;
    }

    /** Returns whether the plan says that the column is text; null if it does not say. */
    Boolean declared() {
        return declared;
    }

    /** Adds the cell of a row whose file lacks the column. */
    void addAbsent(int source) {
        absentOf = counted(absentOf, source, 1);
    }

    /** Adds a missing cell. */
    void addMissing(int source, long row, Supplier<String> at, SourceFaults faults) {
        addAbsent(source);
        if (missing == TableColumn.Missing.FAIL) {
            faults.charge(source, row, () -> LearntColumn.missing(at.get()));
        }
    }

    /** Adds a cell that is neither missing nor a number. */
    void addWord(int source, long row, String cell, Supplier<String> at, SourceFaults faults) {
        if (Boolean.TRUE.equals(declared)) {
            return;
        }
        SourceFaults charged = declared == null ? words : faults;
        charged.charge(source, row, () -> LearntColumn.notANumber(at.get(), cell, name));
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
        for (int s = 0; s < sourceOf.length; s++) {
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
        boolean text = declared != null ? declared : 2 * forText > voters;
        if (!text) {
            faults.chargeAll(words);
        }
        return text;
    }
}
