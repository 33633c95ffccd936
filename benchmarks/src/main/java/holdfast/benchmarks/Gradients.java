package holdfast.benchmarks;

import holdfast.Seed;
import holdfast.data.Dataset;
import holdfast.math.Vectors;
import holdfast.model.LogisticRegression;
import holdfast.objective.Effort;
import holdfast.objective.ExactMaximiser;
import holdfast.objective.GradientAscent;
import holdfast.objective.InnerMaximiser;
import holdfast.objective.Iterate;
import holdfast.objective.RobustLoss;
import holdfast.objective.ScalarRecurrence;
import holdfast.rounds.InProcessPool;
import holdfast.rounds.RoundRequest;
import holdfast.rounds.Worker;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** A worker's gradient compared with reading the same bytes, and robust compared with plain. */
final class Gradients {
    private static final int ROUNDS = 9;
    private static final double LAMBDA = 3;
    private static final double RATE = 0.05;
    private static final Effort.Schedule TEN = Effort.always(new Effort.Steps(10));

    private Gradients() {}

    /** @param bytes of the features */
    static List<Measured> measure(long bytes) {
        List<Measured> out = new ArrayList<>();
        double[] shares = {0.6, 0.8, 0.9};
        int[] columns = {57, 500, 5000};
        for (int i = 0; i < columns.length; i++) {
            int d = columns[i];
            int n = (int) (bytes / 8 / d);
            Dataset data = Samples.rows(n, d);
            LogisticRegression model = new LogisticRegression(true);
            double[] theta =
                    Vectors.scaled(1 / Math.sqrt(d), Seed.of(2).random().gaussians(d + 1));
            RobustLoss plain = new RobustLoss(model, InnerMaximiser.none(), TEN, 0);
            RobustLoss recurrence = new RobustLoss(model, new ScalarRecurrence(model, LAMBDA, RATE), TEN, 0);
            RobustLoss exact = new RobustLoss(model, new ExactMaximiser(model, LAMBDA), TEN, 0);
            long[] memory = new long[n * d];
            long[] half = new long[n * d / 2];
            Turns turns = Turns.of(
                    ROUNDS,
                    () -> read(memory),
                    () -> plain.sums(Iterate.of(theta), data, false),
                    () -> recurrence.sums(Iterate.of(theta), data, false),
                    () -> exact.sums(Iterate.of(theta), data, false));
            String at = ", d = " + d;
            double speed = bytes / 1e9;
            out.add(Measured.only("reading memory, GB/s" + at, speed / turns.seconds(0)));
            out.add(Measured.atLeast("plain gradient / reading, 1 thread" + at, turns.ratio(0, 1), shares[i]));
            out.add(Measured.only("plain gradient / reading, 2 threads" + at, twoThreads(data, plain, theta, half)));
            out.add(goal("Algorithm 2, T_z = 10 / plain gradient" + at, turns.ratio(2, 1), d));
            out.add(goal("Algorithm 2, exact / plain gradient" + at, turns.ratio(3, 1), d));
            if (d == 500) {
                Dataset few =
                        data.select(IntStream.range(0, Math.min(n, 10_000)).toArray());
                RobustLoss ascent = new RobustLoss(model, new GradientAscent(model, LAMBDA, RATE), TEN, 0);
                Turns both = Turns.of(
                        5,
                        () -> ascent.sums(Iterate.of(theta), few, false),
                        () -> recurrence.sums(Iterate.of(theta), few, false));
                out.add(Measured.atLeast("the paper's ascent in d dimensions / ours" + at, both.ratio(0, 1), 20));
            }
        }
        return out;
    }

    private static Measured goal(String what, double value, int d) {
        return d == 57
                ? Measured.atMost(what, value, 1.8)
                : d == 500 ? Measured.atMost(what, value, 1.25) : Measured.only(what, value);
    }

    /** Two workers with half of the rows each, compared with two threads that read as much. */
    private static double twoThreads(Dataset data, RobustLoss loss, double[] theta, long[] half) {
        int middle = data.rows() / 2;
        List<Worker> workers = List.of(
                new Worker(0, data.select(IntStream.range(0, middle).toArray()), loss),
                new Worker(1, data.select(IntStream.range(middle, data.rows()).toArray()), loss));
        try (InProcessPool pool = new InProcessPool(workers, 2)) {
            return Turns.of(
                            ROUNDS,
                            () -> {
                                Thread other = new Thread(() -> read(half));
                                other.start();
                                read(half);
                                try {
                                    other.join();
                                } catch (InterruptedException e) {
                                    throw new IllegalStateException(e);
                                }
                            },
                            () -> pool.ask(new RoundRequest(0, theta, false)))
                    .ratio(0, 1);
        }
    }

    /**
     * Reads memory as fast as one thread can: from four places at a time. That keeps more of the memory busy than
     * reading from one place, however many sums or vectors are used.
     */
    static void read(long[] memory) {
        int quarter = memory.length / 4;
        long a = 0;
        long b = 0;
        long c = 0;
        long d = 0;
        for (int i = 0; i < quarter; i++) {
            a += memory[i];
            b += memory[i + quarter];
            c += memory[i + 2 * quarter];
            d += memory[i + 3 * quarter];
        }
        if (a + b + c + d == 42) {
            throw new IllegalStateException("keeps the loop alive");
        }
    }
}
