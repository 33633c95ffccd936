package holdfast.plan;

import holdfast.Catalogue;
import holdfast.Check;
import holdfast.Choice;
import holdfast.InputException;
import holdfast.NameList;
import holdfast.Spec;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;

/** How the value of a setting is written and read: {@code read(print(value))} equals the value. */
interface SettingText<T> {
    /**
     * @param catalogues what names stand for
     * @throws InputException if the text is not allowed; says what must hold
     */
    T read(String text, Catalogues catalogues);

    String print(T value);

    /** A text that needs no catalogue. */
    static <T> SettingText<T> of(Function<String, T> reader, Function<T, String> printer) {
        return new SettingText<>() {
            @Override
            public T read(String text, Catalogues catalogues) {
                return reader.apply(text);
            }

            @Override
            public String print(T value) {
                return printer.apply(value);
            }
        };
    }

    /** Makes a setting's text from a parser whose values print themselves. */
    static <T> SettingText<T> by(Function<String, T> parser) {
        return of(parser, Object::toString);
    }

    /** A name in the data, or the empty text for none. */
    static SettingText<Optional<String>> column() {
        return of(text -> text.isEmpty() ? Optional.empty() : Optional.of(text), column -> column.orElse(""));
    }

    static SettingText<Boolean> bool() {
        return by(text -> {
            Check.that(text.equals("true") || text.equals("false"), "must be true or false, got '%s'", text);
            return text.equals("true");
        });
    }

    /** The constants of an enum in lower case, with dashes. */
    static <E extends Enum<E>> SettingText<E> oneOf(Class<E> type) {
        List<E> all = List.of(type.getEnumConstants());
        return of(
                text -> all.stream()
                        .filter(value -> word(value).equals(text))
                        .findFirst()
                        .orElseThrow(() -> new InputException("must be one of "
                                + all.stream().map(SettingText::word).collect(Collectors.joining(", ")) + "; got '"
                                + text + "'")),
                SettingText::word);
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static SettingText<Integer> whole(int least) {
        return by(text -> {
            long value = toLong(text);
            Check.that(
                    value >= least && value <= Integer.MAX_VALUE, "must be a whole number >= %d, got %s", least, text);
            return (int) value;
        });
    }

    static SettingText<Long> whole64() {
        return by(SettingText::toLong);
    }

    private static long toLong(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new InputException("must be a whole number, got '" + text + "'");
        }
    }

    /** A finite number above {@code low}. */
    static SettingText<Double> above(double low) {
        return number(value -> value > low && value < Double.POSITIVE_INFINITY, "> " + Spec.print(low) + " and finite");
    }

    /** A finite number, {@code low} or above. */
    static SettingText<Double> atLeast(double low) {
        return number(
                value -> value >= low && value < Double.POSITIVE_INFINITY, ">= " + Spec.print(low) + " and finite");
    }

    /** A number from 0 to below 1. */
    static SettingText<Double> share() {
        return number(value -> value >= 0 && value < 1, ">= 0 and < 1");
    }

    private static SettingText<Double> number(Function<Double, Boolean> allowed, String range) {
        return of(
                text -> {
                    double value;
                    try {
                        value = Double.parseDouble(text);
                    } catch (NumberFormatException e) {
                        throw new InputException("must be a number, got '" + text + "'");
                    }
                    Check.that(allowed.apply(value), "must be %s, got %s", range, text);
                    return value + 0.0; // There is one zero.
                },
                Spec::print);
    }

    /** A value, or a word that stands for none. */
    static <T> SettingText<Optional<T>> optional(String none, SettingText<T> value) {
        return new SettingText<>() {
            @Override
            public Optional<T> read(String text, Catalogues catalogues) {
                return text.equals(none) ? Optional.empty() : Optional.of(value.read(text, catalogues));
            }

            @Override
            public String print(Optional<T> given) {
                return given.map(value::print).orElse(none);
            }
        };
    }

    /** Numbers of workers from 0, or {@code none}. */
    static SettingText<List<Integer>> ids() {
        SettingText<Integer> id = whole(0);
        return of(
                text -> text.isEmpty() || text.equals("none")
                        ? List.of()
                        : Arrays.stream(text.split(",", -1))
                                .map(part -> id.read(part.strip(), null))
                                .sorted()
                                .distinct()
                                .toList(),
                ids -> ids.isEmpty()
                        ? "none"
                        : ids.stream().map(Object::toString).collect(Collectors.joining(",")));
    }

    /** How letters are stored: a name that Java knows, or latin-1, which it calls ISO-8859-1. */
    static SettingText<Charset> charset() {
        String latin = "latin-1";
        return of(
                text -> {
                    try {
                        return text.equalsIgnoreCase(latin) ? StandardCharsets.ISO_8859_1 : Charset.forName(text);
                    } catch (IllegalArgumentException e) {
                        throw new InputException(
                                "must be utf-8, latin-1 or another encoding that Java knows, got '" + text + "'");
                    }
                },
                charset -> charset.equals(StandardCharsets.ISO_8859_1)
                        ? latin
                        : charset.name().toLowerCase(Locale.ROOT));
    }

    /** Names as {@link NameList} writes them, or the empty text for none. */
    static SettingText<List<String>> names() {
        return of(
                text -> {
                    List<String> names = text.isEmpty()
                            ? List.of()
                            : NameList.parse(text).stream().distinct().toList();
                    Check.that(
                            names.stream().noneMatch(String::isEmpty),
                            "must be names separated by commas, got '%s'",
                            text);
                    return names;
                },
                NameList::print);
    }

    /** An entry of a catalogue. */
    static <T> SettingText<Choice<T>> from(Function<Catalogues, Catalogue<T>> catalogue) {
        return choice((text, catalogues) -> catalogue.apply(catalogues).choose(text));
    }

    /** A choice. Objects without a name print as {@link Choice#toString} does and are not read back. */
    static <T> SettingText<Choice<T>> choice(BiFunction<String, Catalogues, Choice<T>> reader) {
        return new SettingText<>() {
            @Override
            public Choice<T> read(String text, Catalogues catalogues) {
                Check.that(
                        !text.startsWith("<"),
                        "%s is an object without a name, which only the process that made it knows; give it a name by a plugin",
                        text);
                return reader.apply(text, catalogues);
            }

            @Override
            public String print(Choice<T> value) {
                return value.toString();
            }
        };
    }
}
