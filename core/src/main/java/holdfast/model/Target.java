package holdfast.model;

import holdfast.Check;
import holdfast.InputException;
import holdfast.Spec;
import holdfast.data.Schema;
import java.util.function.Supplier;

/** The kind of label, and so of a model's answer. */
public enum Target {
    TWO_CLASSES("two classes"),
    CLASSES("classes"),
    NUMBER("numbers"),
    /** Whole numbers from 0; a model's score is the logarithm of their mean. */
    COUNT("counts");

    private final String text;

    Target(String text) {
        this.text = text;
    }

    public boolean isClass() {
        return this == TWO_CLASSES || this == CLASSES;
    }

    /** @throws holdfast.InputException unless labels of this schema are of this kind */
    public void requireFits(Schema schema, String model) {
        int classes = schema.classes().size();
        boolean fits = switch (this) {
            case TWO_CLASSES -> classes == 2;
            case CLASSES -> classes >= 2;
            default -> classes == 0;
        };
        Check.that(
                fits,
                "model %s predicts %s, but %s has %s",
                model,
                text,
                schema.label(),
                classes == 0 ? "numbers" : classes + " classes");
    }

    /**
     * @param where the place of the label; used only in a message
     * @throws InputException unless this kind of model may predict the label, which is a number
     */
    public void requireAllows(double label, Supplier<String> where) {
        if (this == COUNT && !(label >= 0 && label == Math.rint(label))) {
            throw new InputException(where.get() + " must be a count, a whole number from 0, got " + Spec.print(label));
        }
    }

    @Override
    public String toString() {
        return text;
    }
}
