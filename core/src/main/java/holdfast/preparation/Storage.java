package holdfast.preparation;

import java.util.Locale;

/** How the values of training rows are kept once they are scaled. */
public enum Storage {
    DOUBLE,
    /** In half of the memory, rounded to seven digits; sums are of doubles anyway. */
    FLOAT;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
