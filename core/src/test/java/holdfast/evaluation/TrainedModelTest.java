package holdfast.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import holdfast.InputException;
import holdfast.Seed;
import holdfast.data.DataSource;
import holdfast.data.Dataset;
import holdfast.data.Schema;
import holdfast.model.Models;
import holdfast.preparation.LabelScaling;
import holdfast.preparation.Scaling;
import holdfast.testkit.Samples;
import holdfast.training.Provenance;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class TrainedModelTest {
    private static final Scaling NONE = new Scaling(Scaling.Kind.NONE, new double[2], new double[] {1, 1});

    private static TrainedModel model(double threshold, Scaling scaling, LabelScaling labels, double... theta) {
        return new TrainedModel(
                Models.catalogue().choose("logistic"), true, theta, scaling, labels, Samples.schema(2), threshold);
    }

    @Test
    void partsThatDoNotFitAreRefused() {
        model(0.5, NONE, LabelScaling.NONE, 1, 2, 3);
        assertThatThrownBy(() -> model(0.5, NONE, LabelScaling.NONE, 1, 2))
                .isInstanceOf(InputException.class)
                .hasMessage("model: there must be 3 weights, got 2");
        assertThatThrownBy(() -> model(0.5, NONE, LabelScaling.NONE, 1, Double.NaN, 3))
                .isInstanceOf(InputException.class)
                .hasMessage("model: weights must be finite");
        Scaling wide = new Scaling(Scaling.Kind.NONE, new double[3], new double[] {1, 1, 1});
        assertThatThrownBy(() -> model(0.5, wide, LabelScaling.NONE, 1, 2, 3))
                .isInstanceOf(InputException.class)
                .hasMessage("model: scaling must have 2 columns, got 3");
        assertThatThrownBy(() -> model(0.5, NONE, new LabelScaling(1, 2), 1, 2, 3))
                .isInstanceOf(InputException.class)
                .hasMessageStartingWith("model: only numbers are scaled");
        for (double bad : new double[] {0, 1, -1, 2, Double.NaN}) {
            assertThatThrownBy(() -> model(bad, NONE, LabelScaling.NONE, 1, 2, 3))
                    .isInstanceOf(InputException.class)
                    .hasMessageStartingWith("model: threshold must be between 0 and 1");
        }
    }

    @Test
    void everyRowHasOneScoreAndProbabilitiesThatSumToOne() {
        Dataset rows = Samples.dataset(Seed.of(1), 300, 2);
        TrainedModel model = model(0.5, NONE, LabelScaling.NONE, 1, -2, 0.5);
        Predictions said = model.predict(rows);
        assertThat(said.rows()).isEqualTo(300);
        assertThat(model.scores(rows)).hasSize(300);
        for (int r = 0; r < 300; r++) {
            double u = rows.row(r)[0] - 2 * rows.row(r)[1] + 0.5;
            assertThat(model.scores(rows)[r]).isCloseTo(u, within(1e-12));
            assertThat(said.probabilities(r)[1]).isCloseTo(1 / (1 + Math.exp(-u)), within(1e-12));
            assertThat(said.probabilities(r)[0] + said.probabilities(r)[1]).isCloseTo(1, within(1e-15));
        }
        Dataset classes = Samples.classes(Seed.of(1), 300, 2, 3, 0);
        TrainedModel three = new TrainedModel(
                Models.catalogue().choose("softmax"),
                false,
                new double[6],
                NONE,
                LabelScaling.NONE,
                classes.schema(),
                0.5);
        assertThat(three.predict(classes).rows()).isEqualTo(300);
        assertThat(three.predict(classes).scores()).hasSize(900);
    }

    /** The offset of the last class makes it the likeliest of every row. */
    @Test
    void calibratedProbabilitiesOfManyClassesLeaveLabelsAlone() {
        Dataset rows = Samples.classes(Seed.of(2), 100, 2, 3, 0);
        TrainedModel trained = new TrainedModel(
                Models.catalogue().choose("softmax"),
                false,
                new double[] {1, -2, 0.5, 1, -1, 0.3},
                NONE,
                LabelScaling.NONE,
                rows.schema(),
                0.5);
        Predictions before = trained.predict(rows);
        double[] offsets = {-12, -8, 20};
        Predictions after = trained.deciding(new Calibration(1.5, List.of(-12.0, -8.0, 20.0)), 0.5)
                .predict(rows);
        for (int r = 0; r < 100; r++) {
            assertThat(after.label(r)).isEqualTo(before.label(r));
            double sum = 0;
            for (int c = 0; c < 3; c++) {
                sum += Math.exp(1.5 * before.scores()[3 * r + c] + offsets[c]);
            }
            for (int c = 0; c < 3; c++) {
                double p = Math.exp(1.5 * before.scores()[3 * r + c] + offsets[c]) / sum;
                assertThat(after.probabilities(r)[c]).isCloseTo(p, within(1e-12));
                assertThat(after.logProbabilities(r)[c]).isCloseTo(Math.log(p), within(1e-9));
            }
        }
        assertThatThrownBy(() -> trained.deciding(new Calibration(2, 1), 0.5))
                .isInstanceOf(InputException.class)
                .hasMessage("model: a calibration needs probabilities, and an offset for each of 3 classes, got"
                        + " Calibration[slope=2.0, offsets=[-0.5, 0.5]]");
        assertThatThrownBy(() -> new TrainedModel(
                                Models.catalogue().choose("svm"),
                                false,
                                new double[2],
                                NONE,
                                LabelScaling.NONE,
                                Samples.schema(2),
                                0.5)
                        .deciding(new Calibration(2, 1), 0.5))
                .isInstanceOf(InputException.class)
                .hasMessageStartingWith("model: a calibration needs probabilities");
    }

    /** A probability of exactly the threshold is the second class; of equal scores the first class wins. */
    @Test
    void atTheThresholdARowIsTheSecondClass() {
        Dataset rows = Samples.dataset(Seed.of(1), 3, 2);
        assertThat(model(0.5, NONE, LabelScaling.NONE, 0, 0, 0).predict(rows).label(0))
                .isOne();
        assertThat(model(0.51, NONE, LabelScaling.NONE, 0, 0, 0).predict(rows).label(0))
                .isZero();
        TrainedModel margin = new TrainedModel(
                Models.catalogue().choose("svm"),
                false,
                new double[2],
                NONE,
                LabelScaling.NONE,
                Samples.schema(2),
                0.5);
        assertThat(margin.predict(rows).label(0)).isOne();
        Dataset classes = Samples.classes(Seed.of(1), 30, 2, 3, 0);
        TrainedModel three = new TrainedModel(
                Models.catalogue().choose("softmax"),
                false,
                new double[6],
                NONE,
                LabelScaling.NONE,
                classes.schema(),
                0.5);
        assertThat(three.predict(classes).label(7)).isZero();
    }

    @Test
    void aModelSaysWhereItCameFrom() throws IOException {
        Provenance from = Provenance.of(new DataSource("mail.csv", "ab"), 7, 3);
        assertThat(from.data()).isEqualTo(new DataSource("mail.csv", "ab"));
        assertThat(from.rows()).isEqualTo(7);
        assertThat(from.seed()).isEqualTo(3);
        assertThat(from.java()).contains(System.getProperty("java.vm.version"));
        Path cpus = Path.of("/proc/cpuinfo");
        List<String> named = Files.isReadable(cpus)
                ? Files.readAllLines(cpus).stream()
                        .filter(line -> line.startsWith("model name"))
                        .toList()
                : List.of();
        String expected = named.isEmpty()
                ? System.getProperty("os.arch") + ", " + System.getProperty("os.name")
                : named.get(0).replaceFirst("^model name\\s*:\\s*", "").strip();
        assertThat(from.cpu()).isEqualTo(expected).isNotBlank();
    }

    @Test
    void metricsHaveAKeyForJson() {
        assertThat(Metric.LOG_LOSS.key()).isEqualTo("log_loss");
        assertThat(Metric.AUC.key()).isEqualTo("auc");
    }

    @Test
    void onlyClassesHaveProbabilitiesAndOfThoseNotMargins() {
        Dataset rows = Samples.numbers(Seed.of(1), 5, 2, 0);
        for (String kind : List.of("linear", "poisson", "svm", "logistic")) {
            Schema schema = kind.equals("svm") || kind.equals("logistic") ? Samples.schema(2) : rows.schema();
            TrainedModel model = new TrainedModel(
                    Models.catalogue().choose(kind), false, new double[2], NONE, LabelScaling.NONE, schema, 0.5);
            assertThat(model.predict(rows).hasProbabilities()).as(kind).isEqualTo(kind.equals("logistic"));
        }
    }
}
