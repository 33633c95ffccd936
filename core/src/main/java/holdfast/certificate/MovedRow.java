package holdfast.certificate;

import holdfast.data.Schema;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
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
 * @param scaled how far each feature moves in units of the scaled features
 * @param reachable whether the model, reading the moved features, sees the moved row: not if a feature moves beyond where scaled
 *     values are cut off, or in a column that was constant in training, where {@code to} shows the given value
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
        boolean reachable) {

    /** Returns the features that move, those that move farthest in scaled units first. */
    public List<Integer> movedFeatures() {
        return IntStream.range(0, scaled.length)
                .filter(i -> scaled[i] != 0)
                .boxed()
                .sorted(Comparator.comparingDouble(i -> -Math.abs(scaled[i])))
                .toList();
    }

    /** Returns the names of {@link #cells}. */
    public static List<String> header(Schema schema) {
        List<String> names = new ArrayList<>(
                List.of("row", "share", "loss before", "loss after", "cost", "reachable", schema.label()));
        names.addAll(schema.features());
        return names;
    }

    /** Returns the row as text: its number from 1, figures, the label as users write it, the moved features. */
    public List<String> cells(Schema schema) {
        List<String> cells = new ArrayList<>(List.of(
                Integer.toString(row + 1),
                Double.toString(share),
                Double.toString(before),
                Double.toString(after),
                Double.toString(cost),
                Boolean.toString(reachable),
                schema.classes().isEmpty()
                        ? Double.toString(label)
                        : schema.classes().get((int) label)));
        Arrays.stream(to).mapToObj(Double::toString).forEach(cells::add);
        return cells;
    }
}
