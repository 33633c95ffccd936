package holdfast.spark;

import holdfast.formats.SummaryFile;
import org.apache.spark.sql.Dataset;

/**
 * What a model tells the rest of this package.
 *
 * @param <S> the summary of its training
 */
interface Trained<S extends RobustSummary> {
    /**
     * @throws IllegalStateException for a model that was neither trained nor loaded
     * @hidden
     */
    Learnt learnt();

    /**
     * Makes the summary of the model's training.
     *
     * @param rows the training rows; null if they are not known any more
     * @hidden
     */
    S summaryOf(SummaryFile file, Dataset<?> rows);
}
