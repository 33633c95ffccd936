package holdfast.model;

/**
 * The unit in which a model learns labels that are numbers. It makes lambda, which has the unit of the loss, mean the
 * same whatever unit the labels have. {@code holdfast.preparation.LabelScaling} learns its size from the rows.
 */
public enum LabelUnit {
    /** Labels as they are. */
    NONE,
    /** Distance from the mean in standard deviations. */
    STANDARD,
    /** Distance from the median in median distances, which a few outliers do not change. */
    ROBUST,
    /** Multiples of the mean, so that counts stay positive. */
    MEAN
}
