package holdfast.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import holdfast.InputException;
import holdfast.Randomness;
import holdfast.data.DataSource;
import holdfast.data.Dataset;
import holdfast.data.DatasetBuilder;
import holdfast.data.Schema;
import holdfast.math.Logistic;
import holdfast.model.LinearRegression;
import holdfast.model.LogisticRegression;
import holdfast.model.Model;
import holdfast.model.Models;
import holdfast.model.PoissonRegression;
import holdfast.model.SmoothedHinge;
import holdfast.model.SoftmaxRegression;
import holdfast.model.Target;
import holdfast.preparation.LabelScaling;
import holdfast.preparation.Scaling;
import holdfast.shift.Shift;
import holdfast.shift.WorstCaseShift;
import holdfast.testkit.Laws;
import holdfast.testkit.Samples;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class EvaluationTest {

    @Test
    void theAucCountsThePairsInOrderAndTiesHalf() {
        Laws.check(200, seed -> {
            Randomness random = seed.random();
            int n = 2 + random.nextInt(60);
            double[] scores = new double[n];
            double[] labels = new double[n];
            for (int i = 0; i < n; i++) {
                scores[i] = random.nextInt(10);
                labels[i] = i < 2 ? i : random.nextInt(2);
            }
            double wins = 0;
            double pairs = 0;
            for (int i = 0; i < n; i++) {
                for (int j = 0; j < n; j++) {
                    if (labels[i] == 1 && labels[j] == 0) {
                        pairs++;
                        wins += scores[i] > scores[j] ? 1 : scores[i] == scores[j] ? 0.5 : 0;
                    }
                }
            }
            assertThat(Evaluation.auc(scores, labels)).isCloseTo(wins / pairs, within(1e-13));
        });
    }

    @Test
    void withOneClassThereIsNoAuc() {
        assertThat(Evaluation.auc(new double[] {1, 2}, new double[] {1, 1})).isNaN();
    }

    @Test
    void errorAndLossAreThoseOfTheProbabilities() {
        Laws.check(10, seed -> {
            Dataset data = Samples.dataset(seed, 600, 4);
            double threshold = seed.random().nextInt(2) == 0 ? 0.5 : 0.3;
            TrainedModel trained = new TrainedModel(
                    Models.catalogue().choose("logistic"),
                    true,
                    seed.random().gaussians(5),
                    Scaling.fit(Scaling.Kind.STANDARDISE, data),
                    LabelScaling.NONE,
                    data.schema(),
                    threshold);
            double[] p = Arrays.stream(trained.predict(data).scores())
                    .map(Logistic::sigmoid)
                    .toArray();
            double wrong = 0;
            double loss = 0;
            for (int r = 0; r < 600; r++) {
                wrong += (p[r] >= threshold) == (data.label(r) == 1) ? 0 : 1;
                loss -= Math.log(data.label(r) == 1 ? p[r] : 1 - p[r]);
            }
            Evaluation made = Evaluation.of(trained, data, Shift.NONE);
            assertThat(made.rows()).isEqualTo(600);
            assertThat(made.error()).isEqualTo(wrong / 600);
            assertThat(made.logLoss()).isCloseTo(loss / 600, within(1e-9));
            assertThat(made.shift()).isEqualTo("none");
        });
    }

    @Test
    void aScoreThatIsNotFiniteIsAnErrorThatNamesTheRow() {
        DatasetBuilder rows = new DatasetBuilder(2);
        for (int r = 0; r < 700; r++) {
            rows.add(r == 612 ? new double[] {1e308, -1e308} : new double[] {r % 3, 1}, r % 2);
        }
        Dataset data = rows.build(Samples.schema(2), DataSource.MEMORY);
        for (double second : new double[] {30, -30}) {
            TrainedModel trained = new TrainedModel(
                    Models.catalogue().choose("logistic"),
                    false,
                    new double[] {30, second},
                    new Scaling(Scaling.Kind.SD, new double[2], new double[] {0.1, 0.1}),
                    LabelScaling.NONE,
                    data.schema(),
                    0.5);
            String expected = "memory: row 613 of the 700 given: the score must be finite, got "
                    + (second > 0 ? "NaN" : "Infinity")
                    + "; column x0 is too large for the model: Infinity in units of the training rows";
            assertThatThrownBy(() -> Evaluation.of(trained, data, Shift.NONE))
                    .isInstanceOf(InputException.class)
                    .hasMessage(expected);
            assertThatThrownBy(() -> trained.predict(data)).hasMessage(expected);
        }
    }

    @Test
    void ranksEndWhereNumbersAreNone() {
        assertThat(Evaluation.ranks(new double[] {2, Double.NaN, 1, Double.NaN}))
                .startsWith(2)
                .hasSize(4);
    }

    @Test
    void aLargerShiftNeverHelps() {
        Laws.check(10, seed -> {
            Dataset data = Samples.dataset(seed, 300, 4);
            TrainedModel trained = new TrainedModel(
                    Models.catalogue().choose("logistic"),
                    true,
                    seed.random().gaussians(5),
                    Scaling.fit(Scaling.Kind.SD, data),
                    LabelScaling.NONE,
                    data.schema(),
                    0.5);
            Evaluation last = Evaluation.of(trained, data, Shift.NONE);
            for (double budget : new double[] {0, 0.1, 0.3, 1, 10}) {
                Evaluation now = Evaluation.of(trained, data, new WorstCaseShift(WorstCaseShift.Norm.L2, budget));
                assertThat(now.error()).isGreaterThanOrEqualTo(last.error());
                assertThat(now.logLoss()).isGreaterThanOrEqualTo(last.logLoss());
                last = now;
            }
            assertThat(last.error()).isEqualTo(1);
        });
    }

    private static Dataset data(double[][] rows, double[] labels, int classes) {
        DatasetBuilder builder = new DatasetBuilder(rows[0].length);
        for (int r = 0; r < rows.length; r++) {
            builder.add(rows[r], labels[r]);
        }
        List<String> features =
                IntStream.range(0, rows[0].length).mapToObj(i -> "x" + i).toList();
        List<String> names = IntStream.range(0, classes).mapToObj(c -> "c" + c).toList();
        return builder.build(new Schema(features, "y", names, List.of()), DataSource.MEMORY);
    }

    /** By parameters that make the features themselves the scores. */
    private static Evaluation evaluate(Model model, double threshold, LabelScaling labels, Dataset data) {
        int k = model.scoresPerRow();
        double[] identity = new double[k * k];
        IntStream.range(0, k).forEach(c -> identity[c * k + c] = 1);
        return Evaluation.ofScaled(model, identity, threshold, labels, data, Shift.NONE);
    }

    /** The probabilities of the classes by their definition. */
    private static double[] shares(double[] u) {
        double[] powers = Arrays.stream(u).map(Math::exp).toArray();
        double sum = Arrays.stream(powers).sum();
        return Arrays.stream(powers).map(e -> e / sum).toArray();
    }

    /** Of every pair of a row of the class and one of another, how often the first has the larger probability. */
    private static double oneAgainstTheRest(double[][] p, double[] truth, int c) {
        double wins = 0;
        double pairs = 0;
        for (int i = 0; i < p.length; i++) {
            for (int j = 0; j < p.length; j++) {
                if (truth[i] == c && truth[j] != c) {
                    pairs++;
                    wins += Math.abs(p[i][c] - p[j][c]) < 1e-12 ? 0.5 : p[i][c] > p[j][c] ? 1 : 0;
                }
            }
        }
        return wins / pairs;
    }

    /** Mean over rows of the gap of the row's tenth; zero rows cannot weigh anything. */
    private static double calibrationError(double[] p, boolean[] hit) {
        double sum = 0;
        for (int tenth = 0; tenth < 10; tenth++) {
            double gap = 0;
            for (int j = 0; j < p.length; j++) {
                boolean inside = p[j] >= tenth / 10.0 && (p[j] < (tenth + 1) / 10.0 || tenth == 9);
                gap += inside ? p[j] - (hit[j] ? 1 : 0) : 0;
            }
            sum += Math.abs(gap);
        }
        return sum / p.length;
    }

    @Test
    void manyClassesAreJudgedByTheirProbabilities() {
        Laws.check(50, seed -> {
            Randomness random = seed.random();
            int k = 3 + random.nextInt(4);
            int n = 20 + random.nextInt(300);
            double[][] u = new double[n][];
            double[] truth = new double[n];
            for (int j = 0; j < n; j++) {
                u[j] = Arrays.stream(random.gaussians(k)).map(v -> 2 * v).toArray();
                truth[j] = j < k ? j : random.nextInt(k);
                u[j][(int) truth[j]] += 1;
                // Adding the same to all scores of a row must change nothing.
                double same = 5 * random.nextGaussian();
                u[j] = Arrays.stream(u[j]).map(v -> v + same).toArray();
            }
            double[][] p = Arrays.stream(u).map(EvaluationTest::shares).toArray(double[][]::new);
            int[][] confusion = new int[k][k];
            double loss = 0;
            double right = 0;
            double[] confidence = new double[n];
            boolean[] hit = new boolean[n];
            for (int j = 0; j < n; j++) {
                double[] own = p[j];
                int best = IntStream.range(0, k)
                        .boxed()
                        .max(Comparator.comparingDouble(c -> own[c]))
                        .orElseThrow();
                confusion[(int) truth[j]][best]++;
                loss -= Math.log(own[(int) truth[j]]);
                confidence[j] = own[best];
                hit[j] = best == truth[j];
                right += hit[j] ? 1 : 0;
            }
            Evaluation made = evaluate(new SoftmaxRegression(k, false), 0.3, LabelScaling.NONE, data(u, truth, k));
            assertThat(made.metrics().keySet()).containsExactlyElementsOf(Metric.of(Target.CLASSES));
            assertThat(made.confusion()).isDeepEqualTo(confusion);
            assertThat(made.error()).isCloseTo(1 - right / n, within(1e-12));
            assertThat(made.headline()).isEqualTo(made.error());
            assertThat(made.logLoss()).isCloseTo(loss / n, within(1e-9));
            assertThat(made.auc())
                    .isCloseTo(
                            IntStream.range(0, k)
                                    .mapToDouble(c -> oneAgainstTheRest(p, truth, c))
                                    .average()
                                    .orElseThrow(),
                            within(1e-12));
            assertThat(made.get(Metric.CALIBRATION_ERROR)).isCloseTo(calibrationError(confidence, hit), within(1e-12));
            assertThat(made.calibration().stream()
                            .mapToInt(Evaluation.Bin::rows)
                            .sum())
                    .isEqualTo(n);
        });
    }

    @Test
    void twoScoresAreJudgedLikeTheirDifference() {
        Laws.check(30, seed -> {
            int n = 100;
            double[][] both = new double[n][];
            double[][] one = new double[n][];
            double[] truth = new double[n];
            for (int j = 0; j < n; j++) {
                both[j] = seed.child("row", j).random().gaussians(2);
                one[j] = new double[] {both[j][1] - both[j][0]};
                truth[j] = j % 2;
            }
            Evaluation softmax =
                    evaluate(new SoftmaxRegression(2, false), 0.3, LabelScaling.NONE, data(both, truth, 2));
            Evaluation logistic = evaluate(new LogisticRegression(false), 0.3, LabelScaling.NONE, data(one, truth, 2));
            assertThat(softmax)
                    .usingRecursiveComparison()
                    .withComparatorForType(Double::compare, Double.class)
                    .isEqualTo(logistic);
        });
    }

    @Test
    void theCalibrationOfTwoClassesIsThatOfTheSecond() {
        Laws.check(30, seed -> {
            int n = 200;
            double[][] u = new double[n][];
            double[] truth = new double[n];
            double[] p = new double[n];
            boolean[] hit = new boolean[n];
            for (int j = 0; j < n; j++) {
                u[j] = new double[] {3 * seed.child("row", j).random().nextGaussian()};
                p[j] = 1 / (1 + Math.exp(-u[j][0]));
                truth[j] = seed.child("label", j).random().nextInt(2);
                hit[j] = truth[j] == 1;
            }
            Evaluation made = evaluate(new LogisticRegression(false), 0.5, LabelScaling.NONE, data(u, truth, 2));
            assertThat(made.get(Metric.CALIBRATION_ERROR)).isCloseTo(calibrationError(p, hit), within(1e-12));
        });
    }

    @Test
    void aCertaintyThatIsWrongCostsItsScore() {
        double[][] u = {{2000, 0, 0}, {0, 2000, 0}, {0, 0, 2000}};
        Evaluation made =
                evaluate(new SoftmaxRegression(3, false), 0.5, LabelScaling.NONE, data(u, new double[] {0, 1, 1}, 3));
        assertThat(made.logLoss()).isCloseTo(2000.0 / 3, within(1e-9));
        assertThat(made.auc()).as("no row of class 2").isNaN();
        assertThat(made.calibration()).containsExactly(new Evaluation.Bin(3, 1, 2.0 / 3));
    }

    @Test
    void withoutProbabilitiesTheSignOfTheScoreDecides() {
        double[][] u = {{-3}, {-0.5}, {0}, {0.1}, {9}};
        Evaluation made =
                evaluate(new SmoothedHinge(false, 1), 0.9, LabelScaling.NONE, data(u, new double[] {0, 1, 1, 0, 1}, 2));
        assertThat(made.confusion()).isDeepEqualTo(new int[][] {{1, 1}, {1, 2}});
        assertThat(made.error()).isEqualTo(0.4);
        // Two of six pairs are in the wrong order: 0.1 stands above -0.5 and above 0.
        assertThat(made.auc()).isCloseTo(4.0 / 6, within(1e-15));
        assertThat(made.logLoss()).isNaN();
        assertThat(made.get(Metric.CALIBRATION_ERROR)).isNaN();
        assertThat(made.calibration()).isEmpty();
    }

    @Test
    void numbersAreJudgedInTheirOwnUnit() {
        Laws.check(30, seed -> {
            Randomness random = seed.random();
            int n = 2 + random.nextInt(300);
            LabelScaling labels = new LabelScaling(1e5 * random.nextGaussian(), 1 + 1e4 * random.nextDouble());
            double[][] u = new double[n][];
            double[] y = new double[n];
            double[] learnt = new double[n];
            double squares = 0;
            double absolute = 0;
            for (int j = 0; j < n; j++) {
                u[j] = random.gaussians(1);
                y[j] = labels.offset() + labels.divisor() * (u[j][0] + random.nextGaussian());
                learnt[j] = (y[j] - labels.offset()) / labels.divisor();
                double gap = labels.offset() + labels.divisor() * u[j][0] - y[j];
                squares += gap * gap;
                absolute += Math.abs(gap);
            }
            double variance = 0;
            for (int i = 0; i < n; i++) {
                for (int j = 0; j < n; j++) {
                    variance += (y[i] - y[j]) * (y[i] - y[j]) / 2 / n / n;
                }
            }
            Evaluation made = evaluate(new LinearRegression(false), 0.5, labels, data(u, learnt, 0));
            double unit = labels.divisor();
            assertThat(made.metrics().keySet()).containsExactlyElementsOf(Metric.of(Target.NUMBER));
            assertThat(made.get(Metric.RMSE)).isCloseTo(Math.sqrt(squares / n), within(1e-9 * unit));
            assertThat(made.headline()).isEqualTo(made.get(Metric.RMSE));
            assertThat(made.get(Metric.MAE)).isCloseTo(absolute / n, within(1e-9 * unit));
            double r2 = 1 - squares / n / variance;
            assertThat(made.get(Metric.R2)).isCloseTo(r2, within(1e-9 * (1 + Math.abs(r2))));
            assertThat(made.confusion()).isEmpty();
            assertThat(made.error()).isNaN();
            assertThat(Evaluation.guessing(data(u, y, 0), Target.NUMBER))
                    .isCloseTo(Math.sqrt(variance), within(1e-9 * unit));
        });
    }

    /** Over models and label units, and the loss of a row does not depend on the other rows. */
    @Test
    void theHeadlineIsTheMeanOfItsLosses() {
        Laws.check(40, seed -> {
            int n = 2 + seed.random().nextInt(300);
            Map<Model, Dataset> cases = Map.of(
                    new LogisticRegression(true), Samples.dataset(seed, n, 3),
                    new SoftmaxRegression(4, true), Samples.classes(seed, n, 3, 4, 0),
                    new LinearRegression(true), Samples.numbers(seed, n, 3, 0),
                    new PoissonRegression(true), Samples.counts(seed, n, 2));
            cases.forEach((model, rows) -> {
                LabelScaling labels = switch (model.target()) {
                    case NUMBER -> new LabelScaling(7, 3);
                    case COUNT -> new LabelScaling(0, 2);
                    default -> LabelScaling.NONE;
                };
                double[] theta = seed.child("theta").random().gaussians(model.parameters(rows.columns()));
                double[] losses = Evaluation.headlineLosses(model, theta, labels, rows);
                double mean = Arrays.stream(losses).average().orElseThrow();
                double headline = Evaluation.ofScaled(model, theta, 0.5, labels, rows, Shift.NONE)
                        .headline();
                assertThat(losses).hasSize(n);
                assertThat(model.target() == Target.NUMBER ? Math.sqrt(mean) : mean)
                        .as(model.target().name())
                        .isCloseTo(headline, within(1e-9 * (1 + headline)));
                int[] some = seed.child("some").random().choose(1 + n / 3, n);
                assertThat(Evaluation.headlineLosses(model, theta, labels, rows.select(some)))
                        .isEqualTo(
                                Arrays.stream(some).mapToDouble(j -> losses[j]).toArray());
            });
        });
    }

    @Test
    void equalNumbersHaveNoVarianceToExplain() {
        Dataset data = data(new double[][] {{1}, {2}}, new double[] {5, 5}, 0);
        Evaluation made = evaluate(new LinearRegression(false), 0.5, LabelScaling.NONE, data);
        assertThat(made.get(Metric.R2)).isNaN();
        assertThat(made.get(Metric.RMSE)).isEqualTo(Math.sqrt(12.5));
        assertThat(Evaluation.guessing(data, Target.NUMBER)).isZero();
    }

    /** Twice what the best log-likelihood, mu = y, is above that of the model. */
    private static double deviance(double[] y, double[] mu) {
        double sum = 0;
        for (int j = 0; j < y.length; j++) {
            double factorial = 0;
            for (int i = 2; i <= y[j]; i++) {
                factorial += Math.log(i);
            }
            double best = y[j] == 0 ? 0 : y[j] * Math.log(y[j]) - y[j] - factorial;
            sum += 2 * (best - (y[j] * Math.log(mu[j]) - mu[j] - factorial));
        }
        return sum / y.length;
    }

    @Test
    void countsAreJudgedByTheirLikelihood() {
        PoissonRegression poisson = new PoissonRegression(false);
        Laws.check(30, seed -> {
            Randomness random = seed.random();
            int n = 1 + random.nextInt(300);
            double[][] u = new double[n][];
            double[] y = new double[n];
            double[] mu = new double[n];
            double[] same = new double[n];
            for (int j = 0; j < n; j++) {
                u[j] = random.gaussians(1);
                mu[j] = Math.exp(u[j][0]);
                y[j] = random.nextInt(3) == 0 ? 0 : random.nextInt(12);
            }
            Arrays.fill(same, Arrays.stream(y).average().orElseThrow());
            Dataset data = data(u, y, 0);
            Evaluation made = evaluate(poisson, 0.5, LabelScaling.NONE, data);
            assertThat(made.metrics().keySet()).containsExactlyElementsOf(Metric.of(Target.COUNT));
            assertThat(made.headline()).isEqualTo(made.get(Metric.DEVIANCE));
            assertThat(made.get(Metric.DEVIANCE)).isCloseTo(deviance(y, mu), within(1e-9));
            assertThat(made.get(Metric.MAE))
                    .isCloseTo(
                            IntStream.range(0, n)
                                    .mapToDouble(j -> Math.abs(mu[j] - y[j]))
                                    .average()
                                    .orElseThrow(),
                            within(1e-9));
            if (same[0] > 0) {
                assertThat(Evaluation.guessing(data, Target.COUNT)).isCloseTo(deviance(y, same), within(1e-9));
            }
        });
        Dataset nothing = data(new double[][] {{-2000}, {-2000}}, new double[] {0, 0}, 0);
        assertThat(evaluate(poisson, 0.5, LabelScaling.NONE, nothing).headline())
                .isZero();
        assertThat(Evaluation.guessing(nothing, Target.COUNT)).isZero();
        Dataset something = data(new double[][] {{-2000}}, new double[] {1}, 0);
        assertThat(evaluate(poisson, 0.5, LabelScaling.NONE, something).headline())
                .isCloseTo(2 * (2000 - 1), within(1e-9));
    }

    @Test
    void guessingClassesTakesTheMostFrequentOfTheseRows() {
        Dataset data = data(new double[6][1], new double[] {2, 1, 2, 0, 2, 1}, 4);
        assertThat(Evaluation.guessing(data, Target.CLASSES)).isEqualTo(0.5);
    }

    @Test
    void saysItsNumbers() {
        Dataset data = data(new double[][] {{1}, {4}}, new double[] {1, 2}, 0);
        assertThat(evaluate(new LinearRegression(false), 0.5, LabelScaling.NONE, data))
                .hasToString("Evaluation[shift=none, rows=2, RMSE=1.4142135623730951, MAE=1.0, R2=-7.0]");
    }

    /** Counts 0, 2 and 4 of mean 2: 2 (4 log 2 + 0)/3. */
    @Test
    void guessingCountsTakesTheirMean() {
        Dataset data = data(new double[3][1], new double[] {0, 2, 4}, 0);
        assertThat(Evaluation.guessing(data, Target.COUNT)).isCloseTo(8 * Math.log(2) / 3, within(1e-12));
    }

    @Test
    void ofSeveralScoresTheRowIsNamedAndItsLargestColumn() {
        double[][] rows = new double[9][3];
        rows[5] = new double[] {1, 1e308, -1};
        Dataset data = data(rows, new double[] {0, 1, 2, 0, 1, 2, 0, 1, 2}, 3);
        double[] theta = new double[9];
        Arrays.fill(theta, 9);
        assertThatThrownBy(() -> Evaluation.ofScaled(
                        new SoftmaxRegression(3, false), theta, 0.5, LabelScaling.NONE, data, Shift.NONE))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("row 6 of the 9 given")
                .hasMessageContaining("column x1 is too large");
    }
}
