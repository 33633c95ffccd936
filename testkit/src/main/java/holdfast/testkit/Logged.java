package holdfast.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** Collects what the library logs while something runs. */
public final class Logged {
    private Logged() {}

    /** Runs the work and returns the messages that the loggers below {@code holdfast} got meanwhile. */
    public static List<String> during(Runnable work) {
        List<String> lines = new ArrayList<>();
        Logger logger = Logger.getLogger("holdfast");
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord entry) {
                lines.add(new SimpleFormatter().formatMessage(entry));
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        logger.addHandler(handler);
        logger.setUseParentHandlers(false);
        try {
            work.run();
        } finally {
            logger.removeHandler(handler);
            logger.setUseParentHandlers(true);
        }
        return lines;
    }
}
