package holdfast.evaluation;

import holdfast.Check;
import holdfast.Spec;
import holdfast.data.Dataset;
import holdfast.data.Encoding;
import holdfast.data.LabelScaling;
import holdfast.data.Scaling;
import holdfast.data.Schema;
import holdfast.math.Vectors;
import holdfast.model.Model;
import holdfast.model.Models;
import holdfast.shift.Shift;

/**
 * All that prediction needs.
 *
 * @param kind which model, by name
 * @param theta weights of the scaled features, then the intercepts if there are any
 * @param scaling what to do to a row first
 * @param labels how labels that are numbers were learnt
 * @param schema what the columns mean
 * @param threshold of two classes, a row is the second when its probability is at least this
 */
public record TrainedModel(
        Spec kind,
        boolean intercept,
        double[] theta,
        Scaling scaling,
        LabelScaling labels,
        Schema schema,
        double threshold) {
    public TrainedModel {
        int features = schema.features().size();
        Model model = Models.create(kind, schema, intercept);
        int needed = model.parameters(features);
        Check.that(theta.length == needed, "model: there must be %d weights, got %d", needed, theta.length);
        Check.that(Vectors.finite(theta), "model: weights must be finite");
        Check.that(
                scaling.offsets().length == features,
                "model: scaling must have %d columns, got %d",
                features,
                scaling.offsets().length);
        Check.that(
                labels.equals(LabelScaling.NONE) || !model.target().isClass(),
                "model: only numbers are scaled, not %s",
                model.target());
        Check.that(threshold > 0 && threshold < 1, "model: threshold must be between 0 and 1, got %s", threshold);
        theta = theta.clone();
    }

    /** A copy. */
    @Override
    public double[] theta() {
        return theta.clone();
    }

    public Model model() {
        return Models.create(kind, schema, intercept);
    }

    /**
     * What the model says of unscaled rows.
     *
     * @throws holdfast.InputException that names the row, if a score is not finite
     */
    public Predictions predict(Dataset data) {
        return Predictions.of(model(), theta, threshold, labels, scaled(data), Shift.NONE);
    }

    /** Rows as the model learnt from them, but for their labels; cells of a table are encoded first. */
    Dataset scaled(Dataset data) {
        return scaling.apply(Encoding.featuresOf(data, schema));
    }

    /** The scores of unscaled rows, one row after the other. */
    public double[] scores(Dataset data) {
        return predict(data).scores();
    }
}
