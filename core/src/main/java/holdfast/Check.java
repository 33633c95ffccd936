package holdfast;

import java.util.Locale;

/** Checks what users give. Write the condition so that NaN fails it: {@code x > 0}, not {@code !(x <= 0)}. */
public final class Check {
    private Check() {}

    /**
     * Checks a condition.
     *
     * @throws InputException with the formatted message unless {@code holds}
     */
    public static void that(boolean holds, String message, Object... args) {
        if (!holds) {
            throw new InputException(String.format(Locale.ROOT, message, args));
        }
    }
}
