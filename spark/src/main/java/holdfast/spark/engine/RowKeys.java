package holdfast.spark.engine;

import com.esotericsoftware.kryo.DefaultSerializer;
import com.esotericsoftware.kryo.serializers.JavaSerializer;
import holdfast.data.RowHash;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.ml.linalg.SparseVector;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.sql.Row;

/** The sources and hashes of a partition's rows. */
@DefaultSerializer(JavaSerializer.class)
final class RowKeys implements Serializable {
    private static final long serialVersionUID = 1;

    private final SourceCounts named;
    private int[] sources = new int[16];
    private long[] high = new long[16];
    private long[] low = new long[16];
    private int rows;

    /** @param named knows the names of the sources */
    RowKeys(SourceCounts named) {
        this.named = named;
    }

    void add(Row row, int source, RowHash hash) {
        if (rows == sources.length) {
            sources = Arrays.copyOf(sources, 2 * rows);
            high = Arrays.copyOf(high, 2 * rows);
            low = Arrays.copyOf(low, 2 * rows);
        }
        hash(row, hash);
        sources[rows] = source;
        high[rows] = hash.high();
        low[rows++] = hash.low();
    }

    static void hash(Row row, RowHash hash) {
        hash.start(row.getString(3), row.getDouble(1), row.getDouble(2));
        Vector features = row.getAs(0);
        if (features instanceof SparseVector sparse) {
            int[] at = sparse.indices();
            double[] values = sparse.values();
            for (int k = 0; k < at.length; k++) {
                hash.add(at[k], values[k]);
            }
        } else {
            double[] values = features.toArray();
            for (int i = 0; i < values.length; i++) {
                hash.add(i, values[i]);
            }
        }
        hash.end();
    }

    int rows() {
        return rows;
    }

    /** The names of the sources. */
    List<String> names() {
        return named.names();
    }

    /** The index of a row's source among {@link #names}. */
    int source(int row) {
        return sources[row];
    }

    long high(int row) {
        return high[row];
    }

    long low(int row) {
        return low[row];
    }
}
