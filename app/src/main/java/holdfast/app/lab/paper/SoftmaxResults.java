package holdfast.app.lab.paper;

import holdfast.app.lab.Statistic;
import java.util.Map;

/**
 * The table of softmax regression on Digits.
 *
 * @param seeds how many seeds each number is the mean of
 * @param shift under which the second number of each cell is measured
 * @param splits by split, attack and algorithm
 */
public record SoftmaxResults(
        int seeds, String dataHash, String shift, Map<String, Map<String, Map<String, Cell>>> splits) {

    /** Errors of one algorithm under one attack, on rows as they are and shifted. */
    public record Cell(Statistic plain, Statistic shifted) {}

    /** The standard error of a mean over the seeds. */
    public double error(Statistic s) {
        return s.sd() / Math.sqrt(seeds);
    }
}
