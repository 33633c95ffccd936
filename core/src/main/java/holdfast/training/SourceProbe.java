package holdfast.training;

/** Hands out rows of the workers, wherever they are. */
public interface SourceProbe {
    /**
     * Returns at most this many rows of each worker, chosen at random by the plan's seed, held-out rows included. The
     * held-out rows of a simulated liar are not poisoned and would make it look honest, so they are left out.
     */
    SourceSample sample(int rowsPerWorker);
}
