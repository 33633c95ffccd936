package holdfast.plan;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.LinkedHashMap;

/**
 * A plan in the form that is sent to other processes: its text, and the plugins that its names need. The receiver
 * rebuilds it from the catalogues; the jars of the plugins must be on its class path.
 */
public final class PortablePlan implements Serializable {
    private static final long serialVersionUID = 1;

    private final LinkedHashMap<String, String> settings;
    private final ArrayList<PluginJar> plugins;
    /** Rebuilt once and used by all workers that were sent together. */
    private transient Plan rebuilt;

    private PortablePlan(Plan plan) {
        this.settings = new LinkedHashMap<>(plan.settings());
        this.plugins = new ArrayList<>(plan.catalogues().plugins());
    }

    /** @throws holdfast.InputException if the plan holds an object without a name */
    public static PortablePlan of(Plan plan) {
        plan.requireNamed("another process");
        return new PortablePlan(plan);
    }

    public synchronized Plan plan() {
        if (rebuilt == null) {
            ClassLoader loader = Thread.currentThread().getContextClassLoader();
            rebuilt = Plan.of(settings, Plugins.reload(plugins, loader, Catalogues.standard()));
        }
        return rebuilt;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PortablePlan plan && settings.equals(plan.settings) && plugins.equals(plan.plugins);
    }

    @Override
    public int hashCode() {
        return settings.hashCode();
    }
}
