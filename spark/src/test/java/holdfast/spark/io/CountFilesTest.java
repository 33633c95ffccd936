package holdfast.spark.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.InputException;
import holdfast.Randomness;
import holdfast.Seed;
import holdfast.formats.DataFile;
import holdfast.model.Target;
import holdfast.plan.Header;
import holdfast.plan.Plan;
import holdfast.spark.Sparks;
import holdfast.spark.engine.SparkEngine;
import holdfast.testkit.Laws;
import holdfast.testkit.Samples;
import holdfast.training.PreparedRun;
import holdfast.training.Training;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files whose labels are counts. */
class CountFilesTest {
    private static SparkSession spark;

    @TempDir
    private Path folder;

    @BeforeAll
    static void start() {
        spark = Sparks.local();
    }

    @AfterAll
    static void stop() {
        spark.stop();
    }

    private String table(String instead) throws IOException {
        Randomness random = Seed.of(1).child("counts").random();
        StringBuilder out = new StringBuilder("a,b,site,y\n");
        for (int r = 0; r < 600; r++) {
            double[] x = random.gaussians(2);
            int count = Samples.count(3 * Math.exp(0.5 * x[0]), random);
            out.append(x[0] + "," + x[1] + ",s" + r % 6 + "," + (r == 40 ? instead : count) + "\n");
        }
        return Files.writeString(folder.resolve("counts.csv"), out).toString();
    }

    private static Plan plan(int tolerated) {
        return Plan.defaults()
                .with("rounds", "8")
                .with("model", "poisson")
                .with("workers-by", "site")
                .with("tolerated", Integer.toString(tolerated));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2})
    void areLearntAsInOneProcess(int tolerated) throws IOException {
        String file = table("3");
        Plan plan = plan(tolerated);
        var expected = Training.of(DataFile.read(file, plan), plan).run();
        try (SparkFile.Opened opened = new SparkFile(spark, file).read(plan);
                PreparedRun prepared = new SparkEngine(opened.table(), plan, opened.schema(), opened.source(), spark)
                        .startWorkers(spark)) {
            var run = Training.of(opened.source(), plan).run(prepared);
            assertThat(Laws.bits(run.model().theta()))
                    .isEqualTo(Laws.bits(expected.model().theta()));
        }
    }

    @Test
    void aLabelThatIsNoCountIsRefusedOrChargedToItsSource() throws IOException {
        String file = table("2.5");
        assertThatThrownBy(() -> new SparkFile(spark, file).read(plan(0)))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("row 41, column 4 (y) must be a count, a whole number from 0, got 2.5");
        try (SparkFile.Opened opened = new SparkFile(spark, file).read(plan(2))) {
            assertThat(opened.table().unusable()).singleElement().satisfies(source -> {
                assertThat(source.name()).isEqualTo("s4");
                assertThat(source.reason()).contains("must be a count, a whole number from 0, got 2.5");
            });
        }
    }

    @Test
    void testedRowsMustHaveCountsToo() throws IOException {
        Plan plan = plan(0);
        String good = table("3");
        try (SparkFile.Opened opened = new SparkFile(spark, good).read(plan)) {
            SparkEngine engine = new SparkEngine(opened.table(), plan, opened.schema(), opened.source(), spark);
            String bad = table("-1");
            assertThatThrownBy(() -> new SparkFile(spark, bad)
                            .read(opened, engine.features(), engine.encoding(), Target.COUNT, Header.AUTO))
                    .isInstanceOf(InputException.class)
                    .hasMessageContaining("must be a count, a whole number from 0, got -1");
        }
    }
}
