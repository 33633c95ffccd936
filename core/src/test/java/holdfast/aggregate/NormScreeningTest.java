package holdfast.aggregate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.InputException;
import holdfast.Randomness;
import holdfast.Seed;
import holdfast.math.Vectors;
import holdfast.testkit.AggregatorContract;
import holdfast.testkit.Laws;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class NormScreeningTest extends AggregatorContract {
    @Override
    protected Aggregator rule(int budget, Randomness random) {
        return new NormScreening(budget);
    }

    @Override
    protected boolean translates() {
        return false;
    }

    @Test
    void keepsTheShortestWhateverTheOrderOfWorkers() {
        Laws.check(200, seed -> {
            Randomness random = seed.random();
            int m = 2 + random.nextInt(20);
            int screened = random.nextInt(m);
            int[] norms = new int[m];
            Arrays.setAll(norms, i -> i + 1);
            random.shuffle(norms);
            double[][] vectors = new double[m][];
            Arrays.setAll(vectors, i -> new double[] {i % 2 == 0 ? norms[i] : -norms[i]});
            int[] kept =
                    new NormScreening(screened).aggregate(Round.of(vectors)).kept();
            assertThat(kept).hasSize(m - screened);
            assertThat(Arrays.stream(kept)).allMatch(w -> norms[w] <= m - screened);
        });
    }

    @Test
    void ofEqualNormsTheHigherIdIsScreened() {
        Aggregate made = new NormScreening(1)
                .aggregate(Round.of(new double[] {0, 1}, new double[] {1, 0}, new double[] {0, -1}));
        assertThat(made.kept()).containsExactly(0, 1);
        assertThat(made.direction()).containsExactly(0.5, 0.5);
    }

    @Test
    void tellsWhoWasScreenedAndByWhatMargin() {
        Aggregate made =
                new NormScreening(2).aggregate(Round.of(new double[] {7}, new double[] {1}, new double[] {-30}));
        assertThat(made.explanation()).isEqualTo("screened [0, 2]: norms 7.000 to 30.00, longest kept 1.000");
    }

    @Test
    void aMissingUpdateCountsAsTheLongest() {
        Laws.check(100, seed -> {
            Randomness random = seed.random();
            int m = 3 + random.nextInt(10);
            int screened = 1 + random.nextInt(m - 1);
            int missing = 1 + random.nextInt(screened);
            List<WorkerUpdate> votes = new ArrayList<>();
            for (int w = missing; w < m; w++) {
                votes.add(new WorkerUpdate(w, random.gaussians(3)));
            }
            Round round = new Round(0, m, votes, new double[3], Seed.of(0), Carry.NONE, null);
            assertThat(new NormScreening(screened).aggregate(round).kept()).hasSize(m - screened);
        });
    }

    @Test
    void comparesNormsBeyondTheRangeOfSquares() {
        Aggregate made = new NormScreening(1)
                .aggregate(Round.of(new double[] {3e200, 0}, new double[] {2e200, 2e200}, new double[] {0, 1e200}));
        assertThat(made.kept()).containsExactly(1, 2);
        assertThat(Vectors.finite(made.direction())).isTrue();
    }

    @Test
    void refusesToScreenEveryWorkerOfARound() {
        assertThatThrownBy(() -> new NormScreening(2).aggregate(Round.of(new double[] {1}, new double[] {2})))
                .isInstanceOf(InputException.class)
                .hasMessage("tolerated = 2 needs at least 3 workers, got 2");
        assertThatThrownBy(() -> new NormScreening(-1)).isInstanceOf(InputException.class);
    }

    @Test
    void ofEqualNormsTheHigherIdIsDropped() {
        NormScreening rule = new NormScreening(1);
        assertThat(rule.weigh(3, new int[] {2, 1, 0}, new double[] {1, 1, 1}).kept())
                .containsExactly(0, 1);
        assertThat(rule.weigh(3, new int[] {0, 1, 2}, new double[] {1, 1, 1}).kept())
                .containsExactly(0, 1);
    }
}
