package holdfast.model;

import holdfast.Catalogue;
import holdfast.Choice;
import holdfast.Spec;
import holdfast.data.Schema;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.IntStream;

/** All models, by the name users write. */
public final class Models {
    private static final Catalogue<ModelFamily> CATALOGUE = Catalogue.<ModelFamily>of("model")
            .with(
                    "logistic",
                    "two classes, by the probability of the second (logistic regression)",
                    p -> linear("logistic", LogisticRegression::new))
            .with("svm", "two classes, by a margin between them (support vector machine, smoothed hinge loss)", p -> {
                double smoothing = p.number("smoothing", 1);
                return linear("svm", intercept -> new SmoothedHinge(intercept, smoothing));
            })
            .with(
                    "softmax",
                    "two classes or more, by their probabilities (softmax regression)",
                    p -> new Family("softmax", Target.CLASSES, SoftmaxRegression::new))
            .with("linear", "numbers, by their mean (least squares)", p -> linear("linear", LinearRegression::new))
            .with(
                    "huber",
                    "numbers, by their mean but for outliers beyond delta standard deviations of the others (Huber)",
                    p -> {
                        double delta = p.number("delta", 1);
                        return linear("huber", intercept -> new HuberRegression(intercept, delta));
                    })
            .with(
                    "poisson",
                    "counts, by the logarithm of their mean (Poisson regression)",
                    p -> linear("poisson", PoissonRegression::new))
            .with("mlp", "classes or numbers, by a neural network with these hidden layers", NetworkFamily::of);

    /** The model that fits the label: logistic for two classes, softmax for more, linear for numbers. */
    public static final Choice<ModelFamily> AUTO = Choice.named(
            new ModelFamily() {
                @Override
                public Optional<Target> target() {
                    return Optional.empty();
                }

                @Override
                public Model on(Schema schema, boolean intercept) {
                    return byLabel(schema).value().on(schema, intercept);
                }
            },
            "auto");

    private Models() {}

    /**
     * A family that refuses labels of another kind.
     *
     * @param maker from the number of classes, 0 where labels are numbers, and whether there is an intercept
     */
    private record Family(String name, Target kind, BiFunction<Integer, Boolean, Model> maker) implements ModelFamily {
        @Override
        public Optional<Target> target() {
            return Optional.of(kind);
        }

        @Override
        public Model on(Schema schema, boolean intercept) {
            kind.requireFits(schema, name);
            return maker.apply(schema.classes().size(), intercept);
        }
    }

    /** Makes one model now, so that a bad parameter is refused where it is read. */
    private static Family linear(String name, Function<Boolean, LinearModel> maker) {
        return new Family(name, maker.apply(true).target(), (classes, intercept) -> maker.apply(intercept));
    }

    public static Catalogue<ModelFamily> catalogue() {
        return CATALOGUE;
    }

    /**
     * Wraps a model given as an object, with its text in the catalogue if it has one.
     *
     * @param intercept what the plan says
     */
    public static Choice<ModelFamily> given(Model model, boolean intercept, Catalogue<ModelFamily> models) {
        Optional<Spec> spec = model.catalogueParameters()
                .flatMap(values -> models.find(values, family -> isSame(family.on(labels(model), intercept), model)));
        return new Choice<>(ModelFamily.of(model), spec.map(Spec::toString));
    }

    private static boolean isSame(Model made, Model model) {
        return made.getClass() == model.getClass()
                && made.catalogueParameters().equals(model.catalogueParameters())
                && made.scoresPerRow() == model.scoresPerRow()
                && made.parameters(1) == model.parameters(1);
    }

    /** Returns a schema with labels that the model predicts. */
    private static Schema labels(Model model) {
        int classes = model.target().isClass() ? Math.max(2, model.scoresPerRow()) : 0;
        List<String> names =
                IntStream.range(0, classes).mapToObj(Integer::toString).toList();
        return new Schema(List.of(), "label", names, List.of());
    }

    private static Choice<ModelFamily> byLabel(Schema schema) {
        int classes = schema.classes().size();
        return CATALOGUE.choose(classes == 0 ? "linear" : classes == 2 ? "logistic" : "softmax");
    }

    /** Returns what {@link #AUTO} stands for on data of this schema; any other model stands for itself. */
    public static Choice<ModelFamily> resolve(Choice<ModelFamily> model, Schema schema) {
        return model.equals(AUTO) ? byLabel(schema) : model;
    }
}
