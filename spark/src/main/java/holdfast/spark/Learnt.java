package holdfast.spark;

import holdfast.formats.ModelFile;
import java.io.Serializable;

/** What a model has of its training. */
public final class Learnt implements Serializable {
    private static final long serialVersionUID = 1;

    final Scorer scorer;
    /** Not on executors, as the summary. */
    final transient ModelFile file;

    final transient RobustSummary summary;

    /** @param summary null if it is not known any more */
    Learnt(ModelFile file, RobustSummary summary) {
        this.scorer = new Scorer(file.model());
        this.file = file;
        this.summary = summary;
    }
}
