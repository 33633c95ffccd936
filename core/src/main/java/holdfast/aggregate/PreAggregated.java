package holdfast.aggregate;

import holdfast.theory.Proof;
import holdfast.theory.Robustness;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A rule that sees updates only after a pre-aggregator changed them. It keeps the members of the mixtures that the
 * inner rule keeps.
 */
public record PreAggregated(PreAggregator pre, Aggregator rule) implements Aggregator {
    @Override
    public Aggregate aggregate(Round round) {
        List<PreAggregator.Mixed> mixed = pre.mix(round, lies(round));
        int missing = round.workers() - round.updates().size();
        Aggregate made = rule.aggregate(new Round(
                round.number(),
                mixed.size() + missing,
                mixed.stream().map(PreAggregator.Mixed::update).toList(),
                round.theta(),
                round.seed(),
                round.carry(),
                round.trusted(),
                round.threads()));
        return new Aggregate(
                made.direction(),
                PreAggregator.Mixed.members(mixed, made.kept()),
                made.carry(),
                made.explanation() + "; " + change(round, mixed));
    }

    /** Describes what the pre-aggregator did. */
    private static String change(Round round, List<PreAggregator.Mixed> mixed) {
        int n = round.updates().size();
        if (mixed.size() != n) {
            return "before, " + n + " updates became " + mixed.size();
        }
        int[] changed = IntStream.range(0, n)
                .filter(i -> !Arrays.equals(
                        round.updates().get(i).vector(), mixed.get(i).update().vector()))
                .map(i -> round.updates().get(i).worker())
                .toArray();
        return "before, "
                + (changed.length == 0
                        ? "no update was changed"
                        : changed.length == n ? "all updates were changed" : "changed " + Arrays.toString(changed));
    }

    @Override
    public int tolerated() {
        return rule.tolerated();
    }

    @Override
    public boolean needsTrusted() {
        return rule.needsTrusted();
    }

    @Override
    public int minWorkers() {
        return pre.votesFor(rule.minWorkers());
    }

    @Override
    public Robustness robustness(int workers) {
        return pre.robustness(rule, workers);
    }

    @Override
    public Optional<Proof> proof(int workers) {
        Robustness robustness = robustness(workers);
        return robustness
                .errorBound()
                .map(bound -> Proof.of(
                        bound.influence() < 1,
                        String.format(
                                Locale.ROOT,
                                "%d of %d liars have an influence of %.3g, which is below 1",
                                tolerated(),
                                workers,
                                bound.influence()),
                        robustness.source()));
    }
}
