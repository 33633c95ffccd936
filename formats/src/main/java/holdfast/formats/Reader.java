package holdfast.formats;

import holdfast.data.Dataset;
import holdfast.data.DatasetBuilder;
import holdfast.data.Schema;
import holdfast.data.Table;
import holdfast.plan.Plan;
import holdfast.preparation.Encoding;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/** A format that tables are written in: one line in the list of {@link Readers}. */
public interface Reader {
    /** Returns the name that {@code --format} uses. */
    String name();

    /** Returns whether the stream continues in this format; consumes nothing. */
    boolean recognises(BufferedInputStream in) throws IOException;

    /**
     * Reads training data with the columns that the plan names. Nothing is learnt from them yet.
     *
     * @param builders creates a builder for a given number of columns of cells
     */
    Table read(Input in, Plan plan, IntFunction<DatasetBuilder> builders) throws IOException;

    /**
     * Reads more rows for a model, as its features.
     *
     * @param features what the model's features mean
     * @param encoding how the columns of a table become these features
     * @param labels receives the label column; null if no labels are needed, in which case they are 0
     * @param source the column that names the source of each row, by name or number; if it is not given or not there, rows
     *     name no source
     */
    Dataset read(Input in, Schema features, Encoding encoding, Labels labels, Optional<String> source)
            throws IOException;

    /**
     * The input of a reader.
     *
     * @param name the file as the user named it
     * @param stream its content, unzipped
     * @param digest reads the rest and returns the SHA-256 of all stored bytes, in hex
     * @param cells how its cells are written, if it has cells; the stream is in UTF-8 all the same
     * @param kept receives cells of rows for a model, if the input is a table in CSV
     */
    record Input(String name, BufferedInputStream stream, Supplier<String> digest, CellFormat cells, KeptColumns kept) {
        public Input(String name, BufferedInputStream stream, Supplier<String> digest, CellFormat cells) {
            this(name, stream, digest, cells, KeptColumns.none());
        }
    }
}
