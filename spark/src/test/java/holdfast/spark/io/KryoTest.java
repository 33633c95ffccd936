package holdfast.spark.io;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.Seed;
import holdfast.data.Dataset;
import holdfast.model.Target;
import holdfast.plan.Plan;
import holdfast.sources.SourceVerdicts;
import holdfast.spark.RobustLogisticRegression;
import holdfast.spark.RobustLogisticRegressionModel;
import holdfast.spark.Sparks;
import holdfast.spark.engine.Columns;
import holdfast.spark.engine.SparkTable;
import holdfast.testkit.Samples;
import holdfast.training.PreparedData;
import holdfast.training.PreparedRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many clusters are set up with Spark's other serializer. */
class KryoTest {
    private static SparkSession spark;

    @BeforeAll
    static void start() {
        spark = Sparks.session("local[2]")
                .config("spark.serializer", "org.apache.spark.serializer.KryoSerializer")
                .getOrCreate();
    }

    @AfterAll
    static void stop() {
        spark.stop();
    }

    private static Plan plan(String... settings) {
        Plan plan = Plan.defaults();
        for (int i = 0; i < settings.length; i += 2) {
            plan = plan.with(settings[i], settings[i + 1]);
        }
        return plan;
    }

    @Test
    void trainsAndJudgesWithRowsHeldOut() {
        Dataset data = Samples.dataset(Seed.of(3), 1500, 5, 6);
        Plan plan = plan("workers-by", "s", "rounds", "10", "storage", "float");
        Sparks.trainsToTheSameBits(spark, data, plan, 3);
        try (PreparedRun prepared = Sparks.prepare(spark, data, plan, 3);
                PreparedRun local = PreparedData.of(data, plan).startWorkers(plan, 1)) {
            assertThat(SourceVerdicts.of(prepared)).isEqualTo(SourceVerdicts.of(local));
        }
    }

    @Test
    void screensInTwoPhases() {
        Sparks.trainsToTheSameBits(
                spark,
                Samples.sparse(Seed.of(5), 600, 60_000, 8),
                plan("partition", "in-turn", "test-share", "0", "workers", "75", "learning-rate", "0.5", "rounds", "3"),
                3);
    }

    @Test
    void readsFilesAndSavesModels(@TempDir Path folder) throws IOException {
        StringBuilder csv = new StringBuilder("a,b,colour,y\n");
        double[] random = Seed.of(8).random().gaussians(600);
        for (int r = 0; r < 300; r++) {
            double a = random[2 * r];
            csv.append(
                    a + "," + random[2 * r + 1] + "," + (r % 3 == 0 ? "red" : "blue") + "," + (a > 0 ? 1 : 0) + "\n");
        }
        Path file = Files.writeString(folder.resolve("t.csv"), csv.toString());
        Plan plan = plan("label", "y", "rounds", "5");
        try (SparkFile.Opened learnt = new SparkFile(spark, file.toString()).read(plan)) {
            assertThat(learnt.table().count()).isEqualTo(300);
        }
        RobustLogisticRegressionModel model = new RobustLogisticRegression()
                .setMaxIter(5)
                .fit(Sparks.frame(spark, Samples.dataset(Seed.of(9), 300, 2), 2));
        String saved = folder.resolve("model").toString();
        model.save(saved);
        assertThat(RobustLogisticRegressionModel.load(saved).coefficients()).isEqualTo(model.coefficients());
    }

    @Test
    void leavesOutSourcesThatCannotBeUsed(@TempDir Path folder) throws IOException {
        StringBuilder csv = new StringBuilder("a,colour,site,y\n");
        for (int r = 0; r < 300; r++) {
            csv.append(r == 7 ? "none" : "" + r % 17)
                    .append(r % 3 == 0 ? ",red,s" : ",blue,s")
                    .append(r % 5)
                    .append(r % 2 == 0 ? ",no\n" : ",yes\n");
        }
        Path file = Files.writeString(folder.resolve("t.csv"), csv.toString());
        Plan plan = plan("workers-by", "site", "tolerated", "1");
        try (SparkFile.Opened learnt = new SparkFile(spark, file.toString()).read(plan)) {
            assertThat(learnt.table().count()).isEqualTo(240);
            assertThat(learnt.table().unusable()).hasSize(1);
        }
        Dataset data = Samples.dataset(Seed.of(3), 300, 2, 5);
        Columns columns = new Columns("features", "label", null, "source");
        assertThat(SparkTable.of(Sparks.frame(spark, data, 3), columns, Target.CLASSES, plan)
                        .count())
                .isEqualTo(300);
    }
}
