package holdfast.plan;

/** theta before the first round. */
public enum Start {
    /** The model's own start: zeros for models that are linear in their scores. */
    AUTO,
    /** Standard normal numbers. */
    NORMAL
}
