package holdfast.app.lab.paper;

import holdfast.app.lab.Statistic;
import holdfast.shift.Shift;
import holdfast.shift.WorstCaseShift;
import holdfast.shift.WorstCaseShift.Norm;
import java.util.LinkedHashMap;
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

    public static final List<String> SPLITS = List.of(PaperResults.CLASS_SORTED, PaperResults.IID);
    public static final List<String> ATTACKS = List.of("none", "aggressive", "intelligent");
    public static final List<Norm> NORMS = List.of(Norm.L1, Norm.L2);

    /** What an error was measured of: an algorithm trained under an attack, on rows shifted by a budget. */
    public record Setting(String split, String attack, String algorithm, Norm norm, double budget) {
        Shift shift() {
            return budget == 0 ? Shift.NONE : new WorstCaseShift(norm, budget);
        }
    }

    /**
     * One data set.
     *
     * @param name as in {@code builtin:spambase}
     * @param lambda the price of the robust algorithms
     * @param budgets by which held-out rows are shifted, from 0
     * @param budget the one of the environments
     */
    public record Subject(
            String name,
            String dataHash,
            double lambda,
            List<Double> budgets,
            double budget,
            Map<Setting, Statistic> errors) {
        /** Returns the error of an algorithm in an environment. */
        public Statistic error(String split, Environment environment, String algorithm) {
            return errors.get(new Setting(
                    split,
                    environment.attack(),
                    algorithm,
                    environment.norm(),
                    environment.shifted() ? budget : budgets.get(0)));
        }

        /** Returns the errors against the budget, a figure for each attack and norm. */
        public List<Figure> figures(String split) {
            return ATTACKS.stream()
                    .flatMap(attack -> NORMS.stream().map(norm -> figure(split, attack, norm)))
                    .toList();
        }

        private Figure figure(String split, String attack, Norm norm) {
            Map<String, List<Statistic>> series = new LinkedHashMap<>();
            PaperResults.ALGORITHMS.forEach(algorithm -> series.put(
                    algorithm,
                    budgets.stream()
                            .map(q -> errors.get(new Setting(split, attack, algorithm, norm, q)))
                            .toList()));
            String liars = attack.equals("none") ? "Nobody lies" : "The " + attack + " attack by 3 of 20 workers";
            return new Figure(liars + ", growing " + norm + " shift", "shift budget q", budgets, series);
        }
    }
}
