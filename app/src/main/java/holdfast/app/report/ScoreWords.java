package holdfast.app.report;

import holdfast.evaluation.Calibration;
import holdfast.evaluation.TrainedModel;
import holdfast.math.Order;
import holdfast.model.Model;
import holdfast.model.Target;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What the scores of a model mean, in words. */
record ScoreWords(TrainedModel trained) {
    private Model model() {
        return trained.model();
    }

    private boolean isOdds() {
        return model().target() == Target.TWO_CLASSES && model().givesProbabilities() && model().scoresPerRow() == 1;
    }

    private String label() {
        return Scores.printable(trained.schema().label());
    }

    /** The class that a score speaks for; with one score for two classes, the second. */
    String name(int score) {
        List<String> classes = trained.schema().classes();
        return label() + " = " + Scores.printable(classes.get(model().scoresPerRow() == 1 ? 1 : score));
    }

    String meaning() {
        if (!model().target().isClass()) {
            return "the score is " + (model().target() == Target.COUNT ? "the logarithm of the mean of " : "")
                    + label();
        }
        return model().scoresPerRow() > 1
                ? "one score for each class; the largest decides" + proportions()
                : isOdds()
                        ? "the score is the logarithm of the odds of " + name(0) + recalibrated()
                        : "the score is a margin; above 0 it speaks for " + name(0);
    }

    /** How the probability of two classes follows from their score, if not as in training. */
    private String recalibrated() {
        Calibration calibration = trained.calibration();
        return calibration.equals(Calibration.NONE)
                ? ""
                : String.format(
                        Locale.ROOT,
                        " before recalibration; after it, the logarithm is %.4g x score %s %.4g",
                        calibration.slope(),
                        calibration.intercept() < 0 ? "-" : "+",
                        Math.abs(calibration.intercept()));
    }

    /** How probabilities follow from the scores of classes, if not as in training. */
    private String proportions() {
        Calibration calibration = trained.calibration();
        return calibration.equals(Calibration.NONE)
                ? ""
                : String.format(
                        Locale.ROOT,
                        "; after recalibration, probabilities are in proportion to e^(%.4g x score + offset of the class)",
                        calibration.slope());
    }

    /** The class that a score speaks for and, if probabilities are recalibrated, its offset. */
    String nameWithOffset(int score) {
        return name(score)
                + (trained.calibration().equals(Calibration.NONE)
                        ? ""
                        : String.format(Locale.ROOT, ", offset %.4g", offsets()[score]));
    }

    private double[] offsets() {
        return trained.calibration().offsets(trained.schema().classes().size());
    }

    /** How probabilities were recalibrated; empty if they were not. */
    Optional<String> calibration() {
        Calibration calibration = trained.calibration();
        if (calibration.equals(Calibration.NONE)) {
            return Optional.empty();
        }
        double[] offsets = offsets();
        List<String> classes = trained.schema().classes();
        int low = Order.ascending(offsets)[0];
        int high = Order.ascending(offsets)[offsets.length - 1];
        return Optional.of("recalibrated on rows left out of training in turn: "
                + (classes.size() == 2
                        ? String.format(
                                Locale.ROOT, "slope %.4g, intercept %.4g", calibration.slope(), calibration.intercept())
                        : String.format(
                                Locale.ROOT,
                                "slope %.4g, offsets of classes from %.4g (%s) to %.4g (%s)",
                                calibration.slope(),
                                offsets[low],
                                Scores.printable(classes.get(low)),
                                offsets[high],
                                Scores.printable(classes.get(high)))));
    }

    /** What the predicted odds or counts are multiplied by if a feature with this coefficient grows by 1. */
    double ratio(double coefficient) {
        return StrictMath.exp(trained.calibration().slope() * coefficient);
    }

    /** What that is called; empty if it means nothing. */
    Optional<String> ratio() {
        return isOdds()
                ? Optional.of("odds ratio")
                : model().target() == Target.COUNT ? Optional.of("rate ratio") : Optional.empty();
    }

    /** What one unit of a scaled feature is, in words that follow "of". */
    String step() {
        return switch (trained.scaling().kind()) {
            case SD, STANDARDISE -> "one standard deviation of the feature";
            case MIN_MAX -> "the whole range of the feature";
            case MAX_ABS -> "the largest value of the feature";
            default -> "one unit of the feature";
        };
    }

    /** Which row has the base score. */
    String base() {
        return switch (trained.scaling().kind()) {
            case STANDARDISE -> "a row of the training centres";
            case MIN_MAX -> "a row of the smallest training values";
            default -> "a row of zeros";
        };
    }
}
