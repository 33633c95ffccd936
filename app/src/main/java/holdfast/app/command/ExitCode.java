package holdfast.app.command;

/** The exit codes of the program; 3 belongs to the launcher (no JDK or no Maven). */
public final class ExitCode {
    public static final int OK = 0;
    public static final int BUG = 1;
    public static final int BAD_INPUT = 2;
    public static final int STOPPED = 4;
    public static final int NOT_THE_SAME = 5;
    public static final int INTERRUPTED = 130;

    private ExitCode() {}
}
