package holdfast.plan;

import holdfast.Check;
import holdfast.Choice;
import holdfast.InputException;
import holdfast.Spec;
import holdfast.aggregate.Aggregators;
import holdfast.aggregate.NormScreening;
import holdfast.aggregate.RuleFamily;
import holdfast.attack.Attack;
import holdfast.attack.Attacks;
import holdfast.data.Partition;
import holdfast.data.Partitioner;
import holdfast.data.TableColumn;
import holdfast.model.ModelFamily;
import holdfast.model.Models;
import holdfast.objective.Box;
import holdfast.objective.Costs;
import holdfast.objective.ObjectiveFamily;
import holdfast.objective.Objectives;
import holdfast.objective.Prices;
import holdfast.objective.TransportCost;
import holdfast.objective.Wasserstein;
import holdfast.preparation.ClassWeights;
import holdfast.preparation.HoldOut;
import holdfast.preparation.Scaling;
import holdfast.preparation.SourceWeights;
import holdfast.preparation.Storage;
import holdfast.rounds.LocalWork;
import holdfast.rounds.StepSchedule;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One setting of a {@link Plan}: its name (in plan files and, with two dashes, on the command line), its group, its
 * default value, how its text is read, and what it does. Each setting is one line here; flags, plan files and help
 * follow from it.
 */
public final class PlanKey<T> {
    private static final Map<String, PlanKey<?>> ALL = new LinkedHashMap<>();
    private static final Map<String, PlanKey<?>> OLDER = new LinkedHashMap<>();
    private static final SettingText<Optional<Integer>> EARLY_ROUNDS_TEXT =
            SettingText.optional("auto", SettingText.whole(1));

    public static final PlanKey<Optional<String>> LABEL = reading(
            "label",
            Optional.empty(),
            SettingText.column(),
            "column to predict, by name or number from 1; the last one if not given");
    public static final PlanKey<ClassList> CLASSES = reading(
            "classes",
            ClassList.AUTO,
            SettingText.by(ClassList::parse),
            "the labels that there may be, in the order of their classes: no,yes; a source with another label is unusable;"
                    + " numbers: labels are numbers, not classes; auto: as the labels show");
    public static final PlanKey<Header> HEADER = reading(
            "header",
            Header.AUTO,
            SettingText.oneOf(Header.class),
            "whether the first line names the columns: yes, no; auto: unless one of its cells is a number");
    public static final PlanKey<Optional<String>> FORMAT = reading(
            "format",
            Optional.empty(),
            SettingText.optional("auto", SettingText.by(text -> text)),
            "how the data are written: csv, libsvm; auto: libsvm if the first line is a number and then index:value, else csv;"
                    + " parquet, also by its ending, with --engine spark");
    public static final PlanKey<Charset> ENCODING = reading(
            "encoding",
            StandardCharsets.UTF_8,
            SettingText.charset(),
            "how the letters of a table are stored: utf-8, latin-1, windows-1252, utf-16, ...");
    public static final PlanKey<DecimalMark> DECIMAL = reading(
            "decimal",
            DecimalMark.POINT,
            SettingText.oneOf(DecimalMark.class),
            "how numbers are written: point, as in 1.5, or comma, as in 1,5; other numbers are words");
    public static final PlanKey<List<String>> DROP = reading(
            "drop", List.of(), SettingText.names(), "columns that are no features, by name or number: id,notes");
    public static final PlanKey<List<String>> ONLY = reading(
            "only",
            List.of(),
            SettingText.names(),
            "the columns that are features, by name or number: age,sex; all others are left out, except those that --label,"
                    + " --workers-by and --weights-by name");
    public static final PlanKey<List<String>> KEEP = reading(
            "keep",
            List.of(),
            SettingText.names(),
            "columns that are features although they look like identifiers, by name or number; all: every one");
    public static final PlanKey<Dates> DATES = reading(
            "dates",
            Dates.NUMBER,
            SettingText.oneOf(Dates.class),
            "columns of dates such as 2024-05-31 or 2024-05-31T09:30: number: the days since 1970; parts: the month and the day of the"
                    + " week too, as text; text: every date is a category");
    public static final PlanKey<OneHot> ONE_HOT = reading(
            "one-hot",
            OneHot.AUTO,
            SettingText.by(OneHot::parse),
            "columns of text, by name or number, of which every value becomes a feature; none; auto: those whose first value"
                    + " is not a number");
    public static final PlanKey<TableColumn.Missing> MISSING = reading(
            "missing",
            TableColumn.Missing.FAIL,
            SettingText.oneOf(TableColumn.Missing.class),
            "cells that are empty, NA, NaN, null or ?: fail; mean: fill in the column's mean, for text each value's share;"
                    + " median: the column's median instead; indicator: the mean, and one more feature that marks the cell");
    public static final PlanKey<List<String>> MISSING_VALUES = reading(
            "missing-values",
            List.of(),
            SettingText.names(),
            "other cells that are missing: N/A,-999; a number however it is written, a word in capitals or not");
    public static final PlanKey<Optional<String>> WEIGHTS_BY = reading(
            "weights-by",
            Optional.empty(),
            SettingText.column(),
            "column with the weight of each row in training, relative to their mean; tests count every row once");
    public static final PlanKey<Double> TEST_SHARE = key(
            SettingGroup.DATA,
            "test-share",
            0.3,
            SettingText.share(),
            "share of rows held out of every class and source; every source keeps a row");
    public static final PlanKey<HoldOut.Rounding> TEST_ROUNDING = key(
            SettingGroup.DATA,
            "test-rounding",
            HoldOut.Rounding.FAIR,
            SettingText.oneOf(HoldOut.Rounding.class),
            "how the share of a small source becomes whole rows; fair: up or down at random, so that every row has the same"
                    + " chance; at-least-one: one row or more of every class and source, as earlier versions did");
    public static final PlanKey<List<String>> TEST_SOURCES = key(
            SettingGroup.DATA,
            "test-sources",
            List.of(),
            SettingText.names(),
            "sources that are held out whole, by name: H1,H2; train then tests on them alone, unless --test-share says to hold"
                    + " out rows of the others too; needs --workers-by");
    public static final PlanKey<List<String>> WITHOUT = key(
            SettingGroup.SOURCES,
            "without",
            List.of(),
            SettingText.names(),
            "sources whose rows are left out, by name: H1,H2; the model is the one that there would be without these rows, except that an"
                    + " .hfd file keeps their classes and categories");
    public static final PlanKey<Optional<String>> SPLIT_BY = key(
            SettingGroup.DATA,
            "split-by",
            Optional.empty(),
            SettingText.column(),
            "column with a time: the rows of each source with its largest values are held out, not rows drawn at random; numbers,"
                    + " or dates, or text in the order of its letters, which are then no feature");
    public static final PlanKey<Scaling.Kind> SCALE = key(
            SettingGroup.DATA,
            "scale",
            Scaling.Kind.AUTO,
            SettingText.by(Scaling.Kind::parse),
            "none, sd, standardise, min-max or max-abs; auto: standardise, max-abs where rows are sparse, sd without an"
                    + " intercept");
    public static final PlanKey<Storage> STORAGE = key(
            SettingGroup.DATA,
            "storage",
            Storage.DOUBLE,
            SettingText.oneOf(Storage.class),
            "how the features of training rows are kept after scaling: double; float: in half of the memory, rounded to seven"
                    + " digits (sums are of doubles all the same)");
    public static final PlanKey<Long> SEED =
            key(SettingGroup.DATA, "seed", 1L, SettingText.whole64(), "decides everything that is random");

    public static final PlanKey<Optional<String>> WORKERS_BY = reading(
            SettingGroup.SOURCES,
            "workers-by",
            Optional.empty(),
            SettingText.column(),
            "column whose values (hospital, vendor, sensor) are one worker each");
    public static final PlanKey<Statistics> STATISTICS = key(
            SettingGroup.SOURCES,
            "statistics",
            Statistics.ROBUST,
            SettingText.oneOf(Statistics.class),
            "how scale, fills, categories, weights and step size are learnt; robust: by worker, so that --tolerated of them"
                    + " cannot move these beyond the others'; pooled: from all rows together");
    public static final PlanKey<Integer> WORKERS = key(
            SettingGroup.SOURCES,
            "workers",
            10,
            SettingText.whole(1),
            "number of workers the rows are dealt to, unless --workers-by names them");
    public static final PlanKey<Choice<Partitioner>> PARTITION = key(
            SettingGroup.SOURCES,
            "partition",
            Choice.<Partitioner>named(Partition::iid, "iid"),
            SettingText.from(Catalogues::partitions),
            "how the rows are dealt: iid, in-turn, by-class, extreme, gamma(similarity=0.5), dirichlet(alpha=0.5) or"
                    + " shards(count=2)");
    public static final PlanKey<SourceWeights> SOURCE_WEIGHTS = key(
            SettingGroup.SOURCES,
            "source-weights",
            SourceWeights.EQUAL,
            SettingText.oneOf(SourceWeights.class),
            "how much each worker counts; equal: the same, however few rows it has; rows: by its rows, but at most as twice the"
                    + " median worker, so that a liar cannot buy influence with rows; heavier workers send longer updates, which"
                    + " norm screening drops first");
    public static final PlanKey<Integer> REPLICAS = key(
            SettingGroup.SOURCES,
            "replicas",
            1,
            SettingText.whole(1),
            "number of workers that hold the same rows and are outvoted where they differ: with 2f+1 replicas f liars change"
                    + " nothing; rows are dealt to workers/replicas shards, or each source is held by that many workers");
    public static final PlanKey<Integer> ROOT = key(
            SettingGroup.SOURCES,
            "root",
            0,
            SettingText.whole(0),
            "number of training rows that the server keeps for itself and trusts, as rule fltrust needs");

    public static final PlanKey<Choice<ModelFamily>> MODEL = key(
            SettingGroup.MODEL,
            "model",
            Models.AUTO,
            SettingText.choice((text, catalogues) -> text.equals(Models.AUTO.toString())
                    ? Models.AUTO
                    : catalogues.models().choose(text)),
            "what is learnt; auto: logistic for two classes, softmax for more, linear for numbers; ./holdfast models lists"
                    + " them");
    public static final PlanKey<Boolean> INTERCEPT = key(
            SettingGroup.MODEL,
            "intercept",
            true,
            SettingText.bool(),
            "learn an intercept, which is neither perturbed nor penalised; scales that shift the features make one anyway");
    public static final PlanKey<ClassWeights> CLASS_WEIGHTS = key(
            SettingGroup.MODEL,
            "class-weights",
            ClassWeights.NONE,
            SettingText.by(ClassWeights::parse),
            "none, balanced, or one weight per class, in their order: 1,2.5");
    public static final PlanKey<Recalibration> RECALIBRATION = key(
            SettingGroup.DECISIONS,
            "recalibration",
            Recalibration.AUTO,
            SettingText.oneOf(Recalibration.class),
            "auto: after class weights or a robust objective, a slope for the scores and an offset for each class, learnt on"
                    + " training rows that the model has not seen, correct the probabilities; none");
    public static final PlanKey<Threshold> THRESHOLD = key(
            SettingGroup.DECISIONS,
            "threshold",
            Threshold.NONE,
            SettingText.by(Threshold::parse),
            "probability from which a row is predicted as the second of two classes: a number; auto: the one with the largest F1"
                    + " on training rows that the model has not seen; cost(false-positive=1, false-negative=20): the one at"
                    + " which mistakes cost least; none: as the model was trained");

    public static final PlanKey<Choice<ObjectiveFamily>> OBJECTIVE = key(
            SettingGroup.ROBUSTNESS,
            "objective",
            Objectives.catalogue().choose("wasserstein"),
            SettingText.from(Catalogues::objectives),
            "what workers minimise; wasserstein: every row counts by its worst case, set up by --lambda or --radius, --cost, --maximiser and --box;"
                    + " the others reweight rows or workers that stay as they are; ./holdfast objectives lists them");
    public static final PlanKey<Price> LAMBDA = key(
            SettingGroup.ROBUSTNESS,
            "lambda",
            Price.of(8),
            SettingText.by(Price::parse),
            "price of moving a training row to its worst case; smaller is more robust; none: plain training; auto: the smallest"
                    + " price that costs at most 1 % and one standard error of the plain loss, found on training rows that are"
                    + " left out in turn");
    public static final PlanKey<Optional<Double>> RADIUS = key(
            SettingGroup.ROBUSTNESS,
            "radius",
            Optional.empty(),
            SettingText.optional("none", SettingText.above(0)),
            "rho, how far rows may move instead of a price: training minimises the worst mean loss over all moves with a mean"
                    + " cost of at most rho, and finds lambda; each row moving by q, in scaled units, is rho = q^2/2");
    public static final PlanKey<Choice<TransportCost>> COST = key(
            SettingGroup.ROBUSTNESS,
            "cost",
            Costs.catalogue().choose("squared-l2"),
            SettingText.from(Catalogues::costs),
            "what moving a row costs, times --lambda; squared-l2: half the squared Euclidean distance");
    public static final PlanKey<Prices> PRICES = key(
            SettingGroup.ROBUSTNESS,
            "prices",
            Prices.EQUAL,
            SettingText.by(Prices::parse),
            "what moving a feature costs, in scaled units: age=4,sex=fixed: 4 times as much as the others, and never; a text column is"
                    + " named by its own name; region=whole(2): the category of region changes as a whole, at 2 a change; equal: all"
                    + " cost the same; certify then uses the same prices");
    public static final PlanKey<Optional<Double>> LABEL_PRICE = key(
            SettingGroup.ROBUSTNESS,
            "label-price",
            Optional.empty(),
            SettingText.optional("none", SettingText.above(0)),
            "what another label costs, times --lambda, where labels are classes: every row counts by its worst features and label;"
                    + " none: labels stay");
    public static final PlanKey<Wasserstein.Maximisation> MAXIMISER = key(
            SettingGroup.ROBUSTNESS,
            "maximiser",
            Wasserstein.Maximisation.AUTO,
            SettingText.oneOf(Wasserstein.Maximisation.class),
            "how the worst case is found: exact, recurrence, ascent; auto: exact, or the recurrence when --ascent-steps or"
                    + " --precision is given; softmax has no exact one and ascends to precision 1e-4 if neither is");
    public static final PlanKey<Optional<Integer>> ASCENT_STEPS = key(
            SettingGroup.ROBUSTNESS,
            "ascent-steps",
            Optional.empty(),
            SettingText.optional("auto", SettingText.whole(0)),
            "fixed number T_z of ascent steps per row; auto: as many as the precision needs, 10 for model mlp");
    public static final PlanKey<Optional<Double>> ASCENT_RATE = key(
            SettingGroup.ROBUSTNESS,
            "ascent-rate",
            Optional.empty(),
            SettingText.optional("auto", SettingText.above(0)),
            "ascent step size; auto: 1/lambda");
    public static final PlanKey<Optional<Double>> PRECISION = key(
            SettingGroup.ROBUSTNESS,
            "precision",
            Optional.empty(),
            SettingText.optional("auto", SettingText.above(0)),
            "ascend until each moved row z is provably this close to its worst case z*");
    public static final PlanKey<Optional<Double>> EARLY_PRECISION = key(
            SettingGroup.ROBUSTNESS,
            "early-precision",
            Optional.empty(),
            SettingText.optional("auto", SettingText.above(0)),
            "precision in the first of two stages, coarser than --precision; auto: there is one stage");
    public static final PlanKey<Optional<Integer>> EARLY_STEPS = key(
            SettingGroup.ROBUSTNESS,
            "early-steps",
            Optional.empty(),
            SettingText.optional("auto", SettingText.whole(0)),
            "number of ascent steps in the first of two stages, fewer than --ascent-steps; auto: there is one stage");
    public static final PlanKey<Optional<Integer>> EARLY_ROUNDS = key(
            SettingGroup.ROBUSTNESS,
            "early-rounds",
            Optional.empty(),
            SettingText.of(
                    text -> text.equals("0") ? Optional.empty() : EARLY_ROUNDS_TEXT.read(text, null),
                    EARLY_ROUNDS_TEXT::print),
            "number of rounds in the first stage; auto: until the combined update has not become shorter by a tenth in two"
                    + " rounds (ten with --tolerance 0), or is a hundredth of the longest, or training would end");
    public static final PlanKey<Optional<Box>> BOX = key(
            SettingGroup.ROBUSTNESS,
            "box",
            Optional.empty(),
            SettingText.optional(
                    "auto",
                    SettingText.of(
                            text -> text.equals("none")
                                    ? Box.NONE
                                    : new Box(SettingText.above(0).read(text, null)),
                            box -> box.bounded() ? Spec.print(box.side()) : "none")),
            "moved rows stay within [-box, box], in scaled units, or within their own values where these are larger; auto: for model poisson the"
                    + " largest value of the training rows, else none");
    public static final PlanKey<Choice<RuleFamily>> RULE = key(
            SettingGroup.ROBUSTNESS,
            "rule",
            Choice.<RuleFamily>named(NormScreening::new, "norm-screening"),
            SettingText.choice(
                    (text, catalogues) -> Aggregators.choose(text, catalogues.rules(), catalogues.preAggregators())),
            "how the server combines updates, perhaps after pre-aggregators: nnm + trimmed-mean(tolerated=2)");
    public static final PlanKey<Tolerated> TOLERATED = key(
            SettingGroup.ROBUSTNESS,
            "tolerated",
            Tolerated.AUTO,
            SettingText.by(Tolerated::parse),
            "f, the number of liars the rule is set up for and, by norm-screening, of updates dropped per round: a count, or a"
                    + " share below 1 of the workers, rounded up; auto: a tenth of the workers, rounded up, or as many"
                    + " sources as stand out, but less than a third of them",
            "screened");

    public static final PlanKey<LearningRate> LEARNING_RATE = key(
            SettingGroup.SERVER,
            "learning-rate",
            LearningRate.AUTO,
            SettingText.by(LearningRate::parse),
            "step size: a number; quasi-newton(first=0.1): steps turned by the curvature that the last rounds showed;"
                    + " spectral(first=0.1): along the rule's direction, as long as its change shows that it may be;"
                    + " adaptive(first=0.1): longer while the objective falls, shorter when it rises; auto: quasi-newton, spectral for --model linear that moves rows, or adaptive"
                    + " with batches, local steps or momentum, from the length of the rows, with --statistics pooled from the smoothness constant of the data, 1 for"
                    + " deltas and Newton steps; proven: 1/L_F or 2/(L_F + lambda_F), for which the theorems prove convergence, and"
                    + " which one very long row makes short");
    public static final PlanKey<Choice<StepSchedule>> SCHEDULE = key(
            SettingGroup.SERVER,
            "schedule",
            StepSchedule.CATALOGUE.choose("constant"),
            SettingText.from(Catalogues::schedules),
            "how the step size changes over rounds t: constant, inverse(rounds=100), root(rounds=100) or"
                    + " steps(every=100, factor=0.5)");
    public static final PlanKey<Optional<Double>> L2 = key(
            SettingGroup.SERVER,
            "l2",
            Optional.of(0.0),
            SettingText.optional("auto", SettingText.atLeast(0)),
            "penalty (l2/2)||theta||^2; auto: one over the number of training rows if there are fewer than ten for each weight,"
                    + " else 0; each source counts with the rows of the median one");
    public static final PlanKey<Choice<LocalWork.Sent>> UPDATE = key(
            SettingGroup.SERVER,
            "update",
            LocalWork.UPDATES.choose("gradient"),
            SettingText.from(Catalogues::updates),
            "what workers send: gradient; delta: by how much their own steps changed theta; newton(damping=0.1): a Newton step"
                    + " on their own rows");
    public static final PlanKey<Integer> LOCAL_STEPS = key(
            SettingGroup.SERVER,
            "local-steps",
            1,
            SettingText.whole(1),
            "number of gradient steps a worker takes by itself in a round; it sends the mean of the gradients it met, or the"
                    + " delta");
    public static final PlanKey<Optional<Double>> LOCAL_RATE = key(
            SettingGroup.SERVER,
            "local-rate",
            Optional.empty(),
            SettingText.optional("auto", SettingText.above(0)),
            "size of these steps; auto: the learning rate or, for deltas, what it would be for gradients");
    public static final PlanKey<Double> WORKER_MOMENTUM = key(
            SettingGroup.SERVER,
            "worker-momentum",
            0.0,
            SettingText.share(),
            "beta: for each worker m = beta m + (1 - beta) update, and the rule combines the m; 0: off");
    public static final PlanKey<Double> SERVER_MOMENTUM = key(
            SettingGroup.SERVER,
            "server-momentum",
            0.0,
            SettingText.share(),
            "the server steps along v = momentum v + combined update; 0: off");
    public static final PlanKey<Optional<Integer>> BATCH = key(
            SettingGroup.SERVER,
            "batch",
            Optional.empty(),
            SettingText.optional("all", SettingText.whole(1)),
            "number of rows that each worker draws for a round; all: every row it holds");
    public static final PlanKey<Integer> ROUNDS =
            key(SettingGroup.SERVER, "rounds", 1000, SettingText.whole(0), "maximum number of rounds");
    public static final PlanKey<Double> TOLERANCE = key(
            SettingGroup.SERVER,
            "tolerance",
            1e-4,
            SettingText.share(),
            "stop when the gradient shows that the objective is within this share of its minimum or, with steps of a fixed"
                    + " size, when it changes by less than this share in ten rounds; 0: never stop early; only without"
                    + " --validation");
    public static final PlanKey<Double> VALIDATION = key(
            SettingGroup.SERVER,
            "validation",
            0.0,
            SettingText.share(),
            "share of its rows that every worker sets aside; stop when the robust loss on them no longer falls, and take the"
                    + " best parameters; 0: none");
    public static final PlanKey<Integer> PATIENCE = key(
            SettingGroup.SERVER,
            "patience",
            5,
            SettingText.whole(1),
            "stop after this many checks, ten rounds apart, without a new best on validation rows");
    public static final PlanKey<Start> INIT = key(
            SettingGroup.SERVER,
            "init",
            Start.AUTO,
            SettingText.of(
                    text -> {
                        Check.that(
                                List.of("auto", "normal", "zero").contains(text),
                                "must be auto, normal, or zero, the earlier name of auto; got '%s'",
                                text);
                        return text.equals("normal") ? Start.NORMAL : Start.AUTO;
                    },
                    SettingText.oneOf(Start.class)::print),
            "theta at the start: auto, the model's own, which is zero for linear models; normal: standard normal numbers");

    public static final PlanKey<Integer> INTERVALS = key(
            SettingGroup.SERVER,
            "intervals",
            0,
            SettingText.whole(0),
            "number of resamples for 95 % intervals of the coefficients, of sources with --workers-by, else of rows; 100 is enough;"
                    + " 0: none");

    public static final PlanKey<Choice<Attack>> ATTACK = key(
            SettingGroup.SIMULATION,
            "attack",
            Choice.<Attack>named(Attacks.NONE, "none"),
            SettingText.from(Catalogues::attacks),
            "what simulated liars do; ./holdfast attacks lists them");
    public static final PlanKey<Integer> LIARS = key(
            SettingGroup.SIMULATION,
            "liars",
            0,
            SettingText.whole(0),
            "number of workers, drawn at random, that the attack turns into liars");
    public static final PlanKey<List<Integer>> BYZANTINE = key(
            SettingGroup.SIMULATION,
            "byzantine",
            List.of(),
            SettingText.ids(),
            "the liars by worker number from 0, instead of drawing them: 0,3,7");

    private final SettingGroup group;
    private final String name;
    private final T defaultValue;
    private final SettingText<T> text;
    private final String meaning;
    private final boolean aboutFiles;
    private final List<String> olderNames;

    private PlanKey(
            SettingGroup group,
            String name,
            T defaultValue,
            SettingText<T> text,
            String meaning,
            boolean aboutFiles,
            List<String> olderNames) {
        this.group = group;
        this.name = name;
        this.defaultValue = defaultValue;
        this.text = text;
        this.meaning = meaning;
        this.aboutFiles = aboutFiles;
        this.olderNames = olderNames;
        ALL.put(name, this);
        olderNames.forEach(older -> OLDER.put(older, this));
    }

    private static <T> PlanKey<T> key(
            SettingGroup group,
            String name,
            T defaultValue,
            SettingText<T> text,
            String meaning,
            String... olderNames) {
        return new PlanKey<>(group, name, defaultValue, text, meaning, false, List.of(olderNames));
    }

    private static <T> PlanKey<T> reading(String name, T defaultValue, SettingText<T> text, String meaning) {
        return reading(SettingGroup.DATA, name, defaultValue, text, meaning);
    }

    private static <T> PlanKey<T> reading(
            SettingGroup group, String name, T defaultValue, SettingText<T> text, String meaning) {
        return new PlanKey<>(group, name, defaultValue, text, meaning, true, List.of());
    }

    /** All settings, in the order they are shown. */
    public static List<PlanKey<?>> all() {
        return List.copyOf(ALL.values());
    }

    /** The settings of some groups, in the order they are shown. */
    public static List<PlanKey<?>> in(SettingGroup... groups) {
        List<SettingGroup> wanted = List.of(groups);
        return all().stream().filter(key -> wanted.contains(key.group)).toList();
    }

    /** The settings that decide how a table is read from a file. */
    public static List<PlanKey<?>> aboutFiles() {
        return all().stream().filter(key -> key.aboutFiles).toList();
    }

    /**
     * Returns the setting with this name, or with this older name.
     *
     * @throws InputException that lists the known names
     */
    public static PlanKey<?> named(String name) {
        PlanKey<?> key = ALL.getOrDefault(name, OLDER.get(name));
        Check.that(key != null, "unknown plan key '%s'; known: %s", name, String.join(", ", ALL.keySet()));
        return key;
    }

    public SettingGroup group() {
        return group;
    }

    public String name() {
        return name;
    }

    /** Names by which earlier versions knew the setting; still understood in plan files and as flags. */
    public List<String> olderNames() {
        return olderNames;
    }

    /** The name as users type it: {@code --learning-rate}. */
    public String flag() {
        return "--" + name;
    }

    public T defaultValue() {
        return defaultValue;
    }

    public String meaning() {
        return meaning;
    }

    /** Reads a value, with the names that Holdfast brings. */
    public T parse(String given) {
        return parse(given, Catalogues.standard());
    }

    /** @throws InputException that names the setting, what must hold and what was given */
    public T parse(String given, Catalogues catalogues) {
        try {
            return text.read(given.strip(), catalogues);
        } catch (InputException e) {
            String message = e.getMessage();
            throw message.startsWith(flag())
                    ? e
                    : new InputException(flag() + (message.startsWith("must ") ? " " : ": ") + message);
        }
    }

    /** The text that {@link #parse} reads back to this value, unless it is an object without a name. */
    public String print(T value) {
        return text.print(value);
    }

    @Override
    public String toString() {
        return name;
    }
}
