package holdfast;

import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A name with parameters, as users write it: {@code aggressive(factor=10)}. It is text, so that it can travel in plans;
 * a {@link Catalogue} creates the object.
 */
public record Spec(String name, Map<String, String> parameters) {
    private static final Pattern FORM = Pattern.compile("\\s*([A-Za-z0-9_-]+)\\s*(?:\\((.*)\\))?\\s*");

    public Spec {
        parameters = Collections.unmodifiableMap(new TreeMap<>(parameters));
    }

    public static Spec parse(String text) {
        Matcher m = FORM.matcher(text);
        Check.that(m.matches(), "expected name or name(key=value, ...), got '%s'", text);
        Map<String, String> parameters = new TreeMap<>();
        String inner = m.group(2);
        if (inner != null && !inner.isBlank()) {
            for (String part : inner.split(",", -1)) {
                int eq = part.indexOf('=');
                Check.that(eq > 0, "expected key=value, got '%s' in '%s'", part.strip(), text);
                String key = part.substring(0, eq).strip();
                String old = parameters.put(key, part.substring(eq + 1).strip());
                Check.that(old == null, "'%s' is given twice in '%s'", key, text);
            }
        }
        return new Spec(m.group(1), parameters);
    }

    /** Splits a list of specs at the commas that are not inside parentheses. */
    public static List<String> split(String list) {
        return Pattern.compile(",(?![^(]*\\))")
                .splitAsStream(list)
                .map(String::strip)
                .filter(s -> !s.isEmpty())
                .toList();
    }

    /** Returns this spec with one more parameter, or with another value for one it has. */
    public Spec with(String key, String value) {
        Map<String, String> changed = new TreeMap<>(parameters);
        changed.put(key, value);
        return new Spec(name, changed);
    }

    /** Prints a value: 3 for 3.0, otherwise the shortest text that reads back to the same value. */
    public static String print(Object value) {
        return value instanceof Double d && d == Math.rint(d) && Math.abs(d) < 1e15
                ? Long.toString(d.longValue())
                : value.toString();
    }

    @Override
    public String toString() {
        if (parameters.isEmpty()) {
            return name;
        }
        return parameters.entrySet().stream()
                .map(e -> e.getKey() + "=" + e.getValue())
                .collect(Collectors.joining(", ", name.toLowerCase(Locale.ROOT) + "(", ")"));
    }
}
