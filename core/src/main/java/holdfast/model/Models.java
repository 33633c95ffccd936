package holdfast.model;

import holdfast.Catalogue;
import holdfast.Spec;
import holdfast.data.Schema;
import java.util.function.Function;

/** All models, by the name users write. */
public final class Models {
    /** Stands for the model that fits the label: two classes logistic, more softmax, numbers linear. */
    public static final Spec AUTO = Spec.parse("auto");

    private static final Catalogue<Family> CATALOGUE = Catalogue.<Family>of("model")
            .with(
                    "logistic",
                    "two classes, by the probability of the second (logistic regression)",
                    p -> linear(LogisticRegression::new))
            .with("svm", "two classes, by a margin between them (support vector machine, smoothed hinge loss)", p -> {
                double smoothing = p.number("smoothing", 1);
                return linear(intercept -> new SmoothedHinge(intercept, smoothing));
            })
            .with(
                    "softmax",
                    "two classes or more, by their probabilities (softmax regression)",
                    p -> new Family(Target.CLASSES, SoftmaxRegression::new))
            .with("linear", "numbers, by their mean (least squares)", p -> linear(LinearRegression::new))
            .with(
                    "huber",
                    "numbers, by their mean but for outliers beyond delta standard deviations of the others (Huber)",
                    p -> {
                        double delta = p.number("delta", 1);
                        return linear(intercept -> new HuberRegression(intercept, delta));
                    })
            .with(
                    "poisson",
                    "counts, by the logarithm of their mean (Poisson regression)",
                    p -> linear(PoissonRegression::new));

    private Models() {}

    /** A model but for what the data decide. */
    public record Family(Target target, Maker maker) {}

    /** Makes a model for so many classes, 0 where labels are numbers. */
    @FunctionalInterface
    public interface Maker {
        Model make(int classes, boolean intercept);
    }

    /** Makes one at once, so that parameters that may not be are refused where they are read. */
    private static Family linear(Function<Boolean, LinearModel> maker) {
        return new Family(maker.apply(true).target(), (classes, intercept) -> maker.apply(intercept));
    }

    public static Catalogue<Family> catalogue() {
        return CATALOGUE;
    }

    /** What {@link #AUTO} stands for on data of this schema; any other model is itself. */
    public static Spec resolve(Spec model, Schema schema) {
        if (!model.equals(AUTO)) {
            return model;
        }
        int classes = schema.classes().size();
        return Spec.parse(classes == 0 ? "linear" : classes == 2 ? "logistic" : "softmax");
    }

    /** @throws holdfast.InputException when the model cannot predict labels of this schema */
    public static Model create(Spec model, Schema schema, boolean intercept) {
        Spec resolved = resolve(model, schema);
        Family family = CATALOGUE.create(resolved);
        family.target.requireFits(schema, resolved.toString());
        return family.maker.make(schema.classes().size(), intercept);
    }
}
