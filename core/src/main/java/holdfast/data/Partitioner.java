package holdfast.data;

import holdfast.Seed;

/** A way to deal rows to workers. Pure; draws only from the seed. */
@FunctionalInterface
public interface Partitioner {
    /** @throws holdfast.InputException if some worker would hold nothing */
    Partition deal(Dataset data, int workers, Seed seed);
}
