package holdfast.formats;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import holdfast.Check;
import holdfast.InputException;
import holdfast.training.TrainingPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** plan.yaml: one {@code key: value} line per setting, the keys being those of {@link holdfast.training.PlanKey}. */
public final class PlanFile {
    private PlanFile() {}

    /** The settings in the file, checked; what it does not mention is not in the map. */
    public static Map<String, String> read(Path file) {
        try {
            return parse(file.toString(), Files.readString(file));
        } catch (IOException e) {
            throw new InputException(file + ": cannot be read: " + AtomicFile.reason(e));
        }
    }

    static Map<String, String> parse(String name, String text) {
        JsonNode root;
        try {
            root = new YAMLMapper().readTree(text);
        } catch (JsonProcessingException e) {
            throw new InputException(name + ": line "
                    + (e.getLocation() == null ? "?" : e.getLocation().getLineNr()) + ": is not YAML: "
                    + e.getOriginalMessage().lines().findFirst().orElse(""));
        }
        Map<String, String> settings = new LinkedHashMap<>();
        if (root == null || root.isMissingNode() || root.isNull()) {
            return settings;
        }
        Check.that(root.isObject(), "%s: must be lines of 'key: value'", name);
        root.properties().forEach(entry -> settings.put(entry.getKey(), text(name, entry.getKey(), entry.getValue())));
        try {
            TrainingPlan.of(settings);
        } catch (InputException e) {
            throw new InputException(name + ": " + e.getMessage());
        }
        return settings;
    }

    private static String text(String name, String key, JsonNode value) {
        if (value.isArray()) {
            return StreamSupport.stream(value.spliterator(), false)
                    .map(item -> text(name, key, item))
                    .collect(Collectors.joining(","));
        }
        Check.that(value.isValueNode() && !value.isNull(), "%s: %s must be a single value", name, key);
        return value.asText();
    }

    /** Every setting of the plan; reads back to the same plan. */
    public static String print(TrainingPlan plan) {
        StringBuilder out = new StringBuilder();
        plan.settings()
                .forEach((key, value) ->
                        out.append(key).append(": ").append(quoted(value)).append('\n'));
        return out.toString();
    }

    private static String quoted(String value) {
        boolean plain = value.matches("[A-Za-z0-9][A-Za-z0-9.,()= +-]*") && !value.endsWith(" ");
        return plain ? value : '"' + value.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
