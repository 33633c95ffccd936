package holdfast.spark;

import holdfast.formats.ModelFile;
import java.io.Serializable;

/** What a model keeps of its training. */
public final class Learnt implements Serializable {
    private static final long serialVersionUID = 1;

    final Scorer scorer;
    /** Stays on the driver, like the summary. */
    final transient ModelFile file;

    final transient RobustSummary summary;

    /** @param summary null if it is no longer known */
    Learnt(ModelFile file, RobustSummary summary) {
        this.scorer = new Scorer(file.model());
        this.file = file;
        this.summary = summary;
    }
}
