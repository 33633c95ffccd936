package holdfast.formats;

import java.io.Serializable;
import java.util.Arrays;
import java.util.regex.Pattern;

/**
 * Tells from the first numbers of a source whether a column numbers its rows: they are whole and count up, or they are
 * nearly all distinct and the column is called so. Small however many rows there are, and merged from consecutive parts
 * with the same result as if all numbers had been added to one.
 */
public final class RowNumbers implements Serializable {
    private static final long serialVersionUID = 1;

    /** So many numbers are looked at. */
    private static final int MAX = 200;
    /** Fewer numbers may count up, or be distinct, by chance. */
    private static final int MIN = 30;
    /** Of identifiers, at most one number in {@value} occurs twice. */
    private static final int REPEATED = 20;

    private static final Pattern NAME = Pattern.compile(
            "(?i)(.*[^a-z])?(id|ids|uid|uuid|guid|nr|no|num|number|key|code|mrn|ssn|idx|index|row|record)([^a-z].*)?"
                    + "|(?-i).*[a-z](Id|ID|Nr|No)");

    private double[] first = {};
    private int count;
    /** How many numbers there are, up to {@link #MIN}, those after a failure included. */
    private int numbers;

    private int repeated;
    private boolean ascending = true;
    /** Whether the next number made it impossible. */
    private boolean failed;

    /** Creates what is known of no numbers. */
    public RowNumbers() {}

    /** Adds the next number. */
    public void add(double value) {
        numbers = Math.min(MIN, numbers + 1);
        if (failed || count == MAX) {
            return;
        }
        int before = repeated + (isKnown(value) ? 1 : 0);
        if (value != Math.rint(value) || before > MAX / REPEATED) {
            failed = true;
            return;
        }
        repeated = before;
        ascending &= count == 0 || value > first[count - 1];
        if (count == first.length) {
            first = Arrays.copyOf(first, Math.min(MAX, 2 * count + 2));
        }
        first[count++] = value;
    }

    private boolean isKnown(double value) {
        // Counting up needs no search.
        if (ascending && count > 0 && value > first[count - 1]) {
            return false;
        }
        for (int i = 0; i < count; i++) {
            if (first[i] == value) {
                return true;
            }
        }
        return false;
    }

    /** Adds the numbers that come next. */
    public void merge(RowNumbers next) {
        int all = Math.min(MIN, numbers + next.numbers);
        for (int i = 0; i < next.count; i++) {
            add(next.first[i]);
        }
        failed |= count < MAX && next.failed;
        numbers = all;
    }

    /** Returns whether there are enough numbers to tell. */
    boolean canTell() {
        return numbers == MIN;
    }

    /** Returns whether a column of this name numbers the rows. */
    public boolean areIdentifiers(String name) {
        return !failed
                && count >= MIN
                && (ascending
                        || repeated * REPEATED <= count && NAME.matcher(name).matches());
    }

    /** Says, after a place, that a column numbers the rows. */
    public static String reason() {
        return "whole numbers that count up or are nearly all distinct: looks like an identifier";
    }
}
