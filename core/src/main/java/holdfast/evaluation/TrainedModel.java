package holdfast.evaluation;

import holdfast.Check;
import holdfast.Choice;
import holdfast.data.Dataset;
import holdfast.data.Schema;
import holdfast.data.Table;
import holdfast.math.Vectors;
import holdfast.model.Model;
import holdfast.model.ModelFamily;
import holdfast.model.Models;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.preparation.Encoding;
import holdfast.preparation.LabelScaling;
import holdfast.preparation.Preparation;
import holdfast.preparation.RowSummary;
import holdfast.preparation.Scaling;
import holdfast.shift.Shift;
import java.util.List;
import java.util.Optional;

/**
 * Everything that prediction needs.
 *
 * @param kind the name of the model
 * @param theta the parameters, in the model's layout
 * @param encoding how the columns of a table become features
 * @param scaling how to scale a row of features
 * @param labels how labels that are numbers were scaled
 * @param schema what the features mean
 * @param threshold with two classes, a row is of the second if its probability is at least this
 * @param calibration how the scores of classes become probabilities
 * @param errors of the coefficients, if they were computed
 * @param training what the features of its training rows looked like, if it is known
 */
public record TrainedModel(
        Choice<ModelFamily> kind,
        boolean intercept,
        double[] theta,
        Encoding encoding,
        Scaling scaling,
        LabelScaling labels,
        Schema schema,
        double threshold,
        Calibration calibration,
        Optional<CoefficientErrors> errors,
        Optional<RowSummary> training) {
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
        Check.that(
                calibration.equals(Calibration.NONE)
                        || model.target().isClass()
                                && model.givesProbabilities()
                                && calibration.fits(schema.classes().size()),
                "model: a calibration needs probabilities, and an offset for each of %d classes, got %s",
                schema.classes().size(),
                calibration);
        errors.ifPresent(e -> Check.that(
                e.values().size() == model.scoresPerRow()
                        && e.values().stream().allMatch(own -> own.length == features),
                "model: intervals must be for %d scores of %d features",
                model.scoresPerRow(),
                features));
        training.ifPresent(rows -> Check.that(
                rows.lowest().length == features,
                "model: the summary of training rows must have %d features",
                features));
        theta = theta.clone();
    }

    /** Creates a model whose probabilities are those it was trained for, without errors of its coefficients. */
    public TrainedModel(
            Choice<ModelFamily> kind,
            boolean intercept,
            double[] theta,
            Encoding encoding,
            Scaling scaling,
            LabelScaling labels,
            Schema schema,
            double threshold) {
        this(
                kind,
                intercept,
                theta,
                encoding,
                scaling,
                labels,
                schema,
                threshold,
                Calibration.NONE,
                Optional.empty(),
                Optional.empty());
    }

    /** Creates a model whose features are the columns themselves. */
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

    /**
     * Creates the model that a plan asks for, to be used on rows of this schema with the threshold 1/2.
     *
     * @param preparation how the rows were prepared that it was learnt from
     */
    public static TrainedModel of(Plan plan, Schema schema, Preparation preparation, double[] theta) {
        return new TrainedModel(
                Models.resolve(plan.get(PlanKey.MODEL), schema),
                plan.get(PlanKey.INTERCEPT),
                theta,
                preparation.encoding(),
                preparation.scaling(),
                preparation.labels(),
                schema.withoutGroups(),
                0.5,
                Calibration.NONE,
                Optional.empty(),
                preparation.summary());
    }

    /** Returns this model with other probabilities and another threshold for them. */
    public TrainedModel deciding(Calibration changed, double from) {
        return new TrainedModel(
                kind, intercept, theta, encoding, scaling, labels, schema, from, changed, errors, training);
    }

    /** Returns a copy. */
    @Override
    public double[] theta() {
        return theta.clone();
    }

    public Model model() {
        return kind.value().on(schema, intercept);
    }

    /** Returns the same model with errors of its coefficients. */
    public TrainedModel withErrors(Optional<CoefficientErrors> other) {
        return new TrainedModel(
                kind, intercept, theta, encoding, scaling, labels, schema, threshold, calibration, other, training);
    }

    /**
     * Returns the coefficients of each score, for unscaled features and labels.
     *
     * @throws holdfast.InputException for a model that is not linear in its scores
     */
    public List<Coefficients> coefficients() {
        return Coefficients.of(model(), theta, scaling, labels);
    }

    /** Returns the rows of a table as the model's features, with columns matched by name. */
    public Dataset features(Table table) {
        return encoding.featuresOf(table, schema);
    }

    /**
     * Predicts for unscaled rows of features.
     *
     * @throws holdfast.InputException with the row if a score is not finite
     */
    public Predictions predict(Dataset data) {
        return shifted(data, Shift.NONE);
    }

    /** Predicts for unscaled rows of features to which a shift happens. */
    Predictions shifted(Dataset data, Shift shift) {
        scaling.requireFits(data);
        Model model = model();
        return Predictions.of(
                model,
                theta,
                threshold,
                calibration,
                labels,
                data,
                block -> shift.apply(model, theta, scaling.apply(shift.measured(encoding, scaling, block))));
    }

    /** Predicts for the rows of a table. */
    public Predictions predict(Table data) {
        return predict(features(data));
    }

    /** Returns the scores of unscaled rows of features, one row after the other. */
    public double[] scores(Dataset data) {
        return predict(data).scores();
    }
}
