package holdfast.data;

import holdfast.Catalogue;
import holdfast.Check;

/** The ways to assign rows that a plan can name. If a column names the worker, none of them is needed. */
public final class Partitions {
    private Partitions() {}

    private static final Catalogue<Partitioner> CATALOGUE = Catalogue.<Partitioner>of("partition")
            .with("iid", "rows dealt at random, equal shares", p -> Partition::iid)
            .with("in-turn", "row i to worker i mod m", p -> Partition::inTurn)
            .with(
                    "by-class",
                    "sorted by class, equal blocks, the remainder dropped: the paper's",
                    p -> Partition::byClass)
            .with("extreme", "sorted by class, blocks as equal as can be", p -> Partition::extreme)
            .with("gamma", "a share similarity of the rows dealt at random, the others sorted by class", p -> {
                double similarity = p.number("similarity", 0.5);
                Check.that(
                        similarity >= 0 && similarity <= 1,
                        "--partition gamma: similarity must be from 0 to 1, got %s",
                        similarity);
                return (data, workers, seed) -> Partition.gammaSimilar(data, workers, similarity, seed);
            })
            .with("dirichlet", "each class dealt in shares drawn from Dirichlet(alpha): small is uneven", p -> {
                double alpha = p.number("alpha", 0.5);
                Check.that(
                        alpha > 0 && Double.isFinite(alpha),
                        "--partition dirichlet: alpha must be finite and > 0, got %s",
                        alpha);
                return (data, workers, seed) -> Partition.dirichlet(data, workers, alpha, seed);
            })
            .with("shards", "sorted by class, cut into count pieces per worker, dealt at random", p -> {
                int count = p.integer("count", 2);
                Check.that(count >= 1, "--partition shards: count must be at least 1, got %d", count);
                return (data, workers, seed) -> Partition.shards(data, workers, count, seed);
            });

    public static Catalogue<Partitioner> catalogue() {
        return CATALOGUE;
    }
}
