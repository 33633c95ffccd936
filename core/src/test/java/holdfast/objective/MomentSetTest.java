package holdfast.objective;

import holdfast.Randomness;
import holdfast.model.LogisticRegression;
import holdfast.model.Model;
import holdfast.testkit.ObjectiveContract;

class MomentSetTest extends ObjectiveContract {
    @Override
    protected ObjectiveFamily family(Randomness random) {
        return new MomentSet(1 + random.nextDouble());
    }

    @Override
    protected Model model() {
        return new LogisticRegression(true);
    }

    @Override
    protected double[] duals(Randomness random) {
        return new double[] {3 * random.nextDouble()};
    }
}
