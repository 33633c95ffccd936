package holdfast.attack;

import holdfast.Check;
import holdfast.math.Vectors;
import java.util.List;

/** Every liar sends -size u, u the direction of the honest mean: valid, and far beyond the range where squares exist. */
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
