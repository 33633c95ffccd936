package holdfast.preparation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import holdfast.Randomness;
import holdfast.data.DataSource;
import holdfast.data.Dataset;
import holdfast.data.DatasetBuilder;
import holdfast.data.Schema;
import holdfast.testkit.Laws;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class LabelScalingTest {
    private static Dataset labelled(double... labels) {
        DatasetBuilder builder = new DatasetBuilder(1);
        for (double y : labels) {
            builder.add(new double[] {0}, y);
        }
        return builder.build(new Schema(List.of("x"), "y", List.of(), List.of()), DataSource.MEMORY);
    }

    @Test
    void eachTakesItsOffsetAndDivisor() {
        assertThat(LabelScaling.standard(labelled(1, 3, 5, 7), AcrossSources.POOLED))
                .isEqualTo(new LabelScaling(4, Math.sqrt(5)));
        assertThat(LabelScaling.robust(labelled(1, 2, 4, 100), AcrossSources.POOLED))
                .isEqualTo(new LabelScaling(3, 1.4826 * 1.5));
        assertThat(LabelScaling.byMean(labelled(0, 3, 9), AcrossSources.POOLED)).isEqualTo(new LabelScaling(0, 4));
    }

    @Test
    void labelsThatDoNotVaryKeepTheirUnit() {
        assertThat(LabelScaling.standard(labelled(2, 2), AcrossSources.POOLED)).isEqualTo(new LabelScaling(2, 1));
        assertThat(LabelScaling.byMean(labelled(0, 0), AcrossSources.POOLED)).isEqualTo(LabelScaling.NONE);
        Dataset mostlySame = labelled(5, 5, 5, 9);
        assertThat(LabelScaling.robust(mostlySame, AcrossSources.POOLED))
                .isEqualTo(LabelScaling.standard(mostlySame, AcrossSources.POOLED));
    }

    @Test
    void labelsOfAnySizeHaveTheirUnit() {
        for (double size : new double[] {1e-300, 1e-170, 3e-162, 1, 1e160, 1e307}) {
            LabelScaling fitted =
                    LabelScaling.standard(labelled(size, 3 * size, 5 * size, 7 * size), AcrossSources.POOLED);
            assertThat(fitted.offset() / size).isCloseTo(4, within(1e-12));
            assertThat(fitted.divisor() / size).isCloseTo(Math.sqrt(5), within(1e-12));
        }
    }

    @Test
    void fewOutliersDoNotChangeTheRobustUnit() {
        Laws.check(20, seed -> {
            Randomness random = seed.random();
            double[] y = random.gaussians(2000);
            LabelScaling clean = LabelScaling.robust(labelled(y), AcrossSources.POOLED);
            assertThat(clean.divisor()).isCloseTo(1, within(0.1));
            for (int i = 0; i < 20; i++) {
                y[i] = 1e9;
            }
            LabelScaling dirty = LabelScaling.robust(labelled(y), AcrossSources.POOLED);
            assertThat(dirty.divisor()).isCloseTo(clean.divisor(), within(0.05));
            assertThat(dirty.offset()).isCloseTo(clean.offset(), within(0.05));
        });
    }

    /** A label that overflows when it is scaled must not make losses infinite. */
    @Test
    void scaledLabelsStayFinite() {
        Dataset scaled = new LabelScaling(1e300, 1e-300).apply(labelled(-1.7e308, 1.7e308, 1e300));
        assertThat(scaled.label(0)).isEqualTo(-1e100);
        assertThat(scaled.label(1)).isEqualTo(1e100);
        assertThat(scaled.label(2)).isZero();
    }

    @Test
    void restoringUndoesApplying() {
        Laws.check(20, seed -> {
            double[] y = seed.random().gaussians(50);
            Dataset data = labelled(y);
            for (Function<Dataset, LabelScaling> fit : List.<Function<Dataset, LabelScaling>>of(
                    rows -> LabelScaling.standard(rows, AcrossSources.POOLED),
                    rows -> LabelScaling.robust(rows, AcrossSources.POOLED))) {
                LabelScaling scaling = fit.apply(data);
                Dataset scaled = scaling.apply(data);
                for (int r = 0; r < 50; r++) {
                    assertThat(scaling.restore(scaled.label(r))).isCloseTo(y[r], within(1e-12));
                }
            }
        });
    }
}
