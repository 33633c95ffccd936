package holdfast.spark.engine;

import holdfast.rounds.RoundRequest;
import java.io.Serializable;
import java.util.List;

/** Holds rows on an executor and answers for them. */
interface Answers extends Serializable {
    int worker();

    /**
     * Returns one answer per worker if all its rows are here; for a worker in several places, one answer per node of
     * its tree.
     */
    List<Answer> to(RoundRequest request);
}
