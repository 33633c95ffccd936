package holdfast.spark;

import org.apache.spark.ml.util.Identifiable$;

/**
 * Passes the uid to a stage under construction. Spark's constructors make Params, which ask their owner for its uid
 * before a Java constructor can have set it; so the uid waits here.
 */
final class Uid {
    private static final ThreadLocal<String> WAITING = new ThreadLocal<>();

    private Uid() {}

    /**
     * Sets the uid of the stage that this thread makes next. The stage's constructor takes the result as an argument,
     * so that no other stage comes in between.
     */
    static Uid of(String given) {
        WAITING.set(given);
        return new Uid();
    }

    /** Takes the waiting uid, or makes a new one. */
    static String take(String prefix) {
        String given = WAITING.get();
        WAITING.remove();
        return given == null ? Identifiable$.MODULE$.randomUID(prefix) : given;
    }
}
