package holdfast.app.lab.redteam;

import holdfast.app.lab.Statistic;
import holdfast.data.DataSource;
import holdfast.evaluation.Metric;
import holdfast.plan.PlanKey;
import holdfast.shift.Shift;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The red team's results.
 *
 * @param shifts the names of the plan's shifts; where the model's worst case is searched, they say that it is a lower bound
 * @param workers m
 * @param metric in which errors are measured; for classes the share misclassified
 * @param guessing the error of a guess that uses no feature
 * @param errors by case, seed and shift; infinite if labels are numbers and there is no model
 * @param newSources by rule and seed: the error, without liars and shift, on sources that the model has not seen; empty if
 *     this was not measured
 * @param refused rules and attacks that could not be used, and why
 */
public record RedTeamResults(
        RedTeamPlan plan,
        DataSource data,
        List<String> shifts,
        int workers,
        Metric metric,
        double guessing,
        Map<RedTeamPlan.Case, double[][]> errors,
        Map<String, double[]> newSources,
        Map<String, String> refused) {

    /** f, the number of liars that rules are set up for unless their own parameters say otherwise. */
    public int tolerated() {
        return plan.training().get(PlanKey.TOLERATED).among(workers);
    }

    /** Returns the name of a shift, which may be more than the plan's text of it. */
    public String name(String shift) {
        return shifts.get(plan.shifts().indexOf(shift));
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

    /** The numbers of the shifts that happen without intent. */
    public List<Integer> natural() {
        List<Shift> shifts = plan.shiftList();
        return IntStream.range(1, shifts.size())
                .filter(i -> !shifts.get(i).adversarial())
                .boxed()
                .toList();
    }

    /** A rule's error without liars under each natural shift. */
    public List<Cell> natural(String rule) {
        return natural().stream()
                .map(i -> cell(new RedTeamPlan.Case(rule, "none", 0), i))
                .toList();
    }

    /** A rule's error on sources that the model has not seen; empty if this was not measured. */
    public Optional<Statistic> newSources(String rule) {
        return Optional.ofNullable(newSources.get(rule)).map(Statistic::of);
    }

    /** The cells of a rule that an adversary could bring about: every attack, with no shift or an adversary's. */
    private List<Cell> worstCases(String rule) {
        List<String> natural = natural().stream().map(plan.shifts()::get).toList();
        return cells(rule).stream().filter(c -> !natural.contains(c.shift())).toList();
    }

    /**
     * A rule's line in the table.
     *
     * @param clean its error without attack and shift
     * @param worst its largest mean error over attacks, numbers of liars and the shifts that an adversary chooses
     */
    public record Verdict(String rule, Cell clean, Cell worst) {}

    /** The rules, ordered by their worst case, best first. */
    public List<Verdict> verdicts() {
        return plan.rules().stream()
                .filter(rule -> !refused.containsKey(rule))
                .map(rule -> {
                    List<Cell> cells = worstCases(rule);
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
