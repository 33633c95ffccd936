package holdfast;

/**
 * Thrown when what the user gave cannot be used. The message is one line: what must hold, what was given, and where.
 */
public class InputException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    public InputException(String message) {
        super(message);
    }
}
