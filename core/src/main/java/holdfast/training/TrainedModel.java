package holdfast.training;

import holdfast.Check;
import holdfast.data.Block;
import holdfast.data.Dataset;
import holdfast.data.Scaling;
import holdfast.math.Vectors;
import holdfast.model.LinearModel;
import holdfast.model.LogisticRegression;
import java.util.List;

/**
 * All that prediction needs.
 *
 * @param theta weights of the scaled features, then the intercept if there is one
 * @param scaling what to do to a row first
 * @param features names of the feature columns, in the order of theta
 * @param label name of the column predicted
 * @param classes the two label values; a row is the second when its probability is at least {@code threshold}
 */
public record TrainedModel(
        boolean intercept,
        double[] theta,
        Scaling scaling,
        List<String> features,
        String label,
        List<String> classes,
        double threshold) {
    public TrainedModel {
        features = List.copyOf(features);
        classes = List.copyOf(classes);
        Check.that(
                theta.length == features.size() + (intercept ? 1 : 0),
                "model: there must be %d weights, got %d",
                features.size() + (intercept ? 1 : 0),
                theta.length);
        Check.that(Vectors.finite(theta), "model: weights must be finite");
        Check.that(
                scaling.offsets().length == features.size(),
                "model: scaling must have %d columns, got %d",
                features.size(),
                scaling.offsets().length);
        Check.that(classes.size() == 2, "model: there must be two classes, got %d", classes.size());
        Check.that(threshold > 0 && threshold < 1, "model: threshold must be between 0 and 1, got %s", threshold);
    }

    public LinearModel model() {
        return new LogisticRegression(intercept);
    }

    /** What the columns of data for this model mean. */
    public Dataset.Schema schema() {
        return new Dataset.Schema(features, label, classes, List.of());
    }

    /** The probability of {@code classes().get(1)} for each row of unscaled data. */
    public double[] probabilities(Dataset data) {
        LinearModel model = model();
        double[] out = new double[data.rows()];
        int done = 0;
        for (Block block : scaling.apply(data).blocks()) {
            double[] scores = new double[block.rows()];
            model.scores(theta, block, scores);
            for (double score : scores) {
                out[done++] = model.probability(score);
            }
        }
        return out;
    }
}
