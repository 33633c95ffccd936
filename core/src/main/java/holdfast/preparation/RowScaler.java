package holdfast.preparation;

/** Scales rows of values one at a time, for {@link Scaling}. */
public final class RowScaler {
    private final double[] offsets;
    private final double[] divisors;
    private final double clip;
    private final int[] constants;

    RowScaler(double[] offsets, double[] divisors, double clip, int[] constants) {
        this.offsets = offsets;
        this.divisors = divisors;
        this.clip = clip;
        this.constants = constants;
    }

    /** Puts the scaled values of the row at row[from] into into[at]; both may be the same place. */
    public void scale(double[] row, int from, double[] into, int at) {
        // Without a branch, so that the compiler uses the CPU's vectors.
        for (int i = 0; i < offsets.length; i++) {
            into[at + i] = Math.max(-clip, Math.min(clip, (row[from + i] - offsets[i]) / divisors[i]));
        }
        // An infinite difference divided by infinity is no number.
        for (int i : constants) {
            into[at + i] = 0;
        }
    }
}
