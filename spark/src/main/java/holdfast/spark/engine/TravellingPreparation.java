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
import holdfast.preparation.WorkerWeights;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
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
    /** For each column of the encoding, its number in the table, which may have more. */
    private final int[] from;

    private final String[][] categories;
    private final double[][] fills;
    private final boolean[] marked;
    /** Null if only the encoding is known yet. */
    private final String scale;

    private final double[] offsets;
    private final double[] divisors;
    private final double clip;
    private final double labelOffset;
    private final double labelDivisor;
    private final double[] workerWeights;
    private final double[] groupWeights;
    private final int[] groupOf;
    private final double[] classWeights;
    /** The shards whose rows weigh more or less than they say, and by which factor. */
    private final TreeMap<Integer, Double> sources;

    private final String storage;

    private transient List<TableColumn> columns;
    private transient Encoding encoding;
    private transient Preparation preparation;

    /** @param columns of the table; empty if its cells are already features */
    TravellingPreparation(List<TableColumn> columns, Preparation learnt) {
        this(
                columns,
                learnt.encoding(),
                Optional.of(learnt.scaling()),
                learnt.labels(),
                learnt.weighting(),
                learnt.storage());
    }

    /** Makes a preparation that can only turn cells into features. */
    TravellingPreparation(List<TableColumn> columns, Encoding encoding) {
        this(columns, encoding, Optional.empty(), LabelScaling.NONE, Weighting.NONE, Storage.DOUBLE);
    }

    private TravellingPreparation(
            List<TableColumn> columns,
            Encoding encoding,
            Optional<Scaling> scaling,
            LabelScaling labels,
            Weighting weighting,
            Storage storage) {
        this.cells = columns.stream().map(c -> texts(c.categories())).toArray(String[][]::new);
        this.missing = columns.stream().map(c -> c.missing().toString()).toArray(String[]::new);
        List<Encoding.Column> encoded = columns.isEmpty() ? List.of() : encoding.columns();
        List<String> names = columns.stream().map(TableColumn::name).toList();
        this.from = encoded.stream().mapToInt(c -> names.indexOf(c.name())).toArray();
        this.categories = encoded.stream().map(c -> texts(c.categories())).toArray(String[][]::new);
        this.fills = encoded.stream()
                .map(c -> c.fill().stream().mapToDouble(Double::doubleValue).toArray())
                .toArray(double[][]::new);
        this.marked = new boolean[encoded.size()];
        for (int c = 0; c < marked.length; c++) {
            marked[c] = encoded.get(c).marked();
        }
        this.scale = scaling.map(s -> s.kind().toString()).orElse(null);
        this.offsets = scaling.map(Scaling::offsets).orElse(null);
        this.divisors = scaling.map(Scaling::divisors).orElse(null);
        this.clip = scaling.map(Scaling::clip).orElse(Double.POSITIVE_INFINITY);
        this.labelOffset = labels.offset();
        this.labelDivisor = labels.divisor();
        this.workerWeights = weighting.rows().workers();
        this.groupWeights = weighting.rows().groups();
        this.groupOf = weighting.rows().groupOf();
        this.classWeights = weighting.classes();
        this.sources = new TreeMap<>(weighting.sources());
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
                        Integer.toString(from[c]),
                        List.of(categories[c]),
                        Arrays.stream(fills[c]).boxed().toList(),
                        marked[c]))
                .toList());
        preparation = scale == null
                ? null
                : new Preparation(
                        encoding,
                        new Scaling(Scaling.Kind.parse(scale), offsets, divisors, clip),
                        new LabelScaling(labelOffset, labelDivisor),
                        new Weighting(new WorkerWeights(workerWeights, groupWeights, groupOf), classWeights, sources),
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

    /** Turns cells of a shard into the rows that its workers train on. */
    Dataset shard(Dataset raw, int shard) {
        rebuild();
        return preparation.weighting().ofWorker(preparation.apply(table(raw)), shard, raw::weight);
    }
}
