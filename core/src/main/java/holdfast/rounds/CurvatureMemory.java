package holdfast.rounds;

import holdfast.math.Vectors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The last steps s_i and the changes y_i that they made to the direction, which show the curvature of the objective where
 * the run has been (Nocedal 1980, L-BFGS). With them a direction G becomes the step H G, for the inverse curvature H that the
 * pairs imply.
 *
 * @param direction of the last round; empty before the first
 * @param step the last step, which starts from where that direction was found
 * @param steps s_i, the oldest first
 * @param changes y_i
 */
record CurvatureMemory(double[] direction, double[] step, List<double[]> steps, List<double[]> changes) {
    private static final CurvatureMemory EMPTY =
            new CurvatureMemory(new double[0], new double[0], List.of(), List.of());
    private static final int MAX_PAIRS = 10;
    /** Keeps checkpoints and the server's memory small where there are very many parameters. */
    private static final int MAX_NUMBERS = 1 << 24;
    /** Pairs at nearly right angles say nothing about curvature but the changes of a rule that keeps other workers. */
    private static final double MIN_COSINE_OF_PAIR = 1e-3;
    /** Steps at nearly right angles to the direction are not taken. */
    private static final double MIN_COSINE = 1e-2;
    /** By how much steps may grow from round to round. */
    private static final double GROWTH = 10;

    /** Reads what {@link #numbers} wrote, for n parameters. */
    static CurvatureMemory read(double[] numbers, int n) {
        if (numbers.length < 2 * n || n == 0) {
            return EMPTY;
        }
        List<double[]> parts = new ArrayList<>();
        for (int from = 0; from < numbers.length; from += n) {
            parts.add(Arrays.copyOfRange(numbers, from, from + n));
        }
        int pairs = parts.size() / 2 - 1;
        return new CurvatureMemory(
                parts.get(0), parts.get(1), parts.subList(2, 2 + pairs), parts.subList(2 + pairs, 2 + 2 * pairs));
    }

    /** Returns all of it in one array. */
    double[] numbers() {
        List<double[]> parts = new ArrayList<>(List.of(direction, step));
        parts.addAll(steps);
        parts.addAll(changes);
        return parts.stream().flatMapToDouble(Arrays::stream).toArray();
    }

    boolean isEmpty() {
        return direction.length == 0;
    }

    /** Returns how the direction has changed since the last round. */
    StepSize.Change change(double[] now) {
        if (isEmpty()) {
            return StepSize.Change.NONE;
        }
        int n = now.length;
        double[] y = Vectors.add(Vectors.scaled(-1, direction), now);
        return new StepSize.Change(
                Vectors.dot(step, step, n), Vectors.dot(step, y, n), Vectors.dot(y, y, n), Vectors.dot(now, now, n));
    }

    /** Returns this memory with the pair of the last step, if that shows curvature. */
    CurvatureMemory withPair(double[] now) {
        StepSize.Change change = change(now);
        int room = Math.min(MAX_PAIRS, MAX_NUMBERS / (2 * now.length));
        if (isEmpty()
                || room == 0
                || !(change.along() > MIN_COSINE_OF_PAIR * Math.sqrt(change.moved()) * Math.sqrt(change.squared()))) {
            return this;
        }
        List<double[]> longer = new ArrayList<>(steps);
        longer.add(step);
        List<double[]> more = new ArrayList<>(changes);
        more.add(Vectors.add(Vectors.scaled(-1, direction), now));
        int from = Math.max(0, longer.size() - room);
        return new CurvatureMemory(
                direction, step, longer.subList(from, longer.size()), more.subList(from, more.size()));
    }

    /** Returns this memory without its pairs. */
    CurvatureMemory withoutPairs() {
        return new CurvatureMemory(direction, step, List.of(), List.of());
    }

    /** Returns this memory after a round. */
    CurvatureMemory after(double[] now, double[] taken) {
        return new CurvatureMemory(now, taken, steps, changes);
    }

    /**
     * Returns H G, or eta G if the pairs make nothing useful of it. It is at most ten times as long as the last step and at
     * least as long as lowest G.
     *
     * @param now G
     * @param eta the length to use without pairs
     * @param lowest the length of the shortest step
     */
    double[] turned(double[] now, double eta, double lowest) {
        int n = now.length;
        double[] out = steps.isEmpty() ? Vectors.scaled(eta, now) : timesInverse(now);
        double length = Vectors.norm(out);
        double norm = Vectors.norm(now);
        if (!(Vectors.dot(out, now, n) >= MIN_COSINE * length * norm) || length < lowest * norm) {
            return Vectors.scaled(eta, now);
        }
        double most = GROWTH * Vectors.norm(step);
        return !steps.isEmpty() && length > most ? Vectors.scaled(Math.max(most, lowest * norm) / length, out) : out;
    }

    /** The two loops of L-BFGS. */
    private double[] timesInverse(double[] now) {
        int n = now.length;
        double[] q = now.clone();
        double[] along = new double[steps.size()];
        double[] factors = new double[along.length];
        for (int i = along.length - 1; i >= 0; i--) {
            along[i] = Vectors.dot(steps.get(i), changes.get(i), n);
            factors[i] = Vectors.dot(steps.get(i), q, n) / along[i];
            Vectors.addScaled(q, -factors[i], changes.get(i), n);
        }
        double[] last = changes.get(along.length - 1);
        q = Vectors.scaled(along[along.length - 1] / Vectors.dot(last, last, n), q);
        for (int i = 0; i < along.length; i++) {
            double back = Vectors.dot(changes.get(i), q, n) / along[i];
            Vectors.addScaled(q, factors[i] - back, steps.get(i), n);
        }
        return q;
    }
}
