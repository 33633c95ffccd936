package holdfast.aggregate;

import holdfast.math.Kernels;
import holdfast.math.Threads;
import holdfast.math.Tree;
import holdfast.math.Vectors;
import holdfast.theory.Proof;
import holdfast.theory.Robustness;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.ObjIntConsumer;

/**
 * The plain mean, G = (1/m) sum g_i. It gives no protection: a single liar decides. The sum runs along the fixed tree
 * of worker ids.
 */
public record Mean() implements Aggregator {
    private static final ObjIntConsumer<double[]> UNHEARD = (mean, from) -> {};

    @Override
    public Aggregate aggregate(Round round) {
        lies(round);
        return new Aggregate(of(round.updates(), round.threads()), round.senders(), Carry.NONE, "all kept");
    }

    @Override
    public int tolerated() {
        return 0;
    }

    @Override
    public int minWorkers() {
        return 1;
    }

    @Override
    public Robustness robustness(int workers) {
        return Robustness.ofKappa(
                0, "0 for f = 0; none for f > 0, as one liar moves G anywhere", "Blanchard et al. 2017, Lemma 1");
    }

    @Override
    public Optional<Proof> proof(int workers) {
        return Optional.of(
                Proof.of(true, "the mean of all updates is that of the honest ones", "Blanchard et al. 2017, Lemma 1"));
    }

    /** Returns the mean, which is finite whenever the vectors are. */
    public static double[] of(List<WorkerUpdate> updates) {
        return of(updates, Threads.ONE);
    }

    public static double[] of(List<WorkerUpdate> updates, Threads threads) {
        return ofEach(List.of(updates), threads)[0];
    }

    /** Returns the mean of each of several sets of updates, all of one size. */
    static double[][] ofEach(List<List<WorkerUpdate>> sets, Threads threads) {
        int size = sets.get(0).size();
        double[] ones = new double[size];
        Arrays.fill(ones, 1);
        return of(sets, ones, size, threads, UNHEARD);
    }

    /**
     * Returns sum w_i g_i / sum w_i, which is finite whenever the vectors are: near the largest double the terms are
     * scaled by a power of two.
     *
     * @param weights one per update, from 0 to 1, not all 0
     */
    static double[] of(List<WorkerUpdate> updates, double[] weights, Threads threads) {
        return of(updates, weights, threads, UNHEARD);
    }

    /**
     * Does the same and passes each piece of {@link Tree#PIECE} coordinates to {@code made} as soon as it is computed,
     * with the index of its first coordinate. If a piece overflowed, {@code made} gets the overflowed values and not
     * the mean.
     */
    static double[] of(List<WorkerUpdate> updates, double[] weights, Threads threads, ObjIntConsumer<double[]> made) {
        return of(List.of(updates), weights, Vectors.sum(weights, weights.length), threads, made)[0];
    }

    /**
     * Returns (1/divisor) sum w_i g_i, which is finite whenever the updates are; w_i from 0 to 1, divisor at least 1.
     */
    static double[] divided(List<WorkerUpdate> updates, double[] factors, double divisor, Threads threads) {
        return of(List.of(updates), factors, divisor, threads, UNHEARD)[0];
    }

    private static double[][] of(
            List<List<WorkerUpdate>> sets,
            double[] weights,
            double total,
            Threads threads,
            ObjIntConsumer<double[]> made) {
        double[][] means = of(sets, weights, total, 0, threads, made);
        threads.each(means.length, s -> {
            if (!Vectors.finite(means[s])) {
                int exponent = 32 - Integer.numberOfLeadingZeros(weights.length);
                // Rounding can overflow even where the mean itself does not.
                means[s] = Vectors.clamped(of(List.of(sets.get(s)), weights, total, exponent, Threads.ONE, UNHEARD)[0]);
            }
        });
        return means;
    }

    private static double[][] of(
            List<List<WorkerUpdate>> sets,
            double[] weights,
            double total,
            int exponent,
            Threads threads,
            ObjIntConsumer<double[]> made) {
        double up = Math.scalb(1.0, exponent);
        double[][][] vectors = sets.stream().map(WorkerUpdate::vectors).toArray(double[][][]::new);
        double[][] means = new double[vectors.length][];
        threads.each(means.length, s -> means[s] = new double[vectors[0][0].length]);
        Tree.sum(
                means,
                weights.length,
                threads,
                new Weighted(vectors, Vectors.scaled(1 / up, weights), total, up, made));
        return means;
    }

    private record Weighted(
            double[][][] vectors, double[] weights, double total, double up, ObjIntConsumer<double[]> made)
            implements Tree.Terms {
        @Override
        public void put(double[] piece, double[] mean, int from) {
            for (int k = 0; k < piece.length; k++) {
                mean[from + k] = piece[k] / total * up;
            }
            made.accept(mean, from);
        }

        @Override
        public void write(int set, int i, int from, double[] out) {
            Vectors.scale(weights[i], vectors[set][i], from, out);
        }

        @Override
        public boolean writeEight(int set, int i, int from, double[] out) {
            Kernels.CHOSEN.sumEight(vectors[set], i, weights, from, out);
            return true;
        }
    }
}
