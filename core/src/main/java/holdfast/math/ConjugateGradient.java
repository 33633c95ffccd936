package holdfast.math;

import java.util.function.UnaryOperator;

/** Solves A x = b for a symmetric positive definite A that is given by its products (Hestenes, Stiefel 1952). */
public final class ConjugateGradient {
    private ConjugateGradient() {}

    /**
     * Solves A x = b.
     *
     * @param product maps v to A v, in a new array
     * @param tolerance stops when ||b - A x|| is at most this times ||b||
     * @param most the maximum number of iterations
     */
    public static double[] solve(UnaryOperator<double[]> product, double[] b, double tolerance, int most) {
        int n = b.length;
        double[] x = new double[n];
        double[] residual = b.clone();
        double[] direction = b.clone();
        double squares = Vectors.dot(residual, residual, n);
        double limit = tolerance * tolerance * squares;
        for (int k = 0; k < most && squares > limit; k++) {
            double[] turned = product.apply(direction);
            double step = squares / Vectors.dot(direction, turned, n);
            Vectors.addScaled(x, step, direction, n);
            Vectors.addScaled(residual, -step, turned, n);
            double next = Vectors.dot(residual, residual, n);
            double kept = next / squares;
            for (int i = 0; i < n; i++) {
                direction[i] = residual[i] + kept * direction[i];
            }
            squares = next;
        }
        return x;
    }
}
