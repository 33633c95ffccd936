package holdfast.app.lab.paper;

import holdfast.app.lab.Statistic;
import holdfast.shift.WorstCaseShift.Norm;
import java.util.List;
import java.util.Map;

/**
 * The errors of a network in the paper's environments.
 *
 * @param seeds how many seeds each number is the mean of
 * @param model the network
 * @param subjects what was learnt
 */
public record NetworkResults(int seeds, String model, List<Subject> subjects) {
    /** The environments of Table I, in its order. */
    public static final List<Environment> ENVIRONMENTS = List.of(
            new Environment("E0", "none", Norm.L1, false),
            new Environment("E1", "aggressive", Norm.L1, true),
            new Environment("E2", "aggressive", Norm.L2, true),
            new Environment("E3", "intelligent", Norm.L1, true),
            new Environment("E4", "intelligent", Norm.L2, true));

    /** @param shifted whether rows move, by the subject's budget */
    public record Environment(String name, String attack, Norm norm, boolean shifted) {}

    /**
     * One data set.
     *
     * @param name as in {@code builtin:spambase}
     * @param lambda the price of the robust algorithms
     * @param budgets by which held-out rows are shifted, from 0
     * @param budget the one of the environments
     * @param splits by split, attack and norm: the errors of each algorithm under each budget
     */
    public record Subject(
            String name,
            String dataHash,
            double lambda,
            List<Double> budgets,
            double budget,
            Map<String, Map<String, Map<Norm, Map<String, List<Statistic>>>>> splits) {
        /** Returns the errors of the algorithms in an environment. */
        public Statistic error(String split, Environment environment, String algorithm) {
            return splits.get(split)
                    .get(environment.attack())
                    .get(environment.norm())
                    .get(algorithm)
                    .get(environment.shifted() ? budgets.indexOf(budget) : 0);
        }

        /** Returns the errors against the budget, a figure for each attack and norm. */
        public List<Figure> figures(String split) {
            return splits.get(split).entrySet().stream()
                    .flatMap(attack -> attack.getValue().entrySet().stream()
                            .map(norm -> new Figure(
                                    (attack.getKey().equals("none")
                                                    ? "Nobody lies"
                                                    : "The " + attack.getKey() + " attack by 3 of 20 workers")
                                            + ", growing " + norm.getKey() + " shift",
                                    "shift budget q",
                                    budgets,
                                    norm.getValue())))
                    .toList();
        }
    }
}
