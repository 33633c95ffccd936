package holdfast.training;

import holdfast.Check;
import holdfast.data.Table;

/**
 * Some rows of every worker, in this process, for comparing the workers with each other.
 *
 * @param table the rows as they came; their sources are the workers, in worker order
 * @param heldOut for each row, whether it takes no part in training
 */
public record SourceSample(Table table, boolean[] heldOut) {
    public SourceSample {
        Check.that(
                heldOut.length == table.rows(),
                "a sample needs one flag per row, got %d for %d rows",
                heldOut.length,
                table.rows());
        heldOut = heldOut.clone();
    }

    /** Returns a copy. */
    @Override
    public boolean[] heldOut() {
        return heldOut.clone();
    }
}
