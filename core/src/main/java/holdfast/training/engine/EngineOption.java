package holdfast.training.engine;

import holdfast.Check;

/**
 * An option of an engine, as a command shows it.
 *
 * @param name without dashes, as in {@code master}
 * @param label the placeholder for its value in {@code --help}, as in {@code URL}
 * @param meaning one line, with the default
 */
public record EngineOption(String name, String label, String meaning) {
    public EngineOption {
        Check.that(
                name.matches("[a-z][a-z0-9]*(-[a-z0-9]+)*"),
                "the name of an engine's option must be words in lower case joined by dashes, got '%s'",
                name);
        Check.that(
                !label.isBlank() && !meaning.isBlank(),
                "option %s of an engine: label and meaning must say something",
                name);
    }
}
