package holdfast.aggregate;

import holdfast.math.Vectors;
import holdfast.theory.Proof;
import holdfast.theory.Robustness;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Krum (Blanchard, El Mhamdi, Guerraoui, Stainer 2017): returns the one update with the lowest score, s(i)^2 = sum of
 * ||x_i - x_j||^2 over the nearest neighbours j of i. Among equal scores it takes the update nearer to all others, then
 * the lower worker id.
 *
 * <p>Its kappa is (sqrt(2h) + sqrt(h-a))^2/a, h = m - f, where at least a of the updates that a score counts are honest:
 * m - 2f, or one fewer with Blanchard's neighbours. The mean over honest i of s(i)^2 is at most 2h r^2, so the lowest
 * score is. The chosen x is thus within sqrt(2h/a) r of the mean of a honest updates, which is within sqrt((h-a)/a) r of
 * g (see {@link Robustness}). Allouah et al. (2023) have 6h/(m-2f).
 */
public record Krum(int tolerated, Neighbours neighbours) implements Aggregator {
    /** How many neighbours count; an update is not its own neighbour. */
    public enum Neighbours {
        /** n - f - 1, as in ByzFL and in Farhadkhani et al. (2022). */
        BYZFL(1),
        /** n - f - 2, as in Blanchard et al. (2017). */
        BLANCHARD(2);

        private final int fewer;

        Neighbours(int fewer) {
            this.fewer = fewer;
        }

        public static Neighbours named(String word) {
            return valueOf(word.toUpperCase(Locale.ROOT));
        }

        int of(int updates, int lies) {
            return updates - lies - fewer;
        }

        /** Returns the least number of honest updates among those that a score counts, its own included. */
        double honest(int workers, int liars) {
            return workers - 2.0 * liars + 1 - fewer;
        }

        /** The same as text. */
        String honest() {
            return "a = m-2f" + (fewer > 1 ? "-" + (fewer - 1) : "");
        }

        Optional<Proof> proof(int tolerated, int workers) {
            return Optional.of(Proof.below(0.5, tolerated, workers, "Blanchard et al. 2017: 2f + 2 < m"));
        }
    }

    public Krum {
        Aggregator.checkTolerated("krum", tolerated);
    }

    @Override
    public Aggregate aggregate(Round round) {
        List<Ranked> ranking = ranking(round, lies(round), neighbours);
        Ranked best = ranking.get(0);
        WorkerUpdate update = round.updates().get(best.index());
        return new Aggregate(
                update.vector().clone(),
                new int[] {update.worker()},
                Carry.NONE,
                String.format(
                        Locale.ROOT,
                        "worker %d, score %.4g; next best %.4g",
                        update.worker(),
                        best.score(),
                        ranking.get(1).score()));
    }

    /**
     * An update and its distance from others.
     *
     * @param index into the updates
     * @param score root of the sum of squared distances to its neighbours
     * @param spread the same sum over all updates
     */
    record Ranked(int index, double score, double spread) {}

    /** Ranks all updates, best first; scores are in the unit of the updates. */
    static List<Ranked> ranking(Round round, int lies, Neighbours neighbours) {
        int n = round.updates().size();
        Distances distances = Distances.among(round);
        return ranking(distances.matrix(), IntStream.range(0, n).toArray(), neighbours.of(n, lies)).stream()
                .map(r -> new Ranked(r.index(), r.score() * distances.unit(), r.spread() * distances.unit()))
                .toList();
    }

    /** Ranks the members by their distances to each other, best first. */
    static List<Ranked> ranking(double[][] distances, int[] members, int neighbours) {
        return Arrays.stream(members)
                .mapToObj(i -> {
                    double[] near = Arrays.stream(members)
                            .mapToDouble(j -> distances[i][j])
                            .sorted()
                            .toArray();
                    // One more, because each update is its own nearest.
                    return new Ranked(i, Vectors.norm(near, neighbours + 1), Vectors.norm(near));
                })
                .sorted(Comparator.comparingDouble(Ranked::score).thenComparingDouble(Ranked::spread))
                .toList();
    }

    @Override
    public int minWorkers() {
        return 2 * tolerated + 3;
    }

    @Override
    public Robustness robustness(int workers) {
        double h = workers - tolerated;
        double a = neighbours.honest(workers, tolerated);
        double root = Math.sqrt(2 * h) + Math.sqrt(h - a);
        return Robustness.ofKappa(
                root * root / a, "(sqrt(2(m-f)) + sqrt(m-f-a))^2/a, " + neighbours.honest(), "aggregate.Krum");
    }

    @Override
    public Optional<Proof> proof(int workers) {
        return neighbours.proof(tolerated, workers);
    }
}
