package holdfast.aggregate;

/** A round's updates allow no direction: more workers lied or failed than the rule tolerates, or the honest differ. */
public final class LostRoundException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public LostRoundException(String message) {
        super(message);
    }
}
