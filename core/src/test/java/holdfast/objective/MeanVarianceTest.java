package holdfast.objective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import example.MeanVariance;
import example.TanhNetwork;
import holdfast.Randomness;
import holdfast.Seed;
import holdfast.data.Dataset;
import holdfast.model.Model;
import holdfast.model.Target;
import holdfast.testkit.ObjectiveContract;
import holdfast.testkit.Samples;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** The example of an objective from outside, with a model from outside. */
class MeanVarianceTest extends ObjectiveContract {
    private static final Model MODEL = new TanhNetwork(Target.TWO_CLASSES, 3);

    @Override
    protected ObjectiveFamily family(Randomness random) {
        return new MeanVariance(random.nextDouble());
    }

    @Override
    protected Model model() {
        return MODEL;
    }

    @Override
    protected double[] duals(Randomness random) {
        return new double[] {random.nextDouble()};
    }

    @Test
    void oneStepOfItsVariableLeadsToMeanPlusVariance() {
        Dataset rows = Samples.dataset(Seed.of(4), 100, 3);
        Objective objective = new MeanVariance(0.8).on(MODEL, 0);
        double[] theta = Seed.of(5).random().gaussians(MODEL.parameters(3));
        Iterate first = new Iterate(0, theta, objective.startDuals());
        double[] duals = objective.nextDuals(
                first.duals(), objective.dualGradient(first, objective.sums(first, rows, false)), 0.1);
        Iterate at = new Iterate(1, theta, duals);
        double[] losses = new double[100];
        MODEL.losses(theta, rows.blocks().get(0), losses);
        double mean = Arrays.stream(losses).average().orElseThrow();
        double variance =
                Arrays.stream(losses).map(x -> Math.pow(x - mean, 2)).average().orElseThrow();
        assertThat(objective.value(at, objective.sums(at, rows, true), 3))
                .isCloseTo(mean + 0.4 * variance, within(1e-12));
    }
}
