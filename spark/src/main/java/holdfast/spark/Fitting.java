package holdfast.spark;

import holdfast.Check;
import holdfast.data.DataSource;
import holdfast.data.Schema;
import holdfast.data.UnusableSource;
import holdfast.formats.ModelFile;
import holdfast.formats.SummaryFile;
import holdfast.model.Target;
import holdfast.plan.Plan;
import holdfast.sources.RunReview;
import holdfast.spark.engine.Columns;
import holdfast.spark.engine.Piece;
import holdfast.spark.engine.SparkEngine;
import holdfast.spark.engine.SparkTable;
import holdfast.training.PreparedRun;
import holdfast.training.Training;
import holdfast.training.TrainingRun;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import org.apache.spark.ml.attribute.Attribute;
import org.apache.spark.ml.attribute.AttributeGroup;
import org.apache.spark.ml.attribute.NominalAttribute;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.param.shared.HasThresholds;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.StructField;
import scala.Option;

/** The result of fitting an estimator to a DataFrame. */
record Fitting(ModelFile file, SummaryFile summary) {
    private static final DataSource SOURCE = new DataSource("DataFrame", "");

    /**
     * Trains the model of an estimator.
     *
     * @param plan what the estimator's Params say
     * @param target what labels must be
     * @throws holdfast.InputException for a plan that cannot work, before any job; for rows that cannot be learnt from,
     *     before the first round
     */
    static <S extends RobustSummary, M extends RobustModel<S>> M train(
            RobustEstimator<?> estimator,
            org.apache.spark.sql.Dataset<?> frame,
            Plan plan,
            Target target,
            BiFunction<Uid, Learnt, M> make) {
        Settings settings = estimator.settings();
        Fitting fitting = of(frame.toDF(), settings.columns(), plan, target, thresholds(estimator));
        M trained = make.apply(Uid.of(estimator.uid()), new Learnt(fitting.file));
        settings.tell(trained.settings(), plan);
        estimator.copyValues(trained, ParamMap.empty());
        List<String> unusable =
                fitting.summary.unusable().stream().map(UnusableSource::name).toList();
        trained.setSummary(Option.apply(
                trained.summaryOf(fitting.summary, SparkTable.without(frame.toDF(), settings.columns(), unusable))));
        return trained;
    }

    /**
     * @param target what labels must be
     * @param thresholds how many are given; 0 if none is
     * @throws holdfast.InputException for a plan that cannot work, before any job; for rows that cannot be learnt from,
     *     before the first round
     */
    static Fitting of(
            org.apache.spark.sql.Dataset<Row> frame, Columns columns, Plan plan, Target target, int thresholds) {
        boolean classes = target.isClass();
        requireMakeSense(plan, classes);
        SparkTable table = SparkTable.of(frame, columns, target, plan);
        Schema schema = new Schema(
                features(frame.schema().apply(columns.features()), table.width()),
                columns.label(),
                classes ? classes(frame.schema().apply(columns.label()), table) : List.of(),
                columns.source() == null ? List.of() : table.sources());
        Check.that(
                thresholds == 0 || thresholds == schema.classes().size(),
                "thresholds: there must be one for each of the %d classes, got %d",
                schema.classes().size(),
                thresholds);
        SparkEngine engine = new SparkEngine(table, plan, schema, SOURCE, frame.sparkSession());
        List<Double> objectives = new ArrayList<>();
        try (PreparedRun prepared = engine.startWorkers(frame.sparkSession())) {
            TrainingRun run = Training.of(SOURCE, plan)
                    .listener(round -> {
                        if (!Double.isNaN(round.objective())) {
                            objectives.add(round.objective());
                        }
                    })
                    .run(prepared);
            return new Fitting(
                    ModelFile.of(run),
                    SummaryFile.of(
                            RunReview.of(run, prepared, Optional.empty(), RunReview.Values.NONE),
                            objectives.stream().mapToDouble(Double::doubleValue).toArray()));
        }
    }

    private static int thresholds(RobustEstimator<?> estimator) {
        return estimator instanceof HasThresholds given && given.isDefined(given.thresholds())
                ? given.getThresholds().length
                : 0;
    }

    /** Checks the plan as far as possible without data. */
    private static void requireMakeSense(Plan plan, boolean classes) {
        SparkEngine.requireServes(plan);
        SparkEngine.objective(plan, Piece.unnamed(1, "label", classes ? List.of("0", "1") : List.of()));
    }

    /** Returns the feature names that the column's metadata gives, or else the column's name with a number. */
    private static List<String> features(StructField column, int width) {
        scala.Option<Attribute[]> known = AttributeGroup.fromStructField(column).attributes();
        Attribute[] attributes = known.isDefined() && known.get().length == width ? known.get() : new Attribute[width];
        return IntStream.range(0, width)
                .mapToObj(i -> attributes[i] == null || attributes[i].name().isEmpty()
                        ? column.name() + "_" + i
                        : attributes[i].name().get())
                .toList();
    }

    /** Returns the class names that the column's metadata gives, or else as many numbers as the labels need. */
    private static List<String> classes(StructField column, SparkTable table) {
        double last = table.labels().get(table.labels().size() - 1);
        if (Attribute.fromStructField(column) instanceof NominalAttribute nominal
                && nominal.values().isDefined()
                && nominal.values().get().length > last) {
            return List.of(nominal.values().get());
        }
        return IntStream.rangeClosed(0, Math.max(1, (int) last))
                .mapToObj(Integer::toString)
                .toList();
    }
}
