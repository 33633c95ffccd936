package holdfast.model;

import holdfast.InputException;
import holdfast.data.LabelFunction;
import holdfast.math.Logistic;
import java.util.Map;
import java.util.Optional;

/**
 * Regression of counts: l(u; y) = e^u - y u, the negative log-likelihood of Poisson's distribution with mean e^u,
 * without the constant log y!. l' = e^u - y and l'' = e^u outgrow every price of moving a row, so the worst case is
 * finite only if rows stay in a box. Counts are learnt as multiples of their mean, which changes the loss by a factor
 * and the intercept by the mean's logarithm.
 */
public final class PoissonRegression extends LinearModel {
    public PoissonRegression(boolean intercept) {
        super(intercept);
    }

    @Override
    protected double loss(double u, double label) {
        return Logistic.exp(u) - label * u;
    }

    @Override
    public void slopes(double[] u, double[] labels, double[] out, int n) {
        for (int j = 0; j < n; j++) {
            out[j] = Logistic.exp(u[j]) - labels[j];
        }
    }

    @Override
    public void curvatures(double[] u, double[] labels, double[] out, int n) {
        for (int j = 0; j < n; j++) {
            out[j] = Logistic.exp(u[j]);
        }
    }

    /** For a label y the least of e^u - y u is y - y log y, which falls from y = 1 on and is not negative before. */
    @Override
    public double leastLoss(double label) {
        return label > 1 ? Math.min(0, label - label * StrictMath.log(label)) : 0;
    }

    @Override
    public String name() {
        return "poisson";
    }

    @Override
    public Optional<Map<String, ?>> catalogueParameters() {
        return Optional.of(Map.of());
    }

    @Override
    public Target target() {
        return Target.COUNT;
    }

    @Override
    public LabelUnit labelUnit() {
        return LabelUnit.MEAN;
    }

    /** Counts are not negative, so e^u - y lies between -y and e^u. */
    @Override
    public double slopeBound(double reach, double label) {
        return Math.max(Logistic.exp(reach), label);
    }

    @Override
    public LabelFunction slopeBound() {
        return label -> Math.max(1, label);
    }

    @Override
    public double curvatureBound(double reach, double label) {
        return Logistic.exp(reach);
    }

    @Override
    public boolean needsBox() {
        return true;
    }

    /** @throws InputException always: l outgrows every price */
    @Override
    public Move worstMove(double u, double label, double n, double lambda) {
        throw new InputException("model poisson: without a box the worst case is infinite for every lambda");
    }
}
