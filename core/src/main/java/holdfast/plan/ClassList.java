package holdfast.plan;

import holdfast.Check;
import java.util.Arrays;
import java.util.List;

/**
 * What labels may be, if it is fixed before any is read.
 *
 * @param open whether the labels themselves show what they are
 * @param names otherwise the classes in their order; empty if labels are numbers
 */
public record ClassList(boolean open, List<String> names) {
    /** The labels show what they are. */
    public static final ClassList AUTO = new ClassList(true, List.of());

    /** Labels are numbers, not classes. */
    public static final ClassList NUMBERS = new ClassList(false, List.of());

    public ClassList {
        names = List.copyOf(names);
        Check.that(!open || names.isEmpty(), "classes are either open or listed");
        Check.that(
                names.size() != 1 && names.stream().distinct().count() == names.size(),
                "--classes must list two classes or more, each once, got %s",
                String.join(",", names));
        for (String name : names) {
            Check.that(
                    !name.isBlank() && !name.contains(","),
                    "--classes must be names separated by commas, got '%s'",
                    name);
        }
    }

    /** Creates a list of classes. */
    public static ClassList of(String... names) {
        return new ClassList(false, List.of(names));
    }

    static ClassList parse(String text) {
        return switch (text) {
            case "auto" -> AUTO;
            case "numbers" -> NUMBERS;
            default -> of(Arrays.stream(text.split(",", -1)).map(String::strip).toArray(String[]::new));
        };
    }

    @Override
    public String toString() {
        return open ? "auto" : names.isEmpty() ? "numbers" : String.join(",", names);
    }
}
