package holdfast.plan;

/** Whether the first line of a table names the columns. */
public enum Header {
    /** Yes, unless one of its cells is a number. */
    AUTO,
    YES,
    NO
}
