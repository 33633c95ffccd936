package holdfast.spark;

import holdfast.Check;
import holdfast.Spec;
import holdfast.data.Block;
import holdfast.data.DenseBlock;
import holdfast.data.SparseBlock;
import holdfast.evaluation.Coefficients;
import holdfast.evaluation.Predictions;
import holdfast.evaluation.TrainedModel;
import holdfast.model.Model;
import holdfast.model.Models;
import holdfast.preparation.LabelScaling;
import holdfast.preparation.RowScaler;
import holdfast.preparation.Scaling;
import holdfast.spark.engine.Piece;
import java.io.Serializable;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.ml.linalg.SparseVector;
import org.apache.spark.ml.linalg.Vector;

/**
 * Scores rows one by one, wherever they are. Uses the model itself, so results are equal to those of a
 * {@link TrainedModel} to the bit. Serialised as numbers and text.
 */
final class Scorer implements Serializable {
    private static final long serialVersionUID = 1;

    private static final double[] NO_LABEL = new double[1];

    private final String kind;
    private final boolean intercept;
    private final int classes;
    private final double[] theta;
    private final String scaling;
    private final double[] offsets;
    private final double[] divisors;
    private final double clip;
    private final double labelOffset;
    private final double labelDivisor;

    private transient Rebuilt rebuilt;

    /** @param scaler scales dense rows; null if they stay as they are */
    private record Rebuilt(Model model, Scaling scaling, RowScaler scaler, boolean keepsZeros, LabelScaling labels) {}

    Scorer(TrainedModel trained) {
        kind = trained.kind().toString();
        intercept = trained.intercept();
        classes = trained.schema().classes().size();
        theta = trained.theta();
        scaling = trained.scaling().kind().toString();
        offsets = trained.scaling().offsets();
        divisors = trained.scaling().divisors();
        clip = trained.scaling().clip();
        labelOffset = trained.labels().offset();
        labelDivisor = trained.labels().divisor();
    }

    private Rebuilt rebuilt() {
        Rebuilt known = rebuilt;
        if (known == null) {
            List<String> names =
                    IntStream.range(0, classes).mapToObj(Integer::toString).toList();
            Scaling fitted = new Scaling(Scaling.Kind.parse(scaling), offsets, divisors, clip);
            known = new Rebuilt(
                    Models.catalogue().create(Spec.parse(kind)).on(Piece.unnamed(1, "label", names), intercept),
                    fitted,
                    fitted.kind() == Scaling.Kind.NONE ? null : fitted.rowScaler(),
                    fitted.keepsZeros(),
                    new LabelScaling(labelOffset, labelDivisor));
            rebuilt = known;
        }
        return known;
    }

    int features() {
        return divisors.length;
    }

    int classes() {
        return classes;
    }

    /** How many scores a row has. */
    int scoresPerRow() {
        return model().scoresPerRow();
    }

    Model model() {
        return rebuilt().model;
    }

    /** All numbers that were learnt, for scaled features. */
    double[] theta() {
        return theta.clone();
    }

    double[] scores(Vector features) {
        int d = features();
        Check.that(features.size() == d, "the model is for vectors of %d features, got %d", d, features.size());
        Rebuilt parts = rebuilt();
        Block scaled = parts.keepsZeros && features instanceof SparseVector sparse
                ? parts.scaling.apply(SparseBlock.row(d, sparse.indices(), sparse.values()))
                : new DenseBlock(d, scaled(features.toArray(), parts.scaler), NO_LABEL, null);
        double[] scores = new double[parts.model.scoresPerRow()];
        parts.model.scores(theta, scaled, scores);
        return scores;
    }

    private static double[] scaled(double[] row, RowScaler scaler) {
        if (scaler == null) {
            return row;
        }
        double[] scaled = new double[row.length];
        scaler.scale(row, 0, scaled, 0);
        return scaled;
    }

    /** Returns what the scores of one row mean. */
    Predictions read(double[] scores, double threshold) {
        Rebuilt parts = rebuilt();
        return new Predictions(parts.model, threshold, parts.labels, scores);
    }

    /**
     * Returns the coefficients of each score, for unscaled features and labels.
     *
     * @throws holdfast.InputException for a model that is not linear in its scores
     */
    List<Coefficients> coefficients() {
        Rebuilt parts = rebuilt();
        return Coefficients.of(parts.model, theta, parts.scaling, parts.labels);
    }
}
