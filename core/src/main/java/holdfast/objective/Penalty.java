package holdfast.objective;

import holdfast.Check;
import holdfast.math.Vectors;
import holdfast.model.Model;

/** The penalty (l2/2)||theta||^2 over the elements of theta that {@link Model#penalised} names. */
final class Penalty {
    private Penalty() {}

    /** @throws holdfast.InputException unless the weight of the penalty is finite and not negative */
    static void require(double l2) {
        Check.that(l2 >= 0 && Double.isFinite(l2), "--l2 must be finite and >= 0, got %s", l2);
    }

    static double value(double l2, double[] theta, Model model, int features) {
        return l2 / 2 * Vectors.dot(theta, theta, model.penalised(features));
    }

    /** Adds the gradient of the penalty. */
    static void addGradient(double l2, double[] theta, Model model, int features, double[] gradient) {
        Vectors.addScaled(gradient, l2, theta, model.penalised(features));
    }
}
