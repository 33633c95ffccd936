package holdfast.aggregate;

/**
 * Thrown when a round's updates give no direction: more workers lied or failed than the rule tolerates, or honest
 * replicas differ.
 */
public final class LostRoundException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public LostRoundException(String message) {
        super(message);
    }
}
