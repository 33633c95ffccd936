package holdfast.aggregate;

import holdfast.Check;
import holdfast.math.SymmetricEigen;
import holdfast.math.Vectors;
import holdfast.theory.Proof;
import holdfast.theory.Robustness;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Smallest maximum eigenvalue averaging (Allouah, Guerraoui, Gupta, Pinot, Stephan 2023): the mean of the n - f updates
 * whose covariance has the smallest top eigenvalue, found exactly.
 *
 * <p>Its kappa is 4f/(m-2f). The chosen set and H share at least m - 2f updates. In each of the two sets the mean of the
 * shared ones is within sqrt(f/(m-2f)) times the set's own largest deviation of the set's mean (see {@link Robustness}),
 * and the chosen set's deviation is at most that of H, which is at most r. Allouah et al. have 4f (m-f)/(m-2f)^2.
 *
 * <p>Uses branch and bound: the scatter matrix sum (g_i - mean)(g_i - mean)^T only grows when updates join, so the top
 * eigenvalue for a part of a set bounds that of the whole set from below. The search starts from the best of the n sets
 * {an update and its nearest}. It does not look for sets that are better by less than one part in 10^12. The rule
 * refuses if more than {@value #LIMIT} sets are possible.
 */
public record Smea(int tolerated) implements Aggregator {
    static final int LIMIT = 1_000_000;

    public Smea {
        Aggregator.checkTolerated("smea", tolerated);
    }

    @Override
    public Aggregate aggregate(Round round) {
        int n = round.updates().size();
        Search search = new Search(round, n - lies(round));
        List<WorkerUpdate> kept =
                Arrays.stream(search.best()).mapToObj(round.updates()::get).toList();
        int[] ids = kept.stream().mapToInt(WorkerUpdate::worker).toArray();
        return new Aggregate(
                Mean.of(kept, round.threads()),
                ids,
                Carry.NONE,
                ids.length == n
                        ? "all kept"
                        : String.format(
                                Locale.ROOT,
                                "left out %s: deviation %.4g, %.4g of all",
                                Arrays.toString(round.sendersBut(ids)),
                                search.deviation(search.set),
                                search.deviation(IntStream.range(0, n).toArray())));
    }

    @Override
    public int minWorkers() {
        return 2 * tolerated + 1;
    }

    @Override
    public Robustness robustness(int workers) {
        return Robustness.ofKappa(4.0 * tolerated / (workers - 2 * tolerated), "4f/(m-2f)", "aggregate.Smea");
    }

    @Override
    public Optional<Proof> proof(int workers) {
        return Optional.of(Proof.below(0.5, tolerated, workers, "Allouah et al. 2023"));
    }

    @Override
    public void requireServes(int workers) {
        Aggregator.super.requireServes(workers);
        BigInteger sets = BigInteger.ONE;
        for (int i = 1; i <= tolerated; i++) {
            sets = sets.multiply(BigInteger.valueOf(workers - tolerated + i)).divide(BigInteger.valueOf(i));
        }
        Check.that(
                sets.compareTo(BigInteger.valueOf(LIMIT)) <= 0,
                "smea searches at most %d sets of updates, but %d of %d can be chosen in %s ways",
                LIMIT,
                workers - tolerated,
                workers,
                sets.bitLength() < 63 ? sets : "about 2^" + sets.bitLength());
    }

    private static final class Search {
        private static final double WORTHWHILE = 1 - 1e-12;

        /** How many times a vector is multiplied by the matrix, which turns it towards the top eigenvector. */
        private static final int TURNS = 20;

        /**
         * Distances of all pairs. They give the scatter of any set without the cancellation that a far update would
         * cause.
         */
        private final double[][] distances;

        private final double unit;
        private final int size;
        private int[] set = {};

        /** The square root of the top eigenvalue of the best set's scatter matrix. */
        private double least = Double.POSITIVE_INFINITY;

        Search(Round round, int size) {
            this.size = size;
            Distances all = Distances.among(round);
            unit = all.unit();
            distances = all.matrix();
        }

        /** Returns the indices of the best set, ascending. */
        int[] best() {
            int n = distances.length;
            double[] reach = new double[n];
            for (int i = 0; i < n; i++) {
                double[] row = distances[i];
                int[] nearest = by(Comparator.comparingDouble(j -> row[j]));
                reach[i] = row[nearest[size - 1]];
                offer(Arrays.copyOf(nearest, size));
            }
            // Starts with the farthest updates: a set that contains one of them soon turns out hopeless.
            extend(new int[0], by(Comparator.comparingDouble(i -> -reach[i])));
            Arrays.sort(set);
            return set;
        }

        private int[] by(Comparator<Integer> order) {
            return IntStream.range(0, distances.length)
                    .boxed()
                    .sorted(order)
                    .mapToInt(i -> i)
                    .toArray();
        }

        /** Tries all sets that contain these and some of the others and can be better than the best. */
        private void extend(int[] some, int[] others) {
            if (some.length + others.length == size) {
                int[] all = Arrays.copyOf(some, size);
                System.arraycopy(others, 0, all, some.length, others.length);
                offer(all);
            } else if (some.length == size) {
                offer(some);
            } else if (some.length == 0 || !hopeless(some)) {
                int[] rest = Arrays.copyOfRange(others, 1, others.length);
                extend(some, rest);
                int[] more = Arrays.copyOf(some, some.length + 1);
                more[some.length] = others[0];
                extend(more, rest);
            }
        }

        private void offer(int[] candidate) {
            if (!hopeless(candidate)) {
                double root = root(candidate);
                if (root < least * WORTHWHILE) {
                    least = root;
                    set = candidate;
                }
            }
        }

        /** Returns the square root of the top eigenvalue of the covariance, for messages. */
        double deviation(int[] members) {
            return root(members) / Math.sqrt(members.length) * unit;
        }

        /** Returns the square root of the top eigenvalue of the scatter matrix. */
        private double root(int[] members) {
            Spread.Centred scatter = scatter(members);
            return scatter.root(SymmetricEigen.of(scatter.gram()).values()[0]);
        }

        /**
         * Whether no set with these members can be better than the best. Compares a Rayleigh quotient, which is much
         * cheaper than an eigenvalue and never above the top one.
         */
        private boolean hopeless(int[] members) {
            Spread.Centred scatter = scatter(members);
            double[][] gram = scatter.gram();
            int n = gram.length;
            int longest = 0;
            for (int i = 1; i < n; i++) {
                longest = gram[i][i] > gram[longest][longest] ? i : longest;
            }
            double[] x = gram[longest];
            double root = 0;
            for (int turn = 0; turn < TURNS && root < least * WORTHWHILE; turn++) {
                double[] next = new double[n];
                for (int i = 0; i < n; i++) {
                    next[i] = Vectors.dot(gram[i], x, n);
                }
                double squares = Vectors.dot(x, x, n);
                root = squares > 0 ? scatter.root(Vectors.dot(x, next, n) / squares) : 0;
                x = next;
            }
            return root >= least * WORTHWHILE;
        }

        private Spread.Centred scatter(int[] members) {
            double[] shares = new double[members.length];
            Arrays.fill(shares, 1.0 / members.length);
            return Spread.Centred.of(distances, members, shares);
        }
    }
}
