package holdfast.spark;

import org.apache.spark.ml.util.Identifiable$;

/**
 * The uid of a stage that is being made. Spark's constructors make Params, which ask their owner for its uid, before a
 * constructor in Java can have set it: so it waits here.
 */
final class Uid {
    private static final ThreadLocal<String> WAITING = new ThreadLocal<>();

    private Uid() {}

    /** For the stage that this thread makes next; its constructor takes this so that nothing comes between. */
    static Uid of(String given) {
        WAITING.set(given);
        return new Uid();
    }

    /** The one that waits, or a new one. */
    static String take(String prefix) {
        String given = WAITING.get();
        WAITING.remove();
        return given == null ? Identifiable$.MODULE$.randomUID(prefix) : given;
    }
}
