package holdfast.data;

/**
 * A source none of whose rows are used, because one of them has a value that cannot be read or used. It takes part in
 * training as a worker that never sends anything, so it counts as one of the liars that a plan tolerates.
 *
 * @param name the source
 * @param reason what was wrong first, and where: file, line and column
 */
public record UnusableSource(String name, String reason) {
    @Override
    public String toString() {
        return name + " (" + reason + ")";
    }
}
