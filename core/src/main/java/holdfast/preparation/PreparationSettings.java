package holdfast.preparation;

import holdfast.model.LabelUnit;

/**
 * What a plan says about the preparation of rows.
 *
 * @param scale how to scale features; {@link Scaling.Kind#NONE} also leaves labels as they are
 * @param intercept whether the model has one, which allows offsets
 * @param labelUnit the unit in which the model learns labels
 * @param dealt whether rows are dealt to workers without regard to sources; then classes and categories are those of
 *     all training rows
 * @param across combines what the sources say
 */
public record PreparationSettings(
        Scaling.Kind scale,
        boolean intercept,
        LabelUnit labelUnit,
        ClassWeights classWeights,
        SourceWeights sourceWeights,
        Storage storage,
        boolean dealt,
        AcrossSources across) {}
