package holdfast.model;

import holdfast.Check;
import holdfast.Choice;
import holdfast.data.Schema;
import java.util.Optional;

/** A model but for what the data decide: the number of classes and of features. */
public interface ModelFamily {
    /** The kind of label it predicts; empty if it is for any. */
    Optional<Target> target();

    /**
     * The model for data of this schema.
     *
     * @param intercept whether it learns one, if it can
     * @throws holdfast.InputException when it cannot predict labels of this schema
     */
    Model on(Schema schema, boolean intercept);

    /** A family of one model, as users give it in code; it refuses labels that the model does not predict. */
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
                return object;
            }
        }
        return new Given(model);
    }
}
