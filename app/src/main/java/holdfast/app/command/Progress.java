package holdfast.app.command;

import java.util.Locale;

/**
 * Shows progress and the time left on standard error: on a terminal a line that is redrawn, elsewhere a line every 30
 * seconds, and nothing if the user asked for quiet.
 */
final class Progress implements AutoCloseable {
    private static final long REDRAW = 100_000_000L;
    private static final long REPEAT = 30_000_000_000L;
    private static final int BAR = 20;

    private final boolean quiet;
    private final boolean terminal;
    private final int columns;
    private final long start = System.nanoTime();
    private long last;
    private boolean drawn;

    Progress(boolean quiet) {
        this.quiet = quiet;
        this.terminal = Boolean.getBoolean("holdfast.terminal");
        this.columns = Integer.getInteger("holdfast.columns", 80);
        this.last = terminal ? start - REDRAW : start;
    }

    /** @param share of the work that is done, 0 to 1 */
    synchronized void show(double share, String what) {
        long now = System.nanoTime();
        if (quiet || now - last < (terminal ? REDRAW : REPEAT)) {
            return;
        }
        last = now;
        double spent = (now - start) / 1e9;
        String left = share > 0.01 ? ", " + duration(spent / share - spent) + " left" : "";
        if (!terminal) {
            System.err.printf(Locale.ROOT, "%3.0f%% %s%s%n", 100 * share, what, left);
            return;
        }
        int filled = (int) (share * BAR);
        String line = String.format(
                Locale.ROOT,
                "%3.0f%% [%s%s] %s%s",
                100 * share,
                "#".repeat(filled),
                "-".repeat(BAR - filled),
                what,
                left);
        System.err.print("\r\033[K" + line.substring(0, Math.min(line.length(), Math.max(20, columns - 1))));
        System.err.flush();
        drawn = true;
    }

    static String duration(double seconds) {
        long s = Math.max(0, Math.round(seconds));
        return s < 60
                ? s + " s"
                : s < 3600 ? s / 60 + " min " + s % 60 + " s" : s / 3600 + " h " + s % 3600 / 60 + " min";
    }

    /** Clears the line. */
    @Override
    public synchronized void close() {
        if (drawn) {
            System.err.print("\r\033[K");
            System.err.flush();
            drawn = false;
        }
    }
}
