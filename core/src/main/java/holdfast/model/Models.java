package holdfast.model;

import holdfast.Catalogue;
import holdfast.Spec;
import holdfast.data.Dataset;

/** All models, by the name users write. */
public final class Models {
    /** Stands for the model that fits the label: two classes logistic, more softmax, numbers linear. */
    public static final Spec AUTO = Spec.parse("auto");

    private static final Catalogue<Family> CATALOGUE = Catalogue.<Family>of("model")
            .with(
                    "logistic",
                    "two classes, by the probability of the second (logistic regression)",
                    p -> new Family(Target.TWO_CLASSES, (classes, intercept) -> new LogisticRegression(intercept)));

    private Models() {}

    /** A model but for what the data decide. */
    public record Family(Target target, Maker maker) {}

    /** Makes a model for so many classes, 0 where labels are numbers. */
    @FunctionalInterface
    public interface Maker {
        Model make(int classes, boolean intercept);
    }

    public static Catalogue<Family> catalogue() {
        return CATALOGUE;
    }

    /** What {@link #AUTO} stands for on data of this schema; any other model is itself. */
    public static Spec resolve(Spec model, Dataset.Schema schema) {
        if (!model.equals(AUTO)) {
            return model;
        }
        int classes = schema.classes().size();
        return Spec.parse(classes == 0 ? "linear" : classes == 2 ? "logistic" : "softmax");
    }

    /** @throws holdfast.InputException when the model cannot predict labels of this schema */
    public static Model create(Spec model, Dataset.Schema schema, boolean intercept) {
        Spec resolved = resolve(model, schema);
        Family family = CATALOGUE.create(resolved);
        family.target.mustFit(schema, resolved.toString());
        return family.maker.make(schema.classes().size(), intercept);
    }
}
