package holdfast.plan;

import holdfast.Check;
import holdfast.Spec;
import java.util.Optional;

/**
 * The price lambda of moving a training row to its worst case.
 *
 * @param lambda the price; empty: rows stay where they are, which is plain training. While the price is automatic, the one
 *     that is used if the rows cannot decide
 * @param automatic whether the training rows decide
 */
public record Price(Optional<Double> lambda, boolean automatic) {
    /** The price that most tables can pay. */
    private static final double USUAL = 8;

    /** As small as it can be without costing accuracy on rows as they are. */
    public static final Price AUTO = new Price(Optional.of(USUAL), true);

    /** Plain training. */
    public static final Price NONE = of(Optional.empty());

    public Price {
        lambda.ifPresent(
                value -> Check.that(value > 0 && Double.isFinite(value), "must be finite and above 0, got %s", value));
    }

    public static Price of(double lambda) {
        return of(Optional.of(lambda));
    }

    /** @param lambda empty for plain training */
    public static Price of(Optional<Double> lambda) {
        return new Price(lambda, false);
    }

    /** Reads {@code auto}, {@code none} or a number. */
    static Price parse(String text) {
        return text.equals("auto")
                ? AUTO
                : of(SettingText.optional("none", SettingText.above(0)).read(text, null));
    }

    /** Returns the text that {@link #parse} reads back. */
    @Override
    public String toString() {
        return automatic ? "auto" : lambda.map(Spec::print).orElse("none");
    }
}
