package holdfast;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Names separated by commas, as settings list columns and sources. A name that contains a comma stands in double quotes, and
 * quotes within it are doubled, as in CSV: {@code id,"age, years"}.
 */
public final class NameList {
    private static final Pattern NAME = Pattern.compile("\\s*+(?:\"((?:[^\"]|\"\")*+)\"\\s*+|([^,]*+))(,|$)");

    private NameList() {}

    /**
     * Reads a list. Spaces around names do not count. A quotation mark that no other closes is a letter of the name.
     *
     * @return the names, of which one may be empty
     */
    public static List<String> parse(String text) {
        List<String> names = new ArrayList<>();
        Matcher next = NAME.matcher(text);
        int at = 0;
        boolean more = true;
        while (more) {
            next.find(at);
            names.add(
                    next.group(1) == null
                            ? next.group(2).strip()
                            : next.group(1).replace("\"\"", "\"").strip());
            more = !next.group(3).isEmpty();
            at = next.end();
        }
        return names;
    }

    /** Writes a list so that {@link #parse} reads the same names, and no command takes it for an option. */
    public static String print(Collection<String> names) {
        return names.stream().map(NameList::quoted).collect(Collectors.joining(","));
    }

    private static String quoted(String name) {
        boolean plain = !name.contains(",") && !name.matches("(?s)(\"|-\\D).*");
        return plain ? name : '"' + name.replace("\"", "\"\"") + '"';
    }
}
