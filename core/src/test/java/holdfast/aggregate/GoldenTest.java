package holdfast.aggregate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import holdfast.Golden;
import holdfast.Spec;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What ByzFL made of the same updates, for the rules both have. */
class GoldenTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Average | mean | 1e-9",
                "Median | median | 1e-9",
                "TrMean | trimmed-mean | 1e-9",
                "GeometricMedian(nu=1e-6,T=200) | geometric-median | 1e-6",
                "GeometricMedian(nu=0.1,T=3) | geometric-median(nu=0.1, steps=3) | 1e-9",
                "Krum | krum | 1e-9",
                "MultiKrum | multi-krum | 1e-9",
                "CenteredClipping(m=0,L=5,tau=1) | centered-clipping(steps=5, tau=1) | 1e-9",
                "MoNNA(idx=0) | monna | 1e-9",
                "Meamed | meamed | 1e-9",
                "MDA | mda | 1e-9"
            })
    void rulesAgreeWithByzfl(String theirs, String ours, double tolerance) {
        int compared = 0;
        for (Golden golden : Golden.cases()) {
            double[] expected = golden.aggregate(theirs);
            if (expected != null) {
                Aggregator rule = Aggregators.create(ours, golden.f());
                assertThat(rule.aggregate(Round.of(golden.x())).direction())
                        .as("%d updates, f = %d", golden.x().length, golden.f())
                        .containsExactly(expected, within(tolerance));
                compared++;
            }
        }
        assertThat(compared).isGreaterThanOrEqualTo(4);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"NNM | nnm", "Clipping(c=2) | clipping(c=2)", "ARC | arc"})
    void preAggregatorsAgreeWithByzfl(String theirs, String ours) {
        for (Golden golden : Golden.cases()) {
            List<PreAggregator.Mixed> mixed =
                    Aggregators.preAggregators().create(Spec.parse(ours)).mix(Round.of(golden.x()), golden.f());
            double[][] expected = golden.mixed(theirs);
            assertThat(mixed).hasSameSizeAs(expected);
            for (int i = 0; i < expected.length; i++) {
                assertThat(mixed.get(i).update().vector()).containsExactly(expected[i], within(1e-9));
            }
        }
    }
}
