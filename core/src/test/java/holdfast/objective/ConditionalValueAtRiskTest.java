package holdfast.objective;

import holdfast.Randomness;
import holdfast.model.LogisticRegression;
import holdfast.model.Model;
import holdfast.testkit.ObjectiveContract;

class ConditionalValueAtRiskTest extends ObjectiveContract {
    @Override
    protected ObjectiveFamily family(Randomness random) {
        return new ConditionalValueAtRisk(0.95 * random.nextDouble());
    }

    @Override
    protected Model model() {
        return new LogisticRegression(true);
    }

    @Override
    protected double[] duals(Randomness random) {
        return new double[] {2 * random.nextDouble(), 0.01 + random.nextDouble(), 0};
    }
}
