package holdfast.spark;

import holdfast.data.UnusableSource;
import holdfast.formats.SummaryFile;
import holdfast.rounds.Ledger;
import holdfast.sources.Finding;
import holdfast.sources.Verdict;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.ml.classification.TrainingSummary;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * How a training went and what is said about its sources: what the summaries of all models have in common. It is saved
 * with the model; the predictions and what is computed from them are not.
 */
public interface RobustSummary extends TrainingSummary {
    /** All of it as one value, which prints as text and as JSON. */
    SummaryFile file();

    /** The number of rounds. */
    default int rounds() {
        return file().rounds();
    }

    /** The number of rounds, as Spark's summaries call it. */
    @Override
    default int totalIterations() {
        return rounds();
    }

    /** Whether training ended before {@code maxIter} rounds because the objective had converged. */
    default boolean converged() {
        return file().converged();
    }

    /**
     * The objective in every round if the step adapts; otherwise in every tenth, and with {@code tol} 0 in every
     * hundredth: the mean of the losses that
     * workers reported, after dropping as many of the largest and as many of the smallest as there may be liars.
     */
    @Override
    default double[] objectiveHistory() {
        return file().objectiveHistory();
    }

    /** The objective of the final model. */
    default double objective() {
        return file().objective();
    }

    /** The step size used; of the last round, unless it was given. */
    default double learningRate() {
        return file().learningRate();
    }

    /**
     * What happened to each worker. Being screened is no accusation, because some honest worker nearly always is.
     */
    default List<Ledger.Line> ledger() {
        return file().ledger();
    }

    /** What is said about each source, if workers are sources and there are at least four; otherwise empty. */
    default List<Verdict> verdicts() {
        return file().verdicts();
    }

    /** The sources whose rows could not be used. */
    default List<UnusableSource> unusable() {
        return file().unusable();
    }

    /** What the convergence theorems say about this run. */
    default String guarantee() {
        return file().guarantee();
    }

    /**
     * The verdicts as a DataFrame with a row for each finding. A source that does not stand out has one row, in which
     * {@code verdict} and what belongs to a finding are null. The columns: {@code source}; {@code agreement}, null if
     * it is not known; {@code verdict}: suspect, differs or unusable; {@code kind} of the finding; {@code column} that
     * it is about, null for labels; {@code finding} in words; {@code pValue}, corrected for the number of tests.
     */
    default Dataset<Row> verdictsFrame() {
        Stream<Row> compared = verdicts().stream()
                .flatMap(verdict -> verdict.named()
                        ? verdict.findings().stream().map(finding -> row(verdict, finding))
                        : Stream.of(row(verdict, null)));
        Stream<Row> unusable = unusable().stream()
                .map(source -> RowFactory.create(source.name(), null, "unusable", null, null, source.reason(), null));
        return SparkSession.active()
                .createDataFrame(
                        Stream.concat(compared, unusable).toList(),
                        new StructType()
                                .add("source", DataTypes.StringType, false)
                                .add("agreement", DataTypes.DoubleType)
                                .add("verdict", DataTypes.StringType)
                                .add("kind", DataTypes.StringType)
                                .add("column", DataTypes.StringType)
                                .add("finding", DataTypes.StringType)
                                .add("pValue", DataTypes.DoubleType));
    }

    private static Row row(Verdict verdict, Finding finding) {
        Double agreement = Double.isNaN(verdict.agreement()) ? null : (Double) verdict.agreement();
        return finding == null
                ? RowFactory.create(verdict.source(), agreement, null, null, null, null, null)
                : RowFactory.create(
                        verdict.source(),
                        agreement,
                        finding.verdict(),
                        finding.kind().key(),
                        finding.column().orElse(null),
                        finding.words(),
                        finding.pValue());
    }

    /**
     * The ledger as a DataFrame with a row for each worker: {@code worker}, {@code rounds}, {@code screened} (rounds in
     * which its update did not count), {@code failed} (in which it sent nothing usable) and {@code medianNormRatio},
     * null if it never sent anything.
     */
    default Dataset<Row> ledgerFrame() {
        return SparkSession.active()
                .createDataFrame(
                        ledger().stream()
                                .map(line -> RowFactory.create(
                                        line.worker(),
                                        line.rounds(),
                                        line.screened(),
                                        line.failed(),
                                        Double.isNaN(line.medianNormRatio()) ? null : (Double) line.medianNormRatio()))
                                .toList(),
                        new StructType()
                                .add("worker", DataTypes.StringType, false)
                                .add("rounds", DataTypes.IntegerType, false)
                                .add("screened", DataTypes.IntegerType, false)
                                .add("failed", DataTypes.IntegerType, false)
                                .add("medianNormRatio", DataTypes.DoubleType));
    }
}
