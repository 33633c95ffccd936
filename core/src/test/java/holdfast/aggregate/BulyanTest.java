package holdfast.aggregate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import holdfast.Randomness;
import holdfast.testkit.AggregatorContract;
import holdfast.testkit.Laws;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

class BulyanTest extends AggregatorContract {
    @Override
    protected Aggregator rule(int budget, Randomness random) {
        return new Bulyan(budget);
    }

    @Override
    protected boolean translates() {
        return true;
    }

    /** A value that counts is no farther from the median than some honest one: at most three times the largest of them. */
    @Override
    protected double growth(int workers, int length) {
        return 3 * Math.sqrt(Math.min(workers, length));
    }

    @Test
    void isKrumAgainAndAgainAndThenTheMeanAroundTheMedian() {
        Laws.check(30, seed -> {
            Randomness random = seed.random();
            int f = 2;
            double[][] x = new double[4 * f + 3 + random.nextInt(2)][];
            Arrays.setAll(x, i -> random.gaussians(3));
            List<double[]> left = new ArrayList<>(List.of(x));
            List<double[]> picked = new ArrayList<>();
            while (picked.size() < x.length - 2 * f) {
                double[][] now = left.toArray(double[][]::new);
                int best = 0;
                for (int i = 1; i < now.length; i++) {
                    int count = now.length - f - 2;
                    double margin = KrumTest.score(now, i, count) - KrumTest.score(now, best, count);
                    // Two that are each other's only neighbour have equal scores.
                    best = margin < 0
                                    || margin == 0
                                            && KrumTest.score(now, i, now.length - 1)
                                                    < KrumTest.score(now, best, now.length - 1)
                            ? i
                            : best;
                }
                picked.add(left.remove(best));
            }
            double[] expected = new double[3];
            for (int k = 0; k < 3; k++) {
                int at = k;
                double[] column =
                        picked.stream().mapToDouble(v -> v[at]).sorted().toArray();
                double median = (column[(column.length - 1) / 2] + column[column.length / 2]) / 2;
                expected[k] = Arrays.stream(column)
                        .boxed()
                        .sorted(Comparator.comparingDouble(v -> Math.abs(v - median)))
                        .limit(x.length - 4 * f)
                        .mapToDouble(v -> v)
                        .average()
                        .orElseThrow();
            }
            assertThat(new Bulyan(f).aggregate(Round.of(x)).direction()).containsExactly(expected, within(1e-12));
        });
    }

    @Test
    void tellsWhoWasNotPicked() {
        double[][] x = {{0}, {1}, {100}, {2}, {3}, {4}, {-50}};
        Aggregate made = new Bulyan(1).aggregate(Round.of(x));
        assertThat(made.kept()).containsExactly(0, 1, 3, 4, 5);
        assertThat(made.direction()).containsExactly(2);
        assertThat(made.explanation())
                .isEqualTo("not picked [2, 6]; 3 of 5 values around the median in every coordinate");
    }
}
