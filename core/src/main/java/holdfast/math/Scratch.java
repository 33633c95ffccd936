package holdfast.math;

/**
 * Temporary arrays that the next computation on the same thread reuses: new ones would come from memory instead of a
 * cache.
 */
public final class Scratch {
    private final double[][] arrays = new double[4][0];

    /** Starts with empty arrays. */
    public Scratch() {}

    /** Returns one of the four arrays (0 to 3), with at least n elements and its old contents. */
    public double[] array(int index, int n) {
        if (arrays[index].length < n) {
            arrays[index] = new double[n];
        }
        return arrays[index];
    }
}
