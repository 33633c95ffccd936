package holdfast.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import holdfast.InputException;
import holdfast.Randomness;
import holdfast.Seed;
import holdfast.data.Block;
import holdfast.data.DataSource;
import holdfast.data.Dataset;
import holdfast.data.DatasetBuilder;
import holdfast.data.DenseBlock;
import holdfast.data.Schema;
import holdfast.model.Models;
import holdfast.preparation.Encoding;
import holdfast.preparation.LabelScaling;
import holdfast.preparation.Scaling;
import holdfast.shift.Drift;
import holdfast.shift.Missing;
import holdfast.shift.Prior;
import holdfast.shift.Shift;
import holdfast.testkit.Laws;
import holdfast.testkit.Samples;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Shifts that nobody intends: drift, lost cells, other shares of classes. */
class NaturalShiftsTest {
    private static final Encoding CELLS = new Encoding(List.of(
            new Encoding.Column("age", List.of(), List.of(40.0), true),
            new Encoding.Column("colour", List.of("blue", "green", "red"), List.of(0.5, 0.25, 0.25), false),
            new Encoding.Column("dose", List.of(), List.of(), false),
            new Encoding.Column("ward", List.of("a", "b"), List.of(), false)));

    private static double[] row(Block block, int j) {
        double[] x = new double[block.columns()];
        block.copyRow(j, x, 0);
        return x;
    }

    private static double[] factors(Drift drift, int columns) {
        double[] ones = new double[columns];
        Arrays.fill(ones, 1);
        return row(
                drift.measured(
                        Encoding.NONE, Scaling.none(columns), new DenseBlock(columns, ones, new double[1], null)),
                0);
    }

    private static TrainedModel logistic(Seed seed, Scaling scaling, Schema schema) {
        return new TrainedModel(
                Models.catalogue().choose("logistic"),
                true,
                seed.random().gaussians(schema.features().size() + 1),
                scaling,
                LabelScaling.NONE,
                schema,
                0.5);
    }

    /** (f x - offset)/divisor is what a scaling by offset/f and divisor/f makes of x. */
    @Test
    void aDriftedRowScoresAsItDoesWithAnotherScaling() {
        Laws.check(20, seed -> {
            Dataset data = Samples.dataset(seed, 300, 4).map(block -> {
                double[] values =
                        Arrays.stream(block.filled("")).map(x -> 7 + x).toArray();
                return new DenseBlock(4, values, block.labels(), block.weights());
            });
            Drift drift = new Drift(0.3);
            double[] f = factors(drift, 4);
            Scaling scaling = Scaling.fit(Scaling.Kind.STANDARDISE, data);
            double[] offsets = scaling.offsets();
            double[] divisors = scaling.divisors();
            Arrays.setAll(offsets, i -> offsets[i] / f[i]);
            Arrays.setAll(divisors, i -> divisors[i] / f[i]);
            assertThat(logistic(seed, scaling, data.schema())
                            .shifted(data, drift)
                            .scores())
                    .containsExactly(
                            logistic(seed, new Scaling(scaling.kind(), offsets, divisors), data.schema())
                                    .scores(data),
                            within(1e-9));
        });
    }

    @Test
    void everyColumnDriftsByItsOwnFactorWithinTheRange() {
        double[] f = factors(new Drift(0.2), 2000);
        assertThat(Arrays.stream(f)).allMatch(x -> x >= 0.8 && x <= 1.2);
        assertThat(Arrays.stream(f).distinct()).hasSize(2000);
        // Uniform: mean 1 and standard deviation 0.2/sqrt(3), to five standard errors.
        assertThat(Arrays.stream(f).average().orElseThrow()).isCloseTo(1, within(0.013));
        assertThat(Arrays.stream(f).map(x -> (x - 1) * (x - 1)).average().orElseThrow())
                .isCloseTo(0.04 / 3, within(0.0014));
        assertThat(factors(new Drift(0), 5)).containsOnly(1);
    }

    @Test
    void onlyNumbersDrift() {
        Dataset rows = encoded(new double[][] {{30, 2, 5, 1}, {Double.NaN, 0, -3, 0}});
        Block drifted =
                new Drift(0.5).measured(CELLS, Scaling.none(8), rows.blocks().get(0));
        double[] f = factors(new Drift(0.5), 4);
        assertThat(row(drifted, 0)).containsExactly(30 * f[0], 0, 0, 0, 1, 5 * f[2], 0, 1);
        assertThat(row(drifted, 1)).containsExactly(40 * f[0], 1, 1, 0, 0, -3 * f[2], 1, 0);
    }

    private static Dataset encoded(double[][] cells) {
        DatasetBuilder builder = new DatasetBuilder(8);
        Arrays.stream(cells).forEach(row -> CELLS.add(row, 0, 0, 1, builder));
        return builder.build(new Schema(CELLS.features(), "y", List.of("0", "1"), List.of()), DataSource.MEMORY);
    }

    /**
     * A row that lost cells is what the encoding makes of the row with some of its cells missing, found among all sixteen
     * ways to lose some of four cells. Two columns cannot be filled; they become what is scaled to 0.
     */
    @Test
    void aLostCellIsFilledAsAMissingOne() {
        double[] offsets = {1, 0.1, 0.2, 0.3, 0.4, 6, 0.5, 0.6};
        Scaling scaling =
                new Scaling(Scaling.Kind.STANDARDISE, offsets, Scaling.none(8).divisors());
        int[] lost = new int[4];
        Randomness random = Seed.of(3).random();
        int rows = 4000;
        double[][] cells = new double[rows][];
        for (int r = 0; r < rows; r++) {
            cells[r] = new double[] {
                random.nextInt(5) == 0 ? Double.NaN : random.nextGaussian(),
                random.nextInt(3),
                random.nextGaussian(),
                random.nextInt(2)
            };
        }
        Dataset data = encoded(cells);
        for (int r = 0; r < rows; r++) {
            double[] found = row(
                    new Missing(0.2)
                            .measured(
                                    CELLS,
                                    scaling,
                                    data.select(new int[] {r}).blocks().get(0)),
                    0);
            List<Integer> ways = new ArrayList<>();
            for (int way = 0; way < 16; way++) {
                if (Arrays.equals(found, without(cells[r], way, offsets))) {
                    ways.add(way);
                }
            }
            // A cell that was missing already can be lost or not: that looks the same.
            assertThat(ways).hasSize(Double.isNaN(cells[r][0]) ? 2 : 1);
            int way = ways.get(ways.size() - 1);
            IntStream.range(0, 4).filter(c -> (way >> c & 1) == 1).forEach(c -> lost[c]++);
        }
        for (int c = 1; c < 4; c++) {
            assertThat(lost[c] / (double) rows)
                    .as("column %d", c)
                    .isCloseTo(0.2, within(0.032)); // five standard errors
        }
    }

    private static double[] without(double[] cells, int way, double[] offsets) {
        double[] left = cells.clone();
        if ((way & 1) == 1) {
            left[0] = Double.NaN;
        }
        if ((way & 2) == 2) {
            left[1] = Double.NaN;
        }
        double[] features = encoded(new double[][] {left}).row(0);
        if ((way & 4) == 4) {
            features[5] = offsets[5];
        }
        if ((way & 8) == 8) {
            features[6] = offsets[6];
            features[7] = offsets[7];
        }
        return features;
    }

    @Test
    void whatHappensToARowDoesNotDependOnOthers() {
        Laws.check(10, seed -> {
            Dataset data = Samples.dataset(seed, 300, 3);
            TrainedModel model = logistic(seed, Scaling.fit(Scaling.Kind.STANDARDISE, data), data.schema());
            int[] turned = IntStream.range(0, 300).map(r -> 299 - r).toArray();
            for (Shift shift : List.of(new Drift(0.2), new Missing(0.3))) {
                double[] scores = model.shifted(data, shift).scores();
                double[] there = model.shifted(data.select(turned), shift).scores();
                for (int r = 0; r < 300; r++) {
                    assertThat(there[299 - r]).isEqualTo(scores[r]);
                }
                assertThat(scores).isNotEqualTo(model.scores(data));
            }
        });
    }

    @Test
    void sparseRowsStaySparseAndChangeLikeDenseOnes() {
        Laws.check(10, seed -> {
            Block dense = Samples.dense(seed, 50, 20, 4).blocks().get(0);
            Block sparse = Samples.sparse(seed, 50, 20, 4).blocks().get(0);
            for (Shift shift : List.of(new Drift(0.2), new Missing(0.3))) {
                Block changed = shift.measured(Encoding.NONE, Scaling.none(20), sparse);
                assertThat(changed.sparse()).isTrue();
                assertThat(changed.filled(""))
                        .isEqualTo(shift.measured(Encoding.NONE, Scaling.none(20), dense)
                                .filled(""))
                        .isNotEqualTo(sparse.filled(""));
            }
        });
        List<String> values =
                IntStream.range(100, 400).mapToObj(Integer::toString).toList();
        Encoding words = new Encoding(
                List.of(Encoding.Column.number("n"), new Encoding.Column("word", values, shares(values.size()), true)));
        DatasetBuilder builder = words.builder();
        words.add(new double[] {3, 17}, 0, 0, 1, builder);
        Block one = builder.build(new Schema(words.features(), "y", List.of("0", "1"), List.of()), DataSource.MEMORY)
                .blocks()
                .get(0);
        Block lost = new Missing(1).measured(words, Scaling.none(302), one);
        assertThat(one.sparse()).isTrue();
        assertThat(lost.sparse()).isTrue();
        DatasetBuilder nothing = words.builder();
        words.add(new double[] {0, Double.NaN}, 0, 0, 1, nothing);
        assertThat(row(lost, 0))
                .isEqualTo(nothing.build(Samples.schema(302), DataSource.MEMORY).row(0));
    }

    private static List<Double> shares(int values) {
        return IntStream.range(0, values).mapToObj(v -> 1.0 / values).collect(Collectors.toList());
    }

    private static Evaluation evaluate(Dataset data, TrainedModel model, Shift shift) {
        return Evaluation.of(model, data, shift);
    }

    /** Rows of one class alone have the class's own figures; a shift of the classes averages these. */
    @Test
    void anotherPriorAveragesTheFiguresOfTheClasses() {
        Laws.check(20, seed -> {
            int k = 2 + seed.random().nextInt(3);
            Dataset data = Samples.classes(seed, 300, 4, k, 1);
            TrainedModel model = new TrainedModel(
                    Models.catalogue().choose("softmax"),
                    true,
                    seed.child("theta").random().gaussians(5 * k),
                    Scaling.none(4),
                    LabelScaling.NONE,
                    data.schema(),
                    0.5);
            int label = seed.random().nextInt(k);
            double share = 0.1 + 0.8 * seed.child("share").random().nextDouble();
            double[] after = new double[k];
            double[] count = new double[k];
            IntStream.range(0, 300).forEach(r -> count[(int) data.label(r)]++);
            for (int c = 0; c < k; c++) {
                after[c] = c == label ? share : (1 - share) * count[c] / (300 - count[label]);
            }
            double error = 0;
            double loss = 0;
            for (int c = 0; c < k; c++) {
                int own = c;
                Evaluation alone = evaluate(
                        data.select(IntStream.range(0, 300)
                                .filter(r -> data.label(r) == own)
                                .toArray()),
                        model,
                        Shift.NONE);
                error += after[c] * alone.error();
                loss += after[c] * alone.logLoss();
            }
            Evaluation made = evaluate(data, model, new Prior(label, share));
            assertThat(made.error()).isCloseTo(error, within(1e-12));
            assertThat(made.logLoss()).isCloseTo(loss, within(1e-12));
            assertThat(made.interval(Metric.ERROR).orElseThrow().contains(error))
                    .isTrue();
            assertThat(made.interval(Metric.LOG_LOSS).orElseThrow().contains(loss))
                    .isTrue();
            assertThat(made.confusion())
                    .isDeepEqualTo(evaluate(data, model, Shift.NONE).confusion());
            assertThat(made.auc()).isCloseTo(weightedAuc(model.predict(data), data, after, count), within(1e-12));
            assertThat(made.get(Metric.CALIBRATION_ERROR))
                    .isCloseTo(calibrationError(model.predict(data), data, after, count), within(1e-12));
        });
    }

    /** The mean over classes of the weight of ordered pairs of a row of the class and one of another. */
    private static double weightedAuc(Predictions said, Dataset data, double[] after, double[] count) {
        int k = after.length;
        double mean = 0;
        for (int c = 0; c < k; c++) {
            double wins = 0;
            double pairs = 0;
            for (int i = 0; i < data.rows(); i++) {
                for (int j = 0; j < data.rows(); j++) {
                    int other = (int) data.label(j);
                    if (data.label(i) == c && other != c) {
                        double weight = after[other] / count[other];
                        pairs += weight;
                        wins += weight
                                * (1 + Math.signum(said.logProbabilities(i)[c] - said.logProbabilities(j)[c]))
                                / 2;
                    }
                }
            }
            mean += wins / pairs / k;
        }
        return mean;
    }

    private static double calibrationError(Predictions said, Dataset data, double[] after, double[] count) {
        double[] gaps = new double[10];
        for (int j = 0; j < data.rows(); j++) {
            int c = (int) data.label(j);
            int asked = after.length == 2 ? 1 : (int) said.label(j);
            double p = said.probabilities(j)[asked];
            gaps[Math.min(9, (int) (10 * p))] += after[c] / count[c] * (p - (c == asked ? 1 : 0));
        }
        return Arrays.stream(gaps).map(Math::abs).sum();
    }

    @Test
    void thePriorOfTheRowsChangesNothing() {
        Dataset data = Samples.dataset(Seed.of(1), 300, 4);
        TrainedModel model = logistic(Seed.of(2), Scaling.none(4), data.schema());
        double share =
                IntStream.range(0, 300).mapToDouble(data::label).average().orElseThrow();
        Evaluation plain = evaluate(data, model, Shift.NONE);
        Evaluation same = evaluate(data, model, new Prior(1, share));
        plain.metrics()
                .forEach((metric, value) ->
                        assertThat(same.get(metric)).as("%s", metric).isCloseTo(value, within(1e-12)));
        assertThat(same.interval(Metric.AUC)).isEqualTo(plain.interval(Metric.AUC));
    }

    /** Over many samples the interval of a weighted error contains the true one in about 95 of 100. */
    @Test
    void theIntervalOfAWeightedErrorCoversIt() {
        Randomness random = Seed.of(5).random();
        double[] weights = {0.3, 0.7};
        double[] wrong = {0.05, 0.2};
        int[] rows = {40, 120};
        int covered = 0;
        int runs = 2000;
        for (int run = 0; run < runs; run++) {
            double[] shares = new double[2];
            List<Interval> own = new ArrayList<>();
            for (int c = 0; c < 2; c++) {
                int k = 0;
                for (int r = 0; r < rows[c]; r++) {
                    k += random.nextDouble() < wrong[c] ? 1 : 0;
                }
                shares[c] = (double) k / rows[c];
                own.add(Interval.ofShare(k, rows[c]));
            }
            covered += Interval.ofWeightedSum(weights, shares, own).contains(0.3 * 0.05 + 0.7 * 0.2) ? 1 : 0;
        }
        assertThat(covered / (double) runs).isBetween(0.935, 0.97);
        Interval one = new Interval(0.1, 0.4);
        assertThat(Interval.ofWeightedSum(new double[] {1}, new double[] {0.2}, List.of(one))
                        .low())
                .isCloseTo(0.1, within(1e-15));
    }

    @Test
    void refusesWhatIsNoSuchShift() {
        for (double value : new double[] {-0.1, 1.1, Double.NaN}) {
            assertThatThrownBy(() -> new Drift(value)).isInstanceOf(InputException.class);
            assertThatThrownBy(() -> new Missing(value)).isInstanceOf(InputException.class);
            assertThatThrownBy(() -> new Prior(0, value)).isInstanceOf(InputException.class);
        }
        assertThatThrownBy(() -> new Prior(-1, 0.5)).hasMessage("prior: class must be >= 0, got -1");
        Dataset data = Samples.dataset(Seed.of(1), 20, 2);
        TrainedModel model = logistic(Seed.of(1), Scaling.none(2), data.schema());
        assertThatThrownBy(() -> evaluate(data, model, new Prior(2, 0.5)))
                .hasMessage("prior: class must be below the 2 classes, got 2");
        Dataset ones = data.relabel(r -> 1);
        for (int label : new int[] {0, 1}) {
            assertThatThrownBy(() -> evaluate(ones, model, new Prior(label, 0.5)))
                    .isInstanceOf(InputException.class)
                    .hasMessage("prior: there must be rows of class " + label + " and of others, got a share of "
                            + label + ".0");
        }
        Dataset numbers = Samples.numbers(Seed.of(1), 20, 2, 1);
        TrainedModel linear = new TrainedModel(
                Models.catalogue().choose("linear"),
                true,
                new double[3],
                Scaling.none(2),
                LabelScaling.NONE,
                numbers.schema(),
                0.5);
        assertThatThrownBy(() -> evaluate(numbers, linear, new Prior(1, 0.5)))
                .hasMessage("prior: labels must be classes, but the model learns numbers");
    }
}
