package holdfast.plan;

import holdfast.Catalogue;
import holdfast.Check;
import holdfast.InputException;
import holdfast.Spec;
import holdfast.aggregate.Aggregators;
import holdfast.aggregate.NormScreening;
import holdfast.attack.Attacks;
import holdfast.data.Partitions;
import holdfast.model.Models;
import holdfast.preparation.Scaling;
import holdfast.rounds.StepSchedule;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * One setting of a {@link Plan}: its name (in plan files and, with two dashes, on the command line), its value
 * when not given, how its text is read, and what it does. One line per setting; everything else follows from it.
 */
public final class PlanKey<T> {
    private static final Map<String, PlanKey<?>> ALL = new LinkedHashMap<>();

    public static final PlanKey<String> LABEL =
            key("label", "", Text::any, "column to predict, by name or number from 1; the last one if not given");
    public static final PlanKey<String> HEADER = key(
            "header",
            "auto",
            Text.oneOf("auto", "yes", "no"),
            "whether the first line names the columns; auto: unless one of its cells is a number");
    public static final PlanKey<String> FORMAT = key(
            "format",
            "auto",
            Text.oneOf("auto", "csv", "libsvm", "parquet"),
            "how the data are written; auto: libsvm if the first line is a number and then index:value, else csv; parquet,"
                    + " also by its ending, is for Spark");
    public static final PlanKey<String> ONE_HOT = key(
            "one-hot",
            "auto",
            Text::any,
            "columns of text, of which every value becomes a feature, by name or number; none; auto: those whose first"
                    + " value is no number");
    public static final PlanKey<String> MISSING = key(
            "missing",
            "fail",
            Text.oneOf("fail", "mean", "indicator"),
            "cells that are empty, NA, NaN, null or ?: fail; mean: the column's mean, of text each value's share;"
                    + " indicator: the mean, and a feature that says so");
    public static final PlanKey<String> WORKERS_BY =
            key("workers-by", "", Text::any, "column whose values (hospital, vendor, sensor) are one worker each");
    public static final PlanKey<Integer> WORKERS =
            key("workers", 10, Text.whole(1), "number of workers the rows are dealt to, where no column says");
    public static final PlanKey<Spec> PARTITION = key(
            "partition",
            Spec.parse("iid"),
            Text.of(Partitions::catalogue),
            "how the rows are dealt: iid, in-turn, by-class, extreme, gamma(similarity=0.5), dirichlet(alpha=0.5) or"
                    + " shards(count=2)");
    public static final PlanKey<Integer> REPLICAS = key(
            "replicas",
            1,
            Text.whole(1),
            "workers that hold the same rows and are outvoted where they differ: with 2f+1 replicas f liars change nothing;"
                    + " rows are dealt to workers/replicas shards, or each source is held by that many workers");
    public static final PlanKey<Double> TEST_SHARE =
            key("test-share", 0.3, Text.number(0, true, 1), "share of rows held out of every class and source");
    public static final PlanKey<Scaling.Kind> SCALE = key(
            "scale",
            Scaling.Kind.AUTO,
            Scaling.Kind::parse,
            "none, sd, standardise, min-max or max-abs; auto: standardise, max-abs where rows are sparse, sd without an"
                    + " intercept");
    public static final PlanKey<String> STORAGE = key(
            "storage",
            "double",
            Text.oneOf("double", "float"),
            "how the features of training rows are kept, after scaling: double, or float, in half of the memory and rounded to"
                    + " seven digits; sums are of doubles anyway");
    public static final PlanKey<String> CLASS_WEIGHTS = key(
            "class-weights",
            "none",
            Text::classWeights,
            "none, balanced, or one weight per class, in their order: 1,2.5");
    public static final PlanKey<String> WEIGHTS_BY = key(
            "weights-by",
            "",
            Text::any,
            "column with the weight of each row in training, relative to their mean; tests count every row once");
    public static final PlanKey<Spec> MODEL = key(
            "model",
            Models.AUTO,
            Text::model,
            "what is learnt; auto: logistic for two classes, softmax for more, linear for numbers; ./holdfast models lists"
                    + " them");
    public static final PlanKey<Boolean> INTERCEPT = key(
            "intercept",
            true,
            Text::bool,
            "learn an intercept, which is neither perturbed nor penalised; scales that shift the features make one anyway");
    public static final PlanKey<Double> L2 =
            key("l2", 0.0, Text.number(0, true, Double.MAX_VALUE), "penalty (l2/2)||theta||^2");
    public static final PlanKey<Double> LAMBDA = key(
            "lambda",
            8.0,
            Text.orElse("none", Double.POSITIVE_INFINITY, Text.number(0, false, Double.MAX_VALUE)),
            "price of moving a training row to its worst case; smaller is more robust, none is plain training");
    public static final PlanKey<String> MAXIMISER = key(
            "maximiser",
            "auto",
            Text.oneOf("auto", "exact", "recurrence", "ascent"),
            "how the worst case is found; auto: exact, or the recurrence when ascent-steps or precision is given;"
                    + " softmax has no exact one and ascends until precision 1e-4 if neither is");
    public static final PlanKey<Integer> ASCENT_STEPS =
            key("ascent-steps", -1, Text.orElse("auto", -1, Text.whole(0)), "fixed number T_z of ascent steps per row");
    public static final PlanKey<Double> ASCENT_RATE = key(
            "ascent-rate",
            Double.NaN,
            Text.orElse("auto", Double.NaN, Text.number(0, false, Double.MAX_VALUE)),
            "ascent step size; auto: 1/lambda");
    public static final PlanKey<Double> PRECISION = key(
            "precision",
            Double.NaN,
            Text.orElse("auto", Double.NaN, Text.number(0, false, Double.MAX_VALUE)),
            "ascend until ||z - z*|| is certainly at most this");
    public static final PlanKey<Double> EARLY_PRECISION = key(
            "early-precision",
            Double.NaN,
            Text.orElse("auto", Double.NaN, Text.number(0, false, Double.MAX_VALUE)),
            "precision of the rounds before early-rounds, the first of two stages");
    public static final PlanKey<Integer> EARLY_ROUNDS =
            key("early-rounds", 0, Text.whole(0), "number of rounds with early-precision");
    public static final PlanKey<Double> BOX = key(
            "box",
            Double.NaN,
            Text.orElse(
                    "auto",
                    Double.NaN,
                    Text.orElse("none", Double.POSITIVE_INFINITY, Text.number(0, false, Double.MAX_VALUE))),
            "moved rows stay within [-box, box], in scaled units, or as far out as they are; auto: for model poisson the"
                    + " largest value of the training rows, else none");
    public static final PlanKey<String> RULE = key(
            "rule",
            "norm-screening",
            Text::rule,
            "how the server combines updates, perhaps after pre-aggregators: nnm + trimmed-mean(f=2)");
    public static final PlanKey<String> SCREENED = key(
            "screened",
            "auto",
            Text::screened,
            "f, the liars the rule is set up for and, by norm-screening, the updates dropped per round: a count, or a share"
                    + " below 1 of the workers, rounded up; auto: a tenth of the workers, rounded up, but less than a"
                    + " third of them");
    public static final PlanKey<Integer> ROOT = key(
            "root", 0, Text.whole(0), "training rows the server keeps for itself and trusts, as rule fltrust needs");
    public static final PlanKey<Double> LEARNING_RATE = key(
            "learning-rate",
            Double.NaN,
            Text.orElse("auto", Double.NaN, Text.number(0, false, Double.MAX_VALUE)),
            "step size; auto: from the smoothness constant of the data, 1 for deltas and Newton steps");
    public static final PlanKey<Spec> SCHEDULE = key(
            "schedule",
            Spec.parse("constant"),
            Text.of(StepSchedule::catalogue),
            "how the step size changes over rounds t: constant, inverse(rounds=100), root(rounds=100) or"
                    + " steps(every=100, factor=0.5)");
    public static final PlanKey<Spec> UPDATE = key(
            "update",
            Spec.parse("gradient"),
            Text.of(() -> Plan.UPDATES),
            "what workers send: gradient, delta, by how much their own steps changed theta, or newton(damping=0.1), a"
                    + " Newton step on their own rows");
    public static final PlanKey<Integer> LOCAL_STEPS = key(
            "local-steps",
            1,
            Text.whole(1),
            "gradient steps a worker takes by itself in a round; it sends the mean of the gradients it met, or the"
                    + " delta");
    public static final PlanKey<Double> LOCAL_RATE = key(
            "local-rate",
            Double.NaN,
            Text.orElse("auto", Double.NaN, Text.number(0, false, Double.MAX_VALUE)),
            "size of these steps; auto: the learning rate or, for deltas, what it would be for gradients");
    public static final PlanKey<Double> WORKER_MOMENTUM = key(
            "worker-momentum",
            0.0,
            Text.number(0, true, 1),
            "beta: for each worker m = beta m + (1 - beta) update, and the rule combines the m; 0: the updates");
    public static final PlanKey<Double> SERVER_MOMENTUM = key(
            "server-momentum",
            0.0,
            Text.number(0, true, 1),
            "the server steps along v = momentum v + combined update; 0: along the update");
    public static final PlanKey<Integer> BATCH = key(
            "batch",
            0,
            Text.orElse("all", 0, Text.whole(1)),
            "rows that each worker draws for a round, instead of all it holds");
    public static final PlanKey<Integer> ROUNDS = key("rounds", 1000, Text.whole(0), "most rounds");
    public static final PlanKey<Double> TOLERANCE = key(
            "tolerance",
            1e-4,
            Text.number(0, true, 1),
            "stop when the objective changes by less than this share in ten rounds; 0: never stop early; without validation"
                    + " only");
    public static final PlanKey<Double> VALIDATION = key(
            "validation",
            0.0,
            Text.number(0, true, 1),
            "share of its rows that every worker sets aside; stop when the robust loss on them falls no more, and take the"
                    + " best parameters; 0: none");
    public static final PlanKey<Integer> PATIENCE = key(
            "patience",
            5,
            Text.whole(1),
            "stop after so many checks without a new best on validation rows, ten rounds apart");
    public static final PlanKey<String> INIT =
            key("init", "zero", Text.oneOf("zero", "normal"), "theta at the start: zero, or standard normal");
    public static final PlanKey<Spec> ATTACK = key(
            "attack", Spec.parse("none"), Text.of(Attacks::catalogue), "simulate liars; ./holdfast attacks lists them");
    public static final PlanKey<Integer> LIARS =
            key("liars", 0, Text.whole(0), "number of workers, drawn at random, that the attack turns into liars");
    public static final PlanKey<List<Integer>> BYZANTINE =
            key("byzantine", List.of(), Text::ids, "the liars by worker number from 0, instead of drawing them: 0,3,7");
    public static final PlanKey<Long> SEED = key("seed", 1L, Text::whole64, "decides everything that is random");

    private final String name;
    private final T standard;
    private final Function<String, T> parser;
    private final String meaning;

    private PlanKey(String name, T standard, Function<String, T> parser, String meaning) {
        this.name = name;
        this.standard = standard;
        this.parser = parser;
        this.meaning = meaning;
    }

    private static <T> PlanKey<T> key(String name, T standard, Function<String, T> parser, String meaning) {
        PlanKey<T> key = new PlanKey<>(name, standard, parser, meaning);
        ALL.put(name, key);
        return key;
    }

    /** All settings, in the order they are shown. */
    public static List<PlanKey<?>> all() {
        return List.copyOf(ALL.values());
    }

    /** @throws InputException that lists the known names */
    public static PlanKey<?> named(String name) {
        PlanKey<?> key = ALL.get(name);
        Check.that(key != null, "unknown plan key '%s'; known: %s", name, String.join(", ", ALL.keySet()));
        return key;
    }

    public String name() {
        return name;
    }

    public T defaultValue() {
        return standard;
    }

    public String meaning() {
        return meaning;
    }

    /** @throws InputException that names the key, what must hold and what was given */
    public T parse(String text) {
        try {
            return parser.apply(text.strip());
        } catch (InputException e) {
            throw e.getMessage().startsWith(name) ? e : new InputException(name + ": " + e.getMessage());
        }
    }

    /** The text that {@link #parse} reads back to this value. */
    public String print(T value) {
        if (value instanceof Double d) {
            if (Double.isNaN(d)) {
                return "auto";
            }
            return Double.isInfinite(d) ? "none" : Spec.print(d);
        }
        if (value instanceof List<?> ids) {
            return ids.isEmpty()
                    ? "none"
                    : String.join(",", ids.stream().map(Object::toString).toList());
        }
        if (this == BATCH && value.equals(0)) {
            return "all";
        }
        return this == ASCENT_STEPS && value.equals(-1) ? "auto" : value.toString();
    }

    @Override
    public String toString() {
        return name;
    }

    /** Readers of values; each failure says what must hold. */
    private static final class Text {
        static String any(String text) {
            return text;
        }

        static boolean bool(String text) {
            Check.that(text.equals("true") || text.equals("false"), "must be true or false, got '%s'", text);
            return text.equals("true");
        }

        static Function<String, String> oneOf(String... known) {
            return text -> {
                Check.that(
                        Arrays.asList(known).contains(text),
                        "must be one of %s; got '%s'",
                        String.join(", ", known),
                        text);
                return text;
            };
        }

        static Function<String, Integer> whole(int least) {
            return text -> {
                long value = whole64(text);
                Check.that(
                        value >= least && value <= Integer.MAX_VALUE,
                        "must be a whole number >= %d, got %s",
                        least,
                        text);
                return (int) value;
            };
        }

        static long whole64(String text) {
            try {
                return Long.parseLong(text);
            } catch (NumberFormatException e) {
                throw new InputException("must be a whole number, got '" + text + "'");
            }
        }

        static Function<String, Double> number(double low, boolean includeLow, double high) {
            return text -> {
                double value;
                try {
                    value = Double.parseDouble(text);
                } catch (NumberFormatException e) {
                    throw new InputException("must be a number, got '" + text + "'");
                }
                boolean inside = includeLow ? value >= low : value > low;
                boolean bounded = high < Double.MAX_VALUE;
                Check.that(
                        inside && value < Double.POSITIVE_INFINITY && (!bounded || value < high),
                        "must be %s %s%s, got %s",
                        includeLow ? ">=" : ">",
                        Spec.print(low),
                        bounded ? " and < " + Spec.print(high) : " and finite",
                        text);
                return value;
            };
        }

        static <V> Function<String, V> orElse(String word, V value, Function<String, V> otherwise) {
            return text -> text.equals(word) ? value : otherwise.apply(text);
        }

        static String classWeights(String text) {
            if (text.equals("none") || text.equals("balanced")) {
                return text;
            }
            String[] parts = text.split(",", -1);
            Check.that(parts.length >= 2, "must be none, balanced or numbers like 1,2.5; got '%s'", text);
            Function<String, Double> positive = number(0, false, Double.MAX_VALUE);
            return Arrays.stream(parts)
                    .map(part -> Spec.print(positive.apply(part.strip())))
                    .collect(Collectors.joining(","));
        }

        static String screened(String text) {
            NormScreening.count(text, Integer.MAX_VALUE);
            return text;
        }

        static String rule(String text) {
            Aggregators.create(text, 0);
            return String.join(
                    " + ", Aggregators.specs(text).stream().map(Spec::toString).toList());
        }

        /** What a catalogue can make. */
        static Function<String, Spec> of(Supplier<Catalogue<?>> catalogue) {
            return text -> {
                Spec spec = Spec.parse(text);
                catalogue.get().create(spec);
                return spec;
            };
        }

        static Spec model(String text) {
            return text.equals(Models.AUTO.name())
                    ? Models.AUTO
                    : of(Models::catalogue).apply(text);
        }

        static List<Integer> ids(String text) {
            if (text.isEmpty() || text.equals("none")) {
                return List.of();
            }
            return Arrays.stream(text.split(",", -1))
                    .map(String::strip)
                    .map(whole(0))
                    .sorted()
                    .distinct()
                    .toList();
        }
    }
}
