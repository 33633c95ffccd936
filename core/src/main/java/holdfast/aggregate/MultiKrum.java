package holdfast.aggregate;

import holdfast.theory.Proof;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Multi-Krum (Blanchard, El Mhamdi, Guerraoui, Stainer 2017): the mean of the updates with the lowest {@link Krum}
 * scores. The paper leaves their number open; here it is n - f, the number that is surely honest, as in ByzFL.
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
    public Optional<Proof> proof(int workers) {
        return neighbours.proof(tolerated, workers);
    }
}
