package holdfast.math;

import java.util.Arrays;

/**
 * Temporary arrays that the next computation on the same thread reuses: new ones would come from memory instead of a
 * cache.
 */
public final class Scratch {
    private double[][] arrays = new double[4][0];

    private final int most;

    /** Starts with empty arrays. */
    public Scratch() {
        this(Integer.MAX_VALUE);
    }

    /** Makes arrays of more than {@code most} elements anew each time: threads would keep them for good. */
    public Scratch(int most) {
        this.most = most;
    }

    /** Returns one of the arrays, numbered from 0, with at least n elements and its old contents. */
    public double[] array(int index, int n) {
        if (n > most) {
            return new double[n];
        }
        for (int i = arrays.length; i <= index; i++) {
            arrays = Arrays.copyOf(arrays, i + 1);
            arrays[i] = new double[0];
        }
        if (arrays[index].length < n) {
            arrays[index] = new double[n];
        }
        return arrays[index];
    }
}
