package holdfast.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import holdfast.Randomness;
import holdfast.testkit.Laws;
import holdfast.testkit.LinearModelContract;
import org.junit.jupiter.api.Test;

class PoissonRegressionTest extends LinearModelContract {
    private final PoissonRegression model = new PoissonRegression(true);

    @Override
    protected LinearModel model() {
        return model;
    }

    @Override
    protected double label(Randomness random) {
        return random.nextInt(5);
    }

    @Test
    void theLossIsTheLogLikelihoodOfPoissonsDistributionButForAConstant() {
        Laws.check(100, seed -> {
            double u = seed.random().nextGaussian();
            double mean = Math.exp(u);
            double factorial = 1;
            for (int y = 0; y < 10; y++) {
                factorial *= Math.max(1, y);
                double probability = Math.pow(mean, y) * Math.exp(-mean) / factorial;
                assertThat(model.loss(u, y)).isCloseTo(-Math.log(probability * factorial), within(1e-12 * 100));
            }
        });
    }
}
