package holdfast.spark.engine;

import com.esotericsoftware.kryo.DefaultSerializer;
import com.esotericsoftware.kryo.serializers.JavaSerializer;
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
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.function.Function;
import org.apache.spark.sql.Row;
import org.apache.spark.storage.StorageLevel;
import scala.Tuple2;

/** The rows of some workers, in their places on the executors. */
final class Pieces implements AutoCloseable {
    private final JavaRDD<Piece> pieces;
    private final BlockLayout cut;
    private final boolean sparse;

    private Pieces(JavaRDD<Piece> pieces, BlockLayout cut, boolean sparse) {
        this.pieces = pieces;
        this.cut = cut;
        this.sparse = sparse;
    }

    static Pieces of(
            JavaRDD<Row> rows,
            RowOrder order,
            RowAssignment assignment,
            BlockLayout cut,
            int width,
            boolean sparse,
            String label,
            List<String> classes) {
        var gathered = rows.zipPartitions(
                order.dealers(assignment), (part, dealer) -> new Gathering(part, dealer.next(), cut, sparse));
        return new Pieces(packed(gathered, cut, width, sparse, label, classes), cut, sparse);
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

    /** Keeps the rows on the executors from their first use until they are closed. */
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

    /**
     * Changes the rows where they are.
     *
     * @param sparse whether they are then stored without their zeros
     */
    Pieces map(Function<Piece, Piece> change, boolean sparse) {
        return new Pieces(pieces.map(change), cut, sparse);
    }

    /** The result of one task for the blocks under a node. */
    @DefaultSerializer(JavaSerializer.class)
    private record Part(int worker, int from, int to, Object value) implements TreePart {
        @SuppressWarnings("unchecked")
        <T> Part merge(Part next, Rows.Merger<T> merger) {
            return new Part(worker, from, next.to, merger.apply((T) value, (T) next.value));
        }
    }

    /** The number of rows of all workers. */
    long count() {
        return Arrays.stream(cut.sizes).sum();
    }

    boolean sparse() {
        return sparse;
    }

    /** Returns the result of {@link Rows#reduce} for each worker. */
    <T> List<T> reduce(Rows.Leaf<T> leaf, Rows.Merger<T> merger) {
        BlockLayout layout = cut;
        JavaRDD<Part> reduced = pieces.flatMap(piece ->
                Tree.nodes(layout.blocks(piece.worker()), piece.firstBlock(), piece.endBlock()).stream()
                        .map(node -> new Part(
                                piece.worker(),
                                node.from(),
                                node.to(),
                                Tree.reduce(
                                        node,
                                        b -> leaf.apply(piece.rows().blocks().get(b - piece.firstBlock())),
                                        merger)))
                        .iterator());
        List<Part> parts = SparkJobs.run(
                pieces.context(),
                "pass over all rows",
                () -> layout.isFine()
                        ? MergingCollect.<Part>lists(
                                reduced, all -> TreePart.merged(all, layout, (part, next) -> part.merge(next, merger)))
                        : reduced.collect());
        List<Map<Tree.Node, T>> known = new ArrayList<>();
        for (int w = 0; w < cut.workers(); w++) {
            known.add(new HashMap<>());
        }
        for (Part part : parts) {
            @SuppressWarnings("unchecked")
            T value = (T) part.value;
            known.get(part.worker).put(new Tree.Node(part.from, part.to), value);
        }
        return IntStream.range(0, cut.workers())
                .mapToObj(w ->
                        Tree.complete(cut.blocks(w), (from, to) -> known.get(w).get(new Tree.Node(from, to)), merger))
                .toList();
    }

    /**
     * Returns the result of {@link Rows#fold} when one worker holds all rows: one job per partition, one after the
     * other.
     */
    <T extends Serializable> T fold(T start, Rows.Folder<T> folder) {
        T value = start;
        for (int p = 0; p < cut.partitions; p++) {
            T before = value;
            int[] partition = {p};
            JavaRDD<T> folded = pieces.mapPartitions(part -> {
                T sum = before;
                while (part.hasNext()) {
                    sum = part.next().rows().fold(sum, folder);
                }
                return List.of(sum).iterator();
            });
            value = SparkJobs.run(
                            pieces.context(), "pass over rows in order", () -> folded.collectPartitions(partition)[0])
                    .get(0);
        }
        return value;
    }

    @Override
    public void close() {
        SparkJobs.undisturbed(() -> pieces.unpersist(false));
    }
}
