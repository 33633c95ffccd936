package holdfast.preparation;

import java.util.Locale;

/** How the values of training rows are stored after scaling. */
public enum Storage {
    DOUBLE,
    /** Half of the memory, values rounded to seven digits; sums still use doubles. */
    FLOAT;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
