package holdfast.formats;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import holdfast.Check;
import holdfast.InputException;
import holdfast.Spec;
import holdfast.certificate.ConformalScores;
import holdfast.data.DataSource;
import holdfast.data.DatePart;
import holdfast.data.Schema;
import holdfast.evaluation.Calibration;
import holdfast.evaluation.CoefficientErrors;
import holdfast.evaluation.TrainedModel;
import holdfast.plan.Catalogues;
import holdfast.plan.Dates;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.plan.PluginJar;
import holdfast.plan.Recalibration;
import holdfast.plan.Statistics;
import holdfast.preparation.Encoding;
import holdfast.preparation.HoldOut;
import holdfast.preparation.LabelScaling;
import holdfast.preparation.RowSummary;
import holdfast.preparation.Scaling;
import holdfast.training.Provenance;
import holdfast.training.TrainingRun;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * model.json: a model with the plan and the provenance to train it again. Numbers are written so that they read back to
 * the same bits. Since version 2 a SHA-256 digest of the content detects damage and edits; it does not depend on white
 * space, the order of fields or the spelling of numbers. It is not a signature: anyone who can forge a model can forge
 * its digest.
 *
 * @param settings the text of the plan it was trained with
 * @param plugins the jars that define names in the plan
 * @param conformal how badly the model did on rows held out, if it was kept; older files have none
 */
public record ModelFile(
        TrainedModel model,
        Map<String, String> settings,
        List<PluginJar> plugins,
        Provenance provenance,
        Optional<ConformalScores> conformal) {
    private static final String FORMAT = "holdfast-model";
    static final String DIGEST = "digest";
    private static final int VERSION = 3;
    /** Models of earlier versions were prepared with pooled statistics. */
    private static final int FIRST_WITH_STATISTICS = 3;

    public static ModelFile of(TrainingRun run) {
        return new ModelFile(run.model(), run.plan(), run.provenance());
    }

    public ModelFile(TrainedModel model, Plan plan, Provenance provenance) {
        this(model, plan.settings(), plan.catalogues().plugins(), provenance);
    }

    /** A file without scores of rows held out. */
    public ModelFile(TrainedModel model, Map<String, String> settings, List<PluginJar> plugins, Provenance provenance) {
        this(model, settings, plugins, provenance, Optional.empty());
    }

    public ModelFile {
        Check.that(
                model.kind().name().isPresent(),
                "a model file needs the name of its model, got %s, an object that no catalogue knows; add it by a plugin",
                model.kind());
        settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
        plugins = List.copyOf(plugins);
    }

    /** Returns the same file with scores of rows held out. */
    public ModelFile withConformal(ConformalScores scores) {
        return new ModelFile(model, settings, plugins, provenance, Optional.of(scores));
    }

    /** Returns the plan it was trained with, using Holdfast's own names. */
    public Plan plan() {
        return plan(Catalogues.standard());
    }

    /**
     * Returns the plan it was trained with, using the names in these catalogues.
     *
     * @throws InputException if the plan contained objects without a name
     */
    public Plan plan(Catalogues catalogues) {
        RecordedPlugins.requireGiven("the model", plugins, catalogues);
        return Plan.of(settings, catalogues);
    }

    /** Returns how the cells of tables for the model are written. */
    public CellFormat cells() {
        return CellFormat.of(settings);
    }

    public void write(Path file) {
        AtomicFile.write(file, print());
    }

    public String print() {
        ObjectNode root = Json.MAPPER.createObjectNode();
        root.put("format", FORMAT);
        root.put("version", VERSION);
        putModel(root, model);
        conformal.ifPresent(scores -> putConformal(root, scores));
        Json.put(root, "plan", settings);
        RecordedPlugins.put(root, plugins);
        putProvenance(root, provenance);
        root.put(DIGEST, digest(root));
        return Json.print(root);
    }

    /** Writes everything that prediction needs. */
    static void putModel(ObjectNode root, TrainedModel model) {
        root.put("model", model.kind().toString());
        root.put("label", model.schema().label());
        Json.put(root, "classes", model.schema().classes());
        root.put("threshold", model.threshold());
        if (!model.calibration().equals(Calibration.NONE)) {
            putCalibration(root, model);
        }
        root.put("intercept", model.intercept());
        Json.put(root, "features", model.schema().features());
        Json.put(root, "weights", model.theta());
        model.errors().ifPresent(errors -> putErrors(root, errors));
        putColumns(root, model.encoding());
        ObjectNode scaling = root.putObject("scaling");
        scaling.put("kind", model.scaling().kind().toString());
        Json.put(scaling, "offsets", model.scaling().offsets());
        Json.put(scaling, "divisors", model.scaling().divisors());
        if (model.scaling().clip() < Double.POSITIVE_INFINITY) {
            scaling.put("clip", model.scaling().clip());
        }
        if (!model.labels().equals(LabelScaling.NONE)) {
            scaling.put("label_offset", model.labels().offset());
            scaling.put("label_divisor", model.labels().divisor());
        }
        model.training().ifPresent(rows -> putSummary(root, rows));
    }

    private static void putSummary(ObjectNode root, RowSummary rows) {
        ObjectNode node = root.putObject("training_rows");
        Json.put(node, "lowest", rows.lowest());
        Json.put(node, "highest", rows.highest());
        Json.put(
                node,
                "slices",
                Arrays.stream(rows.slices()).flatMapToDouble(Arrays::stream).toArray());
    }

    private static Optional<RowSummary> summary(Json root) {
        if (!root.node().has("training_rows")) {
            return Optional.empty();
        }
        Json node = root.object("training_rows");
        double[] slices = node.numbers("slices");
        return Optional.of(new RowSummary(
                node.numbers("lowest"),
                node.numbers("highest"),
                IntStream.range(0, slices.length / RowSummary.SLICES)
                        .mapToObj(i -> Arrays.copyOfRange(slices, i * RowSummary.SLICES, (i + 1) * RowSummary.SLICES))
                        .toArray(double[][]::new)));
    }

    static void putProvenance(ObjectNode root, Provenance provenance) {
        ObjectNode origin = root.putObject("provenance");
        origin.put("data", provenance.data().name());
        origin.put("sha256", provenance.data().sha256());
        origin.put("rows", provenance.rows());
        origin.put("seed", provenance.seed());
        origin.put("holdfast", provenance.version());
        origin.put("java", provenance.java());
        origin.put("cpu", provenance.cpu());
    }

    static Provenance provenance(Json root) {
        Json origin = root.object("provenance");
        return new Provenance(
                new DataSource(origin.text("data"), origin.text("sha256")),
                origin.whole("rows"),
                origin.whole("seed"),
                origin.text("holdfast"),
                origin.text("java"),
                origin.text("cpu"));
    }

    /**
     * Reads a model.
     *
     * @throws InputException if it was damaged or changed after it was written
     */
    public static ModelFile read(Path file) {
        return read(file, Catalogues.standard());
    }

    /** Reads a model with a kind and a plan that use names from these catalogues. */
    public static ModelFile read(Path file, Catalogues catalogues) {
        return read(Json.read(file), false, catalogues);
    }

    /** Reads a model that may have been edited by hand. */
    public static ModelFile readChanged(Path file) {
        return readChanged(file, Catalogues.standard());
    }

    /** Reads a model that may have been edited by hand, with the names in these catalogues. */
    public static ModelFile readChanged(Path file, Catalogues catalogues) {
        return read(Json.read(file), true, catalogues);
    }

    /**
     * Reads a model from text.
     *
     * @param name the name of the text in error messages
     * @throws InputException if it was damaged or changed after it was written
     */
    public static ModelFile parse(String name, String text) {
        return read(Json.parse(name, text), false, Catalogues.standard());
    }

    /** Returns the SHA-256 of everything in the file except the digest itself. */
    static String digest(JsonNode root) {
        StringBuilder text = new StringBuilder();
        canonical(((ObjectNode) root).deepCopy().without(DIGEST), text);
        return HexFormat.of().formatHex(DataFile.sha256().digest(text.toString().getBytes(StandardCharsets.UTF_8)));
    }

    /** Writes the same text for all ways to write the same values. */
    private static void canonical(JsonNode node, StringBuilder into) {
        if (node.isObject()) {
            into.append('{');
            new TreeMap<>(node.properties().stream().collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)))
                    .forEach((name, value) -> {
                        into.append(TextNode.valueOf(name)).append(':');
                        canonical(value, into);
                        into.append(',');
                    });
            into.append('}');
        } else if (node.isArray()) {
            into.append('[');
            node.forEach(item -> {
                canonical(item, into);
                into.append(',');
            });
            into.append(']');
        } else if (node.isNumber()) {
            into.append(
                    Double.isFinite(node.asDouble())
                            ? new BigDecimal(node.asText()).stripTrailingZeros()
                            : node.asText());
        } else {
            into.append(node);
        }
    }

    /**
     * Returns the settings of a plan. A file lists every setting of its time, so a setting that it does not have gets the
     * value that stands for what was done before there was a choice.
     *
     * @param pooled whether they were written before there were other statistics than pooled ones
     */
    static Map<String, String> settings(Json root, boolean pooled) {
        Map<String, String> settings = new LinkedHashMap<>(root.settings("plan"));
        if (pooled) {
            settings.put(PlanKey.STATISTICS.name(), PlanKey.STATISTICS.print(Statistics.POOLED));
        }
        settings.putIfAbsent(PlanKey.TEST_ROUNDING.name(), PlanKey.TEST_ROUNDING.print(HoldOut.Rounding.AT_LEAST_ONE));
        settings.putIfAbsent(PlanKey.RECALIBRATION.name(), PlanKey.RECALIBRATION.print(Recalibration.NONE));
        return withColumns(settings);
    }

    /** Adds to the settings of a plan what earlier versions did with columns, if they are from before there was a choice. */
    static Map<String, String> withColumns(Map<String, String> settings) {
        Map<String, String> all = new LinkedHashMap<>(settings);
        all.putIfAbsent(PlanKey.DATES.name(), PlanKey.DATES.print(Dates.TEXT));
        all.putIfAbsent(PlanKey.KEEP.name(), "all");
        return all;
    }

    private static ModelFile read(Json root, boolean mayBeChanged, Catalogues catalogues) {
        String format = root.node().path("format").asText();
        Check.that(
                !format.equals(VoteFile.FORMAT),
                "%s: holds models that vote, which predict, evaluate, certify and rerun can use; this needs a model.json",
                root.file());
        Check.that(format.equals(FORMAT), "%s: is not a holdfast model", root.file());
        int version = root.integer("version");
        Check.that(
                version >= 1 && version <= VERSION,
                "%s: model version must be at most %d, got %d; it was written by a newer holdfast",
                root.file(),
                VERSION,
                version);
        if (!mayBeChanged && !(version == 1 && !root.node().has(DIGEST))) {
            requireBeUnchanged(root);
        }
        Map<String, String> settings = settings(root, version < FIRST_WITH_STATISTICS);
        List<PluginJar> plugins = RecordedPlugins.read(root);
        boolean given = RecordedPlugins.areGiven(plugins, catalogues);
        try {
            String kind = root.text("model");
            // A model that Holdfast brings predicts without the plugin that its rule came from.
            if (!given
                    && !mayBeChanged
                    && !catalogues.models().names().contains(Spec.parse(kind).name())) {
                RecordedPlugins.requireGiven(root.file(), plugins, catalogues);
            }
            if (given && settings.values().stream().noneMatch(text -> text.startsWith("<"))) {
                Plan.of(settings, catalogues);
            }
            return new ModelFile(model(root, catalogues), settings, plugins, provenance(root), conformal(root));
        } catch (InputException e) {
            throw e.getMessage().startsWith(root.file()) ? e : new InputException(root.file() + ": " + e.getMessage());
        }
    }

    /** Writes how probabilities follow from scores: slope and intercept for two classes, slope and offsets for more. */
    private static void putCalibration(ObjectNode root, TrainedModel model) {
        ObjectNode node = root.putObject("calibration");
        int classes = model.schema().classes().size();
        node.put("slope", model.calibration().slope());
        if (classes == 2) {
            node.put("intercept", model.calibration().intercept());
        } else {
            Json.put(node, "offsets", model.calibration().offsets(classes));
        }
    }

    /** Checks that a file is as it was written. */
    static void requireBeUnchanged(Json root) {
        Check.that(
                root.node().path(DIGEST).asText().equals(digest(root.node())),
                "%s: was damaged or changed after it was written: %s; use --changed to accept it",
                root.file(),
                root.node().has(DIGEST) ? "its digest does not match" : "it has no digest");
    }

    /** Reads what {@link #putModel} writes. */
    static TrainedModel model(Json root, Catalogues catalogues) {
        Json scaling = root.object("scaling");
        return new TrainedModel(
                catalogues.models().choose(root.text("model")),
                root.bool("intercept"),
                root.numbers("weights"),
                encoding(root),
                new Scaling(
                        Scaling.Kind.parse(scaling.text("kind")),
                        scaling.numbers("offsets"),
                        scaling.numbers("divisors"),
                        scaling.node().has("clip") ? scaling.number("clip") : Double.POSITIVE_INFINITY),
                scaling.node().has("label_offset")
                        ? new LabelScaling(scaling.number("label_offset"), scaling.number("label_divisor"))
                        : LabelScaling.NONE,
                new Schema(root.texts("features"), root.text("label"), root.texts("classes"), List.of()),
                root.number("threshold"),
                root.node().has("calibration") ? calibration(root.object("calibration")) : Calibration.NONE,
                errors(root),
                summary(root));
    }

    private static Calibration calibration(Json node) {
        return node.node().has("offsets")
                ? new Calibration(
                        node.number("slope"),
                        Arrays.stream(node.numbers("offsets")).boxed().toList())
                : new Calibration(node.number("slope"), node.number("intercept"));
    }

    private static void putErrors(ObjectNode root, CoefficientErrors errors) {
        ObjectNode node = root.putObject("intervals");
        node.put("resampled", errors.resampled());
        node.put("resamples", errors.resamples());
        node.put("degrees", errors.degrees());
        ArrayNode scores = node.putArray("scores");
        for (int s = 0; s < errors.intercepts().length; s++) {
            ObjectNode score = scores.addObject();
            Json.put(score, "errors", errors.values().get(s));
            Json.put(score, "intercept_error", errors.intercepts()[s]);
        }
    }

    private static Optional<CoefficientErrors> errors(Json root) {
        if (!root.node().has("intervals")) {
            return Optional.empty();
        }
        Json node = root.object("intervals");
        List<Json> scores = node.objects("scores");
        return Optional.of(new CoefficientErrors(
                node.text("resampled").equals("sources"),
                node.integer("resamples"),
                node.integer("degrees"),
                scores.stream().map(score -> score.numbers("errors")).toList(),
                scores.stream()
                        .mapToDouble(score -> score.number("intercept_error"))
                        .toArray()));
    }

    private static void putConformal(ObjectNode root, ConformalScores scores) {
        ObjectNode node = root.putObject("conformal");
        node.put("tolerated", scores.tolerated());
        ArrayNode sources = node.putArray("sources");
        for (int s = 0; s < scores.scores().size(); s++) {
            ObjectNode source = sources.addObject();
            if (!scores.sources().isEmpty()) {
                source.put("name", scores.sources().get(s));
            }
            Json.put(source, "scores", scores.scores().get(s));
        }
    }

    private static Optional<ConformalScores> conformal(Json root) {
        if (!root.node().has("conformal")) {
            return Optional.empty();
        }
        Json node = root.object("conformal");
        List<Json> sources = node.objects("sources");
        return Optional.of(new ConformalScores(
                node.integer("tolerated"),
                sources.stream()
                        .filter(source -> source.node().has("name"))
                        .map(source -> source.text("name"))
                        .toList(),
                sources.stream().map(source -> source.numbers("scores")).toList()));
    }

    /** Writes the columns of an encoding; nothing if the columns are the features. */
    static void putColumns(ObjectNode root, Encoding encoding) {
        if (encoding.equals(Encoding.NONE)) {
            return;
        }
        ArrayNode columns = root.putArray("columns");
        for (Encoding.Column column : encoding.columns()) {
            ObjectNode node = columns.addObject();
            node.put("name", column.name());
            Json.put(node, "categories", column.categories());
            Json.put(
                    node,
                    "missing",
                    column.fill().stream().mapToDouble(Double::doubleValue).toArray());
            node.put("marked", column.marked());
            putDate(node, column.date());
        }
    }

    /** Writes what a column takes from dates; nothing if it does not. */
    static void putDate(ObjectNode column, DatePart date) {
        if (date != DatePart.NONE) {
            column.put("date", date.name().toLowerCase(Locale.ROOT));
        }
    }

    static DatePart date(Json column) {
        String name = column.node().has("date") ? column.text("date") : DatePart.NONE.name();
        return Arrays.stream(DatePart.values())
                .filter(part -> part.name().equalsIgnoreCase(name))
                .findFirst()
                .orElseThrow(() -> new InputException(
                        "column " + column.text("name") + ": unknown part of a date '" + name + "'"));
    }

    static Encoding encoding(Json root) {
        return root.node().has("columns")
                ? new Encoding(root.objects("columns").stream()
                        .map(column -> new Encoding.Column(
                                column.text("name"),
                                column.texts("categories"),
                                Arrays.stream(column.numbers("missing")).boxed().toList(),
                                column.bool("marked"),
                                date(column)))
                        .toList())
                : Encoding.NONE;
    }
}
