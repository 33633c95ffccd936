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
 * Workers engaged for a run, wherever they are, and what is known of the rows they hold.
 *
 * @param plan with the numbers that it leaves to be found from the data
 * @param pool asks the workers; closed with this
 * @param names of the workers
 * @param sizes how many rows each of them holds
 * @param source where the rows came from
 * @param schema of the rows
 * @param rows how many were read
 * @param reach how far the rows of the workers go, scaled
 * @param preparation of the rows the workers hold
 * @param root answers for the server's own trusted rows, if it has any
 * @param heldOut rows that take no part in training, unscaled; null if there are none
 * @param judged the same workers, for whoever compares them; of use while they are engaged
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
        Dataset heldOut,
        SourceProbe judged)
        implements AutoCloseable {

    @Override
    public void close() {
        pool.close();
    }
}
