package holdfast.spark.engine;

import holdfast.rounds.RoundRequest;
import java.io.Serializable;
import java.util.List;

/** Whoever holds rows on an executor and answers for them. */
interface Answers extends Serializable {
    int worker();

    /** One answer per worker whose rows are all here, one per node of the tree of a worker that is in several places. */
    List<Answer> to(RoundRequest request);
}
