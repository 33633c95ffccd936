package holdfast.model;

import holdfast.Check;
import holdfast.Choice;
import holdfast.data.Schema;
import java.util.Optional;

/** A model without the numbers that the data decide: of classes and of features. */
public interface ModelFamily {
    /** The kind of label it predicts; empty if it fits any. */
    Optional<Target> target();

    /**
     * Returns the model for data of this schema.
     *
     * @param intercept whether it learns one, if it can
     * @throws holdfast.InputException if it cannot predict labels of this schema
     */
    Model on(Schema schema, boolean intercept);

    /** Wraps a model that users give in code; refuses labels that the model does not predict. */
    static ModelFamily of(Model model) {
        record Given(Model object) implements ModelFamily, Choice.OfObject {
            @Override
            public Optional<Target> target() {
                return Optional.of(object.target());
            }

            @Override
            public Model on(Schema schema, boolean intercept) {
                object.target().requireFits(schema, object.name());
                int classes = schema.classes().size();
                Check.that(
                        classes == 0 || Math.max(2, object.scoresPerRow()) == classes,
                        "model %s is for %d classes, but %s has %d",
                        object.name(),
                        object.scoresPerRow(),
                        schema.label(),
                        classes);
                Check.that(
                        !(object instanceof LinearScores linear) || linear.hasIntercept() == intercept,
                        "--intercept must be that of the model given, got %s",
                        intercept);
                return object;
            }
        }
        return new Given(model);
    }
}
