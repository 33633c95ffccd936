package holdfast.aggregate;

import holdfast.Check;
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

    @Override
    public int votesFor(int updates) {
        return (int) Math.min(Integer.MAX_VALUE, (updates - 1L) * size + 1);
    }
}
