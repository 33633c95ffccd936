package holdfast.aggregate;

import java.util.List;
import java.util.Optional;

/**
 * Decides what workers that hold the same rows agree on. Honest replicas compute the same bits. So whatever they send,
 * the majority of a shard decides what the shard says before anything is combined over the shards.
 */
public interface ReplicaAgreement {
    /** How many workers hold each shard: workers g r, ..., g r + r - 1 hold shard g. */
    int replicas();

    /**
     * Returns one vector for each shard that agrees on one, under the shard's number.
     *
     * @param sent at most one vector per worker, by ascending worker id
     */
    List<WorkerUpdate> agreed(List<WorkerUpdate> sent);

    /** How many of the agreed vectors may be lies. */
    int toleratedShards();

    /**
     * Returns what users must know before they rely on the replicas.
     *
     * @param workers m, replicas included
     */
    Optional<String> warning(int workers);

    /**
     * Returns the rule's own agreement if it has one. Otherwise each worker holds rows of its own and agrees with
     * itself.
     */
    static ReplicaAgreement of(Aggregator rule) {
        return rule instanceof ReplicaAgreement agreement ? agreement : new EachForItself(rule.tolerated());
    }

    /** Every worker is a shard of its own and agrees with itself. */
    record EachForItself(int toleratedShards) implements ReplicaAgreement {
        @Override
        public int replicas() {
            return 1;
        }

        @Override
        public List<WorkerUpdate> agreed(List<WorkerUpdate> sent) {
            return sent;
        }

        @Override
        public Optional<String> warning(int workers) {
            return Optional.empty();
        }
    }
}
