package holdfast.math;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import holdfast.Seed;
import holdfast.testkit.Laws;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LogisticTest {

    @Test
    void expIsAsGoodAsTheLibrarys() {
        double worst = 0;
        for (int i = 0; i <= 2_000_000; i++) {
            double x = -708 + i * (1417.0 / 2_000_000);
            double exact = StrictMath.exp(x);
            worst = Math.max(worst, Math.abs(Logistic.exp(x) - exact) / exact);
        }
        for (int i = -1_000_000; i <= 1_000_000; i++) {
            double exact = StrictMath.exp(i * 1e-6);
            worst = Math.max(worst, Math.abs(Logistic.exp(i * 1e-6) - exact) / exact);
        }
        assertThat(worst).isLessThan(5e-16);
    }

    @Test
    void theBitsOfExpStayAsTheyAre() {
        // Frozen: models trained before must come out the same to the bit.
        double[] values = Seed.of(1).random().gaussians(10_000);
        Arrays.setAll(values, i -> Logistic.exp(20 * values[i]));
        assertThat(Arrays.hashCode(values)).isEqualTo(1158695383);
        assertThat(Double.doubleToLongBits(Logistic.exp(0))).isEqualTo(Double.doubleToLongBits(1));
    }

    @Test
    void beyondItsRangeExpIsZeroOrInfinite() {
        for (double x : new double[] {711, 1500, 1e10, 1e300, Double.POSITIVE_INFINITY}) {
            assertThat(Logistic.exp(x)).isEqualTo(Double.POSITIVE_INFINITY);
            assertThat(Logistic.exp(-x)).isZero();
            assertThat(Logistic.sigmoid(x)).isEqualTo(1);
            assertThat(Logistic.sigmoid(-x)).isZero();
        }
        assertThat(Logistic.exp(Double.NaN)).isNaN();
    }

    @Test
    void sigmoidAndSoftplusAgreeWithTheirFormulas() {
        for (double a = -30; a <= 30; a += 0.01) {
            double sigmoid = 1 / (1 + StrictMath.exp(-a));
            assertThat(Logistic.sigmoid(a)).isCloseTo(sigmoid, within(1e-15 * sigmoid));
            double softplus = StrictMath.log1p(StrictMath.exp(a));
            assertThat(Logistic.softplus(a)).isCloseTo(softplus, within(1e-15 * Math.max(1, softplus)));
        }
        assertThat(Logistic.softplus(1000)).isEqualTo(1000);
        assertThat(Logistic.softplus(-1000)).isBetween(0.0, 1e-300);
    }

    @Test
    void sigmoidOfAnArrayIsTheSameToTheBit() {
        double[] a = Vectors.scaled(300, Seed.of(1).random().gaussians(1000));
        double[] each = a.clone();
        for (int i = 0; i < 999; i++) {
            each[i] = Logistic.sigmoid(a[i]);
        }
        double[] out = new double[1000];
        out[999] = a[999];
        Logistic.sigmoid(a, out, 999);
        assertThat(Laws.bits(out)).isEqualTo(Laws.bits(each));
    }

    @Test
    void expOfAnArrayIsTheSameToTheBit() {
        double[] a = Vectors.scaled(300, Seed.of(2).random().gaussians(1000));
        double[] each = Arrays.stream(a).map(Logistic::exp).toArray();
        double[] out = new double[1000];
        Logistic.exp(a, out, 1000);
        assertThat(Laws.bits(out)).isEqualTo(Laws.bits(each));
    }

    @Test
    void softmaxOfManyRowsIsThatOfEachToTheBitAndLogSumItsDenominator() {
        Laws.check(50, seed -> {
            int k = 2 + seed.random().nextInt(6);
            int n = 1 + seed.child("rows").random().nextInt(40);
            double[] u = Vectors.scaled(400, seed.child("scores").random().gaussians(k * n));
            double[] logs = Logistic.logSum(u.clone(), k, n);
            double[] p = new double[k * n];
            Logistic.softmax(u.clone(), p, k, n);
            for (int j = 0; j < n; j++) {
                int row = j;
                double[] alone = new double[k];
                double[] own =
                        IntStream.range(0, k).mapToDouble(c -> u[c * n + row]).toArray();
                Logistic.softmax(own, 0, k, alone);
                double most = Arrays.stream(own).max().orElseThrow();
                double sum = Arrays.stream(own).map(v -> Math.exp(v - most)).sum();
                assertThat(logs[j]).isCloseTo(most + Math.log(sum), within(1e-12 * (1 + Math.abs(most))));
                assertThat(Arrays.stream(alone).sum()).isCloseTo(1, within(1e-14));
                for (int c = 0; c < k; c++) {
                    assertThat(Double.doubleToRawLongBits(p[c * n + j]))
                            .isEqualTo(Double.doubleToRawLongBits(alone[c]));
                    assertThat(alone[c]).isCloseTo(Math.exp(own[c] - logs[j]), within(1e-12));
                }
            }
        });
    }
}
