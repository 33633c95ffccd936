package holdfast.app.lab.paper;

import holdfast.app.lab.ParallelTasks;
import holdfast.app.lab.Statistic;
import holdfast.app.lab.Testbed;
import holdfast.app.lab.paper.NetworkResults.Setting;
import holdfast.data.Table;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.plan.Price;
import holdfast.plan.Start;
import holdfast.preparation.Scaling;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.DoubleConsumer;
import java.util.stream.IntStream;

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

        /** What a trained algorithm is measured on. */
        List<Setting> settings(String split, String attack, String algorithm) {
            return NetworkResults.NORMS.stream()
                    .flatMap(norm -> budgets.stream().map(q -> new Setting(split, attack, algorithm, norm, q)))
                    .toList();
        }

        NetworkResults.Subject measured(Map<Setting, double[]> errors) {
            Map<Setting, Statistic> statistics = new LinkedHashMap<>();
            errors.forEach((setting, bySeed) -> statistics.put(setting, Statistic.of(bySeed)));
            return new NetworkResults.Subject(
                    table.source().name(), table.source().sha256(), lambda, budgets, budget, statistics);
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
        List<Map<Setting, double[]>> errors =
                subjects.stream().map(subject -> addTo(jobs, subject)).toList();
        jobs.run(threads, progress);
        return new NetworkResults(
                seeds,
                MODEL,
                IntStream.range(0, subjects.size())
                        .mapToObj(i -> subjects.get(i).measured(errors.get(i)))
                        .toList());
    }

    /** Adds the trainings; when they are done, the errors stand by seed. */
    private Map<Setting, double[]> addTo(ParallelTasks jobs, Subject subject) {
        Testbed bench = new Testbed(subject.table);
        Map<Setting, double[]> errors = new LinkedHashMap<>();
        for (String split : NetworkResults.SPLITS) {
            for (int s = 0; s < seeds; s++) {
                int seed = s;
                for (String attack : NetworkResults.ATTACKS) {
                    PaperExperiment.ALGORITHMS.forEach((algorithm, linear) -> {
                        List<Setting> settings = subject.settings(split, attack, algorithm);
                        settings.forEach(setting -> errors.computeIfAbsent(setting, k -> new double[seeds]));
                        Plan plan = PaperExperiment.attacked(
                                        subject.adapted(linear), attack, attack.equals("none") ? 0 : LIARS)
                                .with("partition", PaperExperiment.PARTITIONS.get(split))
                                .with(PlanKey.SEED, seed + 1L);
                        jobs.add(subject.table.rows() * PaperExperiment.cost(linear), () -> {
                            double[] measured = bench.errors(
                                    plan, settings.stream().map(Setting::shift).toList());
                            for (int i = 0; i < measured.length; i++) {
                                errors.get(settings.get(i))[seed] = measured[i];
                            }
                        });
                    });
                }
            }
        }
        return errors;
    }
}
