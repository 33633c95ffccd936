package holdfast.aggregate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import holdfast.Randomness;
import holdfast.math.Vectors;
import holdfast.testkit.AggregatorContract;
import holdfast.testkit.Laws;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class NormClippingTest extends AggregatorContract {
    @Override
    protected Aggregator rule(int budget, Randomness random) {
        return new NormClipping(budget);
    }

    @Override
    protected boolean translates() {
        return false;
    }

    @Test
    void shortensTheLongestToTheCutAndAveragesAll() {
        Aggregate made = new NormClipping(1)
                .aggregate(Round.of(new double[] {3, 4}, new double[] {0, -20}, new double[] {1, 0}));
        assertThat(made.direction()).containsExactly(new double[] {4 / 3.0, (4 - 5) / 3.0}, within(1e-15));
        assertThat(made.kept()).containsExactly(0, 1, 2);
        assertThat(made.explanation()).isEqualTo("clipped [1]: norms up to 4.000 times the cut");
    }

    @Test
    void clipsNormsAboveTheLargestDouble() {
        double huge = Double.MAX_VALUE;
        Aggregate made = new NormClipping(1)
                .aggregate(Round.of(new double[] {huge, huge}, new double[] {huge / 2, 0}, new double[] {0, huge / 2}));
        double clipped = huge / 2 * Math.sqrt(0.5);
        assertThat(made.direction()[0]).isCloseTo((clipped + huge / 2) / 3, within(huge * 1e-14));
    }

    @Test
    void aMissingUpdateIsChargedToTheBudget() {
        Laws.check(100, seed -> {
            Randomness random = seed.random();
            double[][] g = new double[6][];
            Arrays.setAll(g, i -> random.gaussians(3));
            Round full = Round.of(g);
            Round one = new Round(0, 7, full.updates(), full.theta(), full.seed(), Carry.NONE, null);
            assertThat(Laws.bits(new NormClipping(3).aggregate(one).direction()))
                    .isEqualTo(Laws.bits(new NormClipping(2).aggregate(full).direction()));
        });
    }

    @Test
    void isNoLongerThanTheCut() {
        Laws.check(200, seed -> {
            Randomness random = seed.random();
            int f = random.nextInt(4);
            double[][] g = new double[2 * f + 1 + random.nextInt(4)][];
            Arrays.setAll(g, i -> Vectors.scaled(Math.pow(10, random.nextInt(9) - 4), random.gaussians(3)));
            double[] norms =
                    Arrays.stream(g).mapToDouble(Vectors::norm).sorted().toArray();
            assertThat(Vectors.norm(new NormClipping(f).aggregate(Round.of(g)).direction()))
                    .isLessThanOrEqualTo(norms[g.length - f - 1] * (1 + 1e-12));
        });
    }
}
