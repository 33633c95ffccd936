package holdfast;

import java.util.Optional;

/**
 * Something that a plan chooses. With a name, its text makes it again in any process that has the same catalogues; without
 * one, it is an object of this process, and plans that hold it cannot travel.
 *
 * @param value the thing itself
 * @param name its text, as {@code aggressive(factor=10)}; empty for an object that no catalogue makes
 */
public record Choice<T>(T value, Optional<String> name) {
    public static <T> Choice<T> named(T value, String text) {
        return new Choice<>(value, Optional.of(text));
    }

    public static <T> Choice<T> unnamed(T value) {
        return new Choice<>(value, Optional.empty());
    }

    /** By name where both have one: two things made by the same text are the same choice. */
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

    /** Something made of one object that a user gave, which messages are about. */
    public interface OfObject {
        Object object();
    }

    /** The name, or in angle brackets the class of an object without one, which no catalogue reads. */
    @Override
    public String toString() {
        Object shown = value instanceof OfObject made ? made.object() : value;
        return name.orElseGet(() -> "<" + shown.getClass().getName() + ">");
    }
}
