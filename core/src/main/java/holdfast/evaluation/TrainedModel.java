package holdfast.evaluation;

import holdfast.Check;
import holdfast.Choice;
import holdfast.data.Dataset;
import holdfast.data.Schema;
import holdfast.data.Table;
import holdfast.math.Vectors;
import holdfast.model.Model;
import holdfast.model.ModelFamily;
import holdfast.preparation.Encoding;
import holdfast.preparation.LabelScaling;
import holdfast.preparation.Scaling;
import holdfast.shift.Shift;

/**
 * All that prediction needs.
 *
 * @param kind which model, by name
 * @param theta the parameters, laid out as the model says
 * @param encoding how the columns of a table become features
 * @param scaling what to do to a row of features first
 * @param labels how labels that are numbers were learnt
 * @param schema what the features mean
 * @param threshold with two classes, a row is of the second when its probability is at least this
 */
public record TrainedModel(
        Choice<ModelFamily> kind,
        boolean intercept,
        double[] theta,
        Encoding encoding,
        Scaling scaling,
        LabelScaling labels,
        Schema schema,
        double threshold) {
    public TrainedModel {
        int features = schema.features().size();
        Model model = kind.value().on(schema, intercept);
        int needed = model.parameters(features);
        Check.that(theta.length == needed, "model: there must be %d weights, got %d", needed, theta.length);
        Check.that(Vectors.finite(theta), "model: weights must be finite");
        Check.that(
                encoding.equals(Encoding.NONE) || encoding.features().equals(schema.features()),
                "model: the features must be those that its columns make");
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

    /** A model of columns that are features as they are. */
    public TrainedModel(
            Choice<ModelFamily> kind,
            boolean intercept,
            double[] theta,
            Scaling scaling,
            LabelScaling labels,
            Schema schema,
            double threshold) {
        this(kind, intercept, theta, Encoding.NONE, scaling, labels, schema, threshold);
    }

    /** A copy. */
    @Override
    public double[] theta() {
        return theta.clone();
    }

    public Model model() {
        return kind.value().on(schema, intercept);
    }

    /** The rows of a table as the model's features, its columns matched by name. */
    public Dataset features(Table table) {
        return encoding.featuresOf(table, schema);
    }

    /**
     * What the model says about rows of features, unscaled.
     *
     * @throws holdfast.InputException that names the row, if a score is not finite
     */
    public Predictions predict(Dataset data) {
        return Predictions.of(model(), theta, threshold, labels, scaled(data), Shift.NONE);
    }

    /** The same of the rows of a table. */
    public Predictions predict(Table data) {
        return predict(features(data));
    }

    /** Rows as the model learnt from them, but for their labels. */
    Dataset scaled(Dataset data) {
        return scaling.apply(data);
    }

    /** The scores of rows of features, unscaled, one row after the other. */
    public double[] scores(Dataset data) {
        return predict(data).scores();
    }
}
