package holdfast.training;

import holdfast.Check;
import holdfast.data.Block;
import holdfast.data.Dataset;
import holdfast.data.Table;
import holdfast.evaluation.Predictions;
import holdfast.evaluation.ScoredSource;
import holdfast.math.Threads;
import holdfast.model.Model;
import holdfast.objective.Objective;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.plan.ResolvedPlan;
import holdfast.preparation.AcrossSources;
import holdfast.preparation.LabelScaling;
import holdfast.preparation.Preparation;
import holdfast.preparation.SourceGroups;
import holdfast.rounds.InProcessPool;
import holdfast.rounds.TrainingLoop;
import holdfast.rounds.Worker;
import holdfast.rounds.WorkerPool;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Training rows of two classes, scored by models that have not seen them. The rows of every source are divided into two
 * halves, class by class, and each half is scored by a model that is trained on the other halves: for as many rounds as the
 * run took, on a sample of about {@value #MAX_ROWS} rows, in this process. So every engine gets the same bits.
 *
 * @param sources one for each group of sources whose statistics are taken together
 * @param across combines what they say
 */
record OutOfFoldScores(List<ScoredSource> sources, AcrossSources across) {
    private static final int MAX_ROWS = 20_000;
    private static final int MIN_ROWS = 100;
    /** Models of much fewer rows than the run's score new rows worse, unless both have many rows for each feature. */
    private static final int ROWS_PER_FEATURE = 10;
    /** A sample needs the labels and sources of all rows in one place. */
    private static final long MAX_READ = 1L << 27;

    /**
     * Trains on each half and scores the other.
     *
     * @param rounds how many rounds made the model
     * @throws holdfast.InputException if there are too few rows for the plan
     * @throws holdfast.rounds.TrainingException if training fails on half of the rows
     */
    static OutOfFoldScores of(PreparedRun prepared, int rounds) {
        Plan plan = prepared.plan();
        List<Dataset> shards = shards(prepared);
        List<int[]> halves = shards.stream().map(OutOfFoldScores::halves).toList();
        double[][] scores =
                shards.stream().map(shard -> new double[shard.rows()]).toArray(double[][]::new);
        Threads.here().each(2, half -> {
            double[] theta = train(prepared, chosen(shards, halves, half), rounds);
            for (int s = 0; s < scores.length; s++) {
                int[] others = rowsOf(halves.get(s), 1 - half);
                if (others.length > 0) {
                    double[] found = score(
                            plan.model(prepared.schema()), theta, shards.get(s).select(others));
                    for (int j = 0; j < others.length; j++) {
                        scores[s][others[j]] = found[j];
                    }
                }
            }
        });
        long[] sizes = shards.stream().mapToLong(Dataset::rows).toArray();
        Optional<SourceGroups> groups =
                ResolvedPlan.statistics(plan, sizes, prepared.unusable().size());
        int[] groupOf = groups.map(SourceGroups::groupOf).orElseGet(() -> new int[sizes.length]);
        return new OutOfFoldScores(
                IntStream.range(0, groups.map(SourceGroups::count).orElse(1))
                        .mapToObj(g -> together(g, groupOf, shards, scores))
                        .toList(),
                groups.map(SourceGroups::across).orElse(AcrossSources.POOLED));
    }

    private static ScoredSource together(int group, int[] groupOf, List<Dataset> shards, double[][] scores) {
        int[] members = IntStream.range(0, groupOf.length)
                .filter(s -> groupOf[s] == group)
                .toArray();
        return new ScoredSource(
                Arrays.stream(members)
                        .boxed()
                        .flatMapToDouble(s -> Arrays.stream(scores[s]))
                        .toArray(),
                Arrays.stream(members)
                        .boxed()
                        .flatMapToDouble(
                                s -> IntStream.range(0, shards.get(s).rows()).mapToDouble(shards.get(s)::label))
                        .toArray());
    }

    /** Returns a sample of the training rows of each source that has any, prepared as they are for training. */
    private static List<Dataset> shards(PreparedRun prepared) {
        Check.that(
                prepared.rows() <= MAX_READ,
                "rows are left out in turn of at most %d rows, got %d",
                MAX_READ,
                prepared.rows());
        int workers = prepared.names().size();
        int replicas = prepared.plan().get(PlanKey.REPLICAS);
        int features = prepared.schema().features().size();
        long held = Arrays.stream(prepared.sizes()).sum() / replicas;
        Check.that(
                held <= MAX_ROWS || features <= MAX_ROWS / ROWS_PER_FEATURE,
                "a sample of %d rows is too small for %d features",
                MAX_ROWS,
                features);
        SourceSample sample = prepared.probe().sample(Math.max(MIN_ROWS, MAX_ROWS / workers));
        Table table = sample.table();
        boolean[] heldOut = sample.heldOut();
        Preparation preparation = prepared.preparation();
        List<int[]> byWorker = table.cells().rowsBySource();
        return IntStream.range(0, workers)
                .filter(w -> Arrays.stream(byWorker.get(w)).anyMatch(r -> !heldOut[r]))
                .mapToObj(w -> {
                    int[] rows = Arrays.stream(byWorker.get(w))
                            .filter(r -> !heldOut[r])
                            .toArray();
                    Dataset shard = preparation.ofWorker(table, rows, w / replicas);
                    return replicas > 1 ? shard : PreparedData.poisoned(shard, w, workers, prepared.plan());
                })
                .toList();
    }

    /** Returns the half, 0 or 1, of each row: the rows of a class take turns. */
    private static int[] halves(Dataset shard) {
        int[] halves = new int[shard.rows()];
        int[] next = new int[2];
        for (int r = 0; r < halves.length; r++) {
            halves[r] = next[(int) shard.label(r)]++ % 2;
        }
        return halves;
    }

    private static int[] rowsOf(int[] halves, int half) {
        return IntStream.range(0, halves.length).filter(r -> halves[r] == half).toArray();
    }

    private static List<Dataset> chosen(List<Dataset> shards, List<int[]> halves, int half) {
        return IntStream.range(0, shards.size())
                .filter(s -> rowsOf(halves.get(s), half).length > 0)
                .mapToObj(s -> shards.get(s).select(rowsOf(halves.get(s), half)))
                .toList();
    }

    private static double[] train(PreparedRun prepared, List<Dataset> shards, int rounds) {
        Plan plan = plan(prepared, shards, rounds);
        Objective objective = plan.loss(prepared.schema());
        int replicas = plan.get(PlanKey.REPLICAS);
        List<Worker> workers = IntStream.range(0, shards.size() * replicas)
                .mapToObj(w -> ResolvedPlan.worker(plan, w, shards.get(w / replicas), objective))
                .toList();
        try (InProcessPool pool = new InProcessPool(workers, 1)) {
            WorkerPool all = PreparedRun.allWorkers(pool, plan, prepared.unusable());
            TrainingLoop loop = new TrainingLoop(
                    plan.resolve(prepared.schema(), all.workers()).loop(prepared.root()), all);
            return loop.result(loop.run(loop.start(), round -> {})).theta();
        }
    }

    /** Returns the run's plan for fewer rows. Simulated liars need all workers to be there. */
    private static Plan plan(PreparedRun prepared, List<Dataset> shards, int rounds) {
        Plan plan = prepared.plan()
                .without(PlanKey.VALIDATION, PlanKey.PATIENCE)
                .with(PlanKey.ROUNDS, rounds)
                .with(PlanKey.TOLERANCE, 0.0);
        int fewest = shards.stream().mapToInt(Dataset::rows).min().orElse(0);
        if (plan.get(PlanKey.BATCH).filter(size -> size > fewest).isPresent()) {
            plan = plan.with(PlanKey.BATCH, Optional.of(fewest));
        }
        return shards.size() * plan.get(PlanKey.REPLICAS) == prepared.names().size()
                ? plan
                : plan.without(PlanKey.ATTACK, PlanKey.LIARS, PlanKey.BYZANTINE);
    }

    private static double[] score(Model model, double[] theta, Dataset rows) {
        int k = model.scoresPerRow();
        double[] all = new double[rows.rows() * k];
        int at = 0;
        for (Block block : rows.blocks()) {
            double[] own = new double[block.rows() * k];
            model.scores(theta, block, own);
            System.arraycopy(own, 0, all, at, own.length);
            at += own.length;
        }
        Predictions read = new Predictions(model, 0.5, LabelScaling.NONE, all);
        return IntStream.range(0, rows.rows()).mapToDouble(read::score).toArray();
    }
}
