package holdfast.app.lab.redteam;

import holdfast.app.lab.Statistic;
import holdfast.data.DataSource;
import holdfast.evaluation.Metric;
import holdfast.plan.PlanKey;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The red team's results.
 *
 * @param workers m
 * @param metric in which errors are measured; for classes the share misclassified
 * @param guessing the error of a guess that uses no feature
 * @param errors by case, seed and shift; infinite if labels are numbers and there is no model
 * @param refused rules and attacks that could not be used, and why
 */
public record RedTeamResults(
        RedTeamPlan plan,
        DataSource data,
        int workers,
        Metric metric,
        double guessing,
        Map<RedTeamPlan.Case, double[][]> errors,
        Map<String, String> refused) {

    /** f, the number of liars that rules are set up for unless their own parameters say otherwise. */
    public int tolerated() {
        return plan.training().get(PlanKey.TOLERATED).among(workers);
    }

    /** A case under a shift, with its error for each seed. */
    public record Cell(RedTeamPlan.Case at, String shift, double[] bySeed) {
        public Statistic error() {
            return Statistic.of(bySeed);
        }
    }

    /** Every cell of a rule, in the order of the plan. */
    public List<Cell> cells(String rule) {
        return errors.entrySet().stream()
                .filter(e -> e.getKey().rule().equals(rule))
                .flatMap(e -> IntStream.range(0, plan.shifts().size()).mapToObj(i -> cell(e.getKey(), i)))
                .toList();
    }

    public Cell cell(RedTeamPlan.Case at, int shift) {
        double[][] bySeed = errors.get(at);
        return new Cell(
                at,
                plan.shifts().get(shift),
                IntStream.range(0, bySeed.length)
                        .mapToDouble(s -> bySeed[s][shift])
                        .toArray());
    }

    /**
     * A rule's line in the table.
     *
     * @param clean its error without attack and shift
     * @param worst its largest mean error over attacks, shifts and numbers of liars
     */
    public record Verdict(String rule, Cell clean, Cell worst) {}

    /** The rules, ordered by their worst case, best first. */
    public List<Verdict> verdicts() {
        return plan.rules().stream()
                .filter(rule -> !refused.containsKey(rule))
                .map(rule -> {
                    List<Cell> cells = cells(rule);
                    return new Verdict(
                            rule,
                            cells.get(0),
                            cells.stream()
                                    .max(Comparator.comparingDouble(
                                            c -> c.error().mean()))
                                    .orElseThrow());
                })
                .sorted(Comparator.comparingDouble(v -> v.worst().error().mean()))
                .toList();
    }

    /**
     * By how much the worst case of the first rule is better than that of the second, seed by seed; null if there is
     * only one rule.
     */
    public Statistic margin() {
        List<Verdict> verdicts = verdicts();
        if (verdicts.size() < 2) {
            return null;
        }
        double[] first = verdicts.get(0).worst().bySeed();
        double[] second = verdicts.get(1).worst().bySeed();
        return Statistic.of(IntStream.range(0, first.length)
                .mapToDouble(s -> second[s] - first[s])
                .toArray());
    }
}
