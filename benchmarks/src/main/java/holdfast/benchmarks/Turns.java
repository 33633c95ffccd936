package holdfast.benchmarks;

import java.util.Arrays;
import java.util.function.DoubleSupplier;

/** Times several pieces of work in turns, so that a disturbance affects all of them. */
final class Turns {
    private static final int WARM_UP = 3;

    private final double[][] seconds;

    private Turns(double[][] seconds) {
        this.seconds = seconds;
    }

    static Turns of(int rounds, Runnable... work) {
        return of(WARM_UP, rounds, Arrays.stream(work).map(Turns::timed).toArray(DoubleSupplier[]::new));
    }

    /** @param work does its work and returns the seconds that count */
    static Turns of(int warmUp, int rounds, DoubleSupplier... work) {
        double[][] seconds = new double[work.length][rounds];
        for (int r = -warmUp; r < rounds; r++) {
            for (int w = 0; w < work.length; w++) {
                double taken = work[w].getAsDouble();
                if (r >= 0) {
                    seconds[w][r] = taken;
                }
            }
        }
        return new Turns(seconds);
    }

    static DoubleSupplier timed(Runnable work) {
        return () -> {
            long start = System.nanoTime();
            work.run();
            return (System.nanoTime() - start) / 1e9;
        };
    }

    /** The median time of one piece of work over the rounds. */
    double seconds(int work) {
        return median(seconds[work]);
    }

    /** The least time of one piece of work over the rounds. */
    double least(int work) {
        return Arrays.stream(seconds[work]).min().orElseThrow();
    }

    /** The median over the rounds of one piece's time as a multiple of another's in the same round. */
    double ratio(int work, int to) {
        double[] ratios = new double[seconds[work].length];
        Arrays.setAll(ratios, r -> seconds[work][r] / seconds[to][r]);
        return median(ratios);
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
