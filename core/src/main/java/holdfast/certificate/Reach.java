package holdfast.certificate;

import holdfast.Check;
import holdfast.data.DatePart;
import holdfast.evaluation.Coefficients;
import holdfast.evaluation.Predictions;
import holdfast.evaluation.TrainedModel;
import holdfast.model.LinearScores;
import holdfast.preparation.Encoding;
import java.util.Arrays;
import java.util.List;

/**
 * The classes that a model can be made to predict when a row makes a {@link RowMove}: c is reachable if, for every b,
 * u_c - u_b + budget ||(w_c - w_b) unit||_* &gt;= 0, u the scores of the row and w the model's coefficients in the units of
 * the table. It may count a class that no single move reaches, never miss one that some move does.
 *
 * <p>Scaled values that the model cuts off change nothing about that: x -&gt; clip((x - offset) / divisor) is monotone and
 * changes by at most |delta| / divisor, so the difference of two scores changes by at most the sum of |w_c - w_b|_i |delta_i|.
 * A cell that is missing stays missing.
 *
 * <p>If the model reads a column as text or as a date that the move may change, it reaches every class.
 */
final class Reach {
    /** Covers the rounding of changes of scores. */
    private static final double ROUNDING = 1e-9;

    /** Covers the rounding of one sum or product, more than twice. */
    private static final double UNIT = 0x1p-51;

    private final TrainedModel model;
    private final int classes;
    private final boolean everything;
    /** By how much the difference of two scores can change; with one score, by how much that can. */
    private final double[][] changes;
    /** How much any score depends on each feature. */
    private final double[] slopes;

    private Reach(TrainedModel model, boolean everything, double[][] changes, double[] slopes) {
        this.model = model;
        this.slopes = slopes;
        this.classes = model.schema().classes().size();
        this.everything = everything;
        this.changes = changes;
    }

    /**
     * Prepares a model.
     *
     * @throws holdfast.InputException if the model is not linear in its scores, or does not predict classes
     */
    static Reach of(TrainedModel model, RowMove move) {
        Check.that(!model.schema().classes().isEmpty(), "how far votes reach is known of classes, not of numbers");
        Check.that(
                model.model() instanceof LinearScores,
                "how far votes reach when rows move is known of models linear in their scores, and %s is not; without --units, --shift"
                        + " and --budgets its votes are certified against lying sources",
                model.model().name());
        List<Coefficients> scores = model.coefficients();
        double[] units = units(model, move);
        int k = scores.size();
        double[][] changes = new double[k][k];
        for (int c = 0; c < k; c++) {
            for (int b = 0; b < k; b++) {
                double[] slopes = scores.get(c).values().clone();
                if (k > 1) {
                    double[] other = scores.get(b).values();
                    Arrays.setAll(slopes, i -> slopes[i] - other[i]);
                }
                changes[c][b] = move.change(slopes, units);
            }
        }
        double[] most = new double[units.length];
        for (Coefficients own : scores) {
            Arrays.setAll(most, i -> Math.max(most[i], Math.abs(own.values()[i])));
        }
        return new Reach(model, readsOtherwise(model, move), changes, most);
    }

    private static boolean readsOtherwise(TrainedModel model, RowMove move) {
        return move.budget() > 0
                && model.encoding().columns().stream()
                        .anyMatch(column -> (column.isText() || column.date() != DatePart.NONE)
                                && move.units().containsKey(column.origin()));
    }

    /** Returns the unit of each feature; 0 for one that does not move. */
    private static double[] units(TrainedModel model, RowMove move) {
        List<String> features = model.schema().features();
        double[] units = new double[features.size()];
        Encoding encoding = model.encoding();
        if (encoding.equals(Encoding.NONE)) {
            Arrays.setAll(units, i -> move.units().getOrDefault(features.get(i), 0.0));
            return units;
        }
        int[] first = encoding.firstFeatures();
        for (int c = 0; c < first.length; c++) {
            Encoding.Column column = encoding.columns().get(c);
            if (!column.isText()) {
                units[first[c]] = move.units().getOrDefault(column.origin(), 0.0);
            }
        }
        return units;
    }

    /**
     * Returns which classes are reachable from a row.
     *
     * @param said the predictions of the model
     * @param x the features of the row, unscaled
     */
    boolean[] of(Predictions said, int row, double[] x) {
        double sums = rounding(x);
        boolean[] reach = new boolean[classes];
        if (everything) {
            Arrays.fill(reach, true);
        } else if (classes == 2) {
            double score = said.score(row);
            double change = changes.length == 1 ? changes[0][0] : changes[1][0];
            double slack = change == 0 ? 0 : change + ROUNDING * (change + Math.abs(score)) + sums;
            // The label grows with the score, so the two ends decide.
            reach[0] = label(said, score - slack) == 0;
            reach[1] = label(said, score + slack) == 1;
        } else {
            int from = row * classes;
            for (int c = 0; c < classes; c++) {
                reach[c] = true;
                for (int b = 0; b < classes; b++) {
                    double gap = said.scores()[from + c] - said.scores()[from + b];
                    double slack = changes[c][b] + ROUNDING * (changes[c][b] + Math.abs(gap)) + sums;
                    reach[c] &= gap + (changes[c][b] == 0 ? 0 : slack) >= 0;
                }
            }
            // Scores that are equal to the bit reach both classes, of which the first is predicted.
            reach[(int) said.label(row)] = true;
        }
        return reach;
    }

    /**
     * Returns how far the scores of a row and of a moved one may be off together. They are sums of products that may be large and
     * cancel: of the features and, with the opposite sign, the intercept.
     */
    private double rounding(double[] x) {
        double[] offsets = model.scaling().offsets();
        double size = 0;
        for (int i = 0; i < x.length; i++) {
            size += slopes[i] * (Math.abs(x[i]) + Math.abs(offsets[i]));
        }
        return UNIT * (x.length + 16) * size;
    }

    private double label(Predictions said, double score) {
        double[] scores = said.model().scoresPerRow() == 1 ? new double[] {score} : new double[] {0, score};
        return new Predictions(said.model(), said.threshold(), said.calibration(), said.labels(), scores).label(0);
    }
}
