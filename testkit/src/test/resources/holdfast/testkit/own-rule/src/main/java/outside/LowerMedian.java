package outside;

import holdfast.aggregate.Aggregate;
import holdfast.aggregate.Aggregator;
import holdfast.aggregate.Carry;
import holdfast.aggregate.Round;
import java.util.Arrays;

/** The lower median of every coordinate. */
public record LowerMedian(int tolerated) implements Aggregator {
    @Override
    public Aggregate aggregate(Round round) {
        lies(round);
        double[] direction = new double[round.theta().length];
        for (int k = 0; k < direction.length; k++) {
            int coordinate = k;
            double[] values = round.updates().stream()
                    .mapToDouble(update -> update.vector()[coordinate])
                    .toArray();
            Arrays.sort(values);
            direction[k] = values[(values.length - 1) / 2];
        }
        return new Aggregate(direction, round.senders(), Carry.NONE, "the lower median of every coordinate");
    }

    @Override
    public int minWorkers() {
        return 2 * tolerated + 1;
    }
}
