package holdfast.formats;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import holdfast.Check;
import holdfast.InputException;
import holdfast.Spec;
import holdfast.data.DataSource;
import holdfast.data.Schema;
import holdfast.evaluation.TrainedModel;
import holdfast.plan.Plan;
import holdfast.preparation.Encoding;
import holdfast.preparation.LabelScaling;
import holdfast.preparation.Scaling;
import holdfast.training.Provenance;
import holdfast.training.TrainingRun;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * model.json: a model with the plan and the provenance to train it again. Numbers are written so that they read back to
 * the same bits. Since version 2 a SHA-256 digest of what the file says, whatever its white space, order of fields and
 * spelling of numbers, shows damage and edits. It is no signature: whoever forges a model can forge its digest.
 */
public record ModelFile(TrainedModel model, Plan plan, Provenance provenance) {
    private static final String FORMAT = "holdfast-model";
    private static final String DIGEST = "digest";
    private static final int VERSION = 2;

    public static ModelFile of(TrainingRun run) {
        return new ModelFile(run.model(), run.plan(), run.provenance());
    }

    public void write(Path file) {
        AtomicFile.write(file, print());
    }

    public String print() {
        ObjectNode root = Json.MAPPER.createObjectNode();
        root.put("format", FORMAT);
        root.put("version", VERSION);
        root.put("model", model.kind().toString());
        root.put("label", model.schema().label());
        Json.put(root, "classes", model.schema().classes());
        root.put("threshold", model.threshold());
        root.put("intercept", model.intercept());
        Json.put(root, "features", model.schema().features());
        Json.put(root, "weights", model.theta());
        putColumns(root, model.encoding());
        ObjectNode scaling = root.putObject("scaling");
        scaling.put("kind", model.scaling().kind().toString());
        Json.put(scaling, "offsets", model.scaling().offsets());
        Json.put(scaling, "divisors", model.scaling().divisors());
        if (!model.labels().equals(LabelScaling.NONE)) {
            scaling.put("label_offset", model.labels().offset());
            scaling.put("label_divisor", model.labels().divisor());
        }
        Json.put(root, "plan", plan.settings());
        ObjectNode origin = root.putObject("provenance");
        origin.put("data", provenance.data().name());
        origin.put("sha256", provenance.data().sha256());
        origin.put("rows", provenance.rows());
        origin.put("seed", provenance.seed());
        origin.put("holdfast", provenance.version());
        origin.put("java", provenance.java());
        origin.put("cpu", provenance.cpu());
        root.put(DIGEST, digest(root));
        return Json.print(root);
    }

    /** @throws InputException if it was damaged or changed after it was written */
    public static ModelFile read(Path file) {
        return read(Json.read(file), false);
    }

    /** Reads a model that may have been changed by hand. */
    public static ModelFile readChanged(Path file) {
        return read(Json.read(file), true);
    }

    /**
     * @param name of the text, for complaints about it
     * @throws InputException if it was damaged or changed after it was written
     */
    public static ModelFile parse(String name, String text) {
        return read(Json.parse(name, text), false);
    }

    /** SHA-256 of everything in the file but the digest itself. */
    private static String digest(JsonNode root) {
        StringBuilder text = new StringBuilder();
        canonical(((ObjectNode) root).deepCopy().without(DIGEST), text);
        return HexFormat.of().formatHex(DataFile.sha256().digest(text.toString().getBytes(StandardCharsets.UTF_8)));
    }

    /** One text for all ways to write the same values. */
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

    private static ModelFile read(Json root, boolean mayBeChanged) {
        Check.that(root.node().path("format").asText().equals(FORMAT), "%s: is not a holdfast model", root.file());
        int version = root.integer("version");
        Check.that(
                version >= 1 && version <= VERSION,
                "%s: model version must be at most %d, got %d; it was written by a newer holdfast",
                root.file(),
                VERSION,
                version);
        boolean hasDigest = root.node().has(DIGEST);
        Check.that(
                mayBeChanged
                        || version == 1 && !hasDigest
                        || root.node().path(DIGEST).asText().equals(digest(root.node())),
                "%s: was damaged or changed after it was written: %s; use --changed to accept it",
                root.file(),
                hasDigest ? "its digest does not match" : "it has no digest");
        Json scaling = root.object("scaling");
        Json origin = root.object("provenance");
        Map<String, String> settings = root.settings("plan");
        try {
            return new ModelFile(
                    new TrainedModel(
                            Spec.parse(root.text("model")),
                            root.bool("intercept"),
                            root.numbers("weights"),
                            encoding(root),
                            new Scaling(
                                    Scaling.Kind.parse(scaling.text("kind")),
                                    scaling.numbers("offsets"),
                                    scaling.numbers("divisors")),
                            scaling.node().has("label_offset")
                                    ? new LabelScaling(scaling.number("label_offset"), scaling.number("label_divisor"))
                                    : LabelScaling.NONE,
                            new Schema(root.texts("features"), root.text("label"), root.texts("classes"), List.of()),
                            root.number("threshold")),
                    Plan.of(settings),
                    new Provenance(
                            new DataSource(origin.text("data"), origin.text("sha256")),
                            origin.whole("rows"),
                            origin.whole("seed"),
                            origin.text("holdfast"),
                            origin.text("java"),
                            origin.text("cpu")));
        } catch (InputException e) {
            throw e.getMessage().startsWith(root.file()) ? e : new InputException(root.file() + ": " + e.getMessage());
        }
    }

    /** Nothing where the columns are the features. */
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
        }
    }

    static Encoding encoding(Json root) {
        return root.node().has("columns")
                ? new Encoding(root.objects("columns").stream()
                        .map(column -> new Encoding.Column(
                                column.text("name"),
                                column.texts("categories"),
                                Arrays.stream(column.numbers("missing")).boxed().toList(),
                                column.bool("marked")))
                        .toList())
                : Encoding.NONE;
    }
}
