package holdfast.app;

import holdfast.Check;
import holdfast.InputException;
import holdfast.data.DataSource;
import holdfast.data.Dataset;
import holdfast.plan.Plan;
import holdfast.training.PreparedRun;
import java.util.List;
import java.util.ServiceLoader;

/** Where tables are read and workers are: in this process, or on a cluster by an engine found on the class path. */
public interface Engine {
    List<String> NAMES = List.of("local", "spark");

    /** What to do when Spark is not there. */
    String NO_SPARK =
            "--engine spark needs Spark: ./holdfast of the repository fetches it, spark-submit brings it along";

    String name();

    /**
     * Reads a table as a plan says.
     *
     * @param master which cluster; null: the engine's own choice
     * @param threads of this process
     */
    Session open(String data, Plan plan, String master, int threads);

    /** A table at hand. */
    interface Session extends AutoCloseable {
        /** The plan given, with the settings by which the table was converted, if it was. */
        Plan plan();

        DataSource source();

        /** More rows with the same columns. */
        Dataset test(String data);

        /** The plan's workers; at most once. */
        PreparedRun engage();

        @Override
        void close();
    }

    /** @throws InputException if there is no such engine, or it is not on the class path */
    static Engine named(String name) {
        Check.that(NAMES.contains(name), "unknown engine '%s'; known: %s", name, String.join(", ", NAMES));
        return name.equals("local")
                ? new LocalEngine()
                : ServiceLoader.load(Engine.class).stream()
                        .map(ServiceLoader.Provider::get)
                        .filter(engine -> engine.name().equals(name))
                        .findFirst()
                        .orElseThrow(() -> new InputException(NO_SPARK));
    }
}
