package holdfast.spark;

import static holdfast.plan.PlanKey.ASCENT_RATE;
import static holdfast.plan.PlanKey.ASCENT_STEPS;
import static holdfast.plan.PlanKey.INTERCEPT;
import static holdfast.plan.PlanKey.L2;
import static holdfast.plan.PlanKey.LAMBDA;
import static holdfast.plan.PlanKey.LEARNING_RATE;
import static holdfast.plan.PlanKey.ROUNDS;
import static holdfast.plan.PlanKey.RULE;
import static holdfast.plan.PlanKey.SCALE;
import static holdfast.plan.PlanKey.SEED;
import static holdfast.plan.PlanKey.STATISTICS;
import static holdfast.plan.PlanKey.TOLERANCE;
import static holdfast.plan.PlanKey.TOLERATED;
import static holdfast.plan.PlanKey.WORKERS;

import holdfast.Check;
import holdfast.InputException;
import holdfast.Spec;
import holdfast.formats.PlanFile;
import holdfast.plan.LearningRate;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.plan.Price;
import holdfast.plan.Recalibration;
import holdfast.plan.Threshold;
import holdfast.spark.engine.Columns;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.apache.spark.ml.PredictorParams;
import org.apache.spark.ml.param.BooleanParam;
import org.apache.spark.ml.param.DoubleParam;
import org.apache.spark.ml.param.IntParam;
import org.apache.spark.ml.param.LongParam;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.param.shared.HasFitIntercept;

/**
 * The Params that all stages share, and the plan that they make. A Param is checked when it is set: by the plan's own
 * reader, which says what is wrong with it. A Param that can be automatic has no default: it is automatic while it is
 * not set. Earlier versions stored a number for that, which stages saved by them still contain and which is therefore
 * still understood.
 */
final class Settings implements Serializable {
    private static final long serialVersionUID = 1;

    /** Stands for an automatic rate in stages saved by earlier versions. */
    private static final double OLDER_AUTO_RATE = 0;
    /** Stands for an automatic number of steps in stages saved by earlier versions. */
    private static final int OLDER_AUTO_STEPS = -1;

    private static final String AUTO = "auto";

    final IntParam maxIter;
    final DoubleParam tol;
    final DoubleParam learningRate;
    final DoubleParam regParam;
    /** Null for models that always have one. */
    final BooleanParam fitIntercept;

    final Param<String> scale;
    final LongParam seed;
    final DoubleParam price;
    final IntParam ascentSteps;
    final DoubleParam ascentRate;
    final Param<String> rule;
    final Param<String> tolerated;
    final Param<String> statistics;
    final IntParam numWorkers;
    final Param<String> workerCol;
    final Param<String> weightCol;
    final Param<String> plan;
    private final PredictorParams owner;
    private final String[] models;
    private final List<Line> lines = new ArrayList<>();
    private final Map<String, Param<?>> olderParams = new LinkedHashMap<>();

    /**
     * A Param that is a setting of a plan.
     *
     * @param named the value that has a name in a plan; null if none has
     */
    private record Line(Param<?> param, String key, Object named, String name) implements Serializable {
        String print(Object value) {
            Check.that(value != null, "%s must not be null", param.name());
            return value.equals(named) ? name : Spec.print(value);
        }

        /** Returns whether the value is one for which the Param is not set. */
        boolean isAutomatic(Object value) {
            return value.equals(named) && name.equals(AUTO);
        }

        /** Returns the Param's value for the setting in a plan. Adaptive rates, which are no number, are automatic. */
        Object value(Plan plan) {
            Object value = plan.get(PlanKey.named(key));
            if (value instanceof LearningRate rate) {
                return rate instanceof LearningRate.Fixed fixed ? fixed.length() : named;
            }
            if (value instanceof Price given) {
                value = given.lambda();
            }
            if (value instanceof Optional<?> chosen) {
                return chosen.isEmpty() ? named : chosen.get();
            }
            return value instanceof Number || value instanceof Boolean ? value : text(PlanKey.named(key), plan);
        }

        private static <T> String text(PlanKey<T> key, Plan plan) {
            return key.print(plan.get(key));
        }
    }

    /**
     * @param models the models of a plan that the stage trains; the first is the default. A stage that does not train
     *     has none
     */
    Settings(PredictorParams owner, String... models) {
        this.owner = owner;
        this.models = models;
        maxIter = line(
                new IntParam(owner, "maxIter", ROUNDS.meaning() + " (>= 0)", ParamCheck.allowed("maxIter", ROUNDS)),
                ROUNDS,
                ROUNDS.defaultValue());
        tol = line(
                new DoubleParam(owner, "tol", TOLERANCE.meaning(), ParamCheck.allowed("tol", TOLERANCE)),
                TOLERANCE,
                TOLERANCE.defaultValue());
        learningRate = automatic(
                new DoubleParam(
                        owner,
                        "learningRate",
                        "step size (> 0); found from the data and adapted in each round if not set",
                        ParamCheck.unless(OLDER_AUTO_RATE, ParamCheck.allowed("learningRate", LEARNING_RATE))),
                LEARNING_RATE,
                OLDER_AUTO_RATE);
        regParam = line(
                new DoubleParam(
                        owner,
                        "regParam",
                        L2.meaning() + " of scaled features and, where they are numbers, scaled labels",
                        ParamCheck.allowed("regParam", L2)),
                L2,
                L2.defaultValue().orElseThrow());
        fitIntercept = !(owner instanceof HasFitIntercept)
                ? null
                : line(
                        new BooleanParam(owner, "fitIntercept", INTERCEPT.meaning()),
                        INTERCEPT,
                        INTERCEPT.defaultValue());
        scale = line(text(owner, "scale", SCALE), SCALE, text(SCALE));
        seed = line(
                new LongParam(owner, "seed", SEED.meaning(), ParamCheck.allowed("seed", SEED)),
                SEED,
                SEED.defaultValue());
        price = line(
                price(owner, "price"),
                LAMBDA,
                LAMBDA.defaultValue().lambda().orElseThrow(),
                Double.POSITIVE_INFINITY,
                "none");
        older("lambda", price(owner, "lambda"), price);
        ascentSteps = automatic(
                new IntParam(
                        owner,
                        "ascentSteps",
                        "fixed number T_z of ascent steps per row (>= 0); as many as the precision needs if not set",
                        ParamCheck.unless(OLDER_AUTO_STEPS, ParamCheck.allowed("ascentSteps", ASCENT_STEPS))),
                ASCENT_STEPS,
                OLDER_AUTO_STEPS);
        ascentRate = automatic(
                new DoubleParam(
                        owner,
                        "ascentRate",
                        "ascent step size (> 0); 1/price if not set",
                        ParamCheck.unless(OLDER_AUTO_RATE, ParamCheck.allowed("ascentRate", ASCENT_RATE))),
                ASCENT_RATE,
                OLDER_AUTO_RATE);
        rule = line(text(owner, "rule", RULE), RULE, text(RULE));
        tolerated = line(text(owner, "tolerated", TOLERATED), TOLERATED, text(TOLERATED));
        older("screened", text(owner, "screened", TOLERATED), tolerated);
        statistics = line(text(owner, "statistics", STATISTICS), STATISTICS, text(STATISTICS));
        numWorkers = line(
                new IntParam(
                        owner,
                        "numWorkers",
                        "number of workers (>= 1) that the rows are dealt to in turn, without workerCol",
                        ParamCheck.allowed("numWorkers", WORKERS)),
                WORKERS,
                WORKERS.defaultValue());
        workerCol = new Param<>(
                owner,
                "workerCol",
                "column whose values (hospital, vendor, sensor), of any type, are one worker each",
                ParamCheck.given("workerCol"));
        weightCol = new Param<>(
                owner,
                "weightCol",
                "column with the weight of each row: one of weight 2 counts like two rows of its worker, one of weight 0 like none",
                ParamCheck.given("weightCol"));
        plan = new Param<>(
                owner,
                "plan",
                "lines 'key: value' as in a plan file, for settings without a Param; a Param that is set wins",
                ParamCheck.given(
                        "plan",
                        text -> lines(text)
                                .forEach((line, value) -> PlanKey.named(line).parse(value))));
    }

    private static DoubleParam price(PredictorParams owner, String name) {
        return new DoubleParam(
                owner,
                name,
                "transport price (> 0), the plan's lambda, of moving a training row to its worst case; smaller is more robust,"
                        + " infinity is plain training",
                ParamCheck.unless(Double.POSITIVE_INFINITY, ParamCheck.allowed(name, LAMBDA)));
    }

    private static Param<String> text(PredictorParams owner, String name, PlanKey<?> key) {
        return new Param<>(owner, name, key.meaning(), ParamCheck.allowed(name, key));
    }

    /**
     * Keeps a Param settable under its older name, so that stages saved by earlier versions load; the newer name wins.
     */
    private <T> void older(String name, Param<T> param, Param<T> newer) {
        Line line = lines.stream().filter(l -> l.param == newer).findFirst().orElseThrow();
        lines.add(lines.indexOf(line), new Line(param, line.key, line.named, line.name));
        olderParams.put(name, param);
    }

    /** Returns the value of a Param, or the one set under its older name. */
    Object value(Param<?> param, String olderName) {
        Param<?> older = olderParams.get(olderName);
        return !owner.isSet(param) && owner.isSet(older) ? owner.getOrDefault(older) : owner.getOrDefault(param);
    }

    /** Returns the Param with an older name. */
    Param<?> older(String name) {
        return olderParams.get(name);
    }

    /**
     * Checks a value that a setter was given for a Param without a default.
     *
     * @throws InputException if no plan allows it, or if it stands for an automatic value in older stages only
     */
    <T> T chosen(Param<T> param, T value) {
        Line line = lines.stream().filter(l -> l.param == param).findFirst().orElseThrow();
        ParamCheck.<T>allowed(param.name(), PlanKey.named(line.key)).check(value);
        return value;
    }

    private <P extends Param<T>, T> P automatic(P param, PlanKey<?> key, T older) {
        lines.add(new Line(param, key.name(), older, AUTO));
        return param;
    }

    private <P extends Param<T>, T> P line(P param, PlanKey<?> key, T standard) {
        return line(param, key, standard, null, null);
    }

    private <P extends Param<T>, T> P line(P param, PlanKey<?> key, T standard, T named, String name) {
        lines.add(new Line(param, key.name(), named, name));
        owner.setDefault(param, standard);
        return param;
    }

    private static <T> String text(PlanKey<T> key) {
        return key.print(key.defaultValue());
    }

    /**
     * Returns the plan that the Params describe. Rows are dealt in turn and none are held out, unless the text of the
     * plan says otherwise.
     *
     * @param model the model as a plan names it, if a Param says; else null
     * @throws InputException for settings that no plan allows
     */
    Plan plan(String model) {
        return planWith(given -> model == null ? given : model);
    }

    /**
     * Does the same.
     *
     * @param model what Params make of the model that the text of the plan names
     */
    Plan planWith(UnaryOperator<String> model) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put(PlanKey.PARTITION.name(), "in-turn");
        settings.put(PlanKey.TEST_SHARE.name(), "0");
        settings.put(PlanKey.RECALIBRATION.name(), PlanKey.RECALIBRATION.print(Recalibration.NONE));
        settings.put(PlanKey.MODEL.name(), models[0]);
        settings.putAll(given());
        for (Line line : lines) {
            if (owner.isSet(line.param)) {
                settings.put(line.key, line.print(owner.getOrDefault(line.param)));
            }
        }
        settings.compute(PlanKey.MODEL.name(), (key, given) -> model.apply(given));
        if (given(workerCol) != null) {
            settings.put(PlanKey.WORKERS_BY.name(), given(workerCol));
        }
        Plan made = Plan.of(settings);
        Check.that(
                List.of(models)
                        .contains(Spec.parse(made.get(PlanKey.MODEL).toString()).name()),
                "plan: --model must be %s, got %s",
                String.join(" or ", models),
                made.get(PlanKey.MODEL));
        Check.that(
                made.get(PlanKey.TEST_SHARE) == 0,
                "plan: --test-share must be 0, as fit trains on all rows, got %s; split the DataFrame before",
                made.get(PlanKey.TEST_SHARE));
        Check.that(
                made.get(PlanKey.TEST_SOURCES).isEmpty(),
                "plan: --test-sources must be empty, as fit trains on all rows, got %s; split the DataFrame before",
                String.join(",", made.get(PlanKey.TEST_SOURCES)));
        Check.that(
                made.get(PlanKey.WITHOUT).isEmpty(),
                "plan: --without must be empty, as fit trains on all rows, got %s; filter the DataFrame before",
                String.join(",", made.get(PlanKey.WITHOUT)));
        Check.that(
                made.get(PlanKey.THRESHOLD).equals(Threshold.NONE),
                "plan: --threshold must be none, as the Param threshold of the model decides, got %s",
                made.get(PlanKey.THRESHOLD));
        Check.that(
                made.get(PlanKey.RECALIBRATION) == Recalibration.NONE,
                "plan: --recalibration must be none, as the Params threshold and thresholds are about the probabilities of"
                        + " training, got auto");
        return made;
    }

    /** Returns the settings in the text of the plan. */
    private Map<String, String> given() {
        return owner.isSet(plan) ? lines(owner.getOrDefault(plan)) : Map.of();
    }

    private static Map<String, String> lines(String text) {
        Map<String, String> lines = PlanFile.parse("plan", text);
        for (PlanKey<?> key : PlanKey.aboutFiles()) {
            Check.that(
                    !lines.containsKey(key.name()),
                    "plan: %s is for files, not for a DataFrame, whose columns are named by Params such as labelCol",
                    key.flag());
        }
        Map<String, String> current = new LinkedHashMap<>();
        lines.forEach((key, value) -> current.put(PlanKey.named(key).name(), value));
        return current;
    }

    /**
     * Sets the Params of a model to the values used in training, for settings that came from the text of the plan and
     * not from a Param.
     */
    void tell(Settings model, Plan used) {
        Map<String, String> given = given();
        for (Line line : model.lines) {
            Object value = line.value(used);
            if (given.containsKey(line.key) && !line.isAutomatic(value)) {
                model.owner.set(line.param.name(), value);
            }
        }
    }

    /** Returns the columns to read. */
    Columns columns() {
        return new Columns(
                ParamCheck.column(owner.featuresCol(), owner.getFeaturesCol()),
                ParamCheck.column(owner.labelCol(), owner.getLabelCol()),
                given(weightCol),
                given(workerCol));
    }

    /** Returns the column that a Param names; null if it is not set or empty. */
    String given(Param<String> column) {
        return owner.isSet(column) && !owner.getOrDefault(column).isEmpty() ? owner.getOrDefault(column) : null;
    }
}
