package holdfast.data;

/**
 * Hashes what a row holds to 128 bits: its source, label, weight and the columns and values that are not zero. Rows that
 * hold the same have the same hash, whether or not they store their zeros. Two different rows in a billion have the same
 * hash with probability 1e-21, unless somebody made them for that.
 *
 * <p>Use one object for many rows: {@link #start}, then {@link #add} for each value in the order of the columns, then
 * {@link #end}.
 */
public final class RowHash {
    // Odd numbers without structure: 2^64 over the golden ratio, and from the digits of pi and e.
    private static final long FIRST = 0x9E3779B97F4A7C15L;
    private static final long SECOND = 0x243F6A8885A308D3L;
    private static final long THIRD = 0xB7E151628AED2A6BL;

    private long high;
    private long low;

    /** Makes one that has seen no row yet. */
    public RowHash() {}

    /** Starts a row. */
    public void start(String source, double label, double weight) {
        high = FIRST;
        low = SECOND;
        for (int i = 0; i < source.length(); i++) {
            mix(source.charAt(i));
        }
        mix(source.length());
        // Adding 0 makes -0 and 0 the same.
        mix(Double.doubleToLongBits(label + 0.0));
        mix(Double.doubleToLongBits(weight + 0.0));
    }

    /** Adds a value; zeros change nothing. */
    public void add(int column, double value) {
        if (value != 0) {
            mix(Double.doubleToLongBits(value) + column * THIRD);
        }
    }

    private void mix(long bits) {
        // A product carries changes only upwards; the rotation brings them down again.
        high = Long.rotateLeft((high ^ bits) * FIRST, 29);
        low = Long.rotateLeft((low + bits) * THIRD, 37);
    }

    /** Ends the row; only then the hash is that of all its values. */
    public void end() {
        long sum = high + low;
        high = scramble(sum ^ SECOND);
        low = scramble(sum + Long.rotateLeft(low, 32) * FIRST);
    }

    /** Makes every bit depend on all bits: the finaliser of SplitMix64. */
    private static long scramble(long bits) {
        long z = (bits ^ bits >>> 30) * 0xBF58476D1CE4E5B9L;
        z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
        return z ^ z >>> 31;
    }

    /** The first 64 bits, spread evenly over all unsigned numbers. */
    public long high() {
        return high;
    }

    /** The other 64 bits. */
    public long low() {
        return low;
    }
}
