package holdfast.spark;

/** What Spark throws, as users should read it. */
final class SparkFailure {
    private SparkFailure() {}

    /** The first line of the innermost message; those around it say where in Spark it was. */
    static String reason(Throwable failure) {
        String reason = failure.getClass().getSimpleName();
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            reason = cause.getMessage() == null
                    ? reason
                    : cause.getMessage()
                            .lines()
                            .filter(line -> !line.isBlank())
                            .findFirst()
                            .orElse(reason);
        }
        return reason.strip();
    }
}
