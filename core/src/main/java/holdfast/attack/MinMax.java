package holdfast.attack;

import holdfast.math.Vectors;
import java.util.List;

/**
 * Min-Max (Shejwalkar, Houmansadr 2021): every liar sends mean + gamma p with the largest gamma for which no honest
 * update is farther from it than two honest ones are from each other. For a unit p the condition is quadratic in gamma
 * for each i: gamma^2 - 2 gamma c + ||a||^2 &lt;= D^2 with a = g_i - mean, c = {@code <p, a>}; the least of the larger
 * roots is exact.
 */
public record MinMax(Perturbation direction) implements UpdateAttack {
    @Override
    public List<double[]> forge(AttackContext context) {
        Cloud honest = Cloud.of(context);
        double[] p = direction.of(honest);
        double diameter = 0;
        for (int i = 0; i < honest.size(); i++) {
            for (int j = 0; j < i; j++) {
                diameter = Math.max(diameter, honest.squaredDistance(i, j));
            }
        }
        double gamma = Double.MAX_VALUE;
        for (int i = 0; i < honest.size(); i++) {
            double[] a = honest.fromMean(i);
            double c = Vectors.dot(p, a, a.length);
            double room = Math.max(0, diameter - Vectors.dot(a, a, a.length));
            gamma = Math.min(gamma, c + Math.sqrt(c * c + room));
        }
        return UpdateAttack.together(context, honest.meanPlus(gamma, p));
    }
}
