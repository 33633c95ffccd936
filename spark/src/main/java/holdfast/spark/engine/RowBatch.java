package holdfast.spark.engine;

import com.esotericsoftware.kryo.DefaultSerializer;
import com.esotericsoftware.kryo.serializers.JavaSerializer;
import java.io.Externalizable;
import java.io.IOException;
import java.io.ObjectInput;
import java.io.ObjectOutput;
import java.util.Arrays;
import org.apache.spark.ml.linalg.DenseVector;
import org.apache.spark.ml.linalg.Vector;

/** Rows on their way to their places, as numbers, many at once. */
@DefaultSerializer(JavaSerializer.class)
public final class RowBatch implements Externalizable {
    private static final long serialVersionUID = 1;

    private int[] workers = new int[16];
    private long[] places = new long[16];
    private double[] labels = new double[16];
    private double[] weights = new double[16];
    /** Where the values of each row start; those of the last row end at {@link #stored}. */
    private int[] starts = new int[16];

    private int rows;
    /** The column of each value; null if rows are dense. */
    private int[] columns;

    private double[] values = new double[64];
    private int stored;

    /** For deserialisation. */
    public RowBatch() {}

    RowBatch(boolean sparse) {
        columns = sparse ? new int[values.length] : null;
    }

    void add(int worker, long place, Vector features, double label, double weight) {
        if (rows == workers.length) {
            int more = 2 * rows;
            workers = Arrays.copyOf(workers, more);
            places = Arrays.copyOf(places, more);
            labels = Arrays.copyOf(labels, more);
            weights = Arrays.copyOf(weights, more);
            starts = Arrays.copyOf(starts, more);
        }
        workers[rows] = worker;
        places[rows] = place;
        labels[rows] = label;
        weights[rows] = weight;
        starts[rows++] = stored;
        if (columns == null) {
            double[] all = features instanceof DenseVector dense ? dense.values() : features.toArray();
            room(all.length);
            System.arraycopy(all, 0, values, stored, all.length);
            stored += all.length;
        } else {
            var sparse = features.toSparse();
            room(sparse.numActives());
            System.arraycopy(sparse.indices(), 0, columns, stored, sparse.numActives());
            System.arraycopy(sparse.values(), 0, values, stored, sparse.numActives());
            stored += sparse.numActives();
        }
    }

    private void room(int more) {
        if (stored + more > values.length) {
            int size = Math.max(stored + more, 2 * values.length);
            values = Arrays.copyOf(values, size);
            columns = columns == null ? null : Arrays.copyOf(columns, size);
        }
    }

    /** The number of values stored. */
    int stored() {
        return stored;
    }

    @Override
    public void writeExternal(ObjectOutput out) throws IOException {
        out.writeInt(rows);
        out.writeInt(stored);
        out.writeBoolean(columns != null);
        Bulk bulk = new Bulk();
        bulk.write(out, workers, rows);
        bulk.write(out, places, rows);
        bulk.write(out, labels, rows);
        bulk.write(out, weights, rows);
        bulk.write(out, starts, rows);
        bulk.write(out, values, stored);
        if (columns != null) {
            bulk.write(out, columns, stored);
        }
    }

    @Override
    public void readExternal(ObjectInput in) throws IOException {
        rows = in.readInt();
        stored = in.readInt();
        boolean sparse = in.readBoolean();
        Bulk bulk = new Bulk();
        workers = bulk.readInts(in, rows);
        places = bulk.readLongs(in, rows);
        labels = bulk.readDoubles(in, rows);
        weights = bulk.readDoubles(in, rows);
        starts = bulk.readInts(in, rows);
        values = bulk.readDoubles(in, stored);
        columns = sparse ? bulk.readInts(in, stored) : null;
    }

    int rows() {
        return rows;
    }

    int worker(int row) {
        return workers[row];
    }

    long place(int row) {
        return places[row];
    }

    double label(int row) {
        return labels[row];
    }

    double weight(int row) {
        return weights[row];
    }

    /** Returns the columns of a row's values, ascending; null if the row is dense. */
    int[] columns(int row) {
        return columns == null ? null : Arrays.copyOfRange(columns, starts[row], end(row));
    }

    double[] values(int row) {
        return Arrays.copyOfRange(values, starts[row], end(row));
    }

    void copyValues(int row, double[] into, int offset) {
        System.arraycopy(values, starts[row], into, offset, end(row) - starts[row]);
    }

    private int end(int row) {
        return row + 1 < rows ? starts[row + 1] : stored;
    }
}
