package holdfast.attack;

import holdfast.math.Vectors;
import java.util.Arrays;
import java.util.List;

/** Forges the updates of the byzantine workers. Pure; draws only from the context's seed. */
@FunctionalInterface
public non-sealed interface UpdateAttack extends Attack {
    /** One vector per liar, in the order of {@code context.byzantine()}. */
    List<double[]> forge(AttackContext context);

    /** The same vector from every liar: they collude. What overflowed becomes the largest double. */
    static List<double[]> together(AttackContext context, double[] vector) {
        return Arrays.stream(context.byzantine())
                .mapToObj(b -> Vectors.clamped(vector))
                .toList();
    }
}
