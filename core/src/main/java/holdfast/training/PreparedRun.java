package holdfast.training;

import holdfast.data.DataSource;
import holdfast.data.Dataset;
import holdfast.data.Partition;
import holdfast.data.Schema;
import holdfast.data.UnusableSource;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.preparation.Preparation;
import holdfast.preparation.RowReach;
import holdfast.rounds.AbsentWorkers;
import holdfast.rounds.Worker;
import holdfast.rounds.WorkerPool;
import java.util.ArrayList;
import java.util.Collections;
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
 * @param unusable more sources, which take part as workers that never send anything
 * @param heldOut rows that take no part in training, unscaled; empty if there are none
 * @param price what an automatic price was chosen by; empty if the plan has a price, or the usual one was taken
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
        List<UnusableSource> unusable,
        Optional<Dataset> heldOut,
        Optional<PriceChoice> price,
        SourceProbe probe)
        implements AutoCloseable {

    /** Returns the names of all workers, those of unusable sources last. */
    public List<String> allNames() {
        List<String> all = new ArrayList<>(names);
        int replicas = plan.get(PlanKey.REPLICAS);
        all.addAll(
                Partition.replicated(unusable.stream().map(UnusableSource::name).toList(), replicas));
        return all;
    }

    /** Returns all workers, those of unusable sources last. */
    public WorkerPool allWorkers() {
        return allWorkers(pool, plan, unusable);
    }

    static WorkerPool allWorkers(WorkerPool pool, Plan plan, List<UnusableSource> unusable) {
        int replicas = plan.get(PlanKey.REPLICAS);
        return AbsentWorkers.beside(
                pool,
                unusable.stream()
                        .flatMap(source -> Collections.nCopies(replicas, "unusable: " + source.reason()).stream())
                        .toList());
    }

    @Override
    public void close() {
        pool.close();
    }
}
