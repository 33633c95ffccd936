package holdfast.attack;

import holdfast.aggregate.WorkerUpdate;
import holdfast.math.Vectors;
import java.util.Arrays;
import java.util.List;

/**
 * The directed deviation against Krum (Fang, Cao, Jia, Gong 2020): all liars send -lambda sign(mean of the honest), as
 * one cluster. lambda is halved until the actual defence keeps one of them.
 */
public record FangKrum() implements UpdateAttack {
    /** After this many halvings lambda is too small to matter, as with the paper's limit of 1e-5. */
    private static final int HALVINGS = 20;

    @Override
    public List<double[]> forge(AttackContext context) {
        Cloud honest = Cloud.of(context);
        double longest = 0;
        for (WorkerUpdate update : honest.updates()) {
            longest = Math.max(longest, Vectors.norm(update.vector()));
        }
        double[] direction = Perturbation.SIGN.of(honest);
        // Above the paper's bound, 1 + 2 (m-b-2)/(m-2b-1) times the longest, as long as at most a third lie.
        double length = 8 * Math.min(longest, Double.MAX_VALUE / 8);
        List<double[]> forged = UpdateAttack.together(context, Vectors.scaled(length, direction));
        for (int i = 0; i < HALVINGS && !forged.isEmpty() && !keepsALiar(context, forged); i++) {
            length /= 2;
            forged = UpdateAttack.together(context, Vectors.scaled(length, direction));
        }
        return forged;
    }

    private static boolean keepsALiar(AttackContext context, List<double[]> forged) {
        return Arrays.stream(context.attempt(forged).kept())
                .anyMatch(w -> Arrays.binarySearch(context.byzantine(), w) >= 0);
    }
}
