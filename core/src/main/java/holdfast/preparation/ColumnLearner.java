package holdfast.preparation;

import holdfast.Check;
import holdfast.data.TableColumn;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Learns how one column of a table becomes features; see {@link Encoding#learn}.
 *
 * @param rows how many training rows there are
 * @param counts the cells of each source
 * @param knowing decides which categories are known
 * @param across combines the sources' means and shares
 */
record ColumnLearner(
        String file,
        long rows,
        TableColumn column,
        List<CellCounts> counts,
        AcrossSources knowing,
        AcrossSources across) {
    private static final System.Logger LOG = System.getLogger("holdfast.training");

    /**
     * Returns the learnt column; empty if it holds text and no category is known.
     *
     * @param sums of the numbers of each source; their medians if these fill missing cells
     */
    Optional<Encoding.Column> learn(double[] sums) {
        Check.that(
                counts.stream().anyMatch(own -> own.present() > 0),
                "%s: column %s is missing in all %d training rows; remove the column, or let --test-share or --seed"
                        + " choose other training rows",
                file,
                column.name(),
                rows);
        boolean marked = column.missing() == TableColumn.Missing.INDICATOR
                && knowing.knows(
                        (int) counts.stream().filter(own -> own.missing() > 0).count());
        return column.isText() ? text(marked) : Optional.of(number(sums, marked));
    }

    private boolean fails() {
        return column.missing() == TableColumn.Missing.FAIL;
    }

    private Encoding.Column number(double[] sums, boolean marked) {
        double[] means = new double[fails() ? 0 : counts.size()];
        for (int s = 0; s < means.length; s++) {
            means[s] = column.missing() == TableColumn.Missing.MEDIAN
                    ? sums[s]
                    : sums[s] / counts.get(s).present();
        }
        double mean = across.median(means);
        Check.that(
                fails() || Double.isFinite(mean),
                "%s: the values of column %s are too large to be averaged",
                file,
                column.name());
        return new Encoding.Column(
                column.name(), List.of(), fails() ? List.of() : List.of(mean), marked, column.date());
    }

    private Optional<Encoding.Column> text(boolean marked) {
        Map<String, double[]> shares = new TreeMap<>();
        for (int s = 0; s < counts.size(); s++) {
            CellCounts own = counts.get(s);
            int source = s;
            own.forEach((code, count) ->
                    shares.computeIfAbsent(column.categories().get(code), name -> new double[counts.size()])[source] =
                            count / own.present());
        }
        List<String> unknown = new ArrayList<>();
        shares.forEach((name, bySource) -> {
            long sources = Arrays.stream(bySource).filter(p -> p > 0).count();
            if (!knowing.knows((int) sources)) {
                unknown.add(name);
            }
        });
        if (!unknown.isEmpty()) {
            warnOf(unknown, unknown.size() == shares.size());
            shares.keySet().removeAll(unknown);
        }
        if (shares.isEmpty()) {
            return Optional.empty();
        }
        List<Double> fill = fails()
                ? List.of()
                : shares.values().stream()
                        .map(bySource -> marked ? 0 : across.mean(bySource))
                        .toList();
        return Optional.of(
                new Encoding.Column(column.name(), List.copyOf(shares.keySet()), fill, marked, column.date()));
    }

    private void warnOf(List<String> unknown, boolean all) {
        LOG.log(
                System.Logger.Level.WARNING,
                "{0}: column {1}: {2} known to too few sources if {3} of them may lie, such as ''{4}''; {5}",
                file,
                column.name(),
                unknown.size() == 1 ? "1 value is" : unknown.size() + " values are",
                Integer.toString(knowing.tolerated()),
                unknown.get(0),
                all
                        ? "the column is left out"
                        : unknown.size() == 1 ? "it counts as missing" : "they count as missing");
    }
}
