package holdfast.attack;

import holdfast.Check;
import holdfast.math.Vectors;
import java.util.List;

/**
 * The paper's aggressive attack: every liar sends -factor g, where g is the mean of all truthful updates. It destroys
 * the mean, but its norm gives it away.
 */
public record Aggressive(double factor) implements UpdateAttack {
    public Aggressive {
        Check.that(factor > 0 && Double.isFinite(factor), "aggressive: factor must be finite and > 0, got %s", factor);
    }

    @Override
    public List<double[]> forge(AttackContext context) {
        return UpdateAttack.together(context, Vectors.scaled(-factor, context.trueMean()));
    }
}
