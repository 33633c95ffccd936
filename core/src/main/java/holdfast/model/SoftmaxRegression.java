package holdfast.model;

import holdfast.Check;
import holdfast.data.Block;
import holdfast.data.LabelFunction;
import holdfast.math.Logistic;
import holdfast.math.SymmetricEigen;
import holdfast.math.Vectors;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;

/**
 * Softmax regression, also called multinomial logistic: k scores u = W x (+ intercepts), p_c = e^u_c / sum over c of
 * e^u_c, and the cross-entropy f = -log p_y = log sum over c of e^u_c - u_y for y in {0, ..., k-1} (Boehning 1992).
 * theta is W row after row, then the k intercepts.
 *
 * <p>With p - e_y the slope in u and diag(p) - p p^T the curvature: ||l'|| &lt;= sqrt(2), ||l''|| &lt;= 1/2, and grad_z
 * f = W^T (p - e_y). With ||W|| the spectral norm and rows no longer than Z (sqrt(Z^2 + 1) with intercepts): L_zz =
 * ||W||^2/2, L_theta,theta = Z^2/2, L_theta,z = L_z,theta = sqrt(2) + Z ||W||/2.
 *
 * <p>Scores and what is made of them are kept by class, u[c*n + j] for row j of n, so that loops run over the rows.
 */
public final class SoftmaxRegression implements LinearScores {
    private static final double SLOPE = Math.sqrt(2);

    /**
     * With more classes than this the eigenvalue of the Gram matrix is only bounded, because solving for it would take
     * most of the time.
     */
    private static final int MAX_SOLVED = 30;

    private final int classes;
    private final boolean intercept;

    public SoftmaxRegression(int classes, boolean intercept) {
        Check.that(classes >= 2, "softmax needs at least 2 classes, got %d", classes);
        this.classes = classes;
        this.intercept = intercept;
    }

    @Override
    public String name() {
        return "softmax";
    }

    @Override
    public Optional<Map<String, ?>> catalogueParameters() {
        return Optional.of(Map.of());
    }

    @Override
    public boolean givesProbabilities() {
        return true;
    }

    @Override
    public Target target() {
        return Target.CLASSES;
    }

    @Override
    public int scoresPerRow() {
        return classes;
    }

    @Override
    public boolean hasIntercept() {
        return intercept;
    }

    /** The rows w_c of W. */
    public double[][] weightsByClass(double[] theta, int features) {
        double[][] w = new double[classes][];
        Arrays.setAll(w, c -> weights(theta, features, c));
        return w;
    }

    /** W W^T, of the rows w_c. */
    public static double[][] gram(double[][] w) {
        double[][] gram = new double[w.length][w.length];
        for (int a = 0; a < w.length; a++) {
            for (int b = 0; b <= a; b++) {
                gram[a][b] = Vectors.dot(w[a], w[b], w[a].length);
                gram[b][a] = gram[a][b];
            }
        }
        return gram;
    }

    /** out[c*n + j] = p_c - [y = c] of row j &lt; n. */
    @Override
    public void slopes(double[] u, double[] labels, double[] out, int n) {
        Logistic.softmax(u, out, classes, n);
        for (int j = 0; j < n; j++) {
            out[(int) labels[j] * n + j] -= 1;
        }
    }

    private double[] scoresByClass(double[] theta, Block block) {
        int n = block.rows();
        int d = block.columns();
        double[] u = new double[classes * n];
        double[] own = new double[n];
        for (int c = 0; c < classes; c++) {
            block.times(weights(theta, d, c), own);
            double b = intercept(theta, d, c);
            for (int j = 0; j < n; j++) {
                u[c * n + j] = own[j] + b;
            }
        }
        return u;
    }

    private double[] slopes(double[] theta, Block block) {
        double[] r = new double[classes * block.rows()];
        slopes(scoresByClass(theta, block), block.labels(), r, block.rows());
        return r;
    }

    @Override
    public void scores(double[] theta, Block block, double[] out) {
        int n = block.rows();
        double[] u = scoresByClass(theta, block);
        for (int j = 0; j < n; j++) {
            for (int c = 0; c < classes; c++) {
                out[j * classes + c] = u[c * n + j];
            }
        }
    }

    @Override
    public void losses(double[] theta, Block block, double[] out) {
        scoreLosses(scoresByClass(theta, block), block.labels(), out, block.rows());
    }

    @Override
    public void scoreLosses(double[] u, double[] labels, double[] out, int n) {
        for (int j = 0; j < n; j++) {
            out[j] = -u[(int) labels[j] * n + j];
        }
        double[] logSums = Logistic.logSum(u, classes, n);
        for (int j = 0; j < n; j++) {
            out[j] += logSums[j];
        }
    }

    @Override
    public void addGradient(double[] theta, Block block, double[] gradient) {
        addProducts(slopes(theta, block), block, gradient);
    }

    /** into += sum over j of w_j r_j (x_j, 1)^T, laid out as theta. */
    private void addProducts(double[] r, Block block, double[] into) {
        int n = block.rows();
        int d = block.columns();
        double[] weights = block.weights();
        for (int c = 0; c < classes; c++) {
            double[] slopes = Arrays.copyOfRange(r, c * n, (c + 1) * n);
            for (int j = 0; weights != null && j < n; j++) {
                slopes[j] *= weights[j];
            }
            double[] own = new double[d];
            block.addTransposed(slopes, own);
            for (int i = 0; i < d; i++) {
                into[c * d + i] += own[i];
            }
            if (intercept) {
                into[weights(d) + c] += Vectors.sum(slopes, n);
            }
        }
    }

    @Override
    public void gradientInRows(double[] theta, Block block, double[] out) {
        int n = block.rows();
        int d = block.columns();
        double[] r = slopes(theta, block);
        Arrays.fill(out, 0, n * d, 0);
        for (int j = 0; j < n; j++) {
            for (int c = 0; c < classes; c++) {
                for (int i = 0; i < d; i++) {
                    out[j * d + i] += r[c * n + j] * theta[c * d + i];
                }
            }
        }
    }

    @Override
    public Curvature curvature(double[] theta, Block block) {
        int n = block.rows();
        double[] p = new double[classes * n];
        Logistic.softmax(scoresByClass(theta, block), p, classes, n);
        return (v, out) -> {
            double[] t = scoresByClass(v, block);
            bend(p, t, n);
            addProducts(t, block, out);
        };
    }

    @Override
    public void bend(double[] u, double[] labels, double[] t, int n) {
        double[] p = new double[classes * n];
        Logistic.softmax(u, p, classes, n);
        bend(p, t, n);
    }

    /** t &lt;- (diag(p) - p p^T) t: each class's t against its mean under p. */
    private void bend(double[] p, double[] t, int n) {
        double[] mean = new double[n];
        for (int from = 0; from < classes * n; from += n) {
            for (int j = 0; j < n; j++) {
                mean[j] += p[from + j] * t[from + j];
            }
        }
        for (int from = 0; from < classes * n; from += n) {
            for (int j = 0; j < n; j++) {
                t[from + j] = p[from + j] * (t[from + j] - mean[j]);
            }
        }
    }

    @Override
    public double slopeBound(double reach, double label) {
        return SLOPE;
    }

    @Override
    public LabelFunction slopeBound() {
        return label -> SLOPE;
    }

    @Override
    public double curvatureBound(double reach, double label) {
        return 0.5;
    }

    /** L_zz = ||W||^2/2 from W W^T; above {@value #MAX_SOLVED} classes a bound of it. */
    public double zz(double[][] gram) {
        return (classes <= MAX_SOLVED ? Math.max(0, SymmetricEigen.of(gram).values()[0]) : mostRow(gram)) / 2;
    }

    /** The largest sum of absolute values in a row, which bounds the eigenvalues. */
    private static double mostRow(double[][] matrix) {
        return Arrays.stream(matrix)
                .mapToDouble(row -> Arrays.stream(row).map(Math::abs).sum())
                .max()
                .orElse(0);
    }

    /** "No longer than theta" refers to the spectral norm of W. */
    @Override
    public Smoothness smoothness(double[] theta, int features, double radius, double label) {
        double squared = 2 * zz(gram(weightsByClass(theta, features)));
        double z = Math.sqrt(radius * radius + (intercept ? 1 : 0));
        double cross = SLOPE + z * Math.sqrt(squared) / 2;
        return new Smoothness(z * z / 2, cross, cross, squared / 2);
    }
}
