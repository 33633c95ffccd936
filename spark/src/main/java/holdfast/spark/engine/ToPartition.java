package holdfast.spark.engine;

import org.apache.spark.Partitioner;

/** Sends each pair to the partition that its key names. */
final class ToPartition extends Partitioner {
    private static final long serialVersionUID = 1;
    private final int count;

    ToPartition(int count) {
        this.count = count;
    }

    @Override
    public int numPartitions() {
        return count;
    }

    @Override
    public int getPartition(Object key) {
        return (Integer) key;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ToPartition same && same.count == count;
    }

    @Override
    public int hashCode() {
        return count;
    }
}
