package holdfast.attack;

import holdfast.Check;
import holdfast.math.Vectors;
import java.util.List;

/**
 * Every liar sends -size u, where u is the direction of the honest mean: a valid vector, but far too long to be
 * squared.
 */
public record Huge(double size) implements UpdateAttack {
    public Huge {
        Check.that(size > 0 && Double.isFinite(size), "huge: size must be finite and > 0, got %s", size);
    }

    @Override
    public List<double[]> forge(AttackContext context) {
        return UpdateAttack.together(
                context, Vectors.scaled(-size, Cloud.of(context).heading()));
    }
}
