package holdfast.training;

import holdfast.data.DataSource;
import holdfast.data.Dataset;
import holdfast.data.Schema;
import holdfast.plan.Plan;
import holdfast.preparation.Preparation;
import holdfast.preparation.RowReach;
import holdfast.rounds.Worker;
import holdfast.rounds.WorkerPool;
import java.util.List;
import java.util.Optional;

/**
 * Workers ready for a run, wherever they are, and what is known about the rows they hold.
 *
 * @param plan the plan with its open numbers filled in from the data
 * @param pool asks the workers; closed together with this
 * @param names the names of the workers
 * @param sizes how many rows each worker holds
 * @param source where the rows came from
 * @param schema what the columns of the rows mean
 * @param rows how many rows were read
 * @param reach how far the workers' scaled rows reach
 * @param preparation how the workers' rows were prepared
 * @param root a worker for the server's own trusted rows, if it has any
 * @param heldOut rows that take no part in training, unscaled; empty if there are none
 * @param probe the same workers, for comparing them with each other; usable until this is closed
 */
public record PreparedRun(
        Plan plan,
        WorkerPool pool,
        List<String> names,
        long[] sizes,
        DataSource source,
        Schema schema,
        long rows,
        RowReach reach,
        Preparation preparation,
        Optional<Worker> root,
        Optional<Dataset> heldOut,
        SourceProbe probe)
        implements AutoCloseable {

    @Override
    public void close() {
        pool.close();
    }
}
