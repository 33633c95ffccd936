package holdfast.app.command;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/** Work that has something to save when the user presses Ctrl-C. */
public final class InterruptibleWork {
    private static final AtomicBoolean UNDER_WAY = new AtomicBoolean();

    private InterruptibleWork() {}

    /** Whether the main thread should be interrupted and waited for before the process ends. */
    public static boolean underWay() {
        return UNDER_WAY.get();
    }

    /**
     * Runs work that saves its state when its thread is interrupted. If it throws, the caller must call {@link #end}.
     */
    static <T> T run(Supplier<T> work) {
        UNDER_WAY.set(true);
        T result = work.get();
        end();
        return result;
    }

    /**
     * Marks the work as ended. Call it after the last line is printed: ending the process must not wait for the thread
     * that ends it.
     */
    public static void end() {
        UNDER_WAY.set(false);
    }
}
