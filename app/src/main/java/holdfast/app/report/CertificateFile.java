package holdfast.app.report;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import holdfast.Check;
import holdfast.InputException;
import holdfast.data.DataSource;
import holdfast.formats.AtomicFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A certificate as JSON; {@link #saysTheSame} compares two by all their numbers, settings and hashes. */
public record CertificateFile(ObjectNode root) {
    private static final String DATA = "data";
    private static final String FORMAT = "holdfast-certificate";

    /** Refuses a name that occurs twice and text after the end, in which others could read something else. */
    private static final ObjectMapper MAPPER = new ObjectMapper()
            .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    /** Returns the begin of a certificate: what it is about, and how it was asked for. */
    static ObjectNode head(String modelHash, DataSource data, int rows, String label, List<String> settings) {
        ObjectNode root = JsonText.object();
        root.put("format", FORMAT);
        root.put("version", 1);
        root.put("model_sha256", modelHash);
        root.put(DATA, data.name());
        root.put("data_sha256", data.sha256());
        root.put("rows", rows);
        root.put("label", label);
        ArrayNode asked = root.putArray("settings");
        settings.forEach(asked::add);
        return root;
    }

    /** Numbers compare as they are printed. */
    static CertificateFile of(ObjectNode root) {
        try {
            return new CertificateFile((ObjectNode) MAPPER.readTree(JsonText.print(root)));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** @throws InputException if the file is none */
    public static CertificateFile read(Path file) {
        try {
            JsonNode root = MAPPER.readTree(Files.readString(file));
            Check.that(root.path("format").asText().equals(FORMAT), "%s: is not a certificate of holdfast", file);
            return new CertificateFile((ObjectNode) root);
        } catch (JsonProcessingException e) {
            throw new InputException(file + ": is not JSON in which every name occurs once");
        } catch (IOException e) {
            throw new InputException(file + ": cannot be read: " + AtomicFile.reason(e));
        }
    }

    /** Returns how the certificate was asked for, as options with their values. */
    public List<String> settings() {
        List<String> settings = new ArrayList<>();
        root.path("settings").forEach(setting -> settings.add(setting.asText()));
        return settings;
    }

    /** Returns whether it says the unit of its losses; earlier certificates do not, and have losses as the model learnt them. */
    public boolean saysLossUnit() {
        return root.has(LossUnit.KEY);
    }

    /** Returns the units in which rows move; empty if these are those of the scaled features. */
    public Map<String, Double> units() {
        Map<String, Double> units = new TreeMap<>();
        JsonNode given = root.path("units");
        given.fieldNames()
                .forEachRemaining(column -> units.put(column, given.path(column).asDouble()));
        return units;
    }

    /**
     * Checks that this is about a model file.
     *
     * @param name of this
     * @throws InputException if it is about another
     */
    public void requireModel(Path name, Path model, String hash) {
        String own = root.path("model_sha256").asText();
        Check.that(own.equals(hash), "%s is about the model of SHA-256 %s, but %s has %s", name, own, model, hash);
    }

    /**
     * Checks that another certificate is about the same rows.
     *
     * @param name of the other
     * @throws InputException if it is not
     */
    public void requireDataOf(Path name, CertificateFile other) {
        String own = root.path("data_sha256").asText();
        String others = other.root.path("data_sha256").asText();
        Check.that(
                own.equals(others),
                "%s is about rows of SHA-256 %s, but %s has %s",
                name,
                others,
                root.path(DATA).asText(),
                own);
    }

    /** Returns whether another certificate says the same; the rows are known by their hash, so the name of their file does not count. */
    public boolean saysTheSame(CertificateFile other) {
        ObjectNode own = root.deepCopy().without(DATA);
        return own.equals(other.root.deepCopy().without(DATA));
    }

    /** Returns the text of the file. */
    public String text() {
        return JsonText.print(root);
    }
}
