package holdfast.evaluation;

import holdfast.model.Target;
import java.util.List;
import java.util.Locale;

/** A number that says how well a model does. */
public enum Metric {
    /** Share misclassified. */
    ERROR("error"),
    /** Mean cross-entropy, of models with probabilities. */
    LOG_LOSS("log-loss"),
    /**
     * Probability that a row of class 1 scores above one of class 0, ties half; of many classes, the mean over classes of
     * each one's probability, in its rows against the rest (Provost, Domingos 2001, unweighted). NaN if a class is
     * missing.
     */
    AUC("AUC"),
    /** Expected calibration error (Guo et al. 2017): the mean gap, over tenths, between probability and share of rows. */
    CALIBRATION_ERROR("ECE"),
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

    /** What is measured for a kind of label; the first is the one that results are compared by, less is better. */
    public static List<Metric> of(Target target) {
        return switch (target) {
            case TWO_CLASSES, CLASSES -> List.of(ERROR, LOG_LOSS, AUC, CALIBRATION_ERROR);
            case NUMBER -> List.of(RMSE, MAE, R2);
            case COUNT -> List.of(DEVIANCE, RMSE, MAE);
        };
    }

    /** As a key of JSON. */
    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    @Override
    public String toString() {
        return text;
    }
}
