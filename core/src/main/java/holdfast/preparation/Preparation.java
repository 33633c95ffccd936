package holdfast.preparation;

import holdfast.data.Dataset;
import holdfast.data.Rows;
import holdfast.data.Table;
import holdfast.objective.CategoryColumn;
import java.util.List;
import java.util.Optional;
import java.util.function.IntUnaryOperator;

/**
 * What is learnt from training rows before training. It turns rows as a file has them into rows to train on, with the
 * same bits on every engine. First cells become features; then features are scaled and rounded to their storage; then
 * labels are scaled and rows are weighted.
 *
 * @param encoding turns cells into features and fills missing cells
 * @param scaling scales features
 * @param labels scales labels that are numbers
 * @param weighting weights rows
 * @param storage how scaled features are stored
 * @param summary what the features of training rows look like, if it was learnt
 */
public record Preparation(
        Encoding encoding,
        Scaling scaling,
        LabelScaling labels,
        Weighting weighting,
        Storage storage,
        Optional<RowSummary> summary) {
    /** Creates a preparation without a summary, which preparing rows does not need. */
    public Preparation(Encoding encoding, Scaling scaling, LabelScaling labels, Weighting weighting, Storage storage) {
        this(encoding, scaling, labels, weighting, storage, Optional.empty());
    }

    /**
     * Learns from training rows alone, wherever they are.
     *
     * @param sizes how many rows each source that will be a worker has
     * @param weights the mean weights of their rows
     */
    public static Preparation learn(
            RawRows training, PreparationSettings settings, long[] sizes, WorkerWeights weights) {
        AcrossSources across = settings.across();
        Encoding encoding = training.learnEncoding(settings.dealt(), across);
        Rows features = training.features(encoding);
        Scaling scaling = Scaling.fit(settings.scale(), features, settings.intercept(), settings.dealt(), across);
        return new Preparation(
                encoding,
                scaling,
                settings.scale() == Scaling.Kind.NONE
                        ? LabelScaling.NONE
                        : LabelScaling.fit(settings.labelUnit(), features, settings.intercept(), across),
                Weighting.fit(
                        features,
                        settings.classWeights(),
                        settings.sourceWeights(),
                        sizes,
                        weights,
                        settings.dealt(),
                        across),
                settings.storage(),
                RowSummary.of(features, scaling, across));
    }

    /** Returns the text columns as they are in rows to train on. */
    public List<CategoryColumn> categories() {
        return encoding.categories(scaling).stream()
                .map(column -> storage == Storage.FLOAT
                        ? new CategoryColumn(
                                column.name(),
                                column.first(),
                                inFloats(column.zero()),
                                inFloats(column.one()),
                                column.marked())
                        : column)
                .toList();
    }

    private static List<Double> inFloats(List<Double> values) {
        return values.stream().map(value -> (double) value.floatValue()).toList();
    }

    /** Turns rows of the table that this was learnt from into rows to train on. */
    public Dataset apply(Table rows) {
        return trainable(encoding.apply(rows), r -> r);
    }

    /** Turns some rows of a table into rows that a worker trains on, with the weights by which they count there. */
    public Dataset ofWorker(Table table, int[] rows, int worker) {
        return weighting.ofWorker(
                trainable(encoding.apply(table, rows), r -> rows[r]).withoutGroups(),
                worker,
                r -> table.cells().weight(rows[r]));
    }

    /** Returns the unscaled features of held-out rows of the table that this was learnt from. */
    public Dataset heldOut(Table table, int[] rows) {
        return encoding.applyToHeldOut(table, rows);
    }

    /**
     * Turns features into rows to train on.
     *
     * @param number maps a row to the number by which users know it, from 0
     */
    public Dataset trainable(Dataset features, IntUnaryOperator number) {
        Dataset scaled = scaling.apply(features);
        return weighting.apply(labels.apply(storage == Storage.FLOAT ? scaled.inFloats(number) : scaled));
    }
}
