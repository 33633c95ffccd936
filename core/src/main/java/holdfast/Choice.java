package holdfast;

import java.util.Optional;

/**
 * An object that a plan chooses. If it has a name, its text creates it again in any process that has the same
 * catalogues. Without a name it exists only in this process, and a plan that contains it cannot be sent elsewhere.
 *
 * @param value the object itself
 * @param name its text, such as {@code aggressive(factor=10)}; empty for an object that no catalogue creates
 */
public record Choice<T>(T value, Optional<String> name) {
    public static <T> Choice<T> named(T value, String text) {
        return new Choice<>(value, Optional.of(text));
    }

    public static <T> Choice<T> unnamed(T value) {
        return new Choice<>(value, Optional.empty());
    }

    /** Compares by name if both have one: two objects created from the same text are the same choice. */
    @Override
    public boolean equals(Object other) {
        return other instanceof Choice<?> choice
                && (name.isPresent() && choice.name.isPresent()
                        ? name.equals(choice.name)
                        : name.isEmpty() && choice.name.isEmpty() && value.equals(choice.value));
    }

    @Override
    public int hashCode() {
        return name.isPresent() ? name.hashCode() : value.hashCode();
    }

    /** Something made from one object that a user gave. Messages show that object. */
    public interface OfObject {
        Object object();
    }

    /** Returns the name. An object without a name is shown as its class in angle brackets, which no catalogue reads. */
    @Override
    public String toString() {
        Object shown = value instanceof OfObject made ? made.object() : value;
        return name.orElseGet(() -> "<" + shown.getClass().getName() + ">");
    }
}
