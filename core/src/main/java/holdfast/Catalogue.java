package holdfast;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * The things of one kind a plan may name, one line each. Unknown names and unknown parameters fail and list the known
 * ones.
 */
public final class Catalogue<T> {
    private final String kind;
    private final Map<String, Line<T>> lines = new LinkedHashMap<>();

    private record Line<T>(String meaning, Function<Parameters, ? extends T> factory) {}

    /**
     * An entry, for people.
     *
     * @param meaning one line
     * @param parameters names and the text of their standard values, in the order they are read; of words all that may
     *     stand there, {@code a|b}, the standard first
     */
    public record Entry(String name, String meaning, Map<String, String> parameters) {}

    private Catalogue(String kind) {
        this.kind = kind;
    }

    public static <T> Catalogue<T> of(String kind) {
        return new Catalogue<>(kind);
    }

    public Catalogue<T> with(String name, String meaning, Function<Parameters, ? extends T> factory) {
        lines.put(name, new Line<>(meaning, factory));
        return this;
    }

    public Set<String> names() {
        return lines.keySet();
    }

    /** What there is, with the parameters each entry reads. */
    public List<Entry> entries() {
        List<Entry> entries = new ArrayList<>();
        lines.forEach((name, line) -> {
            Parameters parameters = new Parameters(kind + " " + name, Map.of());
            line.factory.apply(parameters);
            entries.add(new Entry(name, line.meaning, parameters.read));
        });
        return entries;
    }

    public T create(Spec spec) {
        Line<T> line = lines.get(spec.name());
        Check.that(line != null, "unknown %s '%s'; known: %s", kind, spec.name(), String.join(", ", names()));
        Parameters parameters = new Parameters(kind + " " + spec.name(), spec.parameters());
        T made = line.factory.apply(parameters);
        parameters.refuseUnread();
        return made;
    }

    /** The parameters of one entry; remembers which were read, so that a misspelt one is an error and not ignored. */
    public static final class Parameters {
        private final String owner;
        private final Map<String, String> given;
        private final Map<String, String> read = new LinkedHashMap<>();

        Parameters(String owner, Map<String, String> given) {
            this.owner = owner;
            this.given = given;
        }

        public int integer(String key, int otherwise) {
            return read(key, otherwise, "a whole number", Integer::parseInt);
        }

        public double number(String key, double otherwise) {
            return read(key, otherwise, "a number", Double::parseDouble);
        }

        /** One of a few words, the first of which is the standard. */
        public String word(String key, String... words) {
            String word = read(key, words[0], "one of " + String.join(", ", words), text -> {
                if (!List.of(words).contains(text)) {
                    throw new NumberFormatException();
                }
                return text;
            });
            read.put(key, String.join("|", words));
            return word;
        }

        private <V> V read(String key, V otherwise, String what, Function<String, V> parser) {
            read.put(key, Spec.print(otherwise));
            String text = given.get(key);
            try {
                return text == null ? otherwise : parser.apply(text);
            } catch (NumberFormatException e) {
                throw new InputException(owner + ": " + key + " must be " + what + ", got '" + text + "'");
            }
        }

        private void refuseUnread() {
            for (String key : given.keySet()) {
                Check.that(
                        read.containsKey(key),
                        "%s: unknown parameter '%s'; known: %s",
                        owner,
                        key,
                        read.isEmpty() ? "none" : String.join(", ", read.keySet()));
            }
        }
    }
}
