package holdfast.spark.engine;

import holdfast.data.Dataset;
import holdfast.data.Table;
import holdfast.data.TableColumn;
import holdfast.plan.PlanKey;
import holdfast.preparation.Encoding;
import holdfast.preparation.LabelScaling;
import holdfast.preparation.Preparation;
import holdfast.preparation.Scaling;
import holdfast.preparation.Storage;
import holdfast.preparation.Weighting;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A {@link Preparation} and the columns of the table it was learnt from, as numbers and text that can be sent to the
 * rows. There, columns are named by their numbers.
 */
final class TravellingPreparation implements Serializable {
    private static final long serialVersionUID = 1;

    /** For each column of the table, its categories; empty if its cells are already features. */
    private final String[][] cells;

    private final String[] missing;
    private final String[][] categories;
    private final double[][] fills;
    private final boolean[] marked;
    /** Null if only the encoding is known yet. */
    private final String scale;

    private final double[] offsets;
    private final double[] divisors;
    private final double labelOffset;
    private final double labelDivisor;
    private final double meanWeight;
    private final double[] classWeights;
    private final String storage;

    private transient List<TableColumn> columns;
    private transient Encoding encoding;
    private transient Preparation preparation;

    /** @param columns of the table; empty if its cells are already features */
    TravellingPreparation(List<TableColumn> columns, Preparation learnt) {
        this(
                columns,
                learnt.encoding(),
                learnt.scaling().kind().toString(),
                learnt.scaling().offsets(),
                learnt.scaling().divisors(),
                learnt.labels(),
                learnt.weighting(),
                learnt.storage());
    }

    /** Makes a preparation that can only turn cells into features. */
    TravellingPreparation(List<TableColumn> columns, Encoding encoding) {
        this(columns, encoding, null, null, null, LabelScaling.NONE, new Weighting(1, new double[0]), Storage.DOUBLE);
    }

    private TravellingPreparation(
            List<TableColumn> columns,
            Encoding encoding,
            String scale,
            double[] offsets,
            double[] divisors,
            LabelScaling labels,
            Weighting weighting,
            Storage storage) {
        this.cells = columns.stream().map(c -> texts(c.categories())).toArray(String[][]::new);
        this.missing = columns.stream().map(c -> c.missing().toString()).toArray(String[]::new);
        List<Encoding.Column> encoded = columns.isEmpty() ? List.of() : encoding.columns();
        this.categories = encoded.stream().map(c -> texts(c.categories())).toArray(String[][]::new);
        this.fills = encoded.stream()
                .map(c -> c.fill().stream().mapToDouble(Double::doubleValue).toArray())
                .toArray(double[][]::new);
        this.marked = new boolean[encoded.size()];
        for (int c = 0; c < marked.length; c++) {
            marked[c] = encoded.get(c).marked();
        }
        this.scale = scale;
        this.offsets = offsets;
        this.divisors = divisors;
        this.labelOffset = labels.offset();
        this.labelDivisor = labels.divisor();
        this.meanWeight = weighting.mean();
        this.classWeights = weighting.classes();
        this.storage = storage.toString();
    }

    private static String[] texts(List<String> texts) {
        return texts.toArray(String[]::new);
    }

    private synchronized void rebuild() {
        if (encoding != null) {
            return;
        }
        columns = IntStream.range(0, cells.length)
                .mapToObj(c ->
                        new TableColumn(Integer.toString(c), List.of(cells[c]), TableColumn.Missing.parse(missing[c])))
                .toList();
        encoding = new Encoding(IntStream.range(0, categories.length)
                .mapToObj(c -> new Encoding.Column(
                        Integer.toString(c),
                        List.of(categories[c]),
                        Arrays.stream(fills[c]).boxed().toList(),
                        marked[c]))
                .toList());
        preparation = scale == null
                ? null
                : new Preparation(
                        encoding,
                        new Scaling(Scaling.Kind.parse(scale), offsets, divisors),
                        new LabelScaling(labelOffset, labelDivisor),
                        new Weighting(meanWeight, classWeights),
                        PlanKey.STORAGE.parse(storage));
    }

    private Table table(Dataset cellsOfRows) {
        return Table.of(columns, cellsOfRows);
    }

    /** Turns cells into features. */
    Dataset features(Dataset raw) {
        rebuild();
        return encoding.apply(table(raw));
    }

    /** Turns features into rows to train on. */
    Dataset trainable(Dataset features) {
        rebuild();
        return preparation.trainable(features, r -> r);
    }

    /** Turns cells into rows to train on. */
    Dataset apply(Dataset raw) {
        rebuild();
        return preparation.apply(table(raw));
    }
}
