package holdfast.app.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import holdfast.Check;
import holdfast.InputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A certificate as JSON. Two are equal if all their numbers, settings and hashes are. */
public record CertificateFile(ObjectNode root) {
    static final String FORMAT = "holdfast-certificate";

    /** Numbers compare as they are printed. */
    static CertificateFile of(ObjectNode root) {
        try {
            return new CertificateFile((ObjectNode) new ObjectMapper().readTree(JsonText.print(root)));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** @throws InputException if the file is none */
    public static CertificateFile read(Path file) {
        try {
            JsonNode root = new ObjectMapper().readTree(Files.readString(file));
            Check.that(root.path("format").asText().equals(FORMAT), "%s: is not a certificate of holdfast", file);
            return new CertificateFile((ObjectNode) root);
        } catch (JsonProcessingException e) {
            throw new InputException(file + ": is not JSON");
        } catch (IOException e) {
            throw new InputException(file + ": cannot be read");
        }
    }

    /** Returns how the certificate was asked for, as options with their values. */
    public List<String> settings() {
        List<String> settings = new ArrayList<>();
        root.path("settings").forEach(setting -> settings.add(setting.asText()));
        return settings;
    }

    /** Returns the text of the file. */
    public String text() {
        return JsonText.print(root);
    }
}
