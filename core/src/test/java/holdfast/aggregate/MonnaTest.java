package holdfast.aggregate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.InputException;
import holdfast.Randomness;
import holdfast.Seed;
import holdfast.testkit.AggregatorContract;
import holdfast.testkit.Laws;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class MonnaTest extends AggregatorContract {
    @Override
    protected Aggregator rule(int budget, Randomness random) {
        return new Monna(budget, pivot());
    }

    @Override
    protected int pivot() {
        return 2;
    }

    @Override
    protected Aggregator relabelled(Aggregator rule, int[] newId) {
        return new Monna(rule.tolerated(), newId[pivot()]);
    }

    @Override
    protected boolean translates() {
        return true;
    }

    /** The pivot is honest, the others are as near to it as the honest. */
    @Override
    protected double growth(int workers, int length) {
        return 3;
    }

    @Test
    void leavesOutTheFarthestFromThePivot() {
        Laws.check(100, seed -> {
            Randomness random = seed.random();
            double[] x = random.gaussians(9);
            int pivot = random.nextInt(9);
            int[] kept = new Monna(4, pivot)
                    .aggregate(Round.of(
                            Arrays.stream(x).mapToObj(v -> new double[] {v}).toArray(double[][]::new)))
                    .kept();
            double radius = Arrays.stream(kept)
                    .mapToDouble(i -> Math.abs(x[i] - x[pivot]))
                    .max()
                    .orElseThrow();
            assertThat(kept).hasSize(5).contains(pivot);
            assertThat(Arrays.stream(x).filter(v -> Math.abs(v - x[pivot]) <= radius))
                    .hasSize(5);
        });
    }

    @Test
    void theLowestIdStandsInForAPivotThatSentNothing() {
        List<WorkerUpdate> votes = List.of(
                new WorkerUpdate(1, new double[] {1}),
                new WorkerUpdate(2, new double[] {3}),
                new WorkerUpdate(3, new double[] {-8}),
                new WorkerUpdate(4, new double[] {0}));
        Round round = new Round(0, 5, votes, new double[1], Seed.of(0), Carry.NONE, null);
        Aggregate made = new Monna(2, 0).aggregate(round);
        assertThat(made.kept()).containsExactly(1, 2, 4);
        assertThat(made.explanation()).isEqualTo("left out [3]: within 2.000 of worker 1, for 0 sent nothing");
    }

    @Test
    void aPivotThatIsNoWorkerIsRefused() {
        assertThatThrownBy(() -> new Monna(1, 3).aggregate(Round.of(new double[1], new double[1], new double[1])))
                .isInstanceOf(InputException.class)
                .hasMessage("tolerated = 1 needs at least 4 workers, got 3");
        assertThatThrownBy(() -> new Monna(1, -1))
                .isInstanceOf(InputException.class)
                .hasMessage("monna: pivot must be a worker's id, 0 to 100000000, got -1");
    }

    @Test
    void thePivotMustBeOneOfTheWorkers() {
        assertThat(new Monna(0, 5).minWorkers()).isEqualTo(6);
        assertThat(new Monna(4, 5).minWorkers()).isEqualTo(9);
    }
}
