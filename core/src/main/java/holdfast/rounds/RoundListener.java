package holdfast.rounds;

/** Gets every round, on the thread that trains. */
@FunctionalInterface
public interface RoundListener {
    void finished(RoundRecord round);

    default RoundListener and(RoundListener next) {
        return round -> {
            finished(round);
            next.finished(round);
        };
    }
}
