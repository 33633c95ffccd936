package holdfast.aggregate;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.Randomness;
import holdfast.Seed;
import holdfast.testkit.AggregatorContract;
import java.util.List;
import org.junit.jupiter.api.Test;

class NearestNeighbourMixingTest extends AggregatorContract {
    @Override
    protected Aggregator rule(int budget, Randomness random) {
        return new PreAggregated(new NearestNeighbourMixing(), new TrimmedMean(budget));
    }

    @Override
    protected boolean translates() {
        return true;
    }

    /** An honest mixture is at most three times as long as the honest updates. */
    @Override
    protected double growth(int workers, int length) {
        return 3 * Math.sqrt(Math.min(workers, length));
    }

    @Test
    void aHugeLiarDoesNotBlurTheOthersDistances() {
        double[][] x = {{1, 0}, {1.5, 0}, {2.25, 0}, {Double.MAX_VALUE, -Double.MAX_VALUE}};
        List<PreAggregator.Mixed> mixed = new NearestNeighbourMixing().mix(Round.of(x), 2);
        assertThat(mixed.get(0).members()).containsExactly(0, 1);
        assertThat(mixed.get(1).members()).containsExactly(0, 1);
        assertThat(mixed.get(2).members()).containsExactly(1, 2);
        assertThat(mixed.get(2).update().vector()).containsExactly(1.875, 0);
    }

    @Test
    void aMixtureStandsForItsWorkerAndKeepsItsMembers() {
        List<WorkerUpdate> votes = List.of(
                new WorkerUpdate(1, new double[] {0}),
                new WorkerUpdate(2, new double[] {1}),
                new WorkerUpdate(3, new double[] {50}),
                new WorkerUpdate(4, new double[] {3}),
                new WorkerUpdate(5, new double[] {7}));
        Round round = new Round(0, 6, votes, new double[1], Seed.of(0), Carry.NONE, null);
        Aggregate made = Aggregators.create("nnm + krum", 1).aggregate(round);
        assertThat(made.explanation()).startsWith("worker 1,");
        made = Aggregators.create("nnm + monna(f=2, pivot=4)", 0).aggregate(round);
        assertThat(made.explanation()).contains("of worker 4;");
        assertThat(made.kept()).containsExactly(1, 2, 4, 5);
        assertThat(made.direction()).containsExactly((0 + 1 + 3 + 7) / 4.0);
    }
}
