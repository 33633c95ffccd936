package holdfast.spark;

import com.esotericsoftware.kryo.DefaultSerializer;
import com.esotericsoftware.kryo.serializers.JavaSerializer;
import holdfast.data.DataSource;
import holdfast.data.Dataset;
import holdfast.data.Rows;
import holdfast.math.Tree;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.Partitioner;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.function.Function;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.sql.Row;
import org.apache.spark.storage.StorageLevel;
import scala.Tuple2;

/** The rows of some workers at their places on the executors. */
final class Pieces implements AutoCloseable {
    /** Values that a task gathers before it passes rows on. */
    private static final int MOST_GATHERED = 1 << 22;

    private final JavaRDD<Piece> pieces;
    private final Cut cut;
    private final int width;
    private final boolean sparse;

    private Pieces(JavaRDD<Piece> pieces, Cut cut, int width, boolean sparse) {
        this.pieces = pieces;
        this.cut = cut;
        this.width = width;
        this.sparse = sparse;
    }

    /** @param facts of the partitions of the rows, which must not have changed */
    static Pieces of(
            JavaRDD<Row> rows,
            List<Facts> facts,
            List<String> sources,
            Deal deal,
            Cut cut,
            int width,
            boolean sparse,
            String label,
            List<String> classes) {
        Map<String, Integer> index = new HashMap<>();
        sources.forEach(name -> index.put(name, index.size()));
        long[] before = new long[facts.size()];
        for (int p = 1; p < before.length; p++) {
            before[p] = before[p - 1] + facts.get(p - 1).rows;
        }
        long[] digests = facts.stream().mapToLong(f -> f.digest).toArray();
        // Not with every task: a list of all rows is large.
        Broadcast<Deal> dealt =
                JavaSparkContext.fromSparkContext(rows.context()).broadcast(deal);
        var gathered = rows.mapPartitionsWithIndex(
                (partition, part) -> new Gathering(
                        part,
                        new Counted(dealt.value(), index, partition, before[partition], digests[partition]),
                        cut,
                        sparse),
                true);
        return new Pieces(packed(gathered, cut, width, sparse, label, classes), cut, width, sparse);
    }

    /** Deals the rows of a partition, which must be those that were looked at. */
    private static final class Counted {
        private final Deal.Dealer dealer;
        private final long[] sizes;
        private final Map<String, Integer> index;
        private final long expected;
        private long number;
        private long digest;

        Counted(Deal deal, Map<String, Integer> index, int partition, long first, long expected) {
            this.dealer = deal.partition(partition);
            this.sizes = deal.sizes;
            this.index = index;
            this.number = first;
            this.expected = expected;
        }

        /** Who holds the next row; -1 if nobody does. */
        int worker(Row row) {
            digest = Facts.digest(digest, row);
            Integer source = index.get(row.getString(3));
            if (source == null) {
                throw Table.changed();
            }
            int worker = dealer.worker(number++, source);
            if (worker >= 0 && dealer.place() >= sizes[worker]) {
                throw Table.changed();
            }
            return worker;
        }

        long place() {
            return dealer.place();
        }

        void mustBeAll() {
            if (digest != expected) {
                throw Table.changed();
            }
        }
    }

    private static JavaRDD<Piece> packed(
            JavaRDD<Tuple2<Integer, Batch>> gathered,
            Cut cut,
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
                        batches.next().each((worker, place, at, values, y, weight) -> {
                            int piece = cut.piece(worker, place);
                            packings.computeIfAbsent(piece, p -> new Packing(cut, worker, piece))
                                    .put(place, at, values, y, weight);
                        });
                    }
                    Dataset.Schema schema = Piece.unnamed(width, label, List.of(names));
                    List<Piece> packed = new ArrayList<>();
                    packings.forEach((piece, packing) -> packed.add(packing.pack(schema, sparse)));
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

    /** Takes rows until so many are gathered, then passes on a batch for every partition they go to. */
    private static final class Gathering implements Iterator<Tuple2<Integer, Batch>> {
        private final Iterator<Row> rows;
        private final Counted counted;
        private final Cut cut;
        private final boolean sparse;
        private Iterator<Tuple2<Integer, Batch>> ready = Collections.emptyIterator();

        Gathering(Iterator<Row> rows, Counted counted, Cut cut, boolean sparse) {
            this.rows = rows;
            this.counted = counted;
            this.cut = cut;
            this.sparse = sparse;
        }

        @Override
        public boolean hasNext() {
            while (!ready.hasNext() && rows.hasNext()) {
                ready = gather();
            }
            return ready.hasNext();
        }

        private Iterator<Tuple2<Integer, Batch>> gather() {
            Map<Integer, Batch> batches = new TreeMap<>();
            for (long stored = 0; stored < MOST_GATHERED && rows.hasNext(); ) {
                Row row = rows.next();
                int worker = counted.worker(row);
                if (worker >= 0) {
                    Vector features = row.getAs(0);
                    Batch batch =
                            batches.computeIfAbsent(cut.partition(worker, counted.place()), p -> new Batch(sparse));
                    int were = batch.stored();
                    batch.add(worker, counted.place(), features, row.getDouble(1), row.getDouble(2));
                    stored += 8 + batch.stored() - were;
                }
            }
            if (!rows.hasNext()) {
                counted.mustBeAll();
            }
            return batches.entrySet().stream()
                    .map(e -> new Tuple2<>(e.getKey(), e.getValue().trimmed()))
                    .iterator();
        }

        @Override
        public Tuple2<Integer, Batch> next() {
            return ready.next();
        }
    }

    /** Rows of a piece, which come in any order. */
    private static final class Packing {
        private final int worker;
        private final int firstBlock;
        private final long firstPlace;
        private final int[][] at;
        private final double[][] values;
        private final double[] labels;
        private final double[] weights;

        Packing(Cut cut, int worker, int piece) {
            int rows = cut.rows(worker, piece);
            this.worker = worker;
            this.firstBlock = cut.firstBlock(worker, piece);
            this.firstPlace = (long) firstBlock * cut.blockRows;
            this.at = new int[rows][];
            this.values = new double[rows][];
            this.labels = new double[rows];
            this.weights = new double[rows];
        }

        void put(long place, int[] columns, double[] numbers, double label, double weight) {
            int r = (int) (place - firstPlace);
            if (values[r] != null) {
                throw Table.changed();
            }
            at[r] = columns;
            values[r] = numbers;
            labels[r] = label;
            weights[r] = weight;
        }

        Piece pack(Dataset.Schema schema, boolean sparse) {
            Dataset.Builder builder = Piece.builder(sparse, schema.features().size());
            for (int r = 0; r < labels.length; r++) {
                if (values[r] == null) {
                    throw Table.changed();
                }
                if (at[r] == null) {
                    builder.add(values[r], labels[r], 0, weights[r]);
                } else {
                    builder.add(at[r], values[r], values[r].length, labels[r], 0, weights[r]);
                }
                at[r] = null;
                values[r] = null;
            }
            return new Piece(worker, firstBlock, builder.build(schema, DataSource.MEMORY));
        }
    }

    /** Kept on the executors from when they are first used until they are closed. */
    Pieces cached() {
        pieces.persist(StorageLevel.MEMORY_AND_DISK());
        return this;
    }

    Cut cut() {
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
    Rows rows(Dataset.Schema schema, DataSource source) {
        return new Rows() {
            @Override
            public Dataset.Schema schema() {
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
            public <T> T reduce(Leaf<T> leaf, Merger<T> merger) {
                return Pieces.this.reduce(leaf, merger);
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
        List<Part> parts = Jobs.run(pieces.context(), "pass over all rows", reduced::collect);
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
        Jobs.undisturbed(() -> pieces.unpersist(false));
    }
}
