package holdfast;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/**
 * A stream of random numbers in which the seed fixes every bit: SplitMix64 (Steele, Lea, Flood 2014). It is implemented
 * here because the JDK does not promise that its generators draw the same doubles and Gaussians in later versions.
 */
public final class Randomness {
    static final long GOLDEN = 0x9E3779B97F4A7C15L;

    private long state;
    private double spareGaussian = Double.NaN;

    Randomness(long seed) {
        state = seed;
    }

    static long mix(long z) {
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    public long nextLong() {
        state += GOLDEN;
        return mix(state);
    }

    /** Draws uniformly from [0, 1), a multiple of 2^-53. */
    public double nextDouble() {
        return (nextLong() >>> 11) * 0x1p-53;
    }

    /** Draws uniformly from 0..bound-1, without bias. */
    public int nextInt(int bound) {
        Check.that(bound > 0, "bound must be > 0, got %d", bound);
        long limit = Long.MAX_VALUE - Long.MAX_VALUE % bound;
        long bits;
        do {
            bits = nextLong() >>> 1;
        } while (bits >= limit);
        return (int) (bits % bound);
    }

    /** Draws from the standard normal distribution by Marsaglia's polar method. */
    public double nextGaussian() {
        if (!Double.isNaN(spareGaussian)) {
            double spare = spareGaussian;
            spareGaussian = Double.NaN;
            return spare;
        }
        double u;
        double v;
        double s;
        do {
            u = 2 * nextDouble() - 1;
            v = 2 * nextDouble() - 1;
            s = u * u + v * v;
        } while (s >= 1 || s == 0);
        double factor = StrictMath.sqrt(-2 * StrictMath.log(s) / s);
        spareGaussian = v * factor;
        return u * factor;
    }

    public double[] gaussians(int count) {
        double[] out = new double[count];
        for (int i = 0; i < count; i++) {
            out[i] = nextGaussian();
        }
        return out;
    }

    /**
     * Draws from the gamma distribution with this shape and scale 1 (Marsaglia, Tsang 2000) and returns the logarithm:
     * for a small shape the draw itself would often be 0.
     */
    public double nextLogGamma(double shape) {
        if (shape < 1) {
            return nextLogGamma(shape + 1) + StrictMath.log(1 - nextDouble()) / shape;
        }
        double d = shape - 1.0 / 3;
        double c = 1 / Math.sqrt(9 * d);
        while (true) {
            double x = nextGaussian();
            double t = 1 + c * x;
            if (t > 0) {
                double v = t * t * t;
                if (StrictMath.log(1 - nextDouble()) < x * x / 2 + d * (1 - v + StrictMath.log(v))) {
                    return StrictMath.log(d * v);
                }
            }
        }
    }

    /** Draws shares that sum to 1 from the symmetric Dirichlet distribution with this parameter. */
    public double[] dirichlet(double alpha, int count) {
        double[] shares = new double[count];
        double largest = Double.NEGATIVE_INFINITY;
        for (int i = 0; i < count; i++) {
            shares[i] = nextLogGamma(alpha);
            largest = Math.max(largest, shares[i]);
        }
        double sum = 0;
        for (int i = 0; i < count; i++) {
            shares[i] = StrictMath.exp(shares[i] - largest);
            sum += shares[i];
        }
        for (int i = 0; i < count; i++) {
            shares[i] /= sum;
        }
        return shares;
    }

    /** Shuffles in place (Fisher-Yates). */
    public void shuffle(int[] values) {
        for (int i = values.length - 1; i > 0; i--) {
            int j = nextInt(i + 1);
            int swap = values[i];
            values[i] = values[j];
            values[j] = swap;
        }
    }

    /** Chooses {@code count} different numbers from 0..n-1, in ascending order. */
    public int[] choose(int count, int n) {
        Check.that(count >= 0 && count <= n, "cannot choose %d of %d", count, n);
        int[] all = new int[n];
        for (int i = 0; i < n; i++) {
            all[i] = i;
        }
        shuffle(all);
        int[] chosen = Arrays.copyOf(all, count);
        Arrays.sort(chosen);
        return chosen;
    }

    /**
     * Chooses {@code count} different numbers from 0..n-1, in ascending order, in time that does not grow with n (Floyd's
     * algorithm: Bentley, Floyd 1987). Other numbers than {@link #choose} would.
     */
    public int[] sample(int count, int n) {
        Check.that(count >= 0 && count <= n, "cannot choose %d of %d", count, n);
        Set<Integer> chosen = new HashSet<>(2 * count);
        for (int last = n - count; last < n; last++) {
            int drawn = nextInt(last + 1);
            if (!chosen.add(drawn)) {
                chosen.add(last);
            }
        }
        return chosen.stream().mapToInt(Integer::intValue).sorted().toArray();
    }
}
