package holdfast.plan;

import holdfast.Check;
import holdfast.InputException;
import holdfast.Spec;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;

/** What a plan says about the probability from which a row is predicted as the second of two classes. */
public sealed interface Threshold {
    /** The class that the model finds likelier, as it was trained. */
    Threshold NONE = new None();

    /** The threshold with the largest F1 on training rows that the model has not seen. */
    Threshold AUTO = new Auto();

    /** This probability. */
    static Threshold of(double probability) {
        return new Fixed(probability);
    }

    /** The probability from which a false positive is expected to cost less than a false negative. */
    static Threshold cost(double falsePositive, double falseNegative) {
        return new Cost(falsePositive, falseNegative);
    }

    /** Returns the probability; empty if the data decide or the model does. */
    OptionalDouble probability();

    /** Reads {@code none}, {@code auto}, a number, or {@code cost(false-positive=1, false-negative=20)}. */
    static Threshold parse(String text) {
        if (text.equals("none")) {
            return NONE;
        }
        if (text.equals("auto")) {
            return AUTO;
        }
        if (!text.startsWith("cost")) {
            return new Fixed(number(text, text));
        }
        Spec spec = Spec.parse(text);
        Map<String, String> given = spec.parameters();
        Check.that(
                spec.name().equals("cost") && given.keySet().equals(Set.of("false-positive", "false-negative")),
                "must be none, auto, a number or cost(false-positive=1, false-negative=20), got '%s'",
                text);
        return new Cost(number(given.get("false-positive"), text), number(given.get("false-negative"), text));
    }

    private static double number(String number, String text) {
        try {
            return Double.parseDouble(number);
        } catch (NumberFormatException e) {
            throw new InputException(
                    "must be none, auto, a number or cost(false-positive=1, false-negative=20), got '" + text + "'");
        }
    }

    /** See {@link #NONE}. */
    record None() implements Threshold {
        @Override
        public OptionalDouble probability() {
            return OptionalDouble.empty();
        }

        @Override
        public String toString() {
            return "none";
        }
    }

    /** See {@link #AUTO}. */
    record Auto() implements Threshold {
        @Override
        public OptionalDouble probability() {
            return OptionalDouble.empty();
        }

        @Override
        public String toString() {
            return "auto";
        }
    }

    /** See {@link #of}. */
    record Fixed(double value) implements Threshold {
        public Fixed {
            Check.that(value > 0 && value < 1, "must be above 0 and below 1, got %s", Spec.print(value));
        }

        @Override
        public OptionalDouble probability() {
            return OptionalDouble.of(value);
        }

        @Override
        public String toString() {
            return Spec.print(value);
        }
    }

    /**
     * A row of probability p costs falsePositive (1 - p) if it is predicted as the second class and falseNegative p if it is
     * not, so the threshold is falsePositive/(falsePositive + falseNegative) (Elkan 2001).
     */
    record Cost(double falsePositive, double falseNegative) implements Threshold {
        public Cost {
            Check.that(
                    falsePositive > 0
                            && falseNegative > 0
                            && Double.isFinite(falsePositive)
                            && Double.isFinite(falseNegative),
                    "cost: false-positive and false-negative must be > 0 and finite, got %s and %s",
                    Spec.print(falsePositive),
                    Spec.print(falseNegative));
        }

        /** Divides first, because the sum may overflow. */
        @Override
        public OptionalDouble probability() {
            double p = 1 / (1 + falseNegative / falsePositive);
            return OptionalDouble.of(Math.max(Double.MIN_NORMAL, Math.min(Math.nextDown(1.0), p)));
        }

        @Override
        public String toString() {
            return "cost(false-positive=" + Spec.print(falsePositive) + ", false-negative=" + Spec.print(falseNegative)
                    + ")";
        }
    }
}
