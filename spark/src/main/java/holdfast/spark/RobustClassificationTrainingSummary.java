package holdfast.spark;

import holdfast.formats.SummaryFile;

/** How the training of a classifier went, and how well it does on the training rows. */
public final class RobustClassificationTrainingSummary extends RobustClassificationSummary implements RobustSummary {
    private static final long serialVersionUID = 1;

    private final transient SummaryFile file;

    RobustClassificationTrainingSummary(Predicted predicted, int classes, SummaryFile file) {
        super(predicted, classes);
        this.file = file;
    }

    @Override
    public SummaryFile file() {
        return file;
    }

    /** Prints what {@link #file} holds, except the history. */
    @Override
    public String toString() {
        return file.toString();
    }
}
