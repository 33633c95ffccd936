package holdfast.spark;

import holdfast.formats.ModelFile;
import java.io.Serializable;
import org.apache.spark.util.SizeEstimator;

/** What a model keeps of its training. */
final class Learnt implements Serializable {
    private static final long serialVersionUID = 1;

    final Scorer scorer;
    /** Stays on the driver, like the summary. */
    final transient ModelFile file;
    /** Null if it is not known. */
    transient RobustSummary summary;

    Learnt(ModelFile file) {
        this(new Scorer(file.model()), file, null);
    }

    private Learnt(Scorer scorer, ModelFile file, RobustSummary summary) {
        this.scorer = scorer;
        this.file = file;
        this.summary = summary;
    }

    /** The size in memory, for Spark Connect's cache of models; the summary and its DataFrame do not belong to it. */
    long size() {
        return SizeEstimator.estimate(scorer);
    }

    Learnt copy() {
        return new Learnt(scorer, file, summary);
    }

    /**
     * Returns what a model has learnt.
     *
     * @param learnt null for a model made by its constructor without arguments, by which Spark Connect finds the class
     */
    static Learnt of(Learnt learnt) {
        if (learnt == null) {
            throw new IllegalStateException("this model was not trained: get one from an estimator's fit, or by load");
        }
        return learnt;
    }
}
