package holdfast.app.report;

import com.fasterxml.jackson.databind.node.ObjectNode;
import holdfast.Spec;
import holdfast.evaluation.TrainedModel;
import holdfast.model.HuberRegression;
import holdfast.model.LabelUnit;
import holdfast.model.LinearRegression;
import holdfast.model.Model;
import holdfast.model.NeuralNetwork;
import java.util.Locale;

/**
 * The unit in which losses are shown. Models learn numbers as (y - offset) / divisor. The squared loss and Huber's are quadratic in
 * the unit (Huber's with a delta in the same unit), so divisor^2 times the loss is the loss in the label's own unit. Losses of classes have
 * no unit; those of counts, whose loss has no such factor, are shown as they were learnt, with words that say so.
 *
 * @param factor by which losses, and prices of moves, are multiplied
 * @param words what losses are, in one sentence; empty for classes
 */
record LossUnit(double factor, String words) {
    /** What says in JSON that losses are in this unit. */
    static final String KEY = "loss_unit";

    /** Covers the rounding of the factor and of the product. */
    private static final double ROUNDING = 0x1p-50;

    static LossUnit of(TrainedModel trained) {
        if (trained.model().target().isClass()) {
            return new LossUnit(1, "");
        }
        double divisor = trained.labels().divisor();
        double square = divisor * divisor;
        boolean normal = square >= Double.MIN_NORMAL && Double.isFinite(square);
        if (isQuadratic(trained.model()) && normal) {
            return new LossUnit(
                    square,
                    isHuber(trained.model())
                            ? String.format(
                                    Locale.ROOT,
                                    "Losses are Huber's in the square of the label's own unit, with delta times %.4g.",
                                    divisor)
                            : "Losses are half the squared error, in the square of the label's own unit.");
        }
        return asLearnt(trained);
    }

    /** Losses as the model learnt them, whatever its unit. */
    static LossUnit asLearnt(TrainedModel trained) {
        return new LossUnit(
                1,
                trained.model().target().isClass() || trained.labels().divisor() == 1
                        ? ""
                        : String.format(
                                Locale.ROOT,
                                "Losses are of labels as the model learns them, divided by %s.",
                                Spec.print(trained.labels().divisor())));
    }

    private static boolean isQuadratic(Model model) {
        return model instanceof LinearRegression || model instanceof HuberRegression || model instanceof NeuralNetwork;
    }

    private static boolean isHuber(Model model) {
        return model instanceof HuberRegression || model.labelUnit() == LabelUnit.ROBUST;
    }

    /** Puts the words into JSON, if losses have a unit. */
    void put(ObjectNode node) {
        if (!words.isEmpty()) {
            node.put(KEY, words);
        }
    }

    /** Returns the words as one more sentence of a text; empty if losses have no unit. */
    String sentence() {
        return words.isEmpty() ? "" : " " + words;
    }

    /** Returns a loss in this unit. */
    double of(double loss) {
        return factor * loss;
    }

    /** Returns an upper bound in this unit, rounded up. */
    double atMost(double loss) {
        return factor == 1 ? loss : factor * loss * (1 + ROUNDING);
    }

    /** Returns what is surely reached in this unit, rounded down. */
    double atLeast(double loss) {
        return factor == 1 ? loss : factor * loss * (1 - ROUNDING);
    }
}
