package holdfast.aggregate;

/** What a rule remembers from one round to the next, as a value. It is part of a checkpoint. */
public record Carry(double[] values) {
    /** The carry of a rule that remembers nothing. */
    public static final Carry NONE = new Carry(new double[0]);

    /** Returns a copy. */
    @Override
    public double[] values() {
        return values.clone();
    }
}
