package holdfast.testkit;

import holdfast.Check;
import holdfast.Randomness;
import holdfast.Seed;
import holdfast.Spec;
import holdfast.aggregate.Aggregator;
import holdfast.aggregate.Carry;
import holdfast.aggregate.Round;
import holdfast.aggregate.WorkerUpdate;
import holdfast.attack.AttackContext;
import holdfast.attack.Attacks;
import holdfast.attack.UpdateAttack;
import holdfast.math.Vectors;
import holdfast.theory.ErrorBound;
import holdfast.theory.Robustness;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Searches for updates with which liars move a rule's direction farther than a {@link Robustness} allows.
 *
 * <p>Every climb starts from honest updates of one shape (a normal cloud, two clusters, heavy tails, one that stands out,
 * all equal) in one to three dimensions, and from lies that an attack of the catalogue forges. Then it changes one update
 * at a time, honest or not, lets workers fall silent, and keeps what brings the error nearer to the bound. Each step counts
 * every set of m - f workers as the honest ones; a bound for every S moves S too.
 */
public final class BoundSearch {
    private static final List<String> ATTACKS =
            List.of("none", "strongest", "below-cut", "alie(tau=3)", "fang", "mimic", "sign-flip", "huge(size=1e4)");

    /** For rounding, which rules that square lengths amplify, and for the 1e-6 that a geometric median does not resolve. */
    private static final double SLACK = 1e-5;

    private static final double MAX_LENGTH = 1e6;

    /** The number of sets of honest workers to try; if there are more, they are tried at equal intervals. */
    private static final int MAX_SETS = 60;

    private final Aggregator rule;
    private final Robustness claimed;
    private final int workers;
    private final List<int[]> honestSets;

    /**
     * @param claimed kappa or another bound, to be violated
     * @param trusted a worker who is honest in every set; -1 if there is none
     */
    public BoundSearch(Aggregator rule, Robustness claimed, int workers, int trusted) {
        this.rule = rule;
        this.claimed = claimed;
        this.workers = workers;
        this.honestSets = sets(workers, workers - rule.tolerated(), trusted);
    }

    /** Returns all sets of this many workers with the trusted one among them, or many of these sets. */
    private static List<int[]> sets(int workers, int count, int trusted) {
        Check.that(workers < 20, "the search serves fewer than 20 workers, got %d", workers);
        List<int[]> all = IntStream.range(0, 1 << workers)
                .filter(bits -> Integer.bitCount(bits) == count && (trusted < 0 || (bits >> trusted & 1) == 1))
                .mapToObj(bits -> IntStream.range(0, workers)
                        .filter(w -> (bits >> w & 1) == 1)
                        .toArray())
                .toList();
        int every = (all.size() - 1) / MAX_SETS + 1;
        return IntStream.range(0, all.size())
                .filter(i -> i % every == 0)
                .mapToObj(all::get)
                .toList();
    }

    /**
     * Returns the largest error found as a share of what is claimed: ||G - g|| of sqrt(kappa) r, or ||G - S|| of the
     * error bound. Above 1, the claim is false.
     */
    public double largestRatio(Seed seed, int climbs, int steps) {
        double largest = 0;
        for (int i = 0; i < climbs; i++) {
            largest = Math.max(largest, climb(seed.child("climb", i), i, steps));
        }
        return largest;
    }

    private double climb(Seed seed, int shape, int steps) {
        Randomness random = seed.random();
        Updates best = start(seed, shape, random);
        double ratio = ratio(best);
        for (int step = 0; step < steps; step++) {
            Updates next = best.changed(random);
            double found = ratio(next);
            if (found >= ratio) {
                ratio = found;
                best = next;
            }
        }
        return ratio;
    }

    private Updates start(Seed seed, int shape, Randomness random) {
        int length = 1 + random.nextInt(3);
        double[] centre = Vectors.scaled(random.nextInt(3), random.gaussians(length));
        double[] away = random.gaussians(length);
        double[][] vectors = new double[workers][];
        for (int w = 0; w < workers; w++) {
            vectors[w] = switch (shape % 5) {
                case 0 -> random.gaussians(length);
                case 1 -> Vectors.scaled(random.nextInt(2), away);
                case 2 -> Vectors.scaled(1 / (0.01 + random.nextDouble()), random.gaussians(length));
                case 3 -> Vectors.scaled(w == workers - 1 ? 1 : 0, away);
                default -> new double[length];
            };
            Vectors.add(vectors[w], centre);
        }
        Carry carry = shape % 2 == 0
                ? Carry.NONE
                : rule.aggregate(round(vectors, Carry.NONE, length)).carry();
        int[] honest = honestSets.get(random.nextInt(honestSets.size()));
        int[] ids = IntStream.range(0, workers)
                .filter(w -> Arrays.binarySearch(honest, w) < 0)
                .toArray();
        if (ids.length > 0) {
            UpdateAttack attack =
                    (UpdateAttack) Attacks.catalogue().create(Spec.parse(ATTACKS.get(shape % ATTACKS.size())));
            List<double[]> forged = attack.forge(new AttackContext(round(vectors, carry, length), ids, rule, seed));
            IntStream.range(0, ids.length).forEach(i -> vectors[ids[i]] = forged.get(i));
        }
        return new Updates(vectors, centre, carry);
    }

    private Round round(double[][] vectors, Carry carry, int length) {
        List<WorkerUpdate> sent = IntStream.range(0, workers)
                .filter(w -> vectors[w] != null)
                .mapToObj(w -> new WorkerUpdate(w, vectors[w]))
                .toList();
        return new Round(1, workers, sent, new double[length], Seed.of(3), carry, null);
    }

    /**
     * One round.
     *
     * @param vectors by worker; null if it sends nothing
     * @param target S, for a bound that holds for every S
     */
    private record Updates(double[][] vectors, double[] target, Carry carry) {
        Updates changed(Randomness random) {
            double[][] next = vectors.clone();
            int w = random.nextInt(next.length + 1);
            double[] old = w == next.length ? target : next[w];
            double[] other = next[random.nextInt(next.length)];
            double[] from = old != null ? old : other != null ? other : target;
            double[] made = from.clone();
            double scale = Math.pow(10, 2 * random.nextDouble() * random.nextDouble() * (random.nextInt(2) * 2 - 1));
            switch (random.nextInt(5)) {
                case 0 -> Vectors.addScaled(made, scale, random.gaussians(made.length), made.length);
                case 1 -> made[random.nextInt(made.length)] += scale * random.nextGaussian();
                case 2 -> made = Vectors.scaled(scale, from);
                case 3 -> made = other == null ? made : other.clone();
                default -> Vectors.addScaled(made, 0.01 * scale, random.gaussians(made.length), made.length);
            }
            if (w == next.length) {
                return new Updates(next, made, carry);
            }
            next[w] = random.nextInt(20) == 0 ? null : made;
            return new Updates(next, target, carry);
        }

        int missing() {
            int missing = 0;
            for (double[] v : vectors) {
                missing += v == null ? 1 : 0;
            }
            return missing;
        }

        /** Whether a climb has gone where rounding decides. */
        boolean isLong() {
            double longest = Vectors.maxAbs(target, target.length);
            for (double[] v : vectors) {
                longest = v == null ? longest : Math.max(longest, Vectors.maxAbs(v, v.length));
            }
            return longest > MAX_LENGTH;
        }
    }

    private double ratio(Updates now) {
        if (now.missing() > rule.tolerated() || now.isLong()) {
            return -1;
        }
        double[] direction =
                rule.aggregate(round(now.vectors, now.carry, now.target.length)).direction();
        double largest = -1;
        for (int[] honest : honestSets) {
            double[][] sent = new double[honest.length][];
            boolean all = true;
            for (int i = 0; i < honest.length; i++) {
                sent[i] = now.vectors[honest[i]];
                all &= sent[i] != null;
            }
            if (all) {
                largest = Math.max(largest, ratio(direction, sent, now.target));
            }
        }
        return largest;
    }

    private double ratio(double[] direction, double[][] honest, double[] target) {
        double longest = 0;
        for (double[] x : honest) {
            longest = Math.max(longest, Vectors.maxAbs(x, x.length));
        }
        double slack = SLACK * (1 + longest);
        if (claimed.kappa().isEmpty()) {
            ErrorBound bound = claimed.errorBound().orElseThrow();
            return Math.sqrt(squaredDistance(direction, target)) / (bound.at(List.of(honest), target) + slack);
        }
        double[] mean = new double[direction.length];
        for (double[] x : honest) {
            for (int k = 0; k < mean.length; k++) {
                mean[k] += x[k] / honest.length;
            }
        }
        double squares = 0;
        for (double[] x : honest) {
            squares += squaredDistance(x, mean);
        }
        double allowed = Math.sqrt(claimed.kappa().getAsDouble() * squares / honest.length);
        return Math.sqrt(squaredDistance(direction, mean)) / (allowed + slack);
    }

    private static double squaredDistance(double[] a, double[] b) {
        double squares = 0;
        for (int k = 0; k < a.length; k++) {
            squares += (a[k] - b[k]) * (a[k] - b[k]);
        }
        return squares;
    }
}
