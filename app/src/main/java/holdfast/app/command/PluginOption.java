package holdfast.app.command;

import holdfast.plan.Catalogues;
import holdfast.plan.Plugins;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Option;

/** {@code --plugins my.jar}: adds rules, attacks, models and the like of your own, by name. */
final class PluginOption {
    @Option(
            names = "--plugins",
            paramLabel = "JAR",
            split = ",",
            description =
                    "jars with rules, attacks, shifts or models of your own; their code runs with all your rights")
    private List<Path> jars = List.of();

    private Catalogues loaded;

    /** Returns everything that commands know by name, including what the plugins add. */
    Catalogues catalogues() {
        if (loaded == null) {
            loaded = Plugins.load(jars, Catalogues.standard());
        }
        return loaded;
    }
}
