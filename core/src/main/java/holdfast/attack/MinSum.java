package holdfast.attack;

import holdfast.math.Vectors;
import java.util.List;

/**
 * Min-Sum (Shejwalkar, Houmansadr 2021): every liar sends mean + gamma p with the largest gamma for which its squared
 * distances to the honest sum to no more than those of some honest update. For a unit p and n honest that sum is n
 * gamma^2 + sum ||g_i - mean||^2, so gamma is a square root.
 */
public record MinSum(Perturbation direction) implements UpdateAttack {
    @Override
    public List<double[]> forge(AttackContext context) {
        Cloud honest = Cloud.of(context);
        int n = honest.size();
        double[] fromMean = new double[n];
        double largest = 0;
        for (int i = 0; i < n; i++) {
            double[] a = honest.fromMean(i);
            fromMean[i] = Vectors.dot(a, a, a.length);
            double[] distances = new double[n];
            for (int j = 0; j < n; j++) {
                distances[j] = honest.squaredDistance(i, j);
            }
            largest = Math.max(largest, Vectors.sum(distances, n));
        }
        double gamma = Math.sqrt(Math.max(0, largest - Vectors.sum(fromMean, n)) / n);
        return UpdateAttack.together(context, honest.meanPlus(gamma, direction.of(honest)));
    }
}
