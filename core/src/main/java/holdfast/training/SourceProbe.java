package holdfast.training;

import holdfast.data.UnusableSource;
import java.util.List;

/** Hands out rows of the workers, wherever they are, before or after training. */
public interface SourceProbe {
    /** Returns the number of workers that have rows. */
    int workers();

    /** Returns the sources whose rows cannot be used. */
    List<UnusableSource> unusable();

    /** Returns the number of columns of a row, as it came. */
    int columns();

    /** Returns the number of rows that were read. */
    long rows();

    /**
     * Returns at most this many rows of each worker, chosen at random by the plan's seed, held-out rows included. The
     * held-out rows of a simulated liar are not poisoned and would make it look honest, so they are left out.
     */
    SourceSample sample(int rowsPerWorker);
}
