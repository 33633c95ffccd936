package holdfast.testkit;

import holdfast.Seed;
import java.util.Arrays;
import java.util.function.Consumer;

/** Checks laws on random legal inputs; a failure names the seed that broke the law. */
public final class Laws {
    private Laws() {}

    /**
     * Checks a law in this many cases.
     *
     * @param law draws its input from the seed and throws if the law does not hold
     * @throws AssertionError with the seed of the first case that breaks the law
     */
    public static void check(int cases, Consumer<Seed> law) {
        for (int i = 0; i < cases; i++) {
            Seed seed = Seed.of(1).child("case", i);
            try {
                law.accept(seed);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("broken for Seed.of(" + seed.value() + "L): " + e, e);
            }
        }
    }

    /** Returns the exact bits, for comparisons that allow no difference at all. */
    public static long[] bits(double[] values) {
        return Arrays.stream(values).mapToLong(Double::doubleToRawLongBits).toArray();
    }
}
