package holdfast.plan;

/** Whether the probabilities of classes are adjusted after training. */
public enum Recalibration {
    /** If class weights or the objective distort them. */
    AUTO,
    /** Never. */
    NONE
}
