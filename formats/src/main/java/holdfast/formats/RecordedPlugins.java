package holdfast.formats;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import holdfast.InputException;
import holdfast.plan.Catalogues;
import holdfast.plan.PluginJar;
import java.util.List;

/** The plugins that a file was made with, by name and SHA-256. */
final class RecordedPlugins {
    private RecordedPlugins() {}

    /** Writes the jars; nothing if there are none. */
    static void put(ObjectNode root, List<PluginJar> jars) {
        if (!jars.isEmpty()) {
            ArrayNode array = root.putArray("plugins");
            for (PluginJar jar : jars) {
                array.addObject().put("name", jar.name()).put("sha256", jar.sha256());
            }
        }
    }

    static List<PluginJar> read(Json root) {
        return root.node().has("plugins")
                ? root.objects("plugins").stream()
                        .map(jar -> new PluginJar(jar.text("name"), jar.text("sha256"), List.of()))
                        .toList()
                : List.of();
    }

    /** Whether all recorded jars are among those given. */
    static boolean areGiven(List<PluginJar> recorded, Catalogues catalogues) {
        return recorded.stream().allMatch(jar -> isGiven(jar, catalogues));
    }

    private static boolean isGiven(PluginJar jar, Catalogues catalogues) {
        return catalogues.plugins().stream().anyMatch(given -> given.sha256().equals(jar.sha256()));
    }

    /** @throws InputException if a recorded jar is not among those given */
    static void requireGiven(String file, List<PluginJar> recorded, Catalogues catalogues) {
        for (PluginJar jar : recorded) {
            if (!isGiven(jar, catalogues)) {
                throw new InputException(file + ": was made with the plugin " + jar.name() + ", sha256 " + jar.sha256()
                        + catalogues.plugins().stream()
                                .filter(given -> given.name().equals(jar.name()))
                                .findFirst()
                                .map(given -> "; the one given has sha256 " + given.sha256())
                                .orElse("; give it with --plugins"));
            }
        }
    }
}
