package holdfast.sources;

import java.util.Locale;
import java.util.Optional;

/**
 * One way in which a source stands out from the others.
 *
 * @param source its index
 * @param column the column it is about; empty if it is about labels
 * @param words what was found, as part of a sentence about the source
 * @param pValue corrected for the number of sources, columns and tests: below {@link SourceVerdicts#LEVEL}
 */
public record Finding(int source, Kind kind, Optional<String> column, String words, double pValue) {
    private static final int MAX_WORDS = 300;

    /** Keeps the words on one line of a terminal, whatever names are in them. */
    public Finding {
        words = words.replaceAll("\\p{Cntrl}", " ");
        words = words.length() <= MAX_WORDS ? words : words.substring(0, MAX_WORDS - 3) + "...";
    }

    /** Returns what it makes of the source: {@code suspect} if labels contradict the others', otherwise {@code differs}. */
    public String verdict() {
        return kind == Kind.CONTRADICTION ? "suspect" : "differs";
    }

    /** What a finding is about. */
    public enum Kind {
        /** Its labels contradict what the others' rows and labels say. */
        CONTRADICTION(true),
        /** The values of a column are many times those of the others. */
        UNIT(true),
        /** Its labels are in another unit. */
        LABEL_UNIT(true),
        /** Its labels are higher or lower than its rows suggest. */
        LABEL_SHIFT(true),
        /** Some of its labels have nothing to do with its rows. */
        LABEL_NOISE(true),
        /** A class is more common or rarer than elsewhere. */
        PREVALENCE(false),
        /** The values of a column are higher or lower than elsewhere. */
        SHIFT(false),
        /** More or fewer cells of a column are missing than elsewhere. */
        MISSING(false),
        /** A category is more common or rarer than elsewhere. */
        CATEGORY(false);

        private final boolean misleads;

        Kind(boolean misleads) {
            this.misleads = misleads;
        }

        /** Returns the name as a JSON value. */
        public String key() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }

        /** Whether a model of the others must not learn from a source of which this is found. */
        boolean misleads() {
            return misleads;
        }
    }
}
