package holdfast.formats;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import holdfast.Check;
import holdfast.InputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A JSON file that is being read. An error about a missing or wrong field is one line that names the file and the
 * field.
 */
record Json(String file, JsonNode node) {
    static final ObjectMapper MAPPER = new ObjectMapper()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    static Json read(Path file) {
        try {
            return parse(file.toString(), Files.readString(file));
        } catch (IOException e) {
            throw new InputException(file + ": cannot be read: " + AtomicFile.reason(e));
        }
    }

    static Json parse(String file, String text) {
        try {
            JsonNode root = MAPPER.readTree(text);
            Check.that(root != null && root.isObject(), "%s: is not a JSON object", file);
            return new Json(file, root);
        } catch (JsonProcessingException e) {
            throw new InputException(file + ": line "
                    + (e.getLocation() == null
                            ? "?"
                            : e.getLocation().getLineNr() + ", column "
                                    + e.getLocation().getColumnNr())
                    + ": is not JSON: "
                    + reason(e));
        }
    }

    /** Returns the parser's reason without what it says about its own settings. */
    static String reason(JsonProcessingException e) {
        String line = e.getOriginalMessage().lines().findFirst().orElse("");
        return line.replaceAll("\\[Source: [^;]*; ?line: (\\d+), column: (\\d+)\\]", "line $1, column $2");
    }

    private JsonNode field(String name, boolean right, String kind) {
        Check.that(right, "%s: '%s' must be %s", file, name, kind);
        return node.get(name);
    }

    Json object(String name) {
        return new Json(file, field(name, node.path(name).isObject(), "an object"));
    }

    String text(String name) {
        return field(name, node.path(name).isTextual(), "a text").asText();
    }

    boolean bool(String name) {
        return field(name, node.path(name).isBoolean(), "true or false").asBoolean();
    }

    int integer(String name) {
        return field(name, node.path(name).isInt(), "a whole number").asInt();
    }

    long whole(String name) {
        return field(name, node.path(name).isIntegralNumber(), "a whole number").asLong();
    }

    /** Reads a number; NaN and infinities are written as text. */
    double number(String name) {
        return number(name, node.path(name));
    }

    private double number(String name, JsonNode value) {
        if (value.isTextual() && List.of("NaN", "Infinity", "-Infinity").contains(value.asText())) {
            return Double.parseDouble(value.asText());
        }
        Check.that(value.isNumber(), "%s: '%s' must be a number", file, name);
        return value.asDouble();
    }

    double[] numbers(String name) {
        JsonNode array = field(name, node.path(name).isArray(), "a list of numbers");
        double[] out = new double[array.size()];
        for (int i = 0; i < out.length; i++) {
            out[i] = number(name, array.get(i));
        }
        return out;
    }

    int[] integers(String name) {
        double[] numbers = numbers(name);
        int[] out = new int[numbers.length];
        for (int i = 0; i < out.length; i++) {
            out[i] = (int) numbers[i];
            Check.that(out[i] == numbers[i], "%s: '%s' must be a list of whole numbers", file, name);
        }
        return out;
    }

    List<String> texts(String name) {
        JsonNode array = field(name, node.path(name).isArray(), "a list of texts");
        List<String> out = new ArrayList<>();
        array.forEach(item -> {
            Check.that(item.isTextual(), "%s: '%s' must be a list of texts", file, name);
            out.add(item.asText());
        });
        return out;
    }

    List<Json> objects(String name) {
        JsonNode array = field(name, node.path(name).isArray(), "a list of objects");
        List<Json> out = new ArrayList<>();
        array.forEach(item -> {
            Check.that(item.isObject(), "%s: '%s' must be a list of objects", file, name);
            out.add(new Json(file, item));
        });
        return out;
    }

    Map<String, String> settings(String name) {
        Map<String, String> out = new LinkedHashMap<>();
        object(name).node.properties().forEach(e -> {
            Check.that(e.getValue().isTextual(), "%s: '%s.%s' must be a text", file, name, e.getKey());
            out.put(e.getKey(), e.getValue().asText());
        });
        return out;
    }

    static String print(ObjectNode root) {
        try {
            return MAPPER.writeValueAsString(root) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    static void put(ObjectNode into, String name, double value) {
        into.set(name, node(value));
    }

    private static JsonNode node(double value) {
        return Double.isFinite(value) ? DoubleNode.valueOf(value) : TextNode.valueOf(Double.toString(value));
    }

    static void put(ObjectNode into, String name, double[] values) {
        ArrayNode array = into.putArray(name);
        for (double v : values) {
            array.add(node(v));
        }
    }

    static void put(ObjectNode into, String name, int[] values) {
        ArrayNode array = into.putArray(name);
        for (int v : values) {
            array.add(v);
        }
    }

    static void put(ObjectNode into, String name, List<String> values) {
        ArrayNode array = into.putArray(name);
        values.forEach(array::add);
    }

    static void put(ObjectNode into, String name, Map<String, String> values) {
        ObjectNode object = into.putObject(name);
        values.forEach(object::put);
    }
}
