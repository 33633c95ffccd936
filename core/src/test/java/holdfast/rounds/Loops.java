package holdfast.rounds;

import holdfast.data.Schema;
import holdfast.plan.Plan;
import java.util.Optional;

/** Loops for tests. */
public final class Loops {
    private Loops() {}

    /** The loop of a plan whose rates are numbers, on a server without rows of its own. */
    public static TrainingLoop of(Plan plan, WorkerPool pool, Schema schema) {
        return new TrainingLoop(plan.resolve(schema, pool.workers()).loop(Optional.empty()), pool);
    }
}
