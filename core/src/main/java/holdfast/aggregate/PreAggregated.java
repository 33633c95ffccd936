package holdfast.aggregate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** A rule that sees updates only after a pre-aggregator changed them; kept are the members of the mixtures it keeps. */
public record PreAggregated(PreAggregator pre, Aggregator rule) implements Aggregator {
    @Override
    public Aggregate aggregate(Round round) {
        int lies = lies(round);
        List<PreAggregator.Mixed> mixed = pre.mix(round, lies);
        List<Vote> votes = new ArrayList<>();
        for (PreAggregator.Mixed m : mixed) {
            votes.add(new Vote(votes.size(), m.vector()));
        }
        int missing = round.workers() - round.votes().size();
        Aggregate made = rule.aggregate(new Round(
                round.number(),
                votes.size() + missing,
                votes,
                round.theta(),
                round.seed(),
                round.carry(),
                round.trusted()));
        int[] kept = Arrays.stream(made.kept())
                .flatMap(k -> IntStream.of(mixed.get(k).members()))
                .distinct()
                .map(i -> round.votes().get(i).worker())
                .sorted()
                .toArray();
        return new Aggregate(made.direction(), kept, made.carry(), made.explanation());
    }

    @Override
    public int budget() {
        return rule.budget();
    }

    @Override
    public int leastWorkers() {
        int workers = rule.budget() + 1;
        while (pre.count(workers) < rule.leastWorkers()) {
            workers++;
        }
        return workers;
    }
}
