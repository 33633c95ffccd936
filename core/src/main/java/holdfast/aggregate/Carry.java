package holdfast.aggregate;

/** What a rule remembers from one round to the next, by value; part of a checkpoint. */
public record Carry(double[] values) {
    /** Nothing is remembered. */
    public static final Carry NONE = new Carry(new double[0]);

    /** A copy. */
    @Override
    public double[] values() {
        return values.clone();
    }
}
