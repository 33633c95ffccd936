package holdfast.spark;

import org.apache.spark.ml.util.MLWritable;
import org.apache.spark.ml.util.MLWriter;

/** What all models of robust estimators have in common. */
public interface RobustModel extends RobustParams, MLWritable {
    /** Holds the weights and the summary. */
    Learnt learnt();

    /** Whether this model was trained in this process rather than loaded. */
    default boolean hasSummary() {
        return learnt().summary != null;
    }

    default RobustSummary summary() {
        if (!hasSummary()) {
            throw new IllegalStateException("there is no summary of a model that was loaded");
        }
        return learnt().summary;
    }

    @Override
    default MLWriter write() {
        return Saved.writer(this, () -> learnt().file);
    }
}
