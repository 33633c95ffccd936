package holdfast.preparation;

import holdfast.Check;
import holdfast.InputException;
import holdfast.Spec;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** How much rows count, depending on their class. */
public sealed interface ClassWeights {
    /** Every row counts the same, whatever its class. */
    ClassWeights NONE = new None();

    /** Rows of class c of k count n/(k n_c), so that all classes have the same total. */
    ClassWeights BALANCED = new Balanced();

    /** Returns one weight per class, in the order of the classes. */
    static ClassWeights of(double... weights) {
        return new Given(Arrays.stream(weights).boxed().toList());
    }

    /**
     * Reads class weights.
     *
     * @param text as written in plans: none, balanced, or numbers separated by commas
     */
    static ClassWeights parse(String text) {
        return switch (text) {
            case "none" -> NONE;
            case "balanced" -> BALANCED;
            default -> {
                String[] parts = text.split(",", -1);
                Check.that(parts.length >= 2, "must be none, balanced or numbers like 1,2.5; got '%s'", text);
                try {
                    yield of(Arrays.stream(parts)
                            .map(String::strip)
                            .mapToDouble(Double::parseDouble)
                            .toArray());
                } catch (NumberFormatException e) {
                    throw new InputException("must be none, balanced or numbers like 1,2.5; got '" + text + "'");
                }
            }
        };
    }

    /** Every row counts the same, whatever its class. */
    record None() implements ClassWeights {
        @Override
        public String toString() {
            return "none";
        }
    }

    /** All classes have the same total weight. */
    record Balanced() implements ClassWeights {
        @Override
        public String toString() {
            return "balanced";
        }
    }

    /** The given numbers, one per class. */
    record Given(List<Double> weights) implements ClassWeights {
        public Given {
            weights = List.copyOf(weights);
            for (double weight : weights) {
                Check.that(
                        weight > 0 && Double.isFinite(weight),
                        "--class-weights must be finite and > 0, got %s",
                        weight);
            }
        }

        @Override
        public String toString() {
            return weights.stream().map(Spec::print).collect(Collectors.joining(","));
        }
    }
}
