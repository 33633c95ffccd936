package holdfast.objective;

/**
 * An ambiguity set of reweighted rows: the worst case over Q near the rows' own distribution P is the least value, over
 * a few variables, of a mean over rows. A row contributes a term of its loss and these variables, so that terms average
 * over blocks, shards and workers; the worst case itself (a quantile, a root, a log-mean-exp) does not.
 *
 * <p>The first two variables are a location and a scale of the losses. While the scale is 0, nothing is known about the
 * losses yet, or all are equal: rows count alike, and workers report the mean loss and the mean square.
 */
interface Reweighting {
    /** Places in what {@link #row} writes; the reports follow. */
    int VALUE = 0;

    int WEIGHT = 1;
    int REPORTS = 2;

    /** The scale, among the variables. */
    int SCALE = 1;

    /** Below this share of the mean, a spread of the losses is rounding. */
    double SAME = 1e-6;

    /**
     * How wide the first scale is, relative to one that fits, and how fast it may fall in a round: a set that tightens
     * slowly leaves steps the time to become shorter.
     */
    double WIDE = 8;

    double FALL = 0.93;

    /**
     * No scale falls below this share of the location, divided by the slope of the value in the scale: that costs at
     * most this share of the value, and without it the value would have kinks where losses are equal.
     */
    double SHARPEST = 0.01;

    /** How many variables there are. */
    int count();

    /**
     * Writes the value of a row's term, its slope in the loss, and the reports: the slopes in the variables, or what
     * the next step needs instead.
     */
    void row(double loss, double[] duals, double[] out);

    /** Returns the first variables for losses of this mean and standard deviation, which is above 0. */
    double[] first(double mean, double sd);

    /** Returns the next variables. They depend on the unit of the losses and on nothing else about their size. */
    double[] next(double[] duals, double[] reports);
}
