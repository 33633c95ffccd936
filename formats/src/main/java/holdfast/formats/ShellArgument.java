package holdfast.formats;

import java.util.Collection;

/** Settings as messages suggest them, so that a suggestion can be pasted into a shell. */
public final class ShellArgument {
    private ShellArgument() {}

    /** Returns a text as one argument of a command line: in quotes where a shell would not read it as it stands. */
    public static String of(String text) {
        return text.matches("[\\w.,:/@%+-]+") ? text : "'" + text.replace("'", "'\\''") + "'";
    }

    /** Returns names, separated by commas, as one argument. */
    public static String of(Collection<String> names) {
        return of(String.join(",", names));
    }
}
