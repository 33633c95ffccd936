package holdfast.math;

/**
 * Arrays that a computation needs on its way and that the next of the same thread may have again: fresh ones, one after the
 * other, would come from memory and not from a cache.
 */
public final class Scratch {
    private final double[][] arrays = new double[4][0];

    /** Starts with empty arrays. */
    public Scratch() {}

    /** One of the four (0 to 3), with n or more elements and whatever was left in it. */
    public double[] array(int index, int n) {
        if (arrays[index].length < n) {
            arrays[index] = new double[n];
        }
        return arrays[index];
    }
}
