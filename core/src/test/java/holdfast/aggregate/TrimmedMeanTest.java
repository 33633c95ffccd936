package holdfast.aggregate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import holdfast.Randomness;
import holdfast.Seed;
import holdfast.testkit.AggregatorContract;
import holdfast.testkit.Laws;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TrimmedMeanTest extends AggregatorContract {
    @Override
    protected Aggregator rule(int budget, Randomness random) {
        return new TrimmedMean(budget);
    }

    @Override
    protected boolean translates() {
        return true;
    }

    /** Every coordinate lies between honest values. */
    @Override
    protected double growth(int workers, int length) {
        return Math.sqrt(Math.min(workers, length));
    }

    @Test
    void isTheMeanOfTheValuesThatHaveEnoughOthersOnEitherSide() {
        Laws.check(200, seed -> {
            Randomness random = seed.random();
            int f = random.nextInt(4);
            double[] x = random.gaussians(2 * f + 1 + random.nextInt(5));
            double sum = 0;
            double[][] updates = new double[x.length][];
            for (int i = 0; i < x.length; i++) {
                updates[i] = new double[] {x[i]};
                int rank = 0;
                for (double other : x) {
                    rank += other < x[i] ? 1 : 0;
                }
                sum += rank >= f && rank < x.length - f ? x[i] : 0;
            }
            assertThat(new TrimmedMean(f).aggregate(Round.of(updates)).direction()[0])
                    .isCloseTo(sum / (x.length - 2 * f), within(1e-12));
        });
    }

    @Test
    void aMissingUpdateIsOneLieLess() {
        List<WorkerUpdate> votes = new ArrayList<>();
        for (int w = 1; w < 7; w++) {
            votes.add(new WorkerUpdate(w, new double[] {w * w}));
        }
        Round round = new Round(0, 7, votes, new double[1], Seed.of(0), Carry.NONE, null);
        Aggregate made = new TrimmedMean(2).aggregate(round);
        assertThat(made.direction()).containsExactly((4 + 9 + 16 + 25) / 4.0);
        assertThat(made.kept()).containsExactly(1, 2, 3, 4, 5, 6);
        assertThat(made.explanation()).isEqualTo("lowest and highest 1 of 6 values left out in every coordinate");
    }

    /** Their sum is not a double, their mean is. */
    @Test
    void theMeanOfValuesNearTheLargestDoubleIsTheirMean() {
        double[][] x = {{1e308}, {1.5e308}, {1.7e308}, {-1}, {Double.MAX_VALUE}};
        assertThat(new TrimmedMean(1).aggregate(Round.of(x)).direction()[0]).isCloseTo(1.4e308, within(1e295));
    }
}
