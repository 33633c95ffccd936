package holdfast.spark.engine;

import com.esotericsoftware.kryo.DefaultSerializer;
import com.esotericsoftware.kryo.serializers.JavaSerializer;
import holdfast.data.Dataset;
import holdfast.data.Rows;
import holdfast.data.Schema;
import holdfast.model.Model;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.plan.PortablePlan;
import holdfast.preparation.AcrossSources;
import holdfast.rounds.WorkerPool;
import holdfast.training.PlanResolver;
import holdfast.training.SourceProbe;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;

/** Examines the workers of a cluster: gradients and scores come to the driver, which ranks them. */
final class SparkSourceProbe implements SourceProbe {
    private final JavaSparkContext spark;
    private final Plan plan;
    private final Schema schema;
    private final Model model;
    private final Supplier<Training> training;
    private final AcrossSources across;
    private final Pieces shards;
    private final OptionalDouble curvature;
    private final List<Optional<Dataset>> heldOut;
    private final PortablePlan plain;

    /** All training rows, by group of sources, for as long as they are needed. */
    record Training(Rows rows, Runnable letGo) implements AutoCloseable {
        @Override
        public void close() {
            letGo.run();
        }
    }

    /**
     * @param training the training rows
     * @param across combines what their groups say
     * @param shards the same rows by worker
     * @param curvature empty if it is not known yet
     * @param workers their names
     * @param heldOut scaled; empty if there are none
     */
    SparkSourceProbe(
            JavaSparkContext spark,
            Plan plan,
            Schema schema,
            Supplier<Training> training,
            AcrossSources across,
            Pieces shards,
            OptionalDouble curvature,
            List<String> workers,
            Optional<Dataset> heldOut) {
        this.spark = spark;
        this.plan = plan;
        this.schema = schema;
        this.model = plan.model(schema);
        this.training = training;
        this.across = across;
        this.shards = shards;
        this.curvature = curvature;
        this.heldOut = heldOut.map(rows -> SourceProbe.bySource(rows, workers)).orElse(List.of());
        this.plain = PortablePlan.of(Plan.defaults(plan.catalogues())
                .with(PlanKey.MODEL, plan.get(PlanKey.MODEL))
                .with(PlanKey.INTERCEPT, plan.get(PlanKey.INTERCEPT))
                .with(PlanKey.LAMBDA, Optional.empty())
                .with(PlanKey.L2, 0.0));
    }

    @Override
    public double curvature() {
        return curvature.orElseGet(() -> {
            try (Training all = training.get()) {
                return new PlanResolver(all.rows, across).curvature(plan);
            }
        });
    }

    @Override
    public WorkerPool plain() {
        BlockLayout cut = shards.cut();
        PortablePlan portable = plain;
        return new SparkPool(
                spark,
                shards.rdd().map(piece -> new ShardHolder(piece, cut.blocks(piece.worker()), 1, portable)),
                cut.workers(),
                1,
                new SparkPool.Merging(
                        plain.plan().loss(schema), cut, schema.features().size()),
                () -> {});
    }

    /** Scores and labels of the rows of one piece. */
    @DefaultSerializer(JavaSerializer.class)
    private record Part(int worker, int firstBlock, double[] scores, double[] labels) implements Serializable {}

    @Override
    public List<Scored> scored(double[] theta, List<Integer> workers) {
        PortablePlan portable = plain;
        Set<Integer> wanted = Set.copyOf(workers);
        Broadcast<double[]> parameters = spark.broadcast(theta);
        JavaRDD<Part> scored = shards.rdd()
                .filter(piece -> wanted.contains(piece.worker()))
                .map(piece -> {
                    Model own = portable.plan().model(piece.rows().schema());
                    Scored rows = Scored.of(own, parameters.value(), piece.rows());
                    return new Part(piece.worker(), piece.firstBlock(), rows.scores(), rows.labels());
                });
        List<Part> parts = new ArrayList<>(SparkJobs.run(spark.sc(), "score rows", scored::collect));
        SparkJobs.undisturbed(() -> parameters.destroy(false));
        parts.sort(Comparator.comparingInt(Part::firstBlock));
        Map<Integer, List<Scored>> byWorker = new HashMap<>();
        parts.forEach(part -> byWorker.computeIfAbsent(part.worker, w -> new ArrayList<>())
                .add(new Scored(part.scores, part.labels)));
        return workers.stream()
                .map(worker -> {
                    List<Scored> own = new ArrayList<>(byWorker.getOrDefault(worker, List.of()));
                    if (worker < heldOut.size()) {
                        heldOut.get(worker).ifPresent(rows -> own.add(Scored.of(model, theta, rows)));
                    }
                    return Scored.all(own);
                })
                .toList();
    }
}
