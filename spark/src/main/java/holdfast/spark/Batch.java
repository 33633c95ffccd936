package holdfast.spark;

import java.io.Serializable;
import java.util.Arrays;
import org.apache.spark.ml.linalg.DenseVector;
import org.apache.spark.ml.linalg.Vector;

/** Rows on their way to their places: numbers only, many at once. */
final class Batch implements Serializable {
    private static final long serialVersionUID = 1;

    private int[] workers = new int[16];
    private long[] places = new long[16];
    private double[] labels = new double[16];
    private double[] weights = new double[16];
    /** Where the values of each row begin; those of the last end at {@link #stored}. */
    private int[] starts = new int[16];

    private int rows;
    /** Of values; null where rows have all of theirs. */
    private int[] columns;

    private double[] values = new double[64];
    private int stored;

    Batch(boolean sparse) {
        columns = sparse ? new int[values.length] : null;
    }

    /** Whoever takes the rows out. */
    interface Taker {
        /** @param at the columns of values, ascending; null if all are there */
        void take(int worker, long place, int[] at, double[] values, double label, double weight);
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

    /** How many values are stored. */
    int stored() {
        return stored;
    }

    /** Without the room that is left. */
    Batch trimmed() {
        workers = Arrays.copyOf(workers, rows);
        places = Arrays.copyOf(places, rows);
        labels = Arrays.copyOf(labels, rows);
        weights = Arrays.copyOf(weights, rows);
        starts = Arrays.copyOf(starts, rows);
        values = Arrays.copyOf(values, stored);
        columns = columns == null ? null : Arrays.copyOf(columns, stored);
        return this;
    }

    void each(Taker taker) {
        for (int j = 0; j < rows; j++) {
            int end = j + 1 < rows ? starts[j + 1] : stored;
            taker.take(
                    workers[j],
                    places[j],
                    columns == null ? null : Arrays.copyOfRange(columns, starts[j], end),
                    Arrays.copyOfRange(values, starts[j], end),
                    labels[j],
                    weights[j]);
        }
    }
}
