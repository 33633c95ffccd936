package holdfast.training.engine;

import holdfast.Check;
import holdfast.data.DataSource;
import holdfast.data.Dataset;
import holdfast.plan.Plan;
import holdfast.training.PreparedRun;
import holdfast.training.SourceProbe;
import java.util.List;

/**
 * A place where tables are read and workers hold their rows: this process, or the executors of a cluster. The same plan
 * on the same rows gives the same parameters to the bit on every engine.
 */
public interface Engine {
    /** Returns the word by which users choose it, as in {@code --engine spark}. */
    String name();

    /** Returns in a few words where its workers are, for {@code --help}. */
    String meaning();

    /** Returns the options of this engine, which other engines need not have. */
    default List<EngineOption> options() {
        return List.of();
    }

    /**
     * Reads a table as a plan says.
     *
     * @param data a name that the engine can read: a file, for most of them
     * @throws holdfast.InputException if the table cannot be read, or this engine cannot follow the plan
     */
    Session open(String data, Plan plan, EngineSettings settings);

    /**
     * Reads several tables as one, each of them a source. An engine need not be able to.
     *
     * @param data names that the engine can read
     * @throws holdfast.InputException if the tables cannot be read, or this engine reads one table only
     */
    default Session open(List<String> data, Plan plan, EngineSettings settings) {
        Check.that(data.size() == 1, "--engine %s reads one table, got %d files", name(), data.size());
        return open(data.get(0), plan, settings);
    }

    /** A table that an engine has read. Closing it ends what the engine started. */
    interface Session extends AutoCloseable {
        /** Returns the given plan, with the settings of the conversion if the table was converted. */
        Plan plan();

        /** Returns where the rows came from. */
        DataSource source();

        /**
         * Reads more rows with the columns of the table, to test a model on.
         *
         * @throws holdfast.InputException if they cannot be read, or a column is missing
         */
        Dataset test(String data);

        /** Hands out the rows by worker, before anything is learnt from them. */
        SourceProbe probe();

        /**
         * Returns the same table with another plan for the rounds. Only one of the two is then used; this one is closed.
         *
         * @param changed reads the table as this session's plan does
         */
        Session with(Plan changed);

        /** Learns the preparation from the rows and gives every worker its shard. Can be called once. */
        PreparedRun prepare();

        @Override
        void close();
    }
}
