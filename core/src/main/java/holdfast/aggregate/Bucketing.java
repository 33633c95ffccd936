package holdfast.aggregate;

import holdfast.Check;
import holdfast.theory.Robustness;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Bucketing (Karimireddy, He, Jaggi 2022): shuffles the updates with the round's seed and cuts them into buckets of
 * {@code size}; the last may be smaller. The rule sees the mean of each bucket. Honest means differ less than honest
 * updates, but each liar spoils a bucket. Buckets are numbered 0, 1, ... by their lowest member, so bucket 0 holds the
 * lowest worker id.
 *
 * <p>Of M buckets at least M - f are without a liar, whatever the shuffle. Their mean gives each honest update at most the
 * weight w/h, h = m - f, w = h/((M-f) b), b the size of the smallest bucket. If a^2 is the spread of these buckets' means
 * and d the distance of their mean from g, then r^2 &gt;= (a^2 + d^2 w/(w-1))/w as in {@link Robustness}, so kappa becomes
 * at most w (1 + kappa) - 1. Another bound stays, because the mean of honest updates is as near to S as they are.
 */
public record Bucketing(int size) implements PreAggregator {
    public Bucketing {
        Check.that(size >= 1, "bucketing: size must be >= 1, got %d", size);
    }

    @Override
    public List<Mixed> mix(Round round, int lies) {
        List<WorkerUpdate> updates = round.updates();
        int[] order = IntStream.range(0, updates.size()).toArray();
        round.seed().child("bucketing").random().shuffle(order);
        List<List<WorkerUpdate>> buckets = IntStream.rangeClosed(0, (updates.size() - 1) / size)
                .mapToObj(b -> Arrays.stream(order, b * size, Math.min(updates.size(), (b + 1) * size))
                        .sorted()
                        .mapToObj(updates::get)
                        .toList())
                .sorted(Comparator.comparingInt(bucket -> bucket.get(0).worker()))
                .toList();
        List<Mixed> mixed = new ArrayList<>();
        for (List<WorkerUpdate> bucket : buckets) {
            mixed.add(new Mixed(
                    new WorkerUpdate(mixed.size(), Mean.of(bucket, round.threads())),
                    bucket.stream().mapToInt(WorkerUpdate::worker).toArray()));
        }
        return mixed;
    }

    /** The worst over the number of updates that are missing, because the smallest bucket depends on it. */
    @Override
    public Robustness robustness(Aggregator rule, int workers) {
        int f = rule.tolerated();
        return IntStream.rangeClosed(0, Math.min(f, workers - 1))
                .mapToObj(missing -> {
                    int sent = workers - missing;
                    int buckets = (sent - 1) / size + 1 + missing;
                    double weight = (workers - f) / ((buckets - f) * ((sent - 1.0) % size + 1));
                    return rule.robustness(buckets)
                            .after(
                                    kappa -> weight * (1 + kappa) - 1,
                                    bound -> bound,
                                    "(1 + kappa of the rule) (m-f)/((M-f) b) - 1 with M buckets, the smallest of b;"
                                            + " without kappa, its bound",
                                    "aggregate.Bucketing");
                })
                .reduce(Robustness::or)
                .orElseThrow();
    }

    @Override
    public int votesFor(int updates) {
        return (int) Math.min(Integer.MAX_VALUE, (updates - 1L) * size + 1);
    }
}
