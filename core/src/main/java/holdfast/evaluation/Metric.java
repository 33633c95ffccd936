package holdfast.evaluation;

import holdfast.model.Target;
import java.util.List;
import java.util.Locale;

/** A measure of how well a model does. */
public enum Metric {
    /** Share misclassified. */
    ERROR("error"),
    /** Mean cross-entropy, for models with probabilities. */
    LOG_LOSS("log-loss"),
    /**
     * Probability that a row of class 1 scores above one of class 0; ties count half. With more than two classes: the
     * mean over classes, where the probability of a class ranks its rows against the rest (Provost, Domingos 2001,
     * unweighted). NaN if a class is missing.
     */
    AUC("AUC"),
    /**
     * Expected calibration error (Guo et al. 2017): the mean gap, over tenths, between the probability and the share of
     * rows.
     */
    CALIBRATION_ERROR("ECE"),
    /**
     * The share of rows of class 1 among those predicted as such; NaN if none is. With more than two classes: the mean
     * over the classes that occur among labels or predictions, in which one that is never predicted counts 0.
     */
    PRECISION("precision"),
    /** The share of rows predicted as class 1 among those of class 1; with more than two classes the mean, as for precision. */
    RECALL("recall"),
    /** The harmonic mean of precision and recall; with more than two classes the mean, as for precision. */
    F1("F1"),
    /**
     * Average precision: the mean, over rows of class 1, of the precision among the rows that score at least as high. With
     * more than two classes: the mean over classes against the rest. NaN if a class is missing.
     */
    PR_AUC("PR-AUC"),
    /**
     * Mean of (p - y)^2 for the probability p of class 1 and the label y; with more than two classes the sum of these
     * squares over classes (Brier 1950). For models with probabilities.
     */
    BRIER("Brier"),
    /** Root of the mean squared difference from the label. */
    RMSE("RMSE"),
    /** Mean absolute difference from the label. */
    MAE("MAE"),
    /** 1 - (mean squared difference) / (variance of the labels). */
    R2("R2"),
    /** Mean Poisson deviance, 2 (y log(y/mu) - y + mu). */
    DEVIANCE("deviance");

    private final String text;

    Metric(String text) {
        this.text = text;
    }

    /** Returns the metrics for a kind of label. Results are compared by the first one; less is better. */
    public static List<Metric> of(Target target) {
        return switch (target) {
            case TWO_CLASSES, CLASSES ->
                List.of(ERROR, LOG_LOSS, AUC, CALIBRATION_ERROR, PRECISION, RECALL, F1, PR_AUC, BRIER);
            case NUMBER -> List.of(RMSE, MAE, R2);
            case COUNT -> List.of(DEVIANCE, RMSE, MAE);
        };
    }

    /** Returns the name as a JSON key. */
    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    @Override
    public String toString() {
        return text;
    }
}
