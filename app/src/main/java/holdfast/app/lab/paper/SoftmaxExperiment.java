package holdfast.app.lab.paper;

import holdfast.app.lab.ParallelTasks;
import holdfast.app.lab.Statistic;
import holdfast.app.lab.Testbed;
import holdfast.data.Table;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.plan.Price;
import holdfast.plan.Statistics;
import holdfast.plan.Tolerated;
import holdfast.shift.Shift;
import holdfast.shift.WorstCaseShift;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The paper's four algorithms with more than two classes, which the paper did not try: softmax regression on the
 * embedded Digits, honest and under both of the paper's attacks, measured on rows as they are and under the worst L2
 * shift. Columns are standardised, theta starts at 0, and lambda = 0.5: with Spambase's 3, the result is close to
 * that of plain training here.
 */
final class SoftmaxExperiment {
    /** Limits the time it takes. */
    private static final int MAX_SEEDS = 4;

    private static final int LIARS = 3;
    private static final Shift SHIFT = new WorstCaseShift(WorstCaseShift.Norm.L2, 1);
    private static final Map<String, Plan> ALGORITHMS = new LinkedHashMap<>();

    static {
        Plan erm = Plan.defaults()
                .with(PlanKey.TEST_SHARE, 1.0 / 3)
                .with(PlanKey.STATISTICS, Statistics.POOLED)
                .with(PlanKey.WORKERS, 20)
                .with("learning-rate", "0.5")
                .with(PlanKey.ROUNDS, 100)
                .with(PlanKey.TOLERANCE, 0.0)
                .with(PlanKey.TOLERATED, Tolerated.count(0))
                .with(PlanKey.LAMBDA, Price.NONE)
                .with(PlanKey.ASCENT_STEPS, Optional.of(5));
        ALGORITHMS.put("ERM", erm);
        ALGORITHMS.put("NBS", erm.with(PlanKey.TOLERATED, Tolerated.count(3)));
        ALGORITHMS.put("DRO", erm.with(PlanKey.LAMBDA, Price.of(0.5)));
        ALGORITHMS.put(
                "Algorithm 2", erm.with(PlanKey.TOLERATED, Tolerated.count(3)).with(PlanKey.LAMBDA, Price.of(0.5)));
    }

    private final Table data;
    private final int seeds;
    private final Map<String, Map<String, Map<String, double[][]>>> measured = new LinkedHashMap<>();

    SoftmaxExperiment(Table data, int seeds) {
        this.data = data;
        this.seeds = Math.min(seeds, MAX_SEEDS);
    }

    /** Adds the trainings; when they are done, {@link #results()} has the numbers. */
    void addTo(ParallelTasks jobs) {
        Testbed bench = new Testbed(data);
        PaperExperiment.PARTITIONS.forEach((split, partition) -> {
            for (int s = 0; s < seeds; s++) {
                int seed = s;
                for (String attack : List.of("none", "aggressive", "intelligent")) {
                    ALGORITHMS.forEach((algorithm, plan) -> {
                        double[][] bySeed = measured.computeIfAbsent(split, k -> new LinkedHashMap<>())
                                .computeIfAbsent(attack, k -> new LinkedHashMap<>())
                                .computeIfAbsent(algorithm, k -> new double[2][seeds]);
                        Plan own = plan.with("partition", partition).with(PlanKey.SEED, seed + 1L);
                        Plan attacked = attack.equals("none")
                                ? own
                                : own.with("attack", attack).with(PlanKey.LIARS, LIARS);
                        jobs.add(PaperExperiment.cost(plan), () -> {
                            double[] errors = bench.errors(attacked, List.of(Shift.NONE, SHIFT));
                            bySeed[0][seed] = errors[0];
                            bySeed[1][seed] = errors[1];
                        });
                    });
                }
            }
        });
    }

    SoftmaxResults results() {
        Map<String, Map<String, Map<String, SoftmaxResults.Cell>>> splits = new LinkedHashMap<>();
        measured.forEach((split, attacks) -> attacks.forEach((attack, row) ->
                row.forEach((algorithm, bySeed) -> splits.computeIfAbsent(split, k -> new LinkedHashMap<>())
                        .computeIfAbsent(attack, k -> new LinkedHashMap<>())
                        .put(algorithm, new SoftmaxResults.Cell(Statistic.of(bySeed[0]), Statistic.of(bySeed[1]))))));
        return new SoftmaxResults(seeds, data.source().sha256(), SHIFT.name(), splits);
    }
}
