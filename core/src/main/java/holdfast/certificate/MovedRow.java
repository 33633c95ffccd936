package holdfast.certificate;

import holdfast.Spec;
import holdfast.data.Schema;
import holdfast.objective.CategoryColumn;
import holdfast.objective.MixedCost;
import holdfast.objective.PricedCost;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A row of a worst distribution, in the units of the model's features before scaling.
 *
 * @param row its index in the given data
 * @param share its weight in the distribution; all shares sum to 1. A row of which one part moves further than the other appears
 *     twice
 * @param label as given
 * @param before the loss at the given features
 * @param after the loss at the moved features
 * @param cost c(z, x)
 * @param from the given features
 * @param to the moved features
 * @param scaled how far each feature moves in units of the scaled features; 0 for those of a category that changes as a whole
 * @param reachable whether the model, reading the moved features, sees the moved row: not if a feature moves beyond where scaled
 *     values are cut off, or in a column that was constant in training, where {@code to} shows the given value
 * @param changes categories that have changed as a whole
 */
public record MovedRow(
        int row,
        double share,
        double label,
        double before,
        double after,
        double cost,
        double[] from,
        double[] to,
        double[] scaled,
        boolean reachable,
        List<Change> changes) {
    /** Stands for a cell that has no category: it is missing, or no row of training had its value. */
    private static final String NONE = "(none)";

    /**
     * A category that has changed, in the words of the table.
     *
     * @param price what it cost
     */
    public record Change(String column, String from, String to, double price) {
        static Change of(MixedCost.Change change, Schema schema, double[] features, int category) {
            CategoryColumn column = change.column();
            String from = IntStream.range(0, column.categories())
                    .filter(k -> features[column.first() + k] == 1)
                    .mapToObj(k -> name(column, schema, k))
                    .findFirst()
                    .orElse(NONE);
            return new Change(column.name(), from, name(column, schema, category), change.price());
        }

        private static String name(CategoryColumn column, Schema schema, int category) {
            String feature = schema.features().get(column.first() + category);
            String prefix = column.name() + "=";
            return feature.startsWith(prefix) ? feature.substring(prefix.length()) : feature;
        }

        /** Returns it as {@code region: north -> south at 2}. */
        @Override
        public String toString() {
            return column + ": " + from + " -> " + to + " at " + Spec.print(price);
        }
    }

    /** Returns the same row with its losses in another unit. */
    public MovedRow withLosses(double otherBefore, double otherAfter) {
        return new MovedRow(row, share, label, otherBefore, otherAfter, cost, from, to, scaled, reachable, changes);
    }

    /** Returns the features that move by any amount, those that move farthest in scaled units first. */
    public List<Integer> movedFeatures() {
        return IntStream.range(0, scaled.length)
                .filter(i -> scaled[i] != 0)
                .boxed()
                .sorted(Comparator.comparingDouble(i -> -Math.abs(scaled[i])))
                .toList();
    }

    /** Returns the names of {@link #cells}. */
    public static List<String> header(Schema schema, PricedCost cost) {
        List<String> names = new ArrayList<>(List.of("row", "share", "loss before", "loss after", "cost", "reachable"));
        if (!cost.changes().isEmpty()) {
            names.add("changed");
        }
        names.add(schema.label());
        names.addAll(schema.features());
        return names;
    }

    /**
     * Returns the row as text: its number from 1, figures, the categories that changed if some may, the label as users write it, the
     * moved features.
     */
    public List<String> cells(Schema schema, PricedCost cost) {
        List<String> cells = new ArrayList<>(List.of(
                Integer.toString(row + 1),
                Double.toString(share),
                Double.toString(before),
                Double.toString(after),
                Double.toString(this.cost),
                Boolean.toString(reachable)));
        if (!cost.changes().isEmpty()) {
            cells.add(changes.stream().map(Change::toString).collect(Collectors.joining("; ")));
        }
        cells.add(
                schema.classes().isEmpty()
                        ? Double.toString(label)
                        : schema.classes().get((int) label));
        Arrays.stream(to).mapToObj(Double::toString).forEach(cells::add);
        return cells;
    }
}
