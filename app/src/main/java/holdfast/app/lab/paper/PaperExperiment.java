package holdfast.app.lab.paper;

import holdfast.app.lab.ParallelTasks;
import holdfast.app.lab.Resource;
import holdfast.app.lab.Statistic;
import holdfast.app.lab.Testbed;
import holdfast.data.Table;
import holdfast.formats.PlanFile;
import holdfast.model.LinearModel;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.plan.Price;
import holdfast.plan.Start;
import holdfast.plan.Statistics;
import holdfast.plan.Tolerated;
import holdfast.preparation.Scaling;
import holdfast.shift.Shift;
import holdfast.shift.WorstCaseShift;
import holdfast.shift.WorstCaseShift.Norm;
import holdfast.training.PreparedData;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.DoubleConsumer;
import java.util.stream.Collectors;

/**
 * Trains every plan that Table I and Figures 1 to 4 need, once per seed and split, and measures it under every shift
 * that is needed. The paper does not state its preprocessing; this protocol comes closest to its Table I: stratified
 * thirds, columns divided by their standard deviation, no intercept, theta starts standard normal, training rows sorted
 * by class and cut into 20 equal blocks, colluding liars drawn per seed.
 */
public final class PaperExperiment {
    /** eta_z */
    private static final double RATE = 0.05;

    static final Plan PROTOCOL = Plan.defaults()
            .with(PlanKey.TEST_SHARE, 1.0 / 3)
            .with(PlanKey.SCALE, Scaling.Kind.SD)
            .with(PlanKey.STATISTICS, Statistics.POOLED)
            .with(PlanKey.INTERCEPT, false)
            .with(PlanKey.WORKERS, 20)
            .with(PlanKey.INIT, Start.NORMAL)
            .with("learning-rate", "1")
            .with(PlanKey.ROUNDS, 300)
            .with(PlanKey.TOLERANCE, 0.0)
            .with(PlanKey.TOLERATED, Tolerated.count(0))
            .with(PlanKey.LAMBDA, Price.NONE)
            .with(PlanKey.ASCENT_RATE, Optional.of(RATE))
            .with(PlanKey.ASCENT_STEPS, Optional.of(10));

    /** How rows are dealt in each split. */
    static final Map<String, String> PARTITIONS = new LinkedHashMap<>();

    static {
        PARTITIONS.put(PaperResults.CLASS_SORTED, "by-class");
        PARTITIONS.put(PaperResults.IID, "iid");
    }

    private static final Plan ERM = PROTOCOL;
    private static final Plan NBS = PROTOCOL.with(PlanKey.TOLERATED, Tolerated.count(3));
    private static final Plan DRO = PROTOCOL.with(PlanKey.LAMBDA, Price.of(3));
    private static final Plan ALGORITHM_2 = NBS.with(PlanKey.LAMBDA, Price.of(3));

    /** The paper's four algorithms, and the plan that beats them. */
    static final Map<String, Plan> ALGORITHMS = new LinkedHashMap<>();

    static {
        ALGORITHMS.put("ERM", ERM);
        ALGORITHMS.put("NBS", NBS);
        ALGORITHMS.put("DRO", DRO);
        ALGORITHMS.put("Algorithm 2", ALGORITHM_2);
        ALGORITHMS.put(
                PaperResults.BEST,
                Plan.of(PlanFile.parse("plans/best.yaml", Resource.text(PaperExperiment.class, "best.yaml"))));
    }

    private static final List<Double> BUDGETS = List.of(0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8);
    private static final List<Double> LIARS = List.of(0.0, 1.0, 2.0, 3.0, 4.0, 5.0);
    private static final List<Double> LAMBDAS = List.of(0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0);
    private static final List<Double> STEPS = List.of(0.0, 1.0, 2.0, 5.0, 10.0, 20.0, 100.0);

    private final Table data;
    private final SoftmaxExperiment softmax;
    private final AmbiguityExperiment ambiguity;
    private final int seeds;
    private final int threads;

    /** One trained plan measured under one shift: a number per seed. */
    private record Wanted(Plan plan, Shift shift) {}

    /** Everything that is asked of a split. Each plan is trained once, however often it is asked for. */
    private static final class Questions {
        private final Map<Plan, Set<Shift>> byPlan = new LinkedHashMap<>();

        Wanted ask(Plan plan, Shift shift) {
            byPlan.computeIfAbsent(plan, p -> new LinkedHashSet<>()).add(shift);
            return new Wanted(plan, shift);
        }
    }

    /** @param digits for the softmax regression table */
    public PaperExperiment(Table data, Table digits, int seeds, int threads) {
        this.data = data;
        this.softmax = new SoftmaxExperiment(digits, seeds);
        this.ambiguity = new AmbiguityExperiment(data, seeds);
        this.seeds = seeds;
        this.threads = threads;
    }

    /** @param progress gets the share done after each training */
    public PaperResults run(DoubleConsumer progress) throws InterruptedException {
        Questions questions = new Questions();
        Map<String, Map<String, Wanted>> table = table(questions);
        Map<String, Map<String, Wanted>> withoutLiars = withoutLiars(questions);
        List<Sketch> figures = List.of(figure1(questions), figure2(questions), figure3(questions), figure4(questions));
        Map<String, PaperResults.SplitResults> splits = new LinkedHashMap<>();
        Answers answers = answer(questions, progress);
        answers.measured.forEach((split, measured) -> splits.put(
                split,
                new PaperResults.SplitResults(
                        errors(table, measured),
                        errors(withoutLiars, measured),
                        figures.stream().map(f -> f.draw(measured)).toList(),
                        Arrays.stream(answers.precision.get(split))
                                .reduce(AscentPrecision::worse)
                                .orElseThrow())));
        return new PaperResults(seeds, data.source().sha256(), splits, softmax.results(), ambiguity.results());
    }

    private static Map<String, Map<String, double[]>> errors(
            Map<String, Map<String, Wanted>> wanted, Map<Wanted, double[]> measured) {
        Map<String, Map<String, double[]>> errors = new LinkedHashMap<>();
        wanted.forEach((environment, row) -> row.forEach((algorithm, cell) ->
                errors.computeIfAbsent(environment, e -> new LinkedHashMap<>()).put(algorithm, measured.get(cell))));
        return errors;
    }

    static Plan attacked(Plan plan, String attack, int liars) {
        return liars == 0 ? plan : plan.with("attack", attack).with(PlanKey.LIARS, liars);
    }

    private static Plan environment1(Plan plan) {
        return attacked(plan, "aggressive", 3);
    }

    private static Shift l1(double budget) {
        return new WorstCaseShift(Norm.L1, budget);
    }

    private static Shift l2(double budget) {
        return new WorstCaseShift(Norm.L2, budget);
    }

    private static Map<String, Map<String, Wanted>> table(Questions questions) {
        record Environment(String attack, int liars, Shift shift) {}
        Map<String, Environment> environments = new LinkedHashMap<>();
        environments.put("E0", new Environment("none", 0, Shift.NONE));
        environments.put("E1", new Environment("aggressive", 3, l1(0.3)));
        environments.put("E2", new Environment("aggressive", 3, l2(0.3)));
        environments.put("E3", new Environment("intelligent", 3, l1(0.3)));
        environments.put("E4", new Environment("intelligent", 3, l2(0.3)));
        Map<String, Map<String, Wanted>> table = new LinkedHashMap<>();
        environments.forEach((name, e) -> {
            Map<String, Wanted> row = new LinkedHashMap<>();
            ALGORITHMS.forEach(
                    (algorithm, plan) -> row.put(algorithm, questions.ask(attacked(plan, e.attack, e.liars), e.shift)));
            table.put(name, row);
        });
        return table;
    }

    /** Asks for what the liars of E3 and E4 are compared with. */
    private static Map<String, Map<String, Wanted>> withoutLiars(Questions questions) {
        Map<String, Map<String, Wanted>> table = new LinkedHashMap<>();
        new TreeMap<>(Map.of("E3", l1(0.3), "E4", l2(0.3))).forEach((environment, shift) -> {
            Map<String, Wanted> row = new LinkedHashMap<>();
            row.put("NBS", questions.ask(NBS, shift));
            row.put("Algorithm 2", questions.ask(ALGORITHM_2, shift));
            table.put(environment, row);
        });
        return table;
    }

    /** A figure before its numbers are known; if a point has several wanted numbers, the worst mean counts. */
    private record Sketch(String title, String axis, List<Double> x, Map<String, List<List<Wanted>>> series) {
        Figure draw(Map<Wanted, double[]> measured) {
            Map<String, List<Statistic>> drawn = new LinkedHashMap<>();
            series.forEach((name, points) -> drawn.put(
                    name,
                    points.stream()
                            .map(options -> options.stream()
                                    .map(w -> Statistic.of(measured.get(w)))
                                    .max(Comparator.comparingDouble(Statistic::mean))
                                    .orElseThrow())
                            .toList()));
            return new Figure(title, axis, x, drawn);
        }
    }

    private static Sketch figure1(Questions questions) {
        Map<String, List<List<Wanted>>> series = new LinkedHashMap<>();
        for (String name : List.of("NBS", "Algorithm 2")) {
            Plan plan = environment1(ALGORITHMS.get(name));
            series.put(
                    name,
                    BUDGETS.stream()
                            .map(q -> List.of(questions.ask(plan, l1(q))))
                            .toList());
        }
        return new Sketch(
                "Aggressive attack by 3 of 20 workers, L1 shift of growing budget", "shift budget q", BUDGETS, series);
    }

    private static Sketch figure2(Questions questions) {
        Map<String, List<List<Wanted>>> series = new LinkedHashMap<>();
        for (String name : List.of("DRO", "Algorithm 2")) {
            series.put(
                    name,
                    LIARS.stream()
                            .map(liars -> List.of("aggressive", "intelligent").stream()
                                    .map(attack -> questions.ask(
                                            attacked(ALGORITHMS.get(name), attack, liars.intValue()), l1(0.3)))
                                    .toList())
                            .toList());
        }
        return new Sketch(
                "The worse of both attacks by a growing number of workers, 3 screened, L1 shift 0.3",
                "byzantine workers of 20",
                LIARS,
                series);
    }

    private static Sketch figure3(Questions questions) {
        Map<String, List<List<Wanted>>> series = new LinkedHashMap<>();
        series.put(
                Figure.PAPER_RATE,
                LAMBDAS.stream()
                        .map(lambda -> List.of(questions.ask(
                                environment1(converges(lambda) ? smooth(lambda) : diverging(lambda)), l1(0.3))))
                        .toList());
        series.put(
                Figure.STABLE_RATE,
                LAMBDAS.stream()
                        .map(lambda -> List.of(questions.ask(
                                environment1(converges(lambda) ? smooth(lambda) : stable(lambda)), l1(0.3))))
                        .toList());
        return new Sketch(
                "Environment 1, Algorithm 2 with T_z = 100 at the paper's rate, whose ascent diverges from lambda = 40"
                        + " on, and with T_z = 10 at the rate 1/lambda from there",
                "lambda",
                LAMBDAS,
                series);
    }

    /** Whether the ascent converges at the paper's rate. */
    private static boolean converges(double lambda) {
        return RATE * lambda < 2;
    }

    private static Plan smooth(double lambda) {
        return ALGORITHM_2.with(PlanKey.LAMBDA, Price.of(lambda)).with(PlanKey.ASCENT_STEPS, Optional.of(100));
    }

    private static Plan diverging(double lambda) {
        return ALGORITHM_2.withObjective(new UncheckedAscent(lambda, RATE, 100));
    }

    /** Ten steps suffice: each leaves at most L_zz/lambda of the distance, a quarter or less even at the random start. */
    private static Plan stable(double lambda) {
        return ALGORITHM_2.with(PlanKey.LAMBDA, Price.of(lambda)).with(PlanKey.ASCENT_RATE, Optional.of(1 / lambda));
    }

    private static Sketch figure4(Questions questions) {
        return new Sketch(
                "Environment 1, Algorithm 2 with lambda = 3",
                "ascent steps T_z",
                STEPS,
                Map.of(
                        "Algorithm 2",
                        STEPS.stream()
                                .map(steps -> List.of(questions.ask(
                                        environment1(
                                                steps == 0
                                                        ? NBS
                                                        : ALGORITHM_2.with(
                                                                PlanKey.ASCENT_STEPS, Optional.of(steps.intValue()))),
                                        l1(0.3))))
                                .toList()));
    }

    /** The numbers of both splits: one per seed. */
    private record Answers(Map<String, Map<Wanted, double[]>> measured, Map<String, AscentPrecision[]> precision) {}

    private Answers answer(Questions questions, DoubleConsumer progress) throws InterruptedException {
        Answers answers = new Answers(new LinkedHashMap<>(), new LinkedHashMap<>());
        ParallelTasks jobs = new ParallelTasks();
        Testbed bench = new Testbed(data);
        PARTITIONS.forEach((split, partition) -> {
            Map<Wanted, double[]> measured = questions.byPlan.entrySet().stream()
                    .flatMap(e -> e.getValue().stream().map(shift -> new Wanted(e.getKey(), shift)))
                    .collect(Collectors.toMap(w -> w, w -> new double[seeds], (a, b) -> a, LinkedHashMap::new));
            answers.measured.put(split, measured);
            AscentPrecision[] precision = new AscentPrecision[seeds];
            answers.precision.put(split, precision);
            for (int s = 0; s < seeds; s++) {
                int seed = s;
                questions.byPlan.forEach((plan, shifts) -> jobs.add(cost(plan), () -> {
                    List<Shift> asked = List.copyOf(shifts);
                    double[] errors =
                            bench.errors(plan.with("partition", partition).with(PlanKey.SEED, seed + 1L), asked);
                    for (int i = 0; i < errors.length; i++) {
                        measured.get(new Wanted(plan, asked.get(i)))[seed] = errors[i];
                    }
                }));
                jobs.add(2 * cost(ALGORITHM_2), () -> {
                    Plan plan = environment1(ALGORITHM_2)
                            .with("partition", partition)
                            .with(PlanKey.SEED, seed + 1L);
                    PreparedData rows = bench.prepared(plan);
                    precision[seed] = AscentPrecision.measure(
                            (LinearModel) plan.model(data.schema()),
                            rows.train(plan),
                            rows.training(),
                            plan.lambda().orElseThrow(),
                            RATE);
                });
            }
        });
        softmax.addTo(jobs);
        ambiguity.addTo(jobs);
        jobs.run(threads, progress);
        return answers;
    }

    /** About proportional to the time that a training takes, for a good estimate of the time left. */
    static double cost(Plan plan) {
        return 8 + (plan.lambda().isEmpty() ? 0 : plan.get(PlanKey.ASCENT_STEPS).orElse(0));
    }
}
