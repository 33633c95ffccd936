package holdfast.formats;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import holdfast.Check;
import holdfast.InputException;
import holdfast.plan.Plan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** plan.yaml: one {@code key: value} line per setting, with the keys of {@link holdfast.plan.PlanKey}. */
public final class PlanFile {
    private PlanFile() {}

    /** Returns the settings in the file, checked; settings that it does not mention are not in the map. */
    public static Map<String, String> read(Path file) {
        return read(file, Plan::of);
    }

    /**
     * Returns the settings in a file that may contain more than a training plan.
     *
     * @param check throws an InputException for settings that are not allowed
     */
    public static Map<String, String> read(Path file, Consumer<Map<String, String>> check) {
        try {
            return parse(file.toString(), Files.readString(file), check);
        } catch (IOException e) {
            throw new InputException(file + ": cannot be read: " + AtomicFile.reason(e));
        }
    }

    /** Returns the settings in a text, checked. */
    public static Map<String, String> parse(String name, String text) {
        return parse(name, text, Plan::of);
    }

    /** Takes values as they are written: a column may be called yes, 010 or 1e3. */
    private static Map<String, String> parse(String name, String text, Consumer<Map<String, String>> check) {
        Map<String, String> settings = new LinkedHashMap<>();
        try (JsonParser yaml = new YAMLFactory().createParser(text)) {
            JsonToken first = yaml.nextToken();
            if (first == null || first == JsonToken.VALUE_NULL) {
                return settings;
            }
            Check.that(first == JsonToken.START_OBJECT, "%s: must be lines of 'key: value'", name);
            while (yaml.nextToken() == JsonToken.FIELD_NAME) {
                String key = yaml.currentName();
                int line = yaml.currentTokenLocation().getLineNr();
                Check.that(!settings.containsKey(key), "%s: line %d: %s is given twice", name, line, key);
                settings.put(key, value(name, key, yaml, yaml.nextToken()));
            }
            Check.that(yaml.nextToken() == null, "%s: must be one document of 'key: value' lines", name);
        } catch (JsonProcessingException e) {
            throw new InputException(name + ": line "
                    + (e.getLocation() == null ? "?" : e.getLocation().getLineNr()) + ": is not YAML: "
                    + Json.reason(e));
        } catch (IOException e) {
            throw new IllegalStateException("text in memory can be read", e);
        }
        try {
            check.accept(settings);
        } catch (InputException e) {
            throw new InputException(name + ": " + e.getMessage());
        }
        return settings;
    }

    private static String value(String name, String key, JsonParser yaml, JsonToken token) throws IOException {
        if (token != JsonToken.START_ARRAY) {
            Check.that(
                    token.isScalarValue() && token != JsonToken.VALUE_NULL, "%s: %s must be a single value", name, key);
            return yaml.getText();
        }
        List<String> items = new ArrayList<>();
        for (JsonToken item = yaml.nextToken(); item != JsonToken.END_ARRAY; item = yaml.nextToken()) {
            items.add(value(name, key, yaml, item));
        }
        return String.join(",", items);
    }

    /** Prints every setting of the plan; the text reads back to the same plan. */
    public static String print(Plan plan) {
        StringBuilder out = new StringBuilder();
        plan.settings()
                .forEach((key, value) ->
                        out.append(key).append(": ").append(quoted(value)).append('\n'));
        return out.toString();
    }

    private static String quoted(String value) {
        boolean plain = value.matches("[A-Za-z0-9][A-Za-z0-9.,()= +-]*")
                && !value.endsWith(" ")
                && !value.equalsIgnoreCase("null");
        return plain
                ? value
                : '"'
                        + value.replace("\\", "\\\\")
                                .replace("\"", "\\\"")
                                .replace("\n", "\\n")
                                .replace("\r", "\\r")
                                .replace("\t", "\\t")
                        + '"';
    }
}
