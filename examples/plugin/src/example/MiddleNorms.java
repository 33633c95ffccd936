package example;

import holdfast.aggregate.Aggregate;
import holdfast.aggregate.Aggregator;
import holdfast.aggregate.Carry;
import holdfast.aggregate.Round;
import holdfast.aggregate.WorkerUpdate;
import holdfast.math.Vectors;
import java.util.Comparator;
import java.util.List;

/**
 * An example of your own rule: drops the f longest and the f shortest updates and averages the rest. Among equal norms
 * the higher worker id counts as longer.
 */
public record MiddleNorms(int tolerated) implements Aggregator {
    public MiddleNorms {
        Aggregator.checkTolerated("middle-norms", tolerated);
    }

    @Override
    public Aggregate aggregate(Round round) {
        int lies = lies(round);
        List<WorkerUpdate> middle = round.updates().stream()
                .sorted(Comparator.<WorkerUpdate>comparingDouble(u -> Vectors.norm(u.vector()))
                        .thenComparingInt(WorkerUpdate::worker))
                .toList()
                .subList(lies, round.updates().size() - lies)
                .stream()
                .sorted(Comparator.comparingInt(WorkerUpdate::worker))
                .toList();
        double[] direction = new double[middle.get(0).vector().length];
        for (WorkerUpdate update : middle) {
            Vectors.addScaled(direction, 1.0 / middle.size(), update.vector(), direction.length);
        }
        return new Aggregate(
                direction,
                middle.stream().mapToInt(WorkerUpdate::worker).toArray(),
                Carry.NONE,
                "kept the " + middle.size() + " updates of middle length");
    }

    @Override
    public int minWorkers() {
        return 2 * tolerated + 1;
    }
}
