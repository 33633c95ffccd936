package holdfast.app;

/** What the command's exit code means; 3 belongs to the launcher (no JDK or no Maven). */
final class Exit {
    static final int OK = 0;
    static final int BUG = 1;
    static final int BAD_INPUT = 2;
    static final int STOPPED = 4;
    static final int NOT_THE_SAME = 5;
    static final int INTERRUPTED = 130;

    private Exit() {}
}
