package holdfast.objective;

import holdfast.Randomness;
import holdfast.model.LogisticRegression;
import holdfast.model.Model;
import holdfast.testkit.ObjectiveContract;

class ChiSquareBallTest extends ObjectiveContract {
    @Override
    protected ObjectiveFamily family(Randomness random) {
        return new ChiSquareBall(0.01 + 2 * random.nextDouble());
    }

    @Override
    protected Model model() {
        return new LogisticRegression(true);
    }

    @Override
    protected double[] duals(Randomness random) {
        return new double[] {2 * random.nextDouble() - 1, 0.1 + random.nextDouble(), 0, 0};
    }
}
