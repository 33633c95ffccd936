package holdfast.spark;

import org.apache.spark.ml.util.HasTrainingSummary;
import org.apache.spark.ml.util.MLWritable;
import org.apache.spark.ml.util.MLWriter;
import scala.Option;

/**
 * What all models of robust estimators have in common. {@code hasSummary} tells whether {@code summary}, how training
 * went, is known: models saved by earlier versions do not have it.
 *
 * @param <S> the summary of its training
 */
public interface RobustModel<S extends RobustSummary>
        extends RobustParams, Trained<S>, MLWritable, HasTrainingSummary<S> {
    @Override
    @SuppressWarnings("unchecked")
    default Option<S> trainingSummary() {
        return Option.apply((S) learnt().summary);
    }

    @Override
    default void trainingSummary_$eq(Option<S> summary) {
        learnt().summary = summary.isEmpty() ? null : summary.get();
    }

    @Override
    default MLWriter write() {
        return Saved.writer(this, () -> learnt().file);
    }
}
