package holdfast.spark.engine;

import com.esotericsoftware.kryo.DefaultSerializer;
import com.esotericsoftware.kryo.serializers.JavaSerializer;
import holdfast.Spec;
import holdfast.formats.Labels;
import holdfast.model.Target;
import java.io.Serializable;
import java.util.BitSet;
import java.util.Iterator;
import java.util.TreeMap;
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
    /**
     * The distinct labels, ascending, each with the sources that have it, if labels are classes. If there are more than
     * the maximum number of classes, one more than that.
     */
    final TreeMap<Double, BitSet> labels = new TreeMap<>();

    final SourceCounts sources = new SourceCounts();
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
    static PartitionStatistics of(Iterator<Row> partition, Columns columns, Target target, boolean holes) {
        PartitionStatistics facts = new PartitionStatistics();
        while (facts.complaint == null && partition.hasNext()) {
            facts.add(partition.next(), columns, target, holes);
        }
        return facts;
    }

    /** Returns the number of the row's source; -1 if there is a complaint. */
    int add(Row row, Columns columns, Target target, boolean holes) {
        complaint = wrong(row, columns, target, holes);
        if (complaint != null) {
            return -1;
        }
        Vector features = row.getAs(0);
        width = features.size();
        stored += features instanceof SparseVector sparse ? sparse.numActives() : width;
        weighted |= row.getDouble(2) != 1;
        int source = sources.add(row.getString(3), 1);
        BitSet owners = owners(row.getDouble(1));
        if (target.isClass() && owners != null) {
            owners.set(source);
        }
        digest = digest(digest, row);
        complaint = tooManySources(columns);
        rows += complaint == null ? 1 : 0;
        return complaint == null ? source : -1;
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
        int[] numbers = sources.addAll(next.sources);
        next.labels.forEach((label, theirs) -> {
            BitSet owners = owners(label);
            if (owners != null) {
                theirs.stream().forEach(source -> owners.set(numbers[source]));
            }
        });
        complaint = next.complaint != null ? next.complaint : tooManySources(columns);
    }

    /** Returns the sources that have a label; null if there are too many labels to keep this one. */
    private BitSet owners(double label) {
        double one = label + 0.0; // Makes -0 and 0 one label.
        BitSet owners = labels.get(one);
        if (owners == null && labels.size() <= Labels.MAX_CLASSES) {
            owners = new BitSet();
            labels.put(one, owners);
        }
        return owners;
    }

    /** Whether at most f sources have some class. */
    boolean hasRareClass(int f) {
        return labels.values().stream().anyMatch(owners -> !owners.isEmpty() && owners.cardinality() <= f);
    }

    String wrong(Row row, Columns columns, Target target, boolean holes) {
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
        boolean whole = label >= 0 && label == Math.rint(label);
        if (!whole && target != Target.NUMBER) {
            return "column " + columns.label() + " must be a "
                    + (target.isClass() ? "class 0, 1, ..." : "count, a whole number from 0") + ", got "
                    + Spec.print(label);
        }
        if (target.isClass() && label >= Labels.MAX_CLASSES) {
            return "column " + columns.label() + " must have at most " + Labels.MAX_CLASSES + " classes from 0, got "
                    + Spec.print(label);
        }
        if (row.isNullAt(2) || !(row.getDouble(2) > 0 && Double.isFinite(row.getDouble(2)))) {
            return "column " + columns.weight() + " must be finite and >= 0, got "
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
