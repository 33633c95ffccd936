package holdfast.evaluation;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.Seed;
import holdfast.data.Dataset;
import holdfast.model.Models;
import holdfast.preparation.LabelScaling;
import holdfast.preparation.Scaling;
import holdfast.shift.Shift;
import holdfast.testkit.Laws;
import holdfast.testkit.Samples;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HeldOutFiguresTest {
    private static TrainedModel model(Seed seed, Dataset rows) {
        double[] theta = seed.child("theta").random().gaussians(rows.columns() + 1);
        return new TrainedModel(
                Models.resolve(Models.AUTO, rows.schema()),
                true,
                theta,
                new Scaling(
                        Scaling.Kind.NONE,
                        new double[rows.columns()],
                        IntStream.range(0, rows.columns()).mapToDouble(i -> 1).toArray()),
                LabelScaling.NONE,
                rows.schema().withoutGroups(),
                0.5);
    }

    /** Every source counts its own rows, and rows of distrusted sources can hold anything. */
    @Test
    void distrustedSourcesChangeOnlyTheirOwnLine() {
        Laws.check(20, seed -> {
            Dataset rows = Samples.dataset(seed, 60 + seed.random().nextInt(100), 3, 5);
            TrainedModel model = model(seed, rows);
            List<String> names = rows.schema().groups();
            Set<String> distrusted = Set.of(names.get(1), names.get(3));
            HeldOutFigures before = HeldOutFigures.of(model, rows, distrusted);
            HeldOutFigures after = HeldOutFigures.of(
                    model,
                    rows.relabel(
                            r -> distrusted.contains(names.get(rows.group(r))) ? 1 - rows.label(r) : rows.label(r)),
                    distrusted);
            assertThat(after.trusted().orElseThrow().metrics())
                    .isEqualTo(before.trusted().orElseThrow().metrics());
            assertThat(after.all().logLoss()).isNotEqualTo(before.all().logLoss());
            assertThat(before.trustedSources()).isEqualTo(3);
            assertThat(before.sources().stream()
                            .mapToInt(s -> s.evaluation().rows())
                            .sum())
                    .isEqualTo(rows.rows());
            for (int s = 0; s < 5; s++) {
                Evaluation own =
                        Evaluation.of(model, rows.select(rows.rowsBySource().get(s)), Shift.NONE);
                HeldOutFigures.SourceFigure line = before.of(names.get(s)).orElseThrow();
                assertThat(line.trusted()).isEqualTo(s % 2 == 0);
                assertThat(line.evaluation().metrics()).isEqualTo(own.metrics());
                assertThat(line.evaluation().intervals()).isEqualTo(own.intervals());
            }
            double[] errors = before.sources().stream()
                    .mapToDouble(s -> s.evaluation().error())
                    .sorted()
                    .toArray();
            assertThat(before.median()).isEqualTo(errors[2]);
        });
    }

    @Test
    void withoutVerdictsTheTrustedRowsAreAllRows() {
        Dataset rows = Samples.dataset(Seed.of(3), 50, 2, 4);
        HeldOutFigures figures = HeldOutFigures.of(model(Seed.of(3), rows), rows, Set.of("a source without rows"));
        assertThat(figures.trustedRows()).containsSame(rows);
        assertThat(figures.trusted()).containsSame(figures.all());
    }

    @Test
    void rowsWithoutSourcesHaveOneFigure() {
        Dataset rows = Samples.dataset(Seed.of(3), 50, 2);
        HeldOutFigures figures = HeldOutFigures.of(model(Seed.of(3), rows), rows, Set.of("a"));
        assertThat(figures.sources()).isEmpty();
        assertThat(figures.trusted()).containsSame(figures.all());
        assertThat(figures.median()).isNaN();
    }

    @Test
    void sourcesWithoutRowsHaveNoFigureAndAllMayBeDistrusted() {
        Dataset rows = Samples.dataset(Seed.of(3), 40, 2, 4);
        int[] some = Arrays.stream(rows.rowsBySource().get(2)).toArray();
        HeldOutFigures figures = HeldOutFigures.of(
                model(Seed.of(3), rows),
                rows.select(some),
                Set.of(rows.schema().groups().get(2)));
        assertThat(figures.sources()).hasSize(1);
        assertThat(figures.trustedRows()).isEmpty();
        assertThat(figures.trusted()).isEmpty();
        assertThat(figures.all().rows()).isEqualTo(some.length);
    }
}
