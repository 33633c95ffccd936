package holdfast.formats;

import holdfast.data.Dataset;
import holdfast.data.Schema;
import holdfast.data.Table;
import holdfast.plan.Plan;
import holdfast.preparation.Encoding;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/** A format that tables are written in: one line in the list of {@link Readers}. */
public interface Reader {
    /** What {@code --format} calls it. */
    String name();

    /** Whether what comes next is written so; nothing is consumed. */
    boolean recognises(BufferedInputStream in) throws IOException;

    /**
     * Reads training data with the columns that the plan names. Nothing is learnt from them yet.
     *
     * @param builders makes a builder for so many columns of cells
     */
    Table read(Input in, Plan plan, IntFunction<Dataset.Builder> builders) throws IOException;

    /**
     * Reads more rows for a model, as its features. Sources are not read.
     *
     * @param features what the model's features mean
     * @param encoding how the columns of a table become these
     * @param labels takes those of the label column; null if there need be none, and labels are 0
     */
    Dataset read(Input in, Schema features, Encoding encoding, Labels labels) throws IOException;

    /**
     * What is read.
     *
     * @param name of the file as the user has it
     * @param stream of its content, unzipped
     * @param digest reads the rest and gives the SHA-256 of all stored bytes, in hex
     */
    record Input(String name, BufferedInputStream stream, Supplier<String> digest) {}
}
