package holdfast.spark;

import com.esotericsoftware.kryo.DefaultSerializer;
import com.esotericsoftware.kryo.serializers.JavaSerializer;
import holdfast.data.DataSource;
import holdfast.data.Rows;
import holdfast.data.Schema;
import holdfast.math.Tree;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.Partitioner;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.function.Function;
import org.apache.spark.sql.Row;
import org.apache.spark.storage.StorageLevel;
import scala.Tuple2;

/** The rows of some workers at their places on the executors. */
final class Pieces implements AutoCloseable {
    private final JavaRDD<Piece> pieces;
    private final BlockLayout cut;
    private final int width;
    private final boolean sparse;

    private Pieces(JavaRDD<Piece> pieces, BlockLayout cut, int width, boolean sparse) {
        this.pieces = pieces;
        this.cut = cut;
        this.width = width;
        this.sparse = sparse;
    }

    /** @param facts of the partitions of the rows, which must not have changed */
    static Pieces of(
            JavaRDD<Row> rows,
            List<PartitionStatistics> facts,
            RowAssignment deal,
            BlockLayout cut,
            int width,
            boolean sparse,
            String label,
            List<String> classes) {
        // With each task its own share, and not with all tasks those of all partitions.
        JavaRDD<Gathering.Share> shares =
                JavaSparkContext.fromSparkContext(rows.context()).parallelize(shares(facts, deal), facts.size());
        var gathered = rows.zipPartitions(
                shares,
                (part, share) -> new Gathering(part, new Gathering.Counted(share.next(), cut.sizes), cut, sparse));
        return new Pieces(packed(gathered, cut, width, sparse, label, classes), cut, width, sparse);
    }

    /** By partition. */
    static List<Gathering.Share> shares(List<PartitionStatistics> facts, RowAssignment deal) {
        List<Gathering.Share> shares = new ArrayList<>();
        long first = 0;
        for (int p = 0; p < facts.size(); p++) {
            PartitionStatistics here = facts.get(p);
            shares.add(new Gathering.Share(deal.partition(p, first, here.rows), first, here.digest));
            first += here.rows;
        }
        return shares;
    }

    private static JavaRDD<Piece> packed(
            JavaRDD<Tuple2<Integer, RowBatch>> gathered,
            BlockLayout cut,
            int width,
            boolean sparse,
            String label,
            List<String> classes) {
        String[] names = classes.toArray(String[]::new);
        return gathered.mapToPair(pair -> pair)
                .partitionBy(new ToPartition(cut.partitions))
                .values()
                .mapPartitions(batches -> {
                    Map<Integer, Packing> packings = new TreeMap<>();
                    while (batches.hasNext()) {
                        RowBatch batch = batches.next();
                        for (int j = 0; j < batch.rows(); j++) {
                            int worker = batch.worker(j);
                            packings.computeIfAbsent(
                                            cut.piece(worker, batch.place(j)),
                                            piece -> Packing.of(cut, worker, piece, width, sparse))
                                    .put(batch, j);
                        }
                    }
                    Schema schema = Piece.unnamed(width, label, List.of(names));
                    List<Piece> packed = new ArrayList<>();
                    packings.forEach((piece, packing) -> packed.add(packing.pack(schema)));
                    return packed.iterator();
                });
    }

    /** Sends what has a partition's number to it. */
    private static final class ToPartition extends Partitioner {
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

    /** Kept on the executors from when they are first used until they are closed. */
    Pieces cached() {
        pieces.persist(StorageLevel.MEMORY_AND_DISK());
        return this;
    }

    BlockLayout cut() {
        return cut;
    }

    JavaRDD<Piece> rdd() {
        return pieces;
    }

    /** The same rows, changed where they are. */
    Pieces map(Function<Piece, Piece> change) {
        return new Pieces(pieces.map(change), cut, width, sparse);
    }

    /** What one task makes of the blocks under a node. */
    @DefaultSerializer(JavaSerializer.class)
    private record Part(int from, int to, Object value) implements Serializable {}

    /**
     * The rows, where one worker holds all.
     *
     * @param schema with the names of the columns
     */
    Rows rows(Schema schema, DataSource source, boolean weighted) {
        return new Rows() {
            @Override
            public Schema schema() {
                return schema;
            }

            @Override
            public DataSource source() {
                return source;
            }

            @Override
            public long count() {
                return Arrays.stream(cut.sizes).sum();
            }

            @Override
            public boolean sparse() {
                return sparse;
            }

            @Override
            public boolean weighted() {
                return weighted;
            }

            @Override
            public <T> T reduce(Leaf<T> leaf, Merger<T> merger) {
                return Pieces.this.reduce(leaf, merger);
            }

            @Override
            public <T> List<T> reduceBySource(Leaf<T> leaf, Merger<T> merger) {
                throw new UnsupportedOperationException();
            }

            @Override
            public <T extends Serializable> T fold(T start, Folder<T> folder) {
                throw new UnsupportedOperationException();
            }
        };
    }

    private <T> T reduce(Rows.Leaf<T> leaf, Rows.Merger<T> merger) {
        int blocks = cut.blocks(0);
        JavaRDD<Part> reduced =
                pieces.flatMap(piece -> Tree.nodes(blocks, piece.firstBlock(), piece.endBlock()).stream()
                        .map(node -> new Part(
                                node.from(),
                                node.to(),
                                Tree.reduce(
                                        node,
                                        b -> leaf.apply(piece.rows().blocks().get(b - piece.firstBlock())),
                                        merger)))
                        .iterator());
        List<Part> parts = SparkJobs.run(pieces.context(), "pass over all rows", reduced::collect);
        Map<Tree.Node, T> known = new HashMap<>();
        for (Part part : parts) {
            @SuppressWarnings("unchecked")
            T value = (T) part.value;
            known.put(new Tree.Node(part.from, part.to), value);
        }
        return Tree.complete(blocks, (from, to) -> known.get(new Tree.Node(from, to)), merger);
    }

    @Override
    public void close() {
        SparkJobs.undisturbed(() -> pieces.unpersist(false));
    }
}
