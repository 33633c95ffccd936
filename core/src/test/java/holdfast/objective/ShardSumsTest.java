package holdfast.objective;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.data.Dataset;
import holdfast.model.LogisticRegression;
import holdfast.testkit.Laws;
import holdfast.testkit.Samples;
import java.util.List;
import org.junit.jupiter.api.Test;

class ShardSumsTest {

    @Test
    void mergedSumsAreThoseOfBothAndNoMorePreciseThanEither() {
        for (double[] pair : new double[][] {{1e-3, 0.5}, {0.5, 1e-3}, {0, Double.POSITIVE_INFINITY}}) {
            ShardSums merged = new ShardSums(new double[] {1, 2}, 3, 4, pair[0])
                    .merge(new ShardSums(new double[] {10, 20}, 30, 40, pair[1]));
            assertThat(merged.gradient()).containsExactly(11, 22);
            assertThat(merged.loss()).isEqualTo(33);
            assertThat(merged.rows()).isEqualTo(44);
            assertThat(merged.precision()).isEqualTo(Math.max(pair[0], pair[1]));
        }
    }

    /** After a few steps some blocks have come closer to their worst case than others. */
    @Test
    void thePrecisionOfAShardIsThatOfItsWorstBlock() {
        LogisticRegression model = new LogisticRegression(true);
        Laws.check(20, seed -> {
            Dataset data = Samples.dataset(seed, 1000, 3);
            double[] theta = seed.child("theta").random().gaussians(4);
            double lambda = 2 * model.smoothness(theta, 3, 0, 0).zz();
            InnerMaximiser ascent = new ScalarRecurrence(model, lambda, 1 / lambda);
            Effort effort = new Effort.Steps(2);
            List<Double> precisions = data.blocks().stream()
                    .map(block -> ascent.maximise(theta, block, effort).precision())
                    .toList();
            assertThat(precisions.stream().distinct().count()).isGreaterThan(1);
            RobustLoss loss = new RobustLoss(model, ascent, Effort.always(effort), 0);
            for (boolean withLoss : new boolean[] {false, true}) {
                assertThat(loss.sums(Iterate.of(theta), data, withLoss).precision())
                        .isEqualTo(precisions.stream().mapToDouble(p -> p).max().orElseThrow());
            }
        });
    }
}
