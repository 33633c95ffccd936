package holdfast.attack;

import holdfast.math.Vectors;
import java.util.Arrays;
import java.util.List;

/** Forges the updates of the byzantine workers. Pure; draws only from the situation's seed. */
@FunctionalInterface
public non-sealed interface UpdateAttack extends Attack {
    /** One vector per liar, in the order of {@code situation.byzantine()}. */
    List<double[]> forge(Situation situation);

    /** The same vector from every liar: they collude. What overflowed becomes the largest double. */
    static List<double[]> together(Situation situation, double[] vector) {
        return Arrays.stream(situation.byzantine())
                .mapToObj(b -> Vectors.clamped(vector))
                .toList();
    }
}
