package holdfast.plan;

/** How the numbers that training needs beforehand are learnt from rows: scaling, fills, categories, step size. */
public enum Statistics {
    /** By source, and combined so that the sources that may lie cannot move them beyond the others'. */
    ROBUST,
    /** From all rows together, so that one source can spoil them. */
    POOLED
}
