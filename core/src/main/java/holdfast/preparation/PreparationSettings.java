package holdfast.preparation;

import holdfast.model.LabelUnit;

/**
 * What a plan says about the preparation of rows.
 *
 * @param scale of the features; {@link Scaling.Kind#NONE} leaves labels as they are too
 * @param intercept whether the model has one, which allows offsets
 * @param labelUnit in which the model learns labels
 */
public record PreparationSettings(
        Scaling.Kind scale, boolean intercept, LabelUnit labelUnit, ClassWeights classWeights, Storage storage) {}
