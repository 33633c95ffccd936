package holdfast.rounds;

/** Thrown when training has to stop. Carries the last good state. */
public final class TrainingException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient TrainingState lastGood;

    /** @param lastGood null if training had not begun */
    public TrainingException(String message, TrainingState lastGood) {
        super(message);
        this.lastGood = lastGood;
    }

    public TrainingState lastGood() {
        return lastGood;
    }
}
