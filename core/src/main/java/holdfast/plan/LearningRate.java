package holdfast.plan;

import holdfast.Check;
import holdfast.InputException;
import holdfast.Spec;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;

/** What a plan says about the length of the server's steps. */
public sealed interface LearningRate {
    /** A length that suits the data. */
    LearningRate AUTO = new Auto();

    /** The longest steps for which a theorem proves convergence. */
    LearningRate PROVEN = new Proven();

    /** How many times as long as the shortest of adaptive steps the first one is, if nothing else is said. */
    double RANGE = 1024;

    /** The names of steps that change from round to round. */
    List<String> CHANGING = List.of("quasi-newton", "spectral", "adaptive");

    /** Steps of this length. */
    static LearningRate of(double length) {
        return new Fixed(length);
    }

    /** Returns the length of the first step; empty if the data decide. */
    OptionalDouble first();

    /**
     * Reads {@code auto}, {@code proven}, a number, {@code quasi-newton(first=0.1, shortest=0.001)},
     * {@code spectral(first=0.1, shortest=0.001)} or {@code adaptive(first=0.1, shortest=0.001)}.
     */
    static LearningRate parse(String text) {
        if (text.equals("auto")) {
            return AUTO;
        }
        if (text.equals("proven")) {
            return PROVEN;
        }
        if (CHANGING.stream().noneMatch(text::startsWith)) {
            return new Fixed(number(text));
        }
        Spec spec = Spec.parse(text);
        Map<String, String> given = spec.parameters();
        Check.that(
                CHANGING.contains(spec.name())
                        && given.containsKey("first")
                        && Set.of("first", "shortest").containsAll(given.keySet()),
                "must be auto, proven, a number, quasi-newton(first=0.1, shortest=0.001),"
                        + " spectral(first=0.1) or adaptive(first=0.1), got '%s'",
                text);
        double first = number(given.get("first"));
        double shortest = given.containsKey("shortest") ? number(given.get("shortest")) : first / RANGE;
        return switch (spec.name()) {
            case "adaptive" -> new Adaptive(first, shortest);
            case "spectral" -> new Spectral(first, shortest);
            default -> new QuasiNewton(first, shortest);
        };
    }

    private static double number(String text) {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException e) {
            throw new InputException(
                    "must be auto, proven, a number, quasi-newton(first=0.1), spectral(first=0.1) or adaptive(first=0.1), got '"
                            + text + "'");
        }
    }

    private static void requireLength(double length) {
        Check.that(
                length > 0 && Double.isFinite(length),
                "--learning-rate must be > 0 and finite, got %s",
                Spec.print(length));
    }

    /** See {@link #AUTO}. */
    record Auto() implements LearningRate {
        @Override
        public OptionalDouble first() {
            return OptionalDouble.empty();
        }

        @Override
        public String toString() {
            return "auto";
        }
    }

    /** See {@link #PROVEN}. */
    record Proven() implements LearningRate {
        @Override
        public OptionalDouble first() {
            return OptionalDouble.empty();
        }

        @Override
        public String toString() {
            return "proven";
        }
    }

    /** Steps of one length. */
    record Fixed(double length) implements LearningRate {
        public Fixed {
            requireLength(length);
        }

        @Override
        public OptionalDouble first() {
            return OptionalDouble.of(length);
        }

        @Override
        public String toString() {
            return Spec.print(length);
        }
    }

    /**
     * Steps that become longer while the objective falls and shorter when it rises.
     *
     * @param start the length of the first step
     * @param shortest the length below which no step falls
     */
    record Adaptive(double start, double shortest) implements LearningRate {
        public Adaptive {
            requireLengths("adaptive", start, shortest);
        }

        @Override
        public OptionalDouble first() {
            return OptionalDouble.of(start);
        }

        @Override
        public String toString() {
            return print("adaptive", start, shortest);
        }
    }

    /**
     * Steps as long as the change of the direction shows that they may be; see {@link holdfast.rounds.StepSize.Spectral}.
     *
     * @param start the length of the first step
     * @param shortest the length below which no step falls
     */
    record Spectral(double start, double shortest) implements LearningRate {
        public Spectral {
            requireLengths("spectral", start, shortest);
        }

        @Override
        public OptionalDouble first() {
            return OptionalDouble.of(start);
        }

        @Override
        public String toString() {
            return print("spectral", start, shortest);
        }
    }

    /**
     * Steps turned by the curvature that the last rounds showed; see {@link holdfast.rounds.StepSize.QuasiNewton}.
     *
     * @param start the length of the first step
     * @param shortest the length below which no step falls
     */
    record QuasiNewton(double start, double shortest) implements LearningRate {
        public QuasiNewton {
            requireLengths("quasi-newton", start, shortest);
        }

        @Override
        public OptionalDouble first() {
            return OptionalDouble.of(start);
        }

        @Override
        public String toString() {
            return print("quasi-newton", start, shortest);
        }
    }

    private static void requireLengths(String name, double start, double shortest) {
        requireLength(start);
        requireLength(shortest);
        Check.that(
                shortest <= start,
                "--learning-rate %s: shortest must not be above first, got %s and %s",
                name,
                Spec.print(shortest),
                Spec.print(start));
    }

    private static String print(String name, double start, double shortest) {
        return name + "(first=" + Spec.print(start) + ", shortest=" + Spec.print(shortest) + ")";
    }
}
