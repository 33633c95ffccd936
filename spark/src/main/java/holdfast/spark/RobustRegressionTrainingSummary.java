package holdfast.spark;

import holdfast.formats.SummaryFile;

/** How the training of a model of numbers went, and how well it does on the training rows. */
public final class RobustRegressionTrainingSummary extends RobustRegressionSummary implements RobustSummary {
    private static final long serialVersionUID = 1;

    private final transient SummaryFile file;

    RobustRegressionTrainingSummary(Predicted predicted, boolean throughOrigin, SummaryFile file) {
        super(predicted, throughOrigin);
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
