package holdfast.spark.engine;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.Randomness;
import holdfast.Seed;
import holdfast.data.Dataset;
import holdfast.math.Tree;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.preparation.WorkerWeights;
import holdfast.spark.Sparks;
import holdfast.testkit.Laws;
import holdfast.testkit.Samples;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BinaryOperator;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Results of many partitions merge on the executors and keep their bits. */
class MergingCollectTest {
    private static SparkSession spark;

    @BeforeAll
    static void start() {
        spark = Sparks.local();
    }

    @AfterAll
    static void stop() {
        spark.stop();
    }

    @Test
    void resultsOfManyPartitionsMergeInTheirOrder() {
        JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
        for (int partitions : new int[] {1, 2, 7, 40}) {
            List<String> letters =
                    IntStream.range(0, partitions).mapToObj(p -> p + " ").toList();
            for (int group : new int[] {1, 2, 3, 50}) {
                List<String> merged = MergingCollect.inGroups(
                        context.parallelize(letters, partitions), (before, next) -> before + next, group);
                assertThat(String.join("", merged)).isEqualTo(String.join("", letters));
                assertThat(merged).hasSize((partitions - 1) / group + 1);
            }
            assertThat(String.join(
                            "",
                            MergingCollect.of(
                                    context.parallelize(letters, partitions), (before, next) -> before + next)))
                    .isEqualTo(String.join("", letters));
        }
    }

    private record Sum(int worker, int from, int to, double value) implements TreePart {
        static Sum of(int worker, Tree.Node node, double[] leaves) {
            return new Sum(worker, node.from(), node.to(), Tree.<Double>reduce(node, b -> leaves[b], (a, b) -> a + b));
        }

        Sum merge(Sum next) {
            return new Sum(worker, from, next.to, value + next.value);
        }
    }

    @Test
    void partsOfTreesMergeToTheSameBitsInAnyGroups() {
        Laws.check(200, seed -> {
            Randomness random = seed.random();
            int workers = 1 + random.nextInt(3);
            long[] sizes = IntStream.range(0, workers)
                    .mapToLong(w -> 1 + random.nextInt(60_000))
                    .toArray();
            BlockLayout cut = BlockLayout.of(sizes, 256, 1 + random.nextInt(60), false);
            List<double[]> leaves = IntStream.range(0, workers)
                    .mapToObj(w -> random.gaussians(cut.blocks(w)))
                    .toList();
            // The blocks of all workers, cut anywhere.
            List<List<Sum>> partitions = new ArrayList<>(List.of(new ArrayList<>()));
            for (int w = 0; w < workers; w++) {
                int worker = w;
                for (int from = 0; from < cut.blocks(w); ) {
                    int to = Math.min(cut.blocks(w), from + 1 + random.nextInt(20));
                    List<Sum> piece = Tree.nodes(cut.blocks(w), from, to).stream()
                            .map(node -> Sum.of(worker, node, leaves.get(worker)))
                            .toList();
                    partitions.get(partitions.size() - 1).addAll(piece);
                    if (random.nextInt(3) > 0) {
                        partitions.add(new ArrayList<>());
                    }
                    from = to;
                }
            }
            BinaryOperator<Sum> merge = Sum::merge;
            List<Sum> sent = new ArrayList<>();
            int fewest = 0;
            for (int p = 0; p < partitions.size(); ) {
                int end = Math.min(partitions.size(), p + 1 + random.nextInt(8));
                List<Sum> group = new ArrayList<>();
                for (; p < end; p++) {
                    group.addAll(partitions.get(p));
                    group = TreePart.merged(group, cut, merge);
                }
                sent.addAll(group);
                fewest += group.size();
            }
            assertThat(fewest)
                    .isLessThanOrEqualTo(
                            partitions.stream().mapToInt(List::size).sum());
            for (int w = 0; w < workers; w++) {
                int worker = w;
                Map<Tree.Node, Double> known = new HashMap<>();
                sent.stream()
                        .filter(sum -> sum.worker == worker)
                        .forEach(sum -> known.put(new Tree.Node(sum.from, sum.to), sum.value));
                double[] own = leaves.get(w);
                assertThat(Tree.<Double>complete(
                                own.length, (from, to) -> known.get(new Tree.Node(from, to)), (a, b) -> a + b))
                        .isEqualTo(Tree.<Double>reduce(own.length, b -> own[b], (a, b) -> a + b));
            }
        });
    }

    /** Forty pieces of two workers, whose vectors are long enough to be merged before the driver gets them. */
    @Test
    void aWorkerInManyPiecesTrainsToTheSameBits() throws Exception {
        Plan plan = Plan.defaults()
                .with("partition", "in-turn")
                .with(PlanKey.TEST_SHARE, 0.0)
                .with(PlanKey.WORKERS, 2)
                .with("rule", "mean")
                .with("lambda", "none")
                .with("scale", "none")
                .with("learning-rate", "0.1")
                .with(PlanKey.ROUNDS, 2);
        Dataset data = Samples.classes(Seed.of(6), 11_000, 120, 240, 0);
        assertThat(mergedJobs("round", () -> Sparks.trainsToTheSameBits(spark, data, plan, 40)))
                .isGreaterThanOrEqualTo(2);
    }

    /** Returns how many jobs with this in their description merged on the executors. */
    private static int mergedJobs(String description, Runnable work) throws Exception {
        AtomicInteger inTwoStages = new AtomicInteger();
        SparkListener listener = new SparkListener() {
            @Override
            public void onJobStart(SparkListenerJobStart job) {
                boolean merged = job.stageInfos()
                        .toList()
                        .exists(stage -> stage.name().startsWith("mapToPair at MergingCollect"));
                String what = job.properties().getProperty("spark.job.description", "");
                inTwoStages.addAndGet(what.contains(description) && merged ? 1 : 0);
            }
        };
        spark.sparkContext().addSparkListener(listener);
        try {
            work.run();
            spark.sparkContext().listenerBus().waitUntilEmpty();
        } finally {
            spark.sparkContext().removeSparkListener(listener);
        }
        return inTwoStages.get();
    }

    @Test
    void sumsOfWeightsOfManyPartitionsMergeToTheSameMeans() throws Exception {
        Dataset data = Samples.dataset(Seed.of(7), 200, 1).reweigh(r -> 1 + r);
        Columns columns = new Columns("features", "label", "weight", null);
        assertThat(mergedJobs("add up weights", () -> {
                    WorkerWeights found = Sparks.table(Sparks.frame(spark, data, 40), columns)
                            .weights(RowAssignment.inTurn(200, 4), new int[] {0, 1, 1, 0});
                    assertThat(found.workers()).containsExactly(99, 100, 101, 102);
                    assertThat(found.groups()).containsExactly(100.5, 100.5);
                }))
                .isOne();
    }
}
