package holdfast.app.command;

import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** Shows the library's warnings as lines on standard error, or hides them. */
final class Warnings {
    /** Kept in a field, because the log manager forgets loggers that nobody refers to. */
    private static final Logger LIBRARY = Logger.getLogger("holdfast");

    private Warnings() {}

    static void show(boolean shown) {
        LIBRARY.setUseParentHandlers(false);
        LIBRARY.setLevel(shown ? Level.INFO : Level.OFF);
        for (Handler old : LIBRARY.getHandlers()) {
            LIBRARY.removeHandler(old);
        }
        LIBRARY.addHandler(new Handler() {
            @Override
            public void publish(LogRecord entry) {
                System.err.println("holdfast: warning: " + new SimpleFormatter().formatMessage(entry));
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        });
    }
}
