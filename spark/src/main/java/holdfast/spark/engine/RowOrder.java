package holdfast.spark.engine;

import java.util.List;
import java.util.Map;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Row;

/**
 * The order of a table's rows: that of a file ({@link ReadOrder}), or that of what they hold ({@link HashOrder}). The
 * driver knows it in stretches of consecutive rows.
 */
interface RowOrder {
    /** Returns the stretches, in their order. */
    List<Stretch> stretches();

    /** Returns, for each partition of the table, a dealer of its rows. */
    JavaRDD<Dealer> dealers(RowAssignment assignment);

    /**
     * Consecutive rows.
     *
     * @param sources the number of rows of each source, in the order of their first rows here
     */
    record Stretch(long rows, Map<String, Long> sources) {}

    /** Says where the rows of a partition go. Must be asked for every row once. */
    interface Dealer {
        /**
         * Returns who holds a row; -1 if nobody does.
         *
         * @throws holdfast.InputException if the row was not there when the table was first read
         */
        int worker(Row row);

        /** The place of the last row asked for, among the rows of its worker. */
        long place();

        /** @throws holdfast.InputException unless all rows came that were there when the table was first read */
        void requireAll();
    }
}
