package holdfast.attack;

import holdfast.Check;
import holdfast.math.Vectors;
import java.util.List;

/**
 * The paper's intelligent attack: every liar sends share ||g|| h, where h is a random unit vector drawn anew each
 * round. It is too short to be screened and long enough to matter.
 */
public record Intelligent(double share) implements UpdateAttack {
    public Intelligent {
        Check.that(share > 0 && Double.isFinite(share), "intelligent: share must be finite and > 0, got %s", share);
    }

    @Override
    public List<double[]> forge(AttackContext context) {
        double[] g = context.trueMean();
        double[] h = context.seed().random().gaussians(g.length);
        return UpdateAttack.together(context, Vectors.scaled(share * Vectors.norm(g) / Vectors.norm(h), h));
    }
}
