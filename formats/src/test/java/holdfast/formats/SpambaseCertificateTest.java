package holdfast.formats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import holdfast.certificate.MisclassificationCurve;
import holdfast.certificate.ShiftCurve;
import holdfast.certificate.ShiftCurve.Point;
import holdfast.data.Dataset;
import holdfast.evaluation.TrainedModel;
import holdfast.model.Models;
import holdfast.objective.WeightedL2;
import holdfast.plan.Plan;
import holdfast.preparation.LabelScaling;
import holdfast.preparation.Scaling;
import holdfast.shift.WorstCaseShift.Norm;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/**
 * Certificates on Spambase for fixed weights, against NumPy and SciPy 1.10, which search moves on a grid and prices by Brent's
 * method.
 *
 * <pre>
 * import numpy as np, pandas as pd
 * from scipy.optimize import minimize_scalar
 * d = pd.read_csv('spambase.csv.gz'); x = d.iloc[:, :57].to_numpy(float); y = d.iloc[:, 57].to_numpy()
 * x = (x - x.mean(0)) / x.std(0)
 * th = ((np.arange(57) % 7) - 3) / 20; u = x @ th - .3; n = th @ th; w = np.where(y == 1, u, -u)
 * def phi(l):
 *     f = lambda t: np.logaddexp(0, t*n - w) - l*t*t*n/2
 *     g = np.linspace(0, 1/l, 301); k = np.array([f(t) for t in g]).argmax(0)
 *     lo = g[np.maximum(k-1, 0)]; hi = g[np.minimum(k+1, 300)]
 *     for _ in range(60):
 *         a = lo + (hi-lo)/3; c = hi - (hi-lo)/3; s = f(a) &lt; f(c)
 *         lo = np.where(s, a, lo); hi = np.where(s, hi, c)
 *     return f((lo+hi)/2).mean()
 * for rho in (.01, .1, .5, 2):
 *     r = minimize_scalar(lambda e: np.exp(e)*rho + phi(np.exp(e)), bounds=(-6, 4), method='bounded', options=dict(xatol=1e-10))
 *     print(rho, np.exp(r.x), r.fun)
 * dist = np.where((w &lt; 0) | ((y == 0) &amp; (u &gt;= 0)), 0, np.abs(u))
 * for rho in (.01, .1):
 *     e = np.sort((dist/np.sqrt(n))**2/2); c = np.cumsum(e)/len(e); k = (c &lt;= rho).sum()
 *     print((k + (rho*len(e) - e[:k].sum())/e[k])/len(e))
 * for q in (.1, .5):
 *     print([(dist/dn &lt;= q).mean() for dn in (abs(th).max(), np.sqrt(n), abs(th).sum())])
 * </pre>
 */
class SpambaseCertificateTest {
    private final Dataset rows =
            DataFile.read("builtin:spambase", Plan.defaults()).cells();

    private TrainedModel model() {
        double[] theta = new double[58];
        Arrays.setAll(theta, i -> (i % 7 - 3) / 20.0);
        theta[57] = -0.3;
        return new TrainedModel(
                Models.catalogue().choose("logistic"),
                true,
                theta,
                Scaling.fit(Scaling.Kind.STANDARDISE, rows),
                LabelScaling.NONE,
                rows.schema(),
                0.5);
    }

    @Test
    void theCertifiedLossIsThatOfNumpy() {
        ShiftCurve curve = ShiftCurve.of(model(), rows, WeightedL2.EQUAL);
        double[][] expected = {
            {0.01, 2.899672303144967, 0.7912656583906152},
            {0.1, 1.001234190269587, 0.9224724315792223},
            {0.5, 0.5107549935760355, 1.187728885723513},
            {2, 0.30251049647904066, 1.7478382857736547}
        };
        assertThat(curve.at(0).certified()).isCloseTo(0.7345413244117437, within(1e-12));
        for (double[] golden : expected) {
            Point point = curve.at(golden[0]);
            assertThat(point.lambda()).isCloseTo(golden[1], within(1e-5));
            assertThat(point.certified()).isCloseTo(golden[2], within(1e-11));
            assertThat(point.attained()).isBetween(point.certified() * (1 - 1e-12), point.certified());
        }
    }

    @Test
    void theCertifiedErrorIsThatOfNumpy() {
        MisclassificationCurve curve = MisclassificationCurve.of(model(), rows, WeightedL2.EQUAL);
        assertThat(curve.at(0.01).certified()).isCloseTo(0.7054067377447982, within(1e-9));
        assertThat(curve.at(0.1).certified()).isCloseTo(0.9463382994653983, within(1e-9));
        assertThat(curve.at(0.5).certified()).isEqualTo(1);
        double[][] expected = {
            {0.45403173223212345, 0.4918495979134971, 0.7798304716366007},
            {0.4903281895240165, 0.7202782003912193, 0.9956531188871984}
        };
        for (Norm norm : Norm.values()) {
            assertThat(curve.rate(norm, 0.1)).isCloseTo(expected[0][norm.ordinal()], within(1e-12));
            assertThat(curve.rate(norm, 0.5)).isCloseTo(expected[1][norm.ordinal()], within(1e-12));
        }
    }
}
