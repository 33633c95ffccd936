package holdfast.spark;

import holdfast.Check;
import holdfast.Spec;
import holdfast.data.Block;
import holdfast.data.DenseBlock;
import holdfast.data.SparseBlock;
import holdfast.evaluation.Predictions;
import holdfast.evaluation.TrainedModel;
import holdfast.model.Model;
import holdfast.model.Models;
import holdfast.preparation.LabelScaling;
import holdfast.preparation.Scaling;
import holdfast.spark.engine.Piece;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.ml.linalg.SparseVector;
import org.apache.spark.ml.linalg.Vector;

/** Scores rows one by one, wherever they are, to the bits of a {@link TrainedModel}. It travels as numbers and text. */
final class Scorer implements Serializable {
    private static final long serialVersionUID = 1;

    private final String kind;
    private final boolean intercept;
    private final int classes;
    private final double[][] weights;
    private final double[] intercepts;
    private final String scaling;
    private final double[] offsets;
    private final double[] divisors;
    private final double labelOffset;
    private final double labelDivisor;

    private transient Rebuilt rebuilt;

    private record Rebuilt(Model model, Scaling scaling, boolean keepsZeros, LabelScaling labels) {}

    Scorer(TrainedModel trained) {
        int k = trained.model().scoresPerRow();
        int d = trained.schema().features().size();
        double[] theta = trained.theta();
        kind = trained.kind().toString();
        intercept = trained.intercept();
        classes = trained.schema().classes().size();
        weights = IntStream.range(0, k)
                .mapToObj(c -> Arrays.copyOfRange(theta, c * d, (c + 1) * d))
                .toArray(double[][]::new);
        intercepts = intercept ? Arrays.copyOfRange(theta, k * d, k * d + k) : new double[k];
        scaling = trained.scaling().kind().toString();
        offsets = trained.scaling().offsets();
        divisors = trained.scaling().divisors();
        labelOffset = trained.labels().offset();
        labelDivisor = trained.labels().divisor();
    }

    private Rebuilt rebuilt() {
        Rebuilt known = rebuilt;
        if (known == null) {
            List<String> names =
                    IntStream.range(0, classes).mapToObj(Integer::toString).toList();
            Scaling fitted = new Scaling(Scaling.Kind.parse(scaling), offsets, divisors);
            known = new Rebuilt(
                    Models.create(Spec.parse(kind), Piece.unnamed(1, "label", names), intercept),
                    fitted,
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

    /** How many a row has. */
    int scoresPerRow() {
        return weights.length;
    }

    double[] scores(Vector features) {
        int d = features();
        Check.that(features.size() == d, "the model is for vectors of %d features, got %d", d, features.size());
        Rebuilt parts = rebuilt();
        Block row = parts.keepsZeros && features instanceof SparseVector sparse
                ? SparseBlock.row(d, sparse.indices(), sparse.values())
                : new DenseBlock(d, features.toArray(), new double[1], null);
        Block scaled = parts.scaling.kind() == Scaling.Kind.NONE ? row : parts.scaling.apply(row);
        double[] scores = new double[weights.length];
        double[] score = new double[1];
        for (int c = 0; c < scores.length; c++) {
            scaled.times(weights[c], score);
            scores[c] = score[0] + intercepts[c];
        }
        return scores;
    }

    /** What the scores of one row mean. */
    Predictions read(double[] scores, double threshold) {
        Rebuilt parts = rebuilt();
        return new Predictions(parts.model, threshold, parts.labels, scores);
    }

    /** Per score, the weights of features and labels that are not scaled. */
    double[][] coefficients() {
        return Arrays.stream(weights)
                .map(w -> IntStream.range(0, w.length)
                        .mapToDouble(i -> w[i] / divisors[i] * labelDivisor)
                        .toArray())
                .toArray(double[][]::new);
    }

    /** Per score, what goes with {@link #coefficients}; offsets of the scaling make one where none was learnt. */
    double[] intercepts() {
        return IntStream.range(0, weights.length)
                .mapToDouble(c -> {
                    double sum = intercepts[c];
                    for (int i = 0; i < offsets.length; i++) {
                        sum -= weights[c][i] * offsets[i] / divisors[i];
                    }
                    return sum * labelDivisor + labelOffset;
                })
                .toArray();
    }
}
