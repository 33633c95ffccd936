package holdfast.certificate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import holdfast.InputException;
import holdfast.Randomness;
import holdfast.Seed;
import holdfast.certificate.ShiftCases.Case;
import holdfast.certificate.ShiftCurve.Point;
import holdfast.data.Block;
import holdfast.data.DataSource;
import holdfast.data.DatasetBuilder;
import holdfast.data.DenseBlock;
import holdfast.evaluation.Calibration;
import holdfast.evaluation.Predictions;
import holdfast.evaluation.TrainedModel;
import holdfast.math.Vectors;
import holdfast.model.LinearScores;
import holdfast.model.Models;
import holdfast.objective.WeightedL2;
import holdfast.preparation.LabelScaling;
import holdfast.preparation.Scaling;
import holdfast.shift.WorstCaseShift;
import holdfast.shift.WorstCaseShift.Norm;
import holdfast.testkit.Laws;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MisclassificationCurveTest {
    private static Case random(Seed seed, String kind, int rows, int d, boolean weighted) {
        Randomness random = seed.child("decision").random();
        Case c = kind.equals("softmax of two")
                ? ShiftCases.random(seed, "softmax", rows, d, weighted, 0, 2)
                : ShiftCases.random(seed, kind, rows, d, weighted);
        boolean calibrated = c.model().schema().classes().size() == 2 && !kind.startsWith("svm");
        Calibration calibration =
                calibrated ? new Calibration(0.5 + random.nextDouble(), random.nextGaussian()) : Calibration.NONE;
        TrainedModel model = c.model().deciding(calibration, 0.2 + 0.6 * random.nextDouble());
        return new Case(model, c.rows());
    }

    private static double[] errors(Case c, Block moved) {
        double[] scores = new double[moved.rows() * c.model().model().scoresPerRow()];
        c.model().model().scores(c.model().theta(), moved, scores);
        Predictions said = new Predictions(
                c.model().model(),
                c.model().threshold(),
                c.model().calibration(),
                c.model().labels(),
                scores);
        return IntStream.range(0, moved.rows())
                .mapToDouble(j -> said.label(j) == moved.label(j) ? 0 : 1)
                .toArray();
    }

    private static Block block(Case c, double[][] rows) {
        return new DenseBlock(
                c.rows().columns(),
                Arrays.stream(rows).flatMapToDouble(Arrays::stream).toArray(),
                IntStream.range(0, rows.length).mapToDouble(c.rows()::label).toArray(),
                null);
    }

    @ParameterizedTest
    @ValueSource(strings = {"logistic", "svm(smoothing=0.5)", "softmax of two", "softmax"})
    void noAttackWithinTheBudgetMisclassifiesMore(String kind) {
        Laws.check(40, seed -> {
            Randomness random = seed.random();
            int d = 1 + random.nextInt(4);
            Case c = random(seed, kind, 30, d, random.nextInt(2) == 0);
            MisclassificationCurve curve = MisclassificationCurve.of(c.model(), c.rows(), WeightedL2.EQUAL);
            double q = 1.5 * random.nextDouble();
            assertThat(curve.rate(Norm.L2, 0)).isCloseTo(c.mean(errors(c, block(c, c.features()))), within(1e-12));
            for (Norm norm : Norm.values()) {
                Block shifted = new WorstCaseShift(norm, q)
                        .apply(c.model().model(), c.model().theta(), block(c, c.features()));
                double shiftedError = c.mean(errors(c, shifted));
                assertThat(shiftedError).isLessThanOrEqualTo(curve.rate(norm, q));
                // With two classes of one score the strongest shift ends where the certificate does.
                if (!kind.startsWith("softmax") && random.nextInt(2) == 0) {
                    assertThat(shiftedError).isCloseTo(curve.rate(norm, q), within(1e-9));
                }
                double rho = q * q / 2 * (norm == Norm.LINF ? d : 1);
                assertThat(shiftedError).isLessThanOrEqualTo(curve.at(rho).certified());
            }
            double[] distances = curve.distances(Norm.L2);
            double[][] x = c.features();
            for (int attack = 0; attack < 30; attack++) {
                double[][] z = new double[x.length][];
                for (int j = 0; j < z.length; j++) {
                    double[] by = random.gaussians(d);
                    double length = Math.sqrt(Arrays.stream(by).map(v -> v * v).sum());
                    int row = j;
                    double far = distances[row] * 0.999999;
                    z[j] = IntStream.range(0, d)
                            .mapToDouble(i -> x[row][i] + (Double.isFinite(far) ? far : 10) * by[i] / length)
                            .toArray();
                }
                double[] errors = errors(c, block(c, z));
                for (int j = 0; j < errors.length; j++) {
                    assertThat(errors[j] == 0 || distances[j] == 0).isTrue();
                }
            }
        });
    }

    /** Near 1 a probability is rounded so coarsely that rows far from the boundary are on the other side of the threshold. */
    @Test
    void extremeThresholdsAndCalibrationsAreThoseOfComputedProbabilities() {
        double[] thresholds = {0.5, 0.999, 1 - 1e-9, 1 - 3e-12, 1 - 1e-15, 1 - 0x1p-53, 1e-9, 1e-300, 1e-310};
        Laws.check(300, seed -> {
            Randomness random = seed.random();
            double threshold = thresholds[random.nextInt(thresholds.length)];
            double slope = Math.pow(10, 4 * random.nextDouble() - 2);
            double intercept = random.nextGaussian() * Math.pow(10, random.nextInt(7) - 1);
            double boundary = (Math.log(threshold / (1 - threshold)) - intercept) / slope;
            TrainedModel model = new TrainedModel(
                            Models.catalogue().choose("logistic"),
                            false,
                            new double[] {1},
                            Scaling.none(1),
                            LabelScaling.NONE,
                            ShiftCases.schema(1, 2, 0),
                            0.5)
                    .deciding(new Calibration(slope, intercept), threshold);
            double u = boundary + (2 * random.nextDouble() - 1) * Math.pow(10, -random.nextInt(14)) / slope;
            double[] x = {u};
            Case c = row(model, x, model.predict(row(model, x, 0).rows()).label(0));
            double distance = MisclassificationCurve.of(c.model(), c.rows(), WeightedL2.EQUAL)
                    .distances(Norm.L2)[0];
            for (int i = -25; i <= 25; i++) {
                double by = distance * 0.999 * i / 25;
                assertThat(errors(c, block(c, new double[][] {{u + by}}))[0])
                        .as("threshold %s: %s moved by %s of %s", threshold, u, by, distance)
                        .isZero();
            }
        });
    }

    /** Large terms that cancel leave a score with a large error. */
    @Test
    void noMoveWithinTheDistanceMisclassifiesRowsOfLargeColumns() {
        Laws.check(400, seed -> {
            Randomness random = seed.random();
            double[] x = Vectors.scaled(Math.pow(10, 3 * random.nextInt(4)), random.gaussians(3));
            double[] theta = Arrays.copyOf(random.gaussians(3), 4);
            theta[3] = random.nextGaussian() - Vectors.dot(theta, x, 3);
            TrainedModel model = new TrainedModel(
                    Models.catalogue().choose("logistic"),
                    true,
                    theta,
                    Scaling.none(3),
                    LabelScaling.NONE,
                    ShiftCases.schema(3, 2, 0),
                    0.5);
            Case c = row(model, x, model.predict(row(model, x, 0).rows()).label(0));
            double distance =
                    MisclassificationCurve.of(model, c.rows(), WeightedL2.EQUAL).distances(Norm.LINF)[0];
            for (int corner = 0; corner < 8; corner++) {
                double[] z = x.clone();
                for (int i = 0; i < 3; i++) {
                    // Towards the row, so that rounding takes it no farther.
                    z[i] = Math.nextAfter(x[i] + ((corner >> i & 1) == 1 ? distance : -distance), x[i]);
                }
                assertThat(distance > 0 && errors(c, block(c, new double[][] {z}))[0] > 0)
                        .isFalse();
            }
        });
    }

    private static Case row(TrainedModel model, double[] x, double label) {
        DatasetBuilder builder = new DatasetBuilder(x.length);
        builder.add(x, label, 0, 1);
        return new Case(model, builder.build(model.schema(), DataSource.MEMORY));
    }

    /** The greedy attack: the nearest rows are really moved just across the boundary, as many as the budget pays for. */
    @ParameterizedTest
    @ValueSource(strings = {"logistic", "svm(smoothing=0.5)", "softmax of two", "softmax"})
    void theGreedyAttackReachesTheRateAndNoMore(String kind) {
        Laws.check(30, seed -> {
            Randomness random = seed.random();
            int d = 1 + random.nextInt(4);
            Case c = random(seed, kind, 25, d, false);
            double[] prices = random.gaussians(d);
            Arrays.setAll(prices, i -> 0.3 + Math.abs(prices[i]));
            WeightedL2 cost = WeightedL2.of(prices);
            MisclassificationCurve curve = MisclassificationCurve.of(c.model(), c.rows(), cost);
            double[] distances = curve.distances(Norm.L2);
            double[][] x = c.features();
            double[][] crossed = new double[x.length][];
            Arrays.setAll(crossed, j -> crossed(c, cost, x[j], (int) c.rows().label(j), distances[j]));
            int[] nearest = IntStream.range(0, x.length)
                    .boxed()
                    .sorted(Comparator.comparingDouble(j -> distances[j]))
                    .mapToInt(j -> j)
                    .toArray();
            double rho = 0.3 * random.nextDouble();
            double spent = 0;
            double[][] z = x.clone();
            for (int j : nearest) {
                double paid = cost.cost(crossed[j], x[j]) / x.length;
                if (spent + paid <= rho) {
                    spent += paid;
                    z[j] = crossed[j];
                }
            }
            double error = c.mean(errors(c, block(c, z)));
            assertThat(error)
                    .isBetween(
                            curve.at(rho).certified() - 1.0 / x.length - 1e-9,
                            curve.at(rho).certified());
        });
    }

    /** Returns the row moved a little farther than its distance, to the side of any other class where it is misclassified. */
    private static double[] crossed(Case c, WeightedL2 cost, double[] x, int label, double distance) {
        LinearScores model = (LinearScores) c.model().model();
        int k = model.scoresPerRow();
        int d = x.length;
        double[] theta = c.model().theta();
        for (int b = 0; b < Math.max(2, k); b++) {
            double[] w = k == 1 ? model.weights(theta, d, 0) : Vectors.scaled(-1, model.weights(theta, d, label));
            if (k > 1) {
                Vectors.add(w, model.weights(theta, d, b));
            } else if (b == 0) {
                w = Vectors.scaled(-1, w);
            }
            double length = Math.sqrt(cost.dot(w, w));
            double[] z = x.clone();
            if (distance > 0 && length > 0) {
                Vectors.addScaled(z, distance * (1 + 1e-6) / length, cost.along(w), d);
            }
            if (predicted(c, z) != label) {
                return z;
            }
        }
        throw new AssertionError("a move of the distance does not cross");
    }

    private static int predicted(Case c, double[] z) {
        double[] scores = new double[c.model().model().scoresPerRow()];
        c.model().model().scores(c.model().theta(), new DenseBlock(z.length, z, new double[1], null), scores);
        return (int) new Predictions(
                        c.model().model(),
                        c.model().threshold(),
                        c.model().calibration(),
                        c.model().labels(),
                        scores)
                .label(0);
    }

    /** The line of a price bounds the rate within every budget, also where the rate that it certifies here is 1. */
    @Test
    void theLineOfAPriceBoundsEveryBudget() {
        int[] all = new int[1];
        Laws.check(60, seed -> {
            Randomness random = seed.random();
            ShiftCases.Case c = ShiftCases.random(seed, "logistic", 15, 3, false);
            MisclassificationCurve curve = MisclassificationCurve.of(c.model(), c.rows(), WeightedL2.EQUAL);
            double[] rhos = {StrictMath.exp(2 * random.nextGaussian()), StrictMath.exp(2 * random.nextGaussian())};
            ShiftCurve.Point at = curve.at(rhos[0]);
            all[0] += at.certified() == 1 ? 1 : 0;
            assertThat(at.certifiedWithin(rhos[1]))
                    .isGreaterThanOrEqualTo(curve.at(rhos[1]).attained());
        });
        assertThat(all[0]).isBetween(5, 55);
    }

    /** A linear programme with one constraint has a solution in which at most one row is moved in part. */
    @Test
    void equalsTheKnapsackByBruteForce() {
        Laws.check(60, seed -> {
            Randomness random = seed.random();
            int rows = 1 + random.nextInt(9);
            Case c = random(seed, random.nextInt(2) == 0 ? "logistic" : "softmax", rows, 2, true);
            WeightedL2 cost = WeightedL2.of(0.5, random.nextInt(2) == 0 ? 2 : Double.POSITIVE_INFINITY);
            MisclassificationCurve curve = MisclassificationCurve.of(c.model(), c.rows(), cost);
            double[] d = curve.distances(Norm.L2);
            double total =
                    IntStream.range(0, rows).mapToDouble(c.rows()::weight).sum();
            double rho = 0.5 * random.nextDouble();
            double best = 0;
            for (int set = 0; set < 1 << rows; set++) {
                double spent = 0;
                double moved = 0;
                for (int j = 0; j < rows; j++) {
                    if ((set >> j & 1) == 1) {
                        spent += c.rows().weight(j) / total * d[j] * d[j] / 2;
                        moved += c.rows().weight(j) / total;
                    }
                }
                for (int part = 0; part < rows && spent <= rho; part++) {
                    double own = c.rows().weight(part) / total;
                    double fraction =
                            (set >> part & 1) == 1 ? 0 : Math.min(1, (rho - spent) / (own * d[part] * d[part] / 2));
                    best = Math.max(best, moved + (fraction > 0 ? own * fraction : 0));
                }
            }
            Point point = curve.at(rho);
            assertThat(point.certified()).isCloseTo(best, within(1e-9));
            assertThat(point.attained()).isBetween(point.certified() - 1e-9, point.certified());
            assertThat(curve.points(rho)).containsExactly(point);
        });
    }

    /** The distance in every norm against small random moves along the steepest direction. */
    @Test
    void pricesStretchTheDistances() {
        Case c = random(Seed.of(6), "logistic", 40, 3, false);
        double[] theta = c.model().theta();
        double boundary = (StrictMath.log(c.model().threshold() / (1 - c.model().threshold()))
                        - c.model().calibration().intercept())
                / c.model().calibration().slope();
        MisclassificationCurve curve =
                MisclassificationCurve.of(c.model(), c.rows(), WeightedL2.of(4, Double.POSITIVE_INFINITY, 0.25));
        double a = Math.abs(theta[0]) / 2;
        double b = Math.abs(theta[2]) * 2;
        double[] wrong = errors(c, block(c, c.features()));
        double[] scores = c.model().scores(c.rows());
        for (int j = 0; j < 40; j++) {
            double margin = wrong[j] == 1 ? 0 : Math.abs(scores[j] - boundary);
            assertThat(curve.distances(Norm.L1)[j]).isCloseTo(margin / Math.max(a, b), within(1e-9));
            assertThat(curve.distances(Norm.L2)[j]).isCloseTo(margin / Math.sqrt(a * a + b * b), within(1e-9));
            assertThat(curve.distances(Norm.LINF)[j]).isCloseTo(margin / (a + b), within(1e-9));
        }
    }

    @Test
    void theSampleTermIsThatOfMassart() {
        Case c = random(Seed.of(1), "logistic", 200, 2, false);
        MisclassificationCurve curve = MisclassificationCurve.of(c.model(), c.rows(), WeightedL2.EQUAL);
        assertThat(curve.sampleTerm(0.05)).isCloseTo(Math.sqrt(Math.log(20) / 400), within(1e-15));
        // With many classes every norm has its own distances.
        Case many = random(Seed.of(1), "softmax", 200, 2, false);
        assertThat(MisclassificationCurve.of(many.model(), many.rows(), WeightedL2.EQUAL)
                        .sampleTerm(0.05))
                .isCloseTo(Math.sqrt(Math.log(60) / 400), within(1e-15));
        for (double bad : new double[] {0, -1, 0.6, Double.NaN}) {
            refuses(() -> curve.sampleTerm(bad), "delta must be above 0 and at most 0.5, got " + bad);
        }
        Case weighted = random(Seed.of(1), "logistic", 200, 2, true);
        refuses(
                () -> MisclassificationCurve.of(weighted.model(), weighted.rows(), WeightedL2.EQUAL)
                        .sampleTerm(0.1),
                "a finite sample term needs rows that count the same, without weights or sources");
    }

    /**
     * How often the term fails for any q, rho or norm: rows are drawn from a finite population, for which the certified rate is
     * known. Of two classes, where one event decides, 0.6 of the term fails too often.
     */
    @ParameterizedTest
    @ValueSource(strings = {"logistic", "softmax of two", "softmax"})
    void withTheSampleTermDrawnRowsCoverTheirPopulation(String kind) {
        double delta = 0.25;
        int draws = 300;
        int rows = 60;
        Case population = random(Seed.of(9), kind, 1000, 2, false);
        MisclassificationCurve whole =
                MisclassificationCurve.of(population.model(), population.rows(), WeightedL2.EQUAL);
        double[] far = Arrays.stream(whole.distances(Norm.L2)).sorted().toArray();
        double[] budgets =
                IntStream.range(0, 40).mapToDouble(i -> far[25 * i]).distinct().toArray();
        double[] rhos = {0, 0.001, 0.01, 0.05, 0.2};
        double[] rates =
                Arrays.stream(rhos).map(rho -> whole.at(rho).attained()).toArray();
        double[][] ratesByNorm = Arrays.stream(Norm.values())
                .map(norm ->
                        Arrays.stream(budgets).map(q -> whole.rate(norm, q)).toArray())
                .toArray(double[][]::new);
        Randomness random = Seed.of(10).random();
        int failed = 0;
        int failedWithLess = 0;
        for (int draw = 0; draw < draws; draw++) {
            int[] chosen =
                    IntStream.range(0, rows).map(i -> random.nextInt(1000)).toArray();
            MisclassificationCurve sample = MisclassificationCurve.of(
                    population.model(), population.rows().select(chosen), WeightedL2.EQUAL);
            double excess = 0;
            for (int i = 0; i < rhos.length; i++) {
                excess = Math.max(excess, rates[i] - sample.at(rhos[i]).certified());
            }
            for (Norm norm : Norm.values()) {
                for (int i = 0; i < budgets.length; i++) {
                    excess = Math.max(excess, ratesByNorm[norm.ordinal()][i] - sample.rate(norm, budgets[i]));
                }
            }
            failed += excess > sample.sampleTerm(delta) ? 1 : 0;
            failedWithLess += excess > 0.6 * sample.sampleTerm(delta) ? 1 : 0;
        }
        assertThat(failed).isLessThanOrEqualTo((int) (delta * draws));
        if (!kind.equals("softmax")) {
            assertThat(failedWithLess).isGreaterThan((int) (delta * draws));
        }
    }

    @Test
    void badInputIsRefused() {
        Case numbers = ShiftCases.random(Seed.of(1), "linear", 5, 2, false);
        refuses(
                () -> MisclassificationCurve.of(numbers.model(), numbers.rows(), WeightedL2.EQUAL),
                "a certified misclassification rate needs a model of classes linear in its scores, and linear is not");
        Case c = random(Seed.of(1), "logistic", 5, 2, false);
        MisclassificationCurve curve = MisclassificationCurve.of(c.model(), c.rows(), WeightedL2.EQUAL);
        refuses(() -> curve.at(-1), "rho must be finite and >= 0, got -1.0");
        refuses(() -> curve.rate(Norm.L1, Double.NaN), "the budget must be finite and >= 0, got NaN");
        refuses(
                () -> MisclassificationCurve.of(c.model(), c.rows(), WeightedL2.of(1)),
                "there must be one price for each of 2 features, got 1");
    }

    private static void refuses(Runnable what, String message) {
        assertThatThrownBy(what::run).isInstanceOf(InputException.class).hasMessage(message);
    }
}
