package holdfast;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * The things of one kind a plan may name, one line each. Unknown names and unknown parameters fail and list the known
 * ones.
 */
public final class Catalogue<T> {
    private final String kind;
    private final Map<String, Function<Parameters, ? extends T>> entries = new LinkedHashMap<>();

    private Catalogue(String kind) {
        this.kind = kind;
    }

    public static <T> Catalogue<T> of(String kind) {
        return new Catalogue<>(kind);
    }

    public Catalogue<T> with(String name, Function<Parameters, ? extends T> factory) {
        entries.put(name, factory);
        return this;
    }

    public Set<String> names() {
        return entries.keySet();
    }

    public T create(Spec spec) {
        Function<Parameters, ? extends T> factory = entries.get(spec.name());
        Check.that(factory != null, "unknown %s '%s'; known: %s", kind, spec.name(), String.join(", ", names()));
        Parameters parameters = new Parameters(kind + " " + spec.name(), spec.parameters());
        T made = factory.apply(parameters);
        parameters.refuseUnread();
        return made;
    }

    /** The parameters of one entry; remembers which were read, so that a misspelt one is an error and not ignored. */
    public static final class Parameters {
        private final String owner;
        private final Map<String, String> given;
        private final Set<String> read = new LinkedHashSet<>();

        Parameters(String owner, Map<String, String> given) {
            this.owner = owner;
            this.given = given;
        }

        public int integer(String key, int otherwise) {
            String text = read(key);
            try {
                return text == null ? otherwise : Integer.parseInt(text);
            } catch (NumberFormatException e) {
                throw new InputException(owner + ": " + key + " must be a whole number, got '" + text + "'");
            }
        }

        public double number(String key, double otherwise) {
            String text = read(key);
            try {
                return text == null ? otherwise : Double.parseDouble(text);
            } catch (NumberFormatException e) {
                throw new InputException(owner + ": " + key + " must be a number, got '" + text + "'");
            }
        }

        private String read(String key) {
            read.add(key);
            return given.get(key);
        }

        private void refuseUnread() {
            for (String key : given.keySet()) {
                Check.that(
                        read.contains(key),
                        "%s: unknown parameter '%s'; known: %s",
                        owner,
                        key,
                        read.isEmpty() ? "none" : String.join(", ", read));
            }
        }
    }
}
