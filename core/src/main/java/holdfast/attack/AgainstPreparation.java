package holdfast.attack;

import holdfast.data.Dataset;
import holdfast.data.Table;
import holdfast.data.TableColumn;
import holdfast.math.Vectors;
import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.ToDoubleFunction;

/**
 * Moves what is learnt before training as far as it goes without standing out: in each column, the liars hand in values
 * with the mean and the standard deviation of honest workers, so that nothing tells them by these. Six ways are tried on
 * the actual preparation: the smallest or the largest honest mean, each with no spread, the smallest and the largest. In
 * each column the liars go the way that moves the honest workers' prepared values x most: sqrt(mean (x' - x)^2), with x
 * as they are if nobody lies.
 *
 * <p>More extreme values would move it no further: a median of means, and a spread that leaves out as many larger ones as
 * there are liars, do not depend on how far away these are.
 */
public record AgainstPreparation() implements RawAttack {
    /**
     * Where the values of a column go.
     *
     * @param mean of the honest workers' means
     * @param spread of their standard deviations
     */
    private record Way(
            ToDoubleFunction<DoubleSummaryStatistics> mean, ToDoubleFunction<DoubleSummaryStatistics> spread) {}

    private static final List<Way> WAYS = List.of(
            new Way(DoubleSummaryStatistics::getMin, sds -> 0),
            new Way(DoubleSummaryStatistics::getMin, DoubleSummaryStatistics::getMin),
            new Way(DoubleSummaryStatistics::getMin, DoubleSummaryStatistics::getMax),
            new Way(DoubleSummaryStatistics::getMax, sds -> 0),
            new Way(DoubleSummaryStatistics::getMax, DoubleSummaryStatistics::getMin),
            new Way(DoubleSummaryStatistics::getMax, DoubleSummaryStatistics::getMax));

    @Override
    public Table poison(RawContext context) {
        context.requireFillable("against-preparation");
        Dataset cells = context.table().cells();
        List<ColumnSummary[]> honest = context.honest().stream()
                .map(rows -> ColumnSummary.of(cells, rows))
                .toList();
        Dataset clean = context.attempt(context.table());
        List<double[]> harm = WAYS.stream()
                .map(way -> distances(clean, context.attempt(moved(context, honest, c -> way))))
                .toList();
        List<String> features = clean.schema().features();
        List<TableColumn> columns = context.table().columns();
        return moved(
                context,
                honest,
                c -> worst(harm, features.indexOf(columns.get(c).name())));
    }

    /** Returns the way that does most harm in a feature; among equals, the first. */
    private static Way worst(List<double[]> harm, int feature) {
        int worst = 0;
        for (int w = 1; feature >= 0 && w < harm.size(); w++) {
            worst = harm.get(w)[feature] > harm.get(worst)[feature] ? w : worst;
        }
        return WAYS.get(worst);
    }

    private static Table moved(RawContext context, List<ColumnSummary[]> honest, IntFunction<Way> ways) {
        int[] columns = context.numbers();
        double[] means = new double[honest.get(0).length];
        double[] spreads = new double[means.length];
        for (int c : columns) {
            means[c] = ways.apply(c).mean.applyAsDouble(statistics(honest, c, ColumnSummary::mean));
            spreads[c] = ways.apply(c).spread.applyAsDouble(statistics(honest, c, ColumnSummary::sd));
        }
        return context.withCells(liar -> {
            ColumnSummary[] own = ColumnSummary.of(context.table().cells(), liar.rows());
            return (row, cells) -> {
                for (int c : columns) {
                    cells[c] = Double.isNaN(cells[c])
                            ? cells[c]
                            : Vectors.clamped(means[c] + spreads[c] * standardised(cells[c], own[c], row));
                }
            };
        });
    }

    private static DoubleSummaryStatistics statistics(
            List<ColumnSummary[]> honest, int column, ToDoubleFunction<ColumnSummary> number) {
        return honest.stream()
                .mapToDouble(own -> number.applyAsDouble(own[column]))
                .filter(x -> !Double.isNaN(x))
                .summaryStatistics();
    }

    /** Returns a value in standard deviations from the mean; for equal values, 1 and -1 in turn. */
    private static double standardised(double value, ColumnSummary own, int row) {
        return own.sd() > 0 ? (value - own.mean()) / own.sd() : row % 2 == 0 ? 1 : -1;
    }

    /** Returns how far each feature of two data sets is apart: the root mean square over rows. */
    private static double[] distances(Dataset a, Dataset b) {
        double[] sums = new double[a.columns()];
        for (int r = 0; r < a.rows(); r++) {
            double[] gap = a.row(r);
            Vectors.addScaled(gap, -1, b.row(r), gap.length);
            Arrays.setAll(sums, i -> sums[i] + gap[i] * gap[i]);
        }
        return Arrays.stream(sums).map(sum -> Math.sqrt(sum / a.rows())).toArray();
    }
}
