package outside;

import holdfast.Randomness;
import holdfast.aggregate.Aggregator;
import holdfast.testkit.AggregatorContract;

class LowerMedianTest extends AggregatorContract {
    @Override
    protected Aggregator rule(int tolerated, Randomness random) {
        return new LowerMedian(tolerated);
    }

    @Override
    protected boolean translates() {
        return true;
    }

    /** Every coordinate lies between two honest ones, but they need not be of the same worker. */
    @Override
    protected double growth(int workers, int length) {
        return Math.sqrt(Math.min(workers, length));
    }
}
