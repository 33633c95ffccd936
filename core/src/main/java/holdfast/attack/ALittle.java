package holdfast.attack;

import holdfast.Check;
import holdfast.math.Vectors;
import java.util.List;

/**
 * A little is enough (Baruch, Baruch, Goldberg 2019): every liar sends mean + tau sd of the honest, coordinate by
 * coordinate, and so hides among honest updates that are as far out.
 */
public record ALittle(double tau) implements UpdateAttack {
    public ALittle {
        Check.that(Double.isFinite(tau), "alie: tau must be finite, got %s", tau);
    }

    @Override
    public List<double[]> forge(AttackContext context) {
        Cloud honest = Cloud.of(context);
        return UpdateAttack.together(
                context, Vectors.add(Vectors.clamped(Vectors.scaled(tau, honest.deviation())), honest.mean()));
    }
}
