package holdfast.app.lab.paper;

import holdfast.app.lab.ParallelTasks;
import holdfast.app.lab.Statistic;
import holdfast.app.lab.Testbed;
import holdfast.data.Table;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.plan.Price;
import holdfast.plan.Start;
import holdfast.preparation.Scaling;
import holdfast.shift.Shift;
import holdfast.shift.WorstCaseShift;
import holdfast.shift.WorstCaseShift.Norm;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.DoubleConsumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The nonconvex case of the paper's Theorem 2, which its evaluation leaves out: the environments of Table I with a neural network, on
 * Spambase and Digits. The protocol is that of {@link PaperExperiment} but for what a network needs: all columns are centred, theta
 * starts as networks do, there are biases, and the ascent chooses its rate. Digits also takes another price, step and size of
 * shifts, because its columns are other than Spambase's. The worst case of a shift is searched by projected gradient steps, so all errors
 * under shifts are lower bounds.
 */
public final class NetworkExperiment {
    private static final String MODEL = "mlp(hidden=32)";
    private static final int LIARS = 3;
    private static final List<Norm> NORMS = List.of(Norm.L1, Norm.L2);

    /**
     * What is learnt from one table.
     *
     * @param budgets from 0
     * @param budget the one of Table I's environments
     */
    private record Subject(Table table, double lambda, String rate, List<Double> budgets, double budget) {
        Plan adapted(Plan plan) {
            Plan network = plan.with("model", MODEL)
                    .with(PlanKey.SCALE, Scaling.Kind.STANDARDISE)
                    .with(PlanKey.INTERCEPT, true)
                    .with(PlanKey.INIT, Start.AUTO)
                    .with(PlanKey.ASCENT_RATE, Optional.empty())
                    .with("learning-rate", rate);
            return plan.lambda().isEmpty() ? network : network.with(PlanKey.LAMBDA, Price.of(lambda));
        }

        /** Every budget but 0 in every norm, after no shift at all. */
        List<Shift> shifts() {
            return Stream.concat(
                            Stream.of(Shift.NONE),
                            NORMS.stream()
                                    .flatMap(norm ->
                                            budgets.stream().skip(1).map(budget -> new WorstCaseShift(norm, budget))))
                    .toList();
        }

        NetworkResults.Subject measured(Map<String, Map<String, Map<String, double[][]>>> errors) {
            Map<String, Map<String, Map<Norm, Map<String, List<Statistic>>>>> splits = new LinkedHashMap<>();
            errors.forEach((split, attacks) -> {
                Map<String, Map<Norm, Map<String, List<Statistic>>>> byAttack = new LinkedHashMap<>();
                attacks.forEach((attack, row) -> {
                    Map<Norm, Map<String, List<Statistic>>> byNorm = new LinkedHashMap<>();
                    for (int n = 0; n < NORMS.size(); n++) {
                        int first = n * (budgets.size() - 1);
                        Map<String, List<Statistic>> series = new LinkedHashMap<>();
                        row.forEach((algorithm, byShift) -> series.put(
                                algorithm,
                                IntStream.range(0, budgets.size())
                                        .mapToObj(b -> Statistic.of(byShift[b == 0 ? 0 : first + b]))
                                        .toList()));
                        byNorm.put(NORMS.get(n), series);
                    }
                    byAttack.put(attack, byNorm);
                });
                splits.put(split, byAttack);
            });
            return new NetworkResults.Subject(
                    table.source().name(), table.source().sha256(), lambda, budgets, budget, splits);
        }
    }

    private final List<Subject> subjects;
    private final int seeds;
    private final int threads;

    public NetworkExperiment(Table spambase, Table digits, int seeds, int threads) {
        subjects = List.of(
                new Subject(spambase, 3, "1", List.of(0.0, 0.1, 0.2, 0.3, 0.5, 0.8), 0.3),
                new Subject(digits, 1, "0.5", List.of(0.0, 0.25, 0.5, 1.0, 1.5, 2.0), 1));
        this.seeds = seeds;
        this.threads = threads;
    }

    /** @param progress gets the share done after each training */
    public NetworkResults run(DoubleConsumer progress) throws InterruptedException {
        ParallelTasks jobs = new ParallelTasks();
        List<Map<String, Map<String, Map<String, double[][]>>>> errors =
                subjects.stream().map(subject -> addTo(jobs, subject)).toList();
        jobs.run(threads, progress);
        return new NetworkResults(
                seeds,
                MODEL,
                IntStream.range(0, subjects.size())
                        .mapToObj(i -> subjects.get(i).measured(errors.get(i)))
                        .toList());
    }

    /** Adds the trainings; when they are done, the errors stand by split, attack, algorithm, shift and seed. */
    private Map<String, Map<String, Map<String, double[][]>>> addTo(ParallelTasks jobs, Subject subject) {
        Testbed bench = new Testbed(subject.table);
        List<Shift> shifts = subject.shifts();
        Map<String, Map<String, Map<String, double[][]>>> errors = new LinkedHashMap<>();
        PaperExperiment.PARTITIONS.forEach((split, partition) -> {
            for (int s = 0; s < seeds; s++) {
                int seed = s;
                for (String attack : List.of("none", "aggressive", "intelligent")) {
                    PaperExperiment.ALGORITHMS.forEach((algorithm, linear) -> {
                        double[][] byShift = errors.computeIfAbsent(split, k -> new LinkedHashMap<>())
                                .computeIfAbsent(attack, k -> new LinkedHashMap<>())
                                .computeIfAbsent(algorithm, k -> new double[shifts.size()][seeds]);
                        Plan plan = PaperExperiment.attacked(
                                        subject.adapted(linear), attack, attack.equals("none") ? 0 : LIARS)
                                .with("partition", partition)
                                .with(PlanKey.SEED, seed + 1L);
                        jobs.add(subject.table.rows() * PaperExperiment.cost(linear), () -> {
                            double[] measured = bench.errors(plan, shifts);
                            for (int i = 0; i < measured.length; i++) {
                                byShift[i][seed] = measured[i];
                            }
                        });
                    });
                }
            }
        });
        return errors;
    }
}
