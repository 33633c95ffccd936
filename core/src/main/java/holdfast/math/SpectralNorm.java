package holdfast.math;

/** Upper bounds on the spectral norm of a matrix, its largest singular value. */
public final class SpectralNorm {
    /** With more rows and columns than this, products of the Gram matrix would take longer than a round. */
    private static final int MAX_GRAM = 256;
    /** G^32 has eigenvalues so far apart that its Frobenius norm is close to the largest. */
    private static final int SQUARINGS = 5;
    /** Covers the rounding of the products. */
    private static final double ROUNDING = 1 + 1e-10;

    private SpectralNorm() {}

    /**
     * Returns a bound that is above the norm by at most 7 % for 64 rows or columns, whichever is less, and by less if the
     * largest singular value stands out: with G the smaller of the two Gram matrices, ||W||^2 = ||G|| &lt;=
     * ||G^32||_F^(1/32). Beyond {@value #MAX_GRAM} rows and columns, returns the Frobenius norm or
     * sqrt(||W||_1 ||W||_infinity), whichever is less.
     */
    public static double bound(Matrix w) {
        int n = Math.min(w.rows(), w.columns());
        double simple = Math.min(frobenius(w), Math.sqrt(largestSum(w)) * Math.sqrt(largestSum(w.transposed())));
        if (n > MAX_GRAM || !(simple > 0) || simple == Double.POSITIVE_INFINITY) {
            return n == 0 ? 0 : simple * ROUNDING;
        }
        Matrix flat = w.rows() <= w.columns() ? w : w.transposed();
        double[] values = new double[n * flat.columns()];
        flat.copyInto(values);
        for (int i = 0; i < values.length; i++) {
            values[i] /= simple;
        }
        double[] turned = new double[values.length];
        Matrix scaled = Matrix.of(values, 0, n, flat.columns());
        scaled.transposed().copyInto(turned);
        double[] gram = new double[n * n];
        Matrix.of(gram, 0, n, n).addProduct(scaled, Matrix.of(turned, 0, flat.columns(), n));
        // bound^(2^k) = norm of the k-th power times the product of what was divided out.
        double bound = 1;
        double root = 1;
        for (int k = 0; k <= SQUARINGS; k++) {
            double size = Vectors.norm(gram);
            if (!(size > 0)) {
                return simple * ROUNDING;
            }
            bound *= StrictMath.pow(size, root);
            root /= 2;
            for (int i = 0; k < SQUARINGS && i < gram.length; i++) {
                gram[i] /= size;
            }
            if (k < SQUARINGS) {
                double[] squared = new double[n * n];
                Matrix square = Matrix.of(gram, 0, n, n);
                Matrix.of(squared, 0, n, n).addProduct(square, square);
                gram = squared;
            }
        }
        return Math.min(simple, simple * Math.sqrt(bound)) * ROUNDING;
    }

    private static double frobenius(Matrix w) {
        double[] values = new double[w.rows() * w.columns()];
        w.copyInto(values);
        return Vectors.norm(values);
    }

    /** The largest sum of absolute values in a row. */
    private static double largestSum(Matrix w) {
        double most = 0;
        for (int i = 0; i < w.rows(); i++) {
            double sum = 0;
            for (int j = 0; j < w.columns(); j++) {
                sum += Math.abs(w.get(i, j));
            }
            most = Math.max(most, sum);
        }
        return most;
    }
}
