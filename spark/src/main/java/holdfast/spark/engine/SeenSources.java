package holdfast.spark.engine;

import com.esotericsoftware.kryo.DefaultSerializer;
import com.esotericsoftware.kryo.serializers.JavaSerializer;
import holdfast.InputException;
import holdfast.Spec;
import holdfast.formats.SourceFacts;
import holdfast.model.Target;
import holdfast.plan.Plan;
import java.io.Serializable;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;

/**
 * What some rows say about their sources: of one partition, or of several in their order. Adds to {@link SourceFacts},
 * which decides what the rows mean as in one process, that vectors must have one size: the one that most sources have.
 */
@DefaultSerializer(JavaSerializer.class)
public final class SeenSources implements Serializable {
    private static final long serialVersionUID = 1;

    private final SourceFacts facts;
    private final String column;
    /** For each size of vectors, the sources that have it, each with the number of its first such row, from 0. */
    private final TreeMap<Integer, LinkedHashMap<String, Long>> sizes = new TreeMap<>();

    /** @param column names the sources */
    public SeenSources(SourceFacts facts, String column) {
        this.facts = facts;
        this.column = column;
    }

    public SourceFacts facts() {
        return facts;
    }

    /**
     * Returns the number of a source.
     *
     * @throws InputException if there are too many
     */
    public int source(String name) {
        int source = facts.source(name);
        if (facts.sources() > PartitionStatistics.MAX_SOURCES) {
            throw new InputException(PartitionStatistics.tooManySources(column));
        }
        return source;
    }

    /**
     * Adds the vector of a row.
     *
     * @param features the name of its column
     * @param place begins the reason if it cannot be used
     */
    public void addVector(String source, Object cell, String features, String place) {
        Vector vector = cell instanceof Vector given ? given : null;
        String wrong =
                wrong(RowFactory.create(vector, 0.0, 1.0, source), new Columns(features, "", "", ""), Target.NUMBER);
        if (wrong != null) {
            facts.charge(source(source), () -> place + wrong);
        } else {
            addSize(source, vector.size());
        }
    }

    /**
     * Adds a row of a DataFrame.
     *
     * @param wrong what is wrong with it; null if nothing is
     */
    void add(Row row, String wrong) {
        String name = nameOf(row);
        int source = source(name);
        String place = "row " + SourceFacts.ROW + ": ";
        if (wrong != null) {
            facts.charge(source, () -> place + wrong);
        } else {
            double label = row.getDouble(1) + 0.0; // Makes -0 and 0 one label.
            addSize(name, row.<Vector>getAs(0).size());
            facts.addLabel(source, label, () -> Spec.print(label), () -> place);
        }
        facts.endRow(source);
    }

    /** Returns what is wrong with a row on its own; null if nothing is. */
    static String wrong(Row row, Columns columns, Target target) {
        return new PartitionStatistics().wrong(row, columns, target, false);
    }

    static String nameOf(Row row) {
        return row.isNullAt(3) ? SourceFacts.NO_SOURCE : row.getString(3);
    }

    private void addSize(String source, int size) {
        Map<String, Long> having = sizes.computeIfAbsent(size, s -> new LinkedHashMap<>());
        if (!having.containsKey(source)) {
            having.put(source, facts.rows());
        }
    }

    /** Adds what was seen in the rows that come next. */
    public void merge(SeenSources next) {
        long before = facts.rows();
        next.sizes.forEach((size, sources) -> sources.forEach((name, row) ->
                sizes.computeIfAbsent(size, s -> new LinkedHashMap<>()).putIfAbsent(name, before + row)));
        facts.merge(next.facts);
        next.facts.names().forEach(this::source);
    }

    /**
     * Decides what the rows mean; see {@link SourceFacts#decide}.
     *
     * @param features the name of the column of vectors
     */
    public SourceFacts.Decision decide(String name, Plan plan, String features, String place) {
        int width = width();
        sizes.forEach((size, sources) -> {
            if (size != width) {
                sources.forEach((source, row) -> facts.charge(
                        facts.source(source),
                        row,
                        () -> place.replace(SourceFacts.ROW, Long.toString(row + 1)) + "column " + features
                                + " must have vectors of one size, got " + size + " elements, unlike " + width
                                + " in most sources"));
            }
        });
        return facts.decide(name, plan);
    }

    /** Returns the size of vectors that most sources have; of several, the smallest; -1 if there are no vectors. */
    public int width() {
        return sizes.entrySet().stream()
                .max(Comparator.<Map.Entry<Integer, LinkedHashMap<String, Long>>>comparingInt(
                                entry -> entry.getValue().size())
                        .thenComparing(entry -> -entry.getKey()))
                .map(Map.Entry::getKey)
                .orElse(-1);
    }

    /** Combines what was seen in all partitions, in their order. */
    public static SeenSources all(SeenSources none, List<SeenSources> partitions) {
        partitions.forEach(none::merge);
        return none;
    }
}
