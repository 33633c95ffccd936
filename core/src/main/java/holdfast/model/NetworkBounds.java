package holdfast.model;

import holdfast.math.Matrix;
import holdfast.math.SpectralNorm;
import holdfast.math.Vectors;

/**
 * A bound on L_zz, the Lipschitz constant of grad_z f in z, of a network at one theta, layer by layer. With s_l bounds on
 * the spectral norms of the weights, |sigma'| &lt;= S and |sigma''| &lt;= B: the values of layer l change with z by at
 * most G_l = S s_l G_{l-1}, G_0 = 1, and a direction of length 1 of them has second derivatives of at most H_l = B s_l^2
 * G_{l-1}^2 + S s_l H_{l-1}, H_0 = 0.
 *
 * <p>On top, with V the last weights, |l'| &lt;= r and |l''| &lt;= k: L_zz = k ||V||^2 G_L^2 + r (B ||D W_L^T||^2
 * G_{L-1}^2 + S s_L ||V|| H_{L-1}), where D scales each unit of the last hidden layer by the square root of the length of
 * its row of V: what reaches the scores through a unit is weighted by that.
 */
record NetworkBounds(NetworkLayout layout, Activation activation, LinearScores top, double[] theta) {
    double zz(double radius, double label) {
        double slope = activation.slopeBound();
        double bend = activation.bendBound();
        int last = layout.layers() - 1;
        double grow = 1;
        double second = 0;
        double length = radius;
        for (int l = 0; l < last; l++) {
            double norm = norm(l);
            double[] biases = new double[layout.size(l + 1)];
            System.arraycopy(theta, layout.biasesAt(l), biases, 0, biases.length);
            // 0 times infinity is 0 here: without weights nothing grows.
            double sums = times(norm, length) + Vectors.norm(biases);
            double atZero = activation.atZero();
            double units = Math.sqrt(biases.length);
            length = Math.min(slope * sums + Math.abs(atZero) * units, activation.bound() * units);
            if (l < last - 1) {
                second = times(bend, norm * grow * (norm * grow)) + times(slope * norm, second);
                grow *= slope * norm;
            } else {
                double out = norm(last);
                double scores = times(out, length) + biasesOnTop();
                double steepest = top.slopeBound(scores, label);
                double sharpest = top.curvatureBound(scores, label);
                double through = times(bend, weighted(l) * grow * grow) + times(slope * norm * out, second);
                double all = out * slope * norm * grow;
                return times(sharpest, all * all) + times(steepest, through);
            }
        }
        throw new IllegalStateException("a network has a hidden layer");
    }

    private static double times(double a, double b) {
        return a == 0 || b == 0 ? 0 : a * b;
    }

    private double norm(int layer) {
        return SpectralNorm.bound(layout.weights(theta, layer));
    }

    private double biasesOnTop() {
        int last = layout.layers() - 1;
        double[] biases = new double[layout.size(last + 1)];
        System.arraycopy(theta, layout.biasesAt(last), biases, 0, biases.length);
        return Vectors.norm(biases);
    }

    /** Returns ||D W^T||^2 for the weights W of the last hidden layer. */
    private double weighted(int layer) {
        Matrix weights = layout.weights(theta, layer);
        Matrix out = layout.weights(theta, layer + 1);
        double[] row = new double[out.columns()];
        double[] scaled = new double[weights.rows() * weights.columns()];
        weights.copyInto(scaled);
        for (int h = 0; h < weights.columns(); h++) {
            System.arraycopy(theta, out.from() + h * out.columns(), row, 0, row.length);
            double factor = Math.sqrt(Vectors.norm(row));
            for (int i = 0; i < weights.rows(); i++) {
                scaled[i * weights.columns() + h] *= factor;
            }
        }
        double norm = SpectralNorm.bound(Matrix.of(scaled, 0, weights.rows(), weights.columns()));
        return norm * norm;
    }
}
