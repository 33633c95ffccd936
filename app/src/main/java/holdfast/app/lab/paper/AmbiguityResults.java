package holdfast.app.lab.paper;

import holdfast.app.lab.Statistic;
import java.util.List;
import java.util.Map;

/**
 * The table of the other ambiguity sets.
 *
 * @param seeds how many seeds each number is the mean of
 * @param splits by split, rule and objective
 */
public record AmbiguityResults(int seeds, Map<String, Map<String, Map<String, Cell>>> splits) {
    /** The environments of Table I, in its order. */
    public static final List<String> ENVIRONMENTS = List.of("E0", "E1", "E2", "E3", "E4");

    /**
     * One objective with one rule.
     *
     * @param errors by environment
     * @param worstTenth the mean log-loss of the tenth of held-out rows with the largest, in E0
     * @param worstClass the error of the class that has the larger one, in E0
     */
    public record Cell(Map<String, Statistic> errors, Statistic worstTenth, Statistic worstClass) {}
}
