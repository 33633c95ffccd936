package holdfast.formats;

import holdfast.NameList;
import java.util.Collection;
import java.util.List;

/** Settings as messages suggest them, so that a suggestion can be pasted into a shell. */
public final class ShellArgument {
    private ShellArgument() {}

    /** Returns a text as one argument of a command line: in quotes where a shell would not read it as it stands. */
    public static String of(String text) {
        return text.matches("[\\w.,:/@%+-]+") ? text : "'" + text.replace("'", "'\\''") + "'";
    }

    /** Returns names as one argument, as settings list them. */
    public static String of(Collection<String> names) {
        return of(NameList.print(names));
    }

    /** Returns an option with the names that it lists. */
    public static String option(String option, Collection<String> names) {
        return option + " " + of(names);
    }

    /** Returns an option with one name in its list. */
    public static String option(String option, String name) {
        return option(option, List.of(name));
    }
}
