package holdfast.aggregate;

import holdfast.theory.Proof;
import holdfast.theory.Robustness;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Multi-Krum (Blanchard, El Mhamdi, Guerraoui, Stainer 2017): the mean of the updates with the lowest {@link Krum}
 * scores. The paper leaves their number open; here it is n - f, the number that is surely honest, as in ByzFL.
 *
 * <p>Its kappa, with h = m - f and a as in {@link Krum}, is f/h (1 + sqrt(m/a) + sqrt(f (h-a)/(a h)))^2. Each of p &lt;= f
 * chosen lies y takes the place of an honest x_i with no lower score, so s(y)^2 &lt;= s(i)^2 &lt;= h (r^2 + ||x_i -
 * g||^2), and as for Krum ||y - g|| &lt;= s(y)/sqrt(a) + sqrt((h-a)/a) r. Now h ||G - g|| is at most the sum of ||y - g|| +
 * ||x_i - g|| over the p pairs, and the squares of ||x_i - g|| sum to at most h r^2.
 */
public record MultiKrum(int tolerated, Krum.Neighbours neighbours) implements Aggregator {
    public MultiKrum {
        Aggregator.checkTolerated("multi-krum", tolerated);
    }

    @Override
    public Aggregate aggregate(Round round) {
        int lies = lies(round);
        List<Krum.Ranked> ranking = Krum.ranking(round, lies, neighbours);
        int keep = ranking.size() - lies;
        return Aggregate.meanOf(
                round,
                ranking.subList(0, keep).stream()
                        .mapToInt(Krum.Ranked::index)
                        .sorted()
                        .toArray(),
                String.format(
                        Locale.ROOT,
                        "scores %.4g to %.4g, highest %.4g",
                        ranking.get(0).score(),
                        ranking.get(keep - 1).score(),
                        ranking.get(ranking.size() - 1).score()));
    }

    @Override
    public int minWorkers() {
        return 2 * tolerated + 3;
    }

    @Override
    public Robustness robustness(int workers) {
        double f = tolerated;
        double h = workers - f;
        double a = neighbours.honest(workers, tolerated);
        double root = 1 + Math.sqrt(workers / a) + Math.sqrt(f * (h - a) / (a * h));
        return Robustness.ofKappa(
                f / h * root * root,
                "f/(m-f) (1 + sqrt(m/a) + sqrt(f (m-f-a)/(a (m-f))))^2, " + neighbours.honest(),
                "aggregate.MultiKrum");
    }

    @Override
    public Optional<Proof> proof(int workers) {
        return neighbours.proof(tolerated, workers);
    }
}
