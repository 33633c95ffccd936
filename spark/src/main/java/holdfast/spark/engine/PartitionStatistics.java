package holdfast.spark.engine;

import com.esotericsoftware.kryo.DefaultSerializer;
import com.esotericsoftware.kryo.serializers.JavaSerializer;
import holdfast.Spec;
import holdfast.formats.Labels;
import java.io.Serializable;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;
import org.apache.spark.ml.linalg.SparseVector;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.sql.Row;

/** What one look at every row tells about some rows: of one partition, or of several in their order. */
@DefaultSerializer(JavaSerializer.class)
final class PartitionStatistics implements Serializable {
    private static final long serialVersionUID = 1;

    /** With more than this the column does not hold sources, and they would not fit into the driver. */
    static final int MAX_SOURCES = 100_000;

    long rows;
    int width = -1;
    /** The number of values that the vectors store. */
    long stored;

    boolean weighted;
    /** The distinct labels, ascending. If there are more than the maximum number of classes, one more than that. */
    final TreeSet<Double> labels = new TreeSet<>();

    /** The number of rows of each source, in the order of their first rows. */
    final Map<String, Long> sources = new LinkedHashMap<>();
    /** A digest of all values, in the order of the rows. */
    long digest;
    /** The first value that a float cannot hold; null if there is none. */
    Large large;
    /** What is wrong with the first bad row, which has the number {@link #rows}; null if no row is bad. */
    String complaint;

    /**
     * A value that a float cannot hold.
     *
     * @param row from 0
     */
    record Large(long row, int column, double value) implements Serializable {}

    /** @param holes whether NaN marks a missing cell */
    static PartitionStatistics of(Iterator<Row> partition, Columns columns, boolean classes, boolean holes) {
        PartitionStatistics facts = new PartitionStatistics();
        while (facts.complaint == null && partition.hasNext()) {
            facts.add(partition.next(), columns, classes, holes);
        }
        return facts;
    }

    void add(Row row, Columns columns, boolean classes, boolean holes) {
        complaint = wrong(row, columns, classes, holes);
        if (complaint != null) {
            return;
        }
        Vector features = row.getAs(0);
        width = features.size();
        stored += features instanceof SparseVector sparse ? sparse.numActives() : width;
        weighted |= row.getDouble(2) != 1;
        addLabel(row.getDouble(1));
        sources.merge(row.getString(3), 1L, Long::sum);
        digest = digest(digest, row);
        complaint = tooManySources(columns);
        rows += complaint == null ? 1 : 0;
    }

    /** Adds the statistics of the rows that come next. */
    void add(PartitionStatistics next, Columns columns) {
        if (complaint != null) {
            return;
        }
        if (width >= 0 && next.width >= 0 && width != next.width) {
            complaint = sizes(columns, next.width);
            return;
        }
        if (large == null && next.large != null) {
            large = new Large(rows + next.large.row, next.large.column, next.large.value);
        }
        rows += next.rows;
        width = Math.max(width, next.width);
        stored += next.stored;
        weighted |= next.weighted;
        next.labels.forEach(this::addLabel);
        next.sources.forEach((source, count) -> sources.merge(source, count, Long::sum));
        complaint = next.complaint != null ? next.complaint : tooManySources(columns);
    }

    private void addLabel(double label) {
        if (labels.size() <= Labels.MAX_CLASSES) {
            labels.add(label + 0.0); // Makes -0 and 0 one label.
        }
    }

    String wrong(Row row, Columns columns, boolean classes, boolean holes) {
        if (row.isNullAt(0)) {
            return "column " + columns.features() + " must have a vector, got null";
        }
        Vector features = row.getAs(0);
        if (width >= 0 && features.size() != width) {
            return sizes(columns, features.size());
        }
        double[] values = features instanceof SparseVector sparse ? sparse.values() : features.toArray();
        for (int i = 0; i < values.length; i++) {
            if (!Float.isFinite((float) values[i]) && !(holes && Double.isNaN(values[i]))) {
                int at = features instanceof SparseVector sparse ? sparse.indices()[i] : i;
                if (!Double.isFinite(values[i])) {
                    return "column " + columns.features() + " must have finite numbers, got " + values[i] + " at " + at;
                }
                large = large == null ? new Large(rows, at, values[i]) : large;
            }
        }
        if (row.isNullAt(1) || !Double.isFinite(row.getDouble(1))) {
            return "column " + columns.label() + " must be a finite number, got "
                    + (row.isNullAt(1) ? "null" : row.getDouble(1));
        }
        double label = row.getDouble(1);
        if (classes && !(label >= 0 && label == Math.rint(label))) {
            return "column " + columns.label() + " must be a class 0, 1, ..., got " + Spec.print(label);
        }
        if (classes && label >= Labels.MAX_CLASSES) {
            return "column " + columns.label() + " must have at most " + Labels.MAX_CLASSES + " classes from 0, got "
                    + Spec.print(label);
        }
        if (row.isNullAt(2) || !(row.getDouble(2) > 0 && Double.isFinite(row.getDouble(2)))) {
            return "column " + columns.weight() + " must be finite and > 0, got "
                    + (row.isNullAt(2) ? "null" : row.getDouble(2));
        }
        return row.isNullAt(3) ? "column " + columns.source() + " must name the source of the row, got null" : null;
    }

    private String sizes(Columns columns, int other) {
        return "column " + columns.features() + " must have vectors of one size, got " + other + " elements after "
                + width;
    }

    private String tooManySources(Columns columns) {
        return sources.size() <= MAX_SOURCES ? null : tooManySources(columns.source());
    }

    static String tooManySources(String column) {
        return "column " + column + " must name at most " + MAX_SOURCES
                + " sources, got more up to here; is it the rows' own name?";
    }

    /** Returns the digest of some rows followed by one more. */
    static long digest(long before, Row row) {
        long digest = mix(before, row.getDouble(1));
        digest = mix(digest, row.getDouble(2)) + row.getString(3).hashCode();
        Vector features = row.getAs(0);
        if (features instanceof SparseVector sparse) {
            int[] at = sparse.indices();
            double[] values = sparse.values();
            for (int i = 0; i < at.length; i++) {
                digest = mix(digest + at[i], values[i]);
            }
        } else {
            for (double value : features.toArray()) {
                digest = mix(digest, value);
            }
        }
        return digest;
    }

    private static long mix(long digest, double value) {
        // Rotates because a product carries changes only upwards; the factor is 2^64 over the golden ratio.
        return Long.rotateLeft((digest ^ Double.doubleToRawLongBits(value)) * 0x9E3779B97F4A7C15L, 29);
    }
}
