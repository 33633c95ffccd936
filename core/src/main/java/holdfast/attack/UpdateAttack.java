package holdfast.attack;

import holdfast.math.Vectors;
import java.util.Arrays;
import java.util.List;

/** Forges the updates of the byzantine workers. Pure; its only randomness is the context's seed. */
@FunctionalInterface
public non-sealed interface UpdateAttack extends Attack {
    /** Returns one vector per liar, in the order of {@code context.byzantine()}. */
    List<double[]> forge(AttackContext context);

    /**
     * Returns the same vector for every liar, because they collude. Elements that overflowed become the largest double.
     */
    static List<double[]> together(AttackContext context, double[] vector) {
        return Arrays.stream(context.byzantine())
                .mapToObj(b -> Vectors.clamped(vector))
                .toList();
    }
}
