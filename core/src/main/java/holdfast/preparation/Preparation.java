package holdfast.preparation;

import holdfast.data.Dataset;
import holdfast.data.Rows;
import holdfast.data.Table;
import java.util.function.IntUnaryOperator;

/**
 * What is learnt from training rows before training, and what makes rows to train on of rows as a file has them: the same on
 * every engine, to the bit. First cells become features, then features are scaled and rounded to their storage, then labels are
 * scaled and rows weighted.
 *
 * @param encoding of cells as features, with what stands for missing cells
 * @param scaling of features
 * @param labels the scaling of labels that are numbers
 * @param weighting of rows
 * @param storage of scaled features
 */
public record Preparation(
        Encoding encoding, Scaling scaling, LabelScaling labels, Weighting weighting, Storage storage) {

    /** Learns from training rows alone, wherever they are. */
    public static Preparation learn(RawRows training, PreparationSettings settings) {
        Encoding encoding = training.learnEncoding();
        Rows features = training.features(encoding);
        return new Preparation(
                encoding,
                Scaling.fit(settings.scale(), features, settings.intercept()),
                settings.scale() == Scaling.Kind.NONE
                        ? LabelScaling.NONE
                        : LabelScaling.fit(settings.labelUnit(), features, settings.intercept()),
                Weighting.fit(features, settings.classWeights()),
                settings.storage());
    }

    /** Makes rows to train on of rows of the table that this was learnt from. */
    public Dataset apply(Table rows) {
        return trainable(encoding.apply(rows), r -> r);
    }

    /** The features of some rows of the table that this was learnt from, unscaled. */
    public Dataset features(Table table, int[] rows) {
        return encoding.apply(table, rows);
    }

    /**
     * Makes rows to train on of features.
     *
     * @param number of a row where users know it, from 0
     */
    public Dataset trainable(Dataset features, IntUnaryOperator number) {
        Dataset scaled = scaling.apply(features);
        return weighting.apply(labels.apply(storage == Storage.FLOAT ? scaled.inFloats(number) : scaled));
    }
}
