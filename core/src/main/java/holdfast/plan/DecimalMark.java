package holdfast.plan;

/** What stands between the whole part of a number and its decimals. */
public enum DecimalMark {
    POINT,
    COMMA
}
