package holdfast.attack;

import holdfast.Check;
import holdfast.math.Vectors;
import java.util.List;

/**
 * Inner product manipulation (Xie, Koyejo, Gupta 2020): every liar sends -tau times the mean of the honest, so that the
 * aggregate of a rule that averages points backwards. Flipping the sign (Li, Xu, Chen, Giannakis, Ling 2019) is tau =
 * 1.
 */
public record InnerProduct(double tau) implements UpdateAttack {
    public InnerProduct {
        Check.that(tau > 0 && Double.isFinite(tau), "ipm: tau must be finite and > 0, got %s", tau);
    }

    @Override
    public List<double[]> forge(AttackContext context) {
        return UpdateAttack.together(
                context, Vectors.scaled(-tau, Cloud.of(context).mean()));
    }
}
