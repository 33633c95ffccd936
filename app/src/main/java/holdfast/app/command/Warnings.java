package holdfast.app.command;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** Shows the library's warnings as lines on standard error, or hides them. */
public final class Warnings {
    /** Kept in a field, because the log manager forgets loggers that nobody refers to. */
    private static final Logger LIBRARY = Logger.getLogger("holdfast");

    private Warnings() {}

    /**
     * Returns a message without control characters. It may quote cells and names from data, which must not look like
     * another message or move the cursor of a terminal.
     */
    public static String printable(String message) {
        return message.replaceAll("\\p{Cntrl}", "?");
    }

    static void show(boolean shown) {
        LIBRARY.setUseParentHandlers(false);
        LIBRARY.setLevel(shown ? Level.INFO : Level.OFF);
        for (Handler old : LIBRARY.getHandlers()) {
            LIBRARY.removeHandler(old);
        }
        LIBRARY.addHandler(handler(message -> System.err.println("holdfast: warning: " + message)));
    }

    /** Returns the library's warnings during some work, instead of showing them. */
    static List<String> during(Runnable work) {
        List<String> messages = new ArrayList<>();
        show(true);
        for (Handler old : LIBRARY.getHandlers()) {
            LIBRARY.removeHandler(old);
        }
        LIBRARY.addHandler(handler(messages::add));
        try {
            work.run();
        } finally {
            show(false);
        }
        return messages;
    }

    private static Handler handler(Consumer<String> each) {
        return new Handler() {
            @Override
            public void publish(LogRecord entry) {
                each.accept(printable(new SimpleFormatter().formatMessage(entry)));
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
    }
}
