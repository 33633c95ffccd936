package holdfast;

import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * The objects of one kind that a plan can name, one line each. Unknown names and unknown parameters fail and list the
 * known ones. Immutable: {@link #with} returns a longer catalogue and never replaces a line.
 */
public final class Catalogue<T> {
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]*");

    private final String kind;
    private final Map<String, Line<T>> lines;

    private record Line<T>(String meaning, Function<Parameters, ? extends T> factory) {}

    /**
     * Describes an entry for people.
     *
     * @param meaning one line
     * @param parameters names and the text of their default values, in the order they are read. Words are written as
     *     {@code a|b}, the default first; a parameter without a default has its own name as its value
     */
    public record Entry(String name, String meaning, Map<String, String> parameters) {}

    private Catalogue(String kind, Map<String, Line<T>> lines) {
        this.kind = kind;
        this.lines = Collections.unmodifiableMap(lines);
    }

    /** Returns an empty catalogue. */
    public static <T> Catalogue<T> of(String kind) {
        return new Catalogue<>(kind, Map.of());
    }

    /**
     * Returns this catalogue with one more line.
     *
     * @param name lower-case letters, digits and dashes
     * @param meaning one line for {@code ./holdfast rules} and similar commands
     * @param factory reads the parameters and creates the object
     * @throws InputException if the name is taken
     */
    public Catalogue<T> with(String name, String meaning, Function<Parameters, ? extends T> factory) {
        Check.that(
                NAME.matcher(name).matches(),
                "the name of the %s must be lower-case letters, digits and dashes, got '%s'",
                kind,
                name);
        Check.that(!lines.containsKey(name), "%s '%s' is known already and cannot be replaced", kind, name);
        Map<String, Line<T>> longer = new LinkedHashMap<>(lines);
        longer.put(name, new Line<>(meaning, factory));
        return new Catalogue<>(kind, longer);
    }

    /** Whether this catalogue has all lines of another, unchanged. */
    public boolean extendsFrom(Catalogue<T> other) {
        return other.lines.entrySet().stream().allMatch(line -> lines.get(line.getKey()) == line.getValue());
    }

    public Set<String> names() {
        return lines.keySet();
    }

    /** Returns all lines, each with the parameters it reads. */
    public List<Entry> entries() {
        List<Entry> entries = new ArrayList<>();
        lines.forEach((name, line) -> {
            Parameters parameters = new Parameters(kind + " " + name, Map.of());
            line.factory.apply(parameters);
            entries.add(new Entry(name, line.meaning, parameters.read));
        });
        return entries;
    }

    /**
     * Creates the object that a spec names.
     *
     * @throws InputException for an unknown name or parameter, or a value that is not allowed
     */
    public T create(Spec spec) {
        return choose(spec).value();
    }

    /**
     * Creates the object that a spec names and keeps the text that creates it again, with older parameter names
     * replaced by the current ones.
     */
    public Choice<T> choose(Spec spec) {
        Line<T> line = lines.get(spec.name());
        Check.that(line != null, "unknown %s '%s'; known: %s", kind, spec.name(), String.join(", ", names()));
        Parameters parameters = new Parameters(kind + " " + spec.name(), spec.parameters());
        T made = line.factory.apply(parameters);
        parameters.refuseUnread();
        return Choice.named(made, new Spec(spec.name(), parameters.given()).toString());
    }

    public Choice<T> choose(String text) {
        return choose(Spec.parse(text));
    }

    /**
     * Returns the spec that creates an object equal to this one, if there is one. Works for a record whose components
     * have the same names as the line's parameters.
     */
    public Optional<Spec> specOf(Object object) {
        return specOf(object, made -> made);
    }

    /**
     * Returns the spec of an object that is made from what a line creates.
     *
     * @param make turns what a line creates into the object
     */
    public Optional<Spec> specOf(Object object, Function<? super T, ?> make) {
        Map<String, Object> values = new LinkedHashMap<>();
        if (object.getClass().isRecord()) {
            for (RecordComponent component : object.getClass().getRecordComponents()) {
                values.put(component.getName(), value(component, object));
            }
        }
        return find(values, made -> make.apply(made).equals(object));
    }

    /**
     * Returns the spec that creates a certain object, if there is one.
     *
     * @param values what the object was made with, by name; a line takes those that it has parameters for
     * @param isIt whether an object is the one sought
     */
    public Optional<Spec> find(Map<String, ?> values, Predicate<? super T> isIt) {
        for (Entry entry : entries()) {
            Map<String, String> parameters = new LinkedHashMap<>();
            values.forEach((name, value) -> {
                if (entry.parameters().containsKey(name)) {
                    parameters.put(name, print(value));
                }
            });
            try {
                Spec spec = new Spec(entry.name(), parameters);
                if (isIt.test(create(spec))) {
                    return Optional.of(withoutDefaults(spec, entry, isIt));
                }
            } catch (InputException e) {
                // This line does not accept these parameter values.
            }
        }
        return Optional.empty();
    }

    private Spec withoutDefaults(Spec spec, Entry entry, Predicate<? super T> isIt) {
        Map<String, String> needed = new LinkedHashMap<>(spec.parameters());
        needed.entrySet().removeIf(p -> {
            String standard = entry.parameters().get(p.getKey());
            return standard.equals(p.getValue()) || standard.startsWith(p.getValue() + "|");
        });
        Spec shorter = new Spec(spec.name(), needed);
        return isIt.test(create(shorter)) ? shorter : spec;
    }

    private static String print(Object value) {
        return value instanceof Enum<?> word ? word.name().toLowerCase(Locale.ROOT) : Spec.print(value);
    }

    private static Object value(RecordComponent component, Object record) {
        try {
            return component.getAccessor().invoke(record);
        } catch (ReflectiveOperationException e) {
            return "";
        }
    }

    /** The parameters of one entry. Remembers which ones were read, so that a misspelt parameter is an error. */
    public static final class Parameters {
        private final String owner;
        private final Map<String, String> given;
        private final Map<String, String> read = new LinkedHashMap<>();

        Parameters(String owner, Map<String, String> given) {
            this.owner = owner;
            this.given = new LinkedHashMap<>(given);
        }

        public int integer(String key, int otherwise) {
            return read(key, otherwise, "a whole number", Integer::parseInt);
        }

        public double number(String key, double otherwise) {
            return read(key, otherwise, "a number", Double::parseDouble);
        }

        /**
         * Reads a value of another type.
         *
         * @param what the text must be, in a message
         * @param parser throws NumberFormatException for other text
         */
        public <V> V value(String key, V otherwise, String what, Function<String, V> parser) {
            return read(key, otherwise, what, parser);
        }

        /** Reads one of a few words; the first is the default. */
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

        /**
         * Reads a whole number that has no default: if it is not given, something else decides.
         *
         * @param older older names of the parameter that are still accepted
         */
        public OptionalInt optionalInteger(String key, String... older) {
            for (String name : older) {
                if (given.containsKey(name)) {
                    Check.that(
                            !given.containsKey(key), "%s: '%s' is an older name of '%s'; give one", owner, name, key);
                    given.put(key, given.remove(name));
                }
            }
            Integer value = read(key, null, "a whole number", Integer::parseInt);
            return value == null ? OptionalInt.empty() : OptionalInt.of(value);
        }

        private <V> V read(String key, V otherwise, String what, Function<String, V> parser) {
            read.put(key, otherwise == null ? key : Spec.print(otherwise));
            String text = given.get(key);
            try {
                return text == null ? otherwise : parser.apply(text);
            } catch (NumberFormatException e) {
                throw new InputException(owner + ": " + key + " must be " + what + ", got '" + text + "'");
            }
        }

        private Map<String, String> given() {
            return given;
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
