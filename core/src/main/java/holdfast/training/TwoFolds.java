package holdfast.training;

import holdfast.Check;
import holdfast.data.Dataset;
import holdfast.data.Schema;
import holdfast.data.Table;
import holdfast.data.UnusableSource;
import holdfast.math.Threads;
import holdfast.objective.Objective;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.plan.ResolvedPlan;
import holdfast.preparation.AcrossSources;
import holdfast.preparation.LabelScaling;
import holdfast.preparation.Preparation;
import holdfast.preparation.SourceGroups;
import holdfast.preparation.Weighting;
import holdfast.rounds.InProcessPool;
import holdfast.rounds.TrainingLoop;
import holdfast.rounds.TrainingState;
import holdfast.rounds.Worker;
import holdfast.rounds.WorkerPool;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Training rows for models that are trained on one half of them and tested on the other: a sample of about
 * {@value #MAX_ROWS}, prepared as for the run. The rows of every source are divided into two halves, class by class. All of
 * it happens in this process, so every engine gets the same bits.
 */
final class TwoFolds {
    private static final int MAX_ROWS = 20_000;
    private static final int MIN_ROWS = 100;
    /** Models of much fewer rows than the run's score new rows worse, unless both have many rows for each feature. */
    private static final int ROWS_PER_FEATURE = 10;
    /** A sample needs the labels and sources of all rows in one place. */
    private static final long MAX_READ = 1L << 27;

    private final int workers;
    private final LabelScaling labels;
    private final List<UnusableSource> unusable;
    private final Function<Plan, Optional<Worker>> root;
    private final List<Dataset> shards;
    /** The rows that each half tests on, without sources that have none there. */
    private final List<List<Part>> halves;
    /** The rows that each half trains on, by source. */
    private final List<List<Dataset>> trained;
    /** All rows by group, made when they are needed. */
    private Dataset together;

    private final AcrossSources across;
    private final int[] groupOf;

    private TwoFolds(
            Plan plan,
            int workers,
            LabelScaling labels,
            List<UnusableSource> unusable,
            Function<Plan, Optional<Worker>> root,
            List<Dataset> shards) {
        this.workers = workers;
        this.labels = labels;
        this.unusable = unusable;
        this.root = root;
        this.shards = shards;
        this.halves = IntStream.range(0, 2).mapToObj(half -> half(shards, half)).toList();
        Check.that(
                halves.get(0).size() + halves.get(1).size() > shards.size(),
                "no worker has training rows enough for two halves");
        this.trained = halves.stream().map(half -> trained(shards, half)).toList();
        long[] sizes = shards.stream().mapToLong(Dataset::rows).toArray();
        Optional<SourceGroups> groups = ResolvedPlan.statistics(plan, sizes, unusable.size());
        this.across = groups.map(SourceGroups::across).orElse(AcrossSources.POOLED);
        this.groupOf = groups.map(SourceGroups::groupOf).orElseGet(() -> new int[sizes.length]);
    }

    /** Samples the rows of workers that are ready for a run. */
    static TwoFolds of(PreparedRun run) {
        return of(
                run.plan(),
                run.probe(),
                run.preparation(),
                run.schema(),
                run.sizes(),
                run.unusable(),
                plan -> run.root());
    }

    /**
     * Samples the rows of workers that are about to be made.
     *
     * @param plan says who holds which rows
     * @param probe hands out the rows
     * @param schema of the features
     * @param sizes how many training rows each worker holds
     * @param root makes a worker for the server's own rows, if it has any
     * @throws holdfast.InputException if a sample would be too small for the number of features
     */
    static TwoFolds of(
            Plan plan,
            SourceProbe probe,
            Preparation preparation,
            Schema schema,
            long[] sizes,
            List<UnusableSource> unusable,
            Function<Plan, Optional<Worker>> root) {
        int replicas = plan.get(PlanKey.REPLICAS);
        int features = schema.features().size();
        long rows = Arrays.stream(sizes).sum() / replicas;
        Check.that(rows <= MAX_READ, "rows are left out in turn of at most %d rows, got %d", MAX_READ, rows);
        Check.that(
                rows <= MAX_ROWS || features <= MAX_ROWS / ROWS_PER_FEATURE,
                "a sample of %d rows is too small for %d features",
                MAX_ROWS,
                features);
        int workers = sizes.length;
        SourceSample sample = probe.sample(Math.max(MIN_ROWS, MAX_ROWS / workers));
        Table table = sample.table();
        boolean[] heldOut = sample.heldOut();
        List<int[]> byWorker = table.cells().rowsBySource();
        List<Dataset> shards = IntStream.range(0, workers)
                .filter(w -> Arrays.stream(byWorker.get(w)).anyMatch(r -> !heldOut[r]))
                .mapToObj(w -> {
                    int[] own = Arrays.stream(byWorker.get(w))
                            .filter(r -> !heldOut[r])
                            .toArray();
                    Dataset shard = preparation.ofWorker(table, own, w / replicas);
                    return replicas > 1 ? shard : PreparedData.poisoned(shard, w, workers, plan);
                })
                .toList();
        return new TwoFolds(plan, workers, preparation.labels(), unusable, root, shards);
    }

    /**
     * The rows of a source in one half.
     *
     * @param rows their numbers among the rows of the source
     */
    private record Part(int source, int[] rows, Dataset data) {}

    private static List<Part> half(List<Dataset> shards, int half) {
        return IntStream.range(0, shards.size())
                .mapToObj(s -> {
                    int[] halves = halves(shards.get(s));
                    int[] rows = IntStream.range(0, halves.length)
                            .filter(r -> halves[r] == half)
                            .toArray();
                    return new Part(
                            s, rows, rows.length == 0 ? null : shards.get(s).select(rows));
                })
                .filter(part -> part.data != null)
                .toList();
    }

    /**
     * Returns what each source trains on in a half. A source without rows there trains on all it has: absent sources would
     * leave rules that need more than 2f workers too few, so that f sources of one row could prevent that rows are left out.
     * Its model then has seen the rows it is tested on, which makes the source's own figures too good, and they are one voice
     * among the sources.
     */
    private static List<Dataset> trained(List<Dataset> shards, List<Part> half) {
        Dataset[] own = shards.toArray(Dataset[]::new);
        half.forEach(part -> own[part.source] = part.data);
        return List.of(own);
    }

    /** Returns the half, 0 or 1, of each row: the rows of a class take turns. */
    private static int[] halves(Dataset shard) {
        int[] halves = new int[shard.rows()];
        int[] next = new int[Math.max(1, shard.schema().classes().size())];
        for (int r = 0; r < halves.length; r++) {
            halves[r] = next[next.length == 1 ? 0 : (int) shard.label(r)]++ % 2;
        }
        return halves;
    }

    /** Returns how what the groups of sources say is combined. */
    AcrossSources across() {
        return across;
    }

    /** Returns how labels were scaled. */
    LabelScaling labels() {
        return labels;
    }

    /** Returns the rows of each source, both halves. */
    List<Dataset> shards() {
        return shards;
    }

    /** Returns the group of each source. Statistics of a group are taken together. */
    int[] groupOf() {
        return groupOf.clone();
    }

    int groups() {
        return Arrays.stream(groupOf).max().orElse(0) + 1;
    }

    /**
     * Trains on each half.
     *
     * @param plan with numbers for everything that data decide
     * @param from the parameters to start from, for each half; null: as the plan starts
     * @return the parameters, for each half
     * @throws holdfast.InputException if there are too few rows for the plan
     * @throws holdfast.rounds.TrainingException if training fails
     */
    double[][] train(Plan plan, double[][] from) {
        double[][] theta = new double[2][];
        Threads.here().each(2, half -> theta[half] = train(plan, half, from == null ? null : from[half]));
        return theta;
    }

    private double[] train(Plan given, int half, double[] from) {
        List<Dataset> own = trained.get(half);
        Plan plan = fitting(given, own);
        Schema schema = own.get(0).schema();
        Objective objective = plan.loss(schema);
        int replicas = plan.get(PlanKey.REPLICAS);
        List<Worker> made = IntStream.range(0, own.size() * replicas)
                .mapToObj(w -> ResolvedPlan.worker(plan, w, own.get(w / replicas), objective))
                .toList();
        try (InProcessPool pool = new InProcessPool(made, 1)) {
            WorkerPool all = PreparedRun.allWorkers(pool, plan, unusable);
            TrainingLoop loop =
                    new TrainingLoop(plan.resolve(schema, all.workers()).loop(root.apply(plan)), all);
            TrainingState start = from == null ? loop.start() : TrainingState.start(from, objective.startDuals());
            return loop.result(loop.run(start, round -> {})).theta();
        }
    }

    /** Returns a plan that half of the rows can follow. Simulated liars need all workers to be there. */
    private Plan fitting(Plan given, List<Dataset> own) {
        Plan plan = given.without(PlanKey.VALIDATION, PlanKey.PATIENCE);
        int fewest = own.stream().mapToInt(Dataset::rows).min().orElse(0);
        if (plan.get(PlanKey.BATCH).filter(size -> size > fewest).isPresent()) {
            plan = plan.with(PlanKey.BATCH, Optional.of(fewest));
        }
        return own.size() * plan.get(PlanKey.REPLICAS) == workers
                ? plan
                : plan.without(PlanKey.ATTACK, PlanKey.LIARS, PlanKey.BYZANTINE);
    }

    /** Returns the plan with its open numbers filled in from both halves. */
    Plan resolve(Plan plan) {
        if (together == null) {
            int[] groups = IntStream.range(0, shards.size())
                    .flatMap(s -> IntStream.generate(() -> groupOf[s])
                            .limit(shards.get(s).rows()))
                    .toArray();
            List<String> names =
                    IntStream.range(0, groups()).mapToObj(Integer::toString).toList();
            together = Dataset.joined(shards).grouped(names, groups);
        }
        int all = (shards.size() + unusable.size()) * plan.get(PlanKey.REPLICAS);
        return new PlanResolver(together, across, Weighting.NONE, all).resolve(plan);
    }

    /** Finds the same number of numbers for each of some rows, row after row, by the parameters trained on the other half. */
    interface RowNumbers {
        double[] of(double[] theta, Dataset rows);
    }

    /**
     * Returns a number for each row of each source, found by the parameters that have not seen the row.
     *
     * @param theta the parameters trained on each half
     */
    double[][] leftOut(double[][] theta, RowNumbers numbers) {
        return leftOut(theta, 1, numbers);
    }

    /**
     * Returns numbers for each row of each source, row after row.
     *
     * @param perRow how many there are for a row
     */
    double[][] leftOut(double[][] theta, int perRow, RowNumbers numbers) {
        double[][] out =
                shards.stream().map(shard -> new double[shard.rows() * perRow]).toArray(double[][]::new);
        for (int half = 0; half < 2; half++) {
            double[] trained = theta[half];
            List<Part> others = halves.get(1 - half);
            Threads.here().each(others.size(), p -> {
                Part part = others.get(p);
                double[] found = numbers.of(trained, part.data);
                for (int j = 0; j < part.rows.length; j++) {
                    System.arraycopy(found, j * perRow, out[part.source], part.rows[j] * perRow, perRow);
                }
            });
        }
        return out;
    }
}
