package holdfast.spark.engine;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.Seed;
import holdfast.data.Dataset;
import holdfast.data.DatasetBuilder;
import holdfast.plan.Plan;
import holdfast.sources.SourceVerdicts;
import holdfast.sources.Verdict;
import holdfast.spark.Sparks;
import holdfast.testkit.Samples;
import holdfast.training.PreparedData;
import holdfast.training.PreparedRun;
import holdfast.training.SourceSample;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sources are judged on Spark as in one process. */
class SparkSampleTest {
    private static SparkSession spark;

    @BeforeAll
    static void start() {
        spark = Sparks.local();
    }

    @AfterAll
    static void stop() {
        spark.stop();
    }

    @ParameterizedTest
    @CsvSource({"two, 0.3, double", "two, 0.3, float", "two, 0, double", "classes, 0.2, double", "numbers, 0.25, double"
    })
    void judgesSourcesAlike(String labels, String testShare, String storage) {
        Dataset rows = labels.equals("two")
                ? Samples.dataset(Seed.of(3), 1500, 5, 6)
                : labels.equals("classes")
                        ? Samples.classes(Seed.of(3), 1500, 5, 4, 6)
                        : Samples.numbers(Seed.of(3), 1500, 5, 6);
        DatasetBuilder turned = new DatasetBuilder(5);
        for (int r = 0; r < rows.rows(); r++) {
            double label = rows.label(r);
            int most = Math.max(1, rows.schema().classes().size() - 1);
            turned.add(rows.row(r), rows.group(r) == 2 ? most - label : label, rows.group(r), 1);
        }
        Dataset data = turned.build(rows.schema(), rows.source());
        Plan plan = Plan.defaults()
                .with("workers-by", "s")
                .with("test-share", testShare)
                .with("storage", storage)
                .with("learning-rate", testShare.equals("0") ? "0.3" : "auto")
                .with("batch", "10");
        List<Verdict> expected;
        SourceSample few;
        try (PreparedRun prepared = PreparedData.of(data, plan).startWorkers(plan, 1)) {
            expected = SourceVerdicts.of(prepared);
            few = prepared.probe().sample(20);
        }
        assertThat(expected).extracting(Verdict::suspect).containsExactly(false, false, true, false, false, false);
        SparkTable table = Sparks.table(Sparks.frame(spark, data, 3), new Columns("features", "label", null, "source"));
        try (PreparedRun prepared =
                new SparkEngine(table, plan, data.schema(), data.source(), spark).startWorkers(spark)) {
            assertThat(SourceVerdicts.of(prepared)).isEqualTo(expected);
            SourceSample sampled = prepared.probe().sample(20);
            assertThat(sampled.heldOut()).isEqualTo(few.heldOut());
            assertThat(sampled.table().schema()).isEqualTo(few.table().schema());
            assertThat(sampled.table().rows()).isEqualTo(6 * 20);
            for (int r = 0; r < sampled.table().rows(); r++) {
                assertThat(sampled.table().cells().row(r))
                        .isEqualTo(few.table().cells().row(r));
                assertThat(sampled.table().cells().group(r))
                        .isEqualTo(few.table().cells().group(r));
            }
            assertThat(Arrays.stream(prepared.sizes()).sum())
                    .isEqualTo(prepared.rows()
                            - prepared.heldOut().map(Dataset::rows).orElse(0));
        }
    }
}
