package holdfast.data;

import holdfast.Seed;

/** A way to assign rows to workers. Pure; draws only from the seed. */
@FunctionalInterface
public interface Partitioner {
    /**
     * Assigns the rows.
     *
     * @throws holdfast.InputException if some worker would hold nothing
     */
    Partition deal(Dataset data, int workers, Seed seed);
}
