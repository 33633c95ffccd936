package holdfast.spark;

/** Cleaning up after an interruption: Spark gives up on messages to its executors while a thread's flag is set. */
final class Undisturbed {
    private Undisturbed() {}

    /** Does it with the flag down, and then raises it again. */
    static void run(Runnable work) {
        boolean flag = Thread.interrupted();
        try {
            work.run();
        } finally {
            if (flag) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
