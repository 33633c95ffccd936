package holdfast.plan;

import java.io.Serializable;
import java.util.List;

/**
 * A jar that brought plugins, as model files record it.
 *
 * @param name of the file, without its folder
 * @param sha256 of its bytes, in hex
 * @param classes the plugins in it; executors that have the jar load them by these names
 */
public record PluginJar(String name, String sha256, List<String> classes) implements Serializable {
    public PluginJar {
        classes = List.copyOf(classes);
    }
}
