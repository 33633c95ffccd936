package holdfast.preparation;

import holdfast.InputException;
import java.util.Locale;

/** How the values of training rows are kept once they are scaled. */
public enum Storage {
    DOUBLE,
    /** In half of the memory, rounded to seven digits; sums are of doubles anyway. */
    FLOAT;

    /** @param text as plans have it */
    public static Storage parse(String text) {
        for (Storage storage : values()) {
            if (storage.toString().equals(text)) {
                return storage;
            }
        }
        throw new InputException("--storage must be double or float, got '" + text + "'");
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
