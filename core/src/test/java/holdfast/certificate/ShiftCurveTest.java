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
import holdfast.data.Dataset;
import holdfast.data.DatasetBuilder;
import holdfast.data.DenseBlock;
import holdfast.data.Schema;
import holdfast.evaluation.TrainedModel;
import holdfast.math.Logistic;
import holdfast.math.Threads;
import holdfast.model.LinearModel;
import holdfast.model.LogisticRegression;
import holdfast.model.Models;
import holdfast.objective.Box;
import holdfast.objective.WeightedL2;
import holdfast.preparation.LabelScaling;
import holdfast.preparation.Scaling;
import holdfast.shift.Shift;
import holdfast.shift.Shifts;
import holdfast.shift.WorstCaseShift;
import holdfast.shift.WorstCaseShift.Norm;
import holdfast.testkit.Laws;
import holdfast.testkit.Samples;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShiftCurveTest {
    private static double budget(Randomness random) {
        return StrictMath.exp(6 * random.nextDouble() - 4);
    }

    private static WeightedL2 prices(Randomness random, int d) {
        double[] prices = new double[d];
        Arrays.setAll(
                prices, i -> i > 0 && random.nextInt(4) == 0 ? Double.POSITIVE_INFINITY : 0.3 + random.nextDouble());
        return WeightedL2.of(prices);
    }

    /** Scales moves so that their mean cost is the budget, or less if the box stops them. */
    private static double[][] spending(Case c, WeightedL2 cost, double[][] by, double rho, Box box) {
        double[][] x = c.features();
        double[] costs = new double[x.length];
        Arrays.setAll(costs, j -> cost.cost(by[j], new double[by[j].length]));
        double factor = Math.sqrt(rho / c.mean(costs));
        double[][] z = new double[x.length][];
        for (int j = 0; j < x.length; j++) {
            z[j] = x[j].clone();
            for (int i = 0; i < z[j].length; i++) {
                z[j][i] = box.clip(z[j][i] + (Double.isFinite(factor) ? factor * by[j][i] : 0), x[j][i]);
            }
        }
        return z;
    }

    private static double[][] gradients(Case c, WeightedL2 cost, double[][] z) {
        double[] flat = Arrays.stream(z).flatMapToDouble(Arrays::stream).toArray();
        double[] labels =
                IntStream.range(0, z.length).mapToDouble(c.rows()::label).toArray();
        int d = z[0].length;
        double[] out = new double[flat.length];
        c.model().model().gradientInRows(c.model().theta(), new DenseBlock(d, flat, labels, null), out);
        double[][] rows = new double[z.length][];
        Arrays.setAll(rows, j -> cost.along(Arrays.copyOfRange(out, j * d, (j + 1) * d)));
        return rows;
    }

    /** Ascends by gradients within the budget, from a random concentration on some of the rows. */
    @ParameterizedTest
    @ValueSource(strings = {"logistic", "svm(smoothing=0.5)", "linear", "huber(delta=0.7)", "softmax", "poisson"})
    void noAttackWithinTheBudgetExceedsTheCertificate(String kind) {
        Laws.check(40, seed -> {
            Randomness random = seed.random();
            int d = 1 + random.nextInt(4);
            Case c = ShiftCases.random(seed, kind, 1 + random.nextInt(8), d, random.nextInt(2) == 0);
            WeightedL2 cost = prices(random, d);
            double rho = budget(random);
            Point point = c.curve(cost).at(rho);
            assertThat(point.attained()).isLessThanOrEqualTo(point.certified());
            for (int attack = 0; attack < 20; attack++) {
                double[][] by = new double[c.rows().rows()][];
                double[] part = random.dirichlet(0.3, by.length);
                for (int j = 0; j < by.length; j++) {
                    double[] direction = cost.along(random.gaussians(d));
                    double size = Math.sqrt(part[j]);
                    by[j] = Arrays.stream(direction).map(v -> v * size).toArray();
                }
                double[][] x = c.features();
                for (int step = 0; step < 15; step++) {
                    double[][] z = spending(c, cost, by, rho, c.box());
                    double[] costs = new double[z.length];
                    Arrays.setAll(costs, j -> cost.cost(z[j], x[j]));
                    assertThat(c.mean(costs)).isLessThanOrEqualTo(rho * (1 + 1e-9));
                    assertThat(c.mean(c.losses(z))).isLessThanOrEqualTo(point.certified() * (1 + 1e-9) + 1e-9);
                    double[][] gradients = gradients(c, cost, z);
                    for (int j = 0; j < z.length; j++) {
                        for (int i = 0; i < d; i++) {
                            by[j][i] = z[j][i] - x[j][i] + 0.5 * gradients[j][i];
                        }
                    }
                }
            }
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"logistic", "svm(smoothing=0.5)", "linear", "huber(delta=0.7)", "poisson"})
    void theConstructedLossIsTheCertifiedOneForModelsWithOneScore(String kind) {
        Laws.check(80, seed -> {
            Randomness random = seed.random();
            int d = 1 + random.nextInt(4);
            Case c = ShiftCases.random(seed, kind, 1 + random.nextInt(20), d, random.nextInt(2) == 0);
            ShiftCurve curve = c.curve(prices(random, d));
            for (double rho : new double[] {0, 1e-12, budget(random), budget(random), 1e6}) {
                Point point = curve.at(rho);
                assertThat(point.rho()).isEqualTo(rho);
                assertThat(point.attained()).isLessThanOrEqualTo(point.certified());
                double size = Math.max(1e-2, Math.abs(point.certified()));
                assertThat(point.certified() - point.attained()).isLessThanOrEqualTo(1e-12 * size);
            }
            assertThat(curve.exact()).isTrue();
        });
    }

    /** Both loops are as plain as the definition. */
    @ParameterizedTest
    @ValueSource(strings = {"logistic", "svm(smoothing=0.5)", "linear", "huber(delta=0.7)"})
    void equalsBruteForceOverPricesAndMoves(String kind) {
        Laws.check(3, seed -> {
            Randomness random = seed.random();
            Case c = ShiftCases.random(seed, kind, 3, 1, true);
            double price = 0.5 + random.nextDouble();
            double rho = 0.1 + random.nextDouble();
            double least = Double.POSITIVE_INFINITY;
            double theta = c.model().theta()[0];
            double from = kind.equals("linear") ? theta * theta / price : 0;
            double[][] losses = new double[4001][];
            double[] by = new double[losses.length];
            for (int m = 0; m < losses.length; m++) {
                by[m] = (m - 2000) / 100.0;
                double move = by[m];
                losses[m] = c.losses(Arrays.stream(c.features())
                        .map(x -> new double[] {x[0] + move})
                        .toArray(double[][]::new));
            }
            for (int l = 1; l < 1500; l++) {
                double lambda = from + 1e-3 * StrictMath.pow(1.008, l);
                double[] phi = new double[3];
                Arrays.fill(phi, Double.NEGATIVE_INFINITY);
                for (int m = 0; m < losses.length; m++) {
                    for (int j = 0; j < 3; j++) {
                        phi[j] = Math.max(phi[j], losses[m][j] - lambda * price * by[m] * by[m] / 2);
                    }
                }
                least = Math.min(least, lambda * rho + c.mean(phi));
            }
            assertThat(c.curve(WeightedL2.of(price)).at(rho).certified()).isCloseTo(least, within(2e-3 * least));
        });
    }

    /** What a price certifies within one budget it certifies, by its line, within every other. */
    @ParameterizedTest
    @ValueSource(strings = {"logistic", "svm(smoothing=0.5)", "linear", "huber(delta=0.7)", "softmax", "poisson"})
    void theLineOfAPriceBoundsEveryBudget(String kind) {
        Laws.check(40, seed -> {
            Randomness random = seed.random();
            int sources = 3 * random.nextInt(2);
            Case c = ShiftCases.random(seed, kind, 12, 3, sources == 0, sources, ShiftCases.classes(kind));
            ShiftCurve curve = sources == 0
                    ? c.curve(WeightedL2.EQUAL)
                    : ShiftCurve.bySource(c.model(), c.rows(), WeightedL2.EQUAL, c.box(), random.nextInt(2));
            Point at = curve.at(budget(random));
            double other = budget(random);
            Point there = curve.at(other);
            assertThat(at.certifiedWithin(other)).isGreaterThanOrEqualTo(there.attained());
            assertThat(at.certifiedWithin(at.rho()))
                    .isBetween(at.certified(), at.certified() + 1e-9 * (1 + at.certified() + at.lambda() * at.rho()));
            if (curve.exact()) {
                assertThat(at.certifiedWithin(other)).isGreaterThan(there.certified() * (1 - 1e-9) - 1e-12);
            }
        });
    }

    @Test
    void leastSquaresHaveTheirClosedForm() {
        Laws.check(50, seed -> {
            Randomness random = seed.random();
            Case c = ShiftCases.random(seed, "linear", 1 + random.nextInt(20), 3, true);
            double rho = budget(random);
            double[] theta = c.model().theta();
            double n = theta[0] * theta[0] / 2 + theta[1] * theta[1];
            double meanSquare = 2 * c.mean(c.losses(c.features()));
            double root = Math.sqrt(meanSquare) + Math.sqrt(2 * rho * n);
            Point point = c.curve(WeightedL2.of(2, 1, Double.POSITIVE_INFINITY)).at(rho);
            assertThat(point.certified()).isCloseTo(root * root / 2, within(1e-12 * root * root));
            assertThat(point.lambda()).isGreaterThan(n);
        });
    }

    @Test
    void leastSquaresWithoutResidualsStillMove() {
        Dataset rows = new DatasetBuilder(1)
                .add(new double[] {1}, 2)
                .add(new double[] {3}, 6)
                .build(ShiftCases.schema(1, 0, 0), DataSource.MEMORY);
        TrainedModel model = new TrainedModel(
                Models.catalogue().choose("linear"),
                true,
                new double[] {2, 0},
                Scaling.none(1),
                LabelScaling.NONE,
                ShiftCases.schema(1, 0, 0),
                0.5);
        Point point = ShiftCurve.of(model, rows, WeightedL2.EQUAL).at(0.5);
        assertThat(point.certified()).isCloseTo(2, within(1e-12));
        assertThat(point.attained()).isCloseTo(2, within(1e-12));
    }

    /** The same rows in units of 1e100 spreads. */
    @Test
    void leastSquaresOfTinyWeightsAreThoseOfLargeRows() {
        for (double unit : new double[] {1, 1e-50, 1e-100, 1e-150}) {
            TrainedModel model = new TrainedModel(
                    Models.catalogue().choose("linear"),
                    false,
                    new double[] {unit},
                    Scaling.none(1),
                    LabelScaling.NONE,
                    ShiftCases.schema(1, 0, 0),
                    0.5);
            DatasetBuilder rows = new DatasetBuilder(1);
            rows.add(new double[] {2 / unit}, 1, 0, 1);
            double rho = 0.5 / unit / unit;
            Point point = ShiftCurve.of(model, rows.build(model.schema(), DataSource.MEMORY), WeightedL2.EQUAL)
                    .at(rho);
            assertThat(point.certified()).isCloseTo(2, within(1e-12));
            assertThat(point.attained()).isBetween(2 - 1e-12, point.certified());
            assertThat(point.lambda() * rho).isCloseTo(1, within(1e-12));
        }
    }

    @Test
    void whatAllClassesShareChangesNothing() {
        Laws.check(20, seed -> {
            Randomness random = seed.child("shared").random();
            Case c = ShiftCases.random(seed, "softmax", 5, 2, false);
            double[] theta = c.model().theta();
            double[] shared = random.gaussians(2);
            int weights = 4 * 2;
            Arrays.setAll(theta, i -> theta[i] + (i < weights ? 1e7 * shared[i % 2] : 0));
            TrainedModel same = new TrainedModel(
                    Models.catalogue().choose("softmax"),
                    true,
                    theta,
                    c.model().scaling(),
                    LabelScaling.NONE,
                    c.model().schema(),
                    0.5);
            double rho = budget(random);
            double expected = c.curve(WeightedL2.EQUAL).at(rho).certified();
            assertThat(new Case(same, c.rows()).curve(WeightedL2.EQUAL).at(rho).certified())
                    .isCloseTo(expected, within(1e-6 * (1 + expected)));
        });
    }

    /** Where lambda is just below L_zz, an ascent ends in the smaller of two maxima. */
    @Test
    void noBoundOfSoftmaxIsBelowTheLogisticLossNearTheCurvature() {
        LogisticRegression logistic = new LogisticRegression(false);
        Laws.check(300, seed -> {
            Randomness random = seed.random();
            double n = 0.1 + 5 * random.nextDouble();
            double lambda = n / (3.9 + random.nextDouble());
            // Both maxima are as good at this margin.
            double margin = n / (2 * lambda) - 0.01 * random.nextDouble();
            LinearModel.Move move = logistic.worstMove(-margin, 0, n, lambda);
            double phi = Logistic.softplus(move.length() * n - margin) - lambda * move.length() * move.length() * n / 2;
            ScoredRows rows = new ScoredRows(
                    new int[1],
                    new int[] {0, 1},
                    new double[] {1},
                    new double[] {0},
                    new double[] {0, -margin},
                    new boolean[1]);
            double[][] weights = {{0}, {Math.sqrt(n)}};
            double bound = new SoftmaxMoves(weights, WeightedL2.EQUAL, rows, ClassGains.NONE)
                    .at(lambda)
                    .bounds()[0];
            assertThat(bound).isBetween(phi, phi + 1e-8);
        });
    }

    /** The smoothed softmax of two classes is the logistic loss, for which the bound over pairs is exact. */
    @Test
    void softmaxOfTwoClassesEqualsLogistic() {
        Laws.check(30, seed -> {
            Randomness random = seed.random();
            Case two = ShiftCases.random(seed, "softmax", 20, 3, true, 0, 2);
            double[] w = two.model().theta();
            double[] theta = {w[3] - w[0], w[4] - w[1], w[5] - w[2], w[7] - w[6]};
            TrainedModel logistic = new TrainedModel(
                    Models.catalogue().choose("logistic"),
                    true,
                    theta,
                    Scaling.none(3),
                    LabelScaling.NONE,
                    two.model().schema(),
                    0.5);
            WeightedL2 cost = prices(random, 3);
            double rho = budget(random);
            Point exact = ShiftCurve.of(logistic, two.rows(), cost).at(rho);
            Point bounded = two.curve(cost).at(rho);
            assertThat(bounded.certified()).isBetween(exact.certified() * (1 - 1e-12), exact.certified() * 1.001);
            assertThat(bounded.attained()).isBetween(exact.certified() * 0.97, exact.certified());
        });
    }

    @Test
    void softmaxIsSharpForSmallShiftsAndCloseForLargeOnes() {
        Laws.check(20, seed -> {
            Case c = ShiftCases.random(seed, "softmax", 40, 5, false);
            ShiftCurve curve = c.curve(WeightedL2.EQUAL);
            assertThat(curve.exact()).isFalse();
            Point small = curve.at(1e-4);
            assertThat(small.attained()).isBetween(small.certified() * (1 - 1e-3), small.certified());
            Point large = curve.at(0.5);
            assertThat(large.attained()).isBetween(large.certified() * 0.75, large.certified());
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"logistic", "svm(smoothing=0.5)", "linear", "huber(delta=0.7)", "softmax"})
    void coversTheStrongestShiftsOfTheCatalogue(String kind) {
        Laws.check(20, seed -> {
            Randomness random = seed.random();
            int d = 1 + random.nextInt(5);
            Case c = ShiftCases.random(seed, kind, 30, d, false);
            ShiftCurve curve = c.curve(WeightedL2.EQUAL);
            double q = 2 * random.nextDouble();
            for (Norm norm : Norm.values()) {
                // A ball of the largest coordinate reaches q sqrt(d) from its centre.
                double rho = q * q / 2 * (norm == Norm.LINF ? d : 1);
                double sum = 0;
                for (Block block : c.rows().blocks()) {
                    Block shifted = new WorstCaseShift(norm, q)
                            .apply(c.model().model(), c.model().theta(), block);
                    sum += c.model().model().loss(c.model().theta(), shifted);
                }
                assertThat(sum / 30).isLessThanOrEqualTo(curve.at(rho).certified() * (1 + 1e-12));
            }
        });
    }

    /** What nature does costs something too; at that cost the certificates cover it. Labels stay in all of them but priors. */
    @ParameterizedTest
    @ValueSource(strings = {"noise(sd=0.5)", "drift(factor=0.4)", "missing(share=0.3)", "trigger(column=0, value=2)"})
    void coversNaturalShiftsAtWhatTheyCost(String shift) {
        for (String kind : List.of("logistic", "linear", "softmax")) {
            Laws.check(10, seed -> {
                Case c = ShiftCases.random(seed, kind, 60, 3, false);
                Shift natural = Shifts.catalogue().choose(shift).value();
                double cost = 0;
                double sum = 0;
                for (Block block : c.rows().blocks()) {
                    Block measured =
                            natural.measured(c.model().encoding(), c.model().scaling(), block);
                    Block moved = natural.apply(c.model().model(), c.model().theta(), measured);
                    sum += c.model().model().loss(c.model().theta(), moved);
                    for (int r = 0; r < block.rows(); r++) {
                        double[] x = new double[3];
                        double[] z = new double[3];
                        block.copyRow(r, x, 0);
                        moved.copyRow(r, z, 0);
                        cost += WeightedL2.EQUAL.cost(z, x);
                    }
                }
                assertThat(cost).isPositive();
                assertThat(sum / 60)
                        .isLessThanOrEqualTo(c.curve(WeightedL2.EQUAL)
                                .at(cost / 60 * (1 + 1e-12))
                                .certified());
            });
        }
    }

    @Test
    void pricesAreTheSameAsOtherUnits() {
        for (String kind : List.of("logistic", "huber(delta=0.7)", "softmax")) {
            Laws.check(20, seed -> {
                Randomness random = seed.random();
                Case c = ShiftCases.random(seed, kind, 15, 2, true);
                double[] prices = {0.25, 4};
                double[] theta = c.model().theta();
                for (int i = 0; i < c.model().model().penalised(2); i++) {
                    theta[i] /= Math.sqrt(prices[i % 2]);
                }
                TrainedModel other = new TrainedModel(
                        c.model().kind(),
                        true,
                        theta,
                        new Scaling(Scaling.Kind.SD, new double[2], new double[] {2, 0.5}),
                        LabelScaling.NONE,
                        c.model().schema(),
                        0.5);
                double rho = budget(random);
                Point priced = c.curve(WeightedL2.of(prices)).at(rho);
                Point rescaled =
                        ShiftCurve.of(other, c.rows(), WeightedL2.EQUAL).at(rho);
                assertThat(priced.certified()).isCloseTo(rescaled.certified(), within(1e-9));
                assertThat(priced.attained()).isCloseTo(rescaled.attained(), within(1e-9));
            });
        }
    }

    @Test
    void weightsCountAsRepeatedRows() {
        Case c = ShiftCases.random(Seed.of(3), "logistic", 12, 2, false);
        DatasetBuilder weighted = new DatasetBuilder(2);
        DatasetBuilder repeated = new DatasetBuilder(2);
        for (int j = 0; j < 12; j++) {
            weighted.add(c.rows().row(j), c.rows().label(j), 0, 1 + j % 3);
            for (int copy = 0; copy <= j % 3; copy++) {
                repeated.add(c.rows().row(j), c.rows().label(j));
            }
        }
        Schema schema = c.rows().schema();
        for (double rho : new double[] {0, 0.01, 0.3, 2}) {
            Point one = c.with(weighted.build(schema, DataSource.MEMORY))
                    .curve(WeightedL2.EQUAL)
                    .at(rho);
            Point other = c.with(repeated.build(schema, DataSource.MEMORY))
                    .curve(WeightedL2.EQUAL)
                    .at(rho);
            assertThat(one.certified()).isCloseTo(other.certified(), within(1e-12));
            assertThat(one.certified())
                    .isNotCloseTo(c.curve(WeightedL2.EQUAL).at(rho).certified(), within(1e-6));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"logistic", "svm(smoothing=0.5)", "linear", "huber(delta=0.7)", "softmax", "poisson"})
    void worstRowsReproduceTheConstructedLoss(String kind) {
        Laws.check(20, seed -> {
            Randomness random = seed.random();
            Case c = ShiftCases.random(seed, kind, 25, 3, true);
            Scaling scaling = new Scaling(Scaling.Kind.STANDARDISE, new double[] {1, -2, 0}, new double[] {2, 0.5, 1});
            LabelScaling labels = ShiftCases.classes(kind) > 0 || kind.equals("poisson")
                    ? LabelScaling.NONE
                    : new LabelScaling(0.5, 2);
            TrainedModel model = new TrainedModel(
                    c.model().kind(),
                    true,
                    c.model().theta(),
                    scaling,
                    labels,
                    c.model().schema(),
                    0.5);
            WeightedL2 cost = WeightedL2.of(1, 2, Double.POSITIVE_INFINITY);
            ShiftCurve curve = ShiftCurve.of(model, c.rows(), cost, c.box());
            double rho = budget(random);
            List<MovedRow> moved = curve.worstRows(rho);
            DatasetBuilder builder = new DatasetBuilder(3);
            double spent = 0;
            double shares = 0;
            for (MovedRow row : moved) {
                assertThat(row.reachable()).isTrue();
                assertThat(row.from()).isEqualTo(c.rows().row(row.row()));
                assertThat(row.label()).isEqualTo(c.rows().label(row.row()));
                if (!kind.equals("poisson")) {
                    assertThat(row.to()[2]).isEqualTo(row.from()[2]);
                    assertThat(row.movedFeatures()).doesNotContain(2);
                }
                assertThat(row.to()[0] - row.from()[0]).isCloseTo(2 * row.scaled()[0], within(1e-9));
                assertThat(row.share()).isPositive();
                builder.add(row.to(), row.label(), 0, row.share());
                spent += row.share() * row.cost();
                shares += row.share();
            }
            assertThat(shares).isCloseTo(1, within(1e-12));
            assertThat(spent).isLessThanOrEqualTo(rho * (1 + 1e-9));
            Dataset there = scaling.apply(labels.apply(builder.build(c.rows().schema(), DataSource.MEMORY)));
            double loss = 0;
            int at = 0;
            for (Block block : there.blocks()) {
                double[] losses = new double[block.rows()];
                model.model().losses(model.theta(), block, losses);
                for (double own : losses) {
                    assertThat(moved.get(at).after()).isCloseTo(own, within(1e-9 * (1 + own)));
                    loss += moved.get(at++).share() * own;
                }
            }
            double attained = curve.at(rho).attained();
            assertThat(loss).isCloseTo(attained, within(1e-9 * (1 + Math.abs(attained))));
            if (!kind.equals("poisson")) {
                assertThat(spent).isCloseTo(rho, within(1e-9 * rho));
            }
            assertThat(moved)
                    .allSatisfy(row -> assertThat(row.cells(model.schema(), cost))
                            .hasSameSizeAs(MovedRow.header(model.schema(), cost)));
        });
    }

    @Test
    void rowsThatNoFeaturesReachAreMarked() {
        Scaling clipped = new Scaling(
                Scaling.Kind.STANDARDISE, new double[] {0, 0}, new double[] {1, Double.POSITIVE_INFINITY}, 5);
        Schema schema = ShiftCases.schema(2, 2, 0);
        Dataset rows = new DatasetBuilder(2)
                .add(new double[] {80, 7}, 0)
                .add(new double[] {4.9, 7}, 0)
                .add(new double[] {-1, 7}, 0)
                .build(schema, DataSource.MEMORY);
        TrainedModel flat = new TrainedModel(
                Models.catalogue().choose("logistic"),
                true,
                new double[] {1, 0, 0},
                clipped,
                LabelScaling.NONE,
                schema,
                0.5);
        List<MovedRow> moved = ShiftCurve.of(flat, rows, WeightedL2.EQUAL).worstRows(0.5);
        assertThat(moved).extracting(MovedRow::row).containsExactly(0, 1, 2);
        assertThat(moved).extracting(MovedRow::reachable).containsExactly(false, false, true);
        // The score is that of the clipped row.
        assertThat(moved.get(0).before()).isCloseTo(5.006715348489118, within(1e-12));
        assertThat(moved.get(0).from()[0]).isEqualTo(80);
        assertThat(moved.get(0).to()[0]).isBetween(5.0, 7.0);
        TrainedModel onConstant = new TrainedModel(
                Models.catalogue().choose("logistic"),
                true,
                new double[] {0, 1, 0},
                clipped,
                LabelScaling.NONE,
                schema,
                0.5);
        assertThat(ShiftCurve.of(onConstant, rows, WeightedL2.EQUAL).worstRows(0.5))
                .allSatisfy(row -> {
                    assertThat(row.reachable()).isFalse();
                    assertThat(row.to()).isEqualTo(row.from());
                });
    }

    /** Rows whose worst case jumps are split: the mixture matters, and both parts are exported. */
    @Test
    void aJumpIsMixed() {
        Schema schema = ShiftCases.schema(1, 2, 0);
        Dataset rows = new DatasetBuilder(1).add(new double[] {4}, 1).build(schema, DataSource.MEMORY);
        TrainedModel model = new TrainedModel(
                Models.catalogue().choose("logistic"),
                false,
                new double[] {3},
                Scaling.none(1),
                LabelScaling.NONE,
                schema,
                0.5);
        ShiftCurve curve = ShiftCurve.of(model, rows, WeightedL2.EQUAL);
        List<MovedRow> moved = curve.worstRows(2);
        assertThat(moved).hasSize(2);
        assertThat(moved.get(0).cost()).isGreaterThan(5);
        assertThat(moved.get(1).cost()).isLessThan(0.1);
        Point point = curve.at(2);
        assertThat(point.certified() - point.attained()).isLessThan(1e-12);
        // A quarter of the mass crosses; lambda is far below L_zz = 9/4, where a floor would give 4.5.
        assertThat(point.lambda()).isLessThan(1);
        assertThat(point.certified()).isLessThan(2.25 * 2);
    }

    @Test
    void moreBudgetNeverLowersTheCertificate() {
        for (String kind : List.of("logistic", "linear", "poisson", "softmax")) {
            ShiftCurve curve = ShiftCases.random(Seed.of(8), kind, 20, 3, true).curve(WeightedL2.EQUAL);
            double before = Double.NEGATIVE_INFINITY;
            for (double rho : new double[] {0, 1e-300, 1e-9, 1e-4, 0.01, 0.1, 1, 10, 1e4, 1e60}) {
                Point point = curve.at(rho);
                assertThat(point.certified()).as("%s at %s", kind, rho).isGreaterThanOrEqualTo(before - 1e-9);
                assertThat(point.attained()).isFinite().isLessThanOrEqualTo(point.certified());
                before = point.certified();
            }
        }
    }

    @Test
    void inABoxCountsReachTheWorstCornerAndStay() {
        Case c = ShiftCases.random(Seed.of(2), "poisson", 10, 2, true);
        Point far = c.curve(WeightedL2.EQUAL).at(1e9);
        double[] worst = new double[10];
        Arrays.fill(worst, Double.NEGATIVE_INFINITY);
        for (int a = 0; a < 4; a++) {
            double[][] corners = c.features();
            for (double[] x : corners) {
                for (int i = 0; i < 2; i++) {
                    x[i] = (a >> i & 1) == 0 ? c.box().low(x[i]) : c.box().high(x[i]);
                }
            }
            double[] losses = c.losses(corners);
            Arrays.setAll(worst, j -> Math.max(worst[j], losses[j]));
        }
        assertThat(far.certified()).isCloseTo(c.mean(worst), within(1e-9));
        assertThat(far.attained()).isCloseTo(c.mean(worst), within(1e-9));
    }

    @Test
    void aModelThatReadsNothingCannotBeShifted() {
        Schema schema = ShiftCases.schema(2, 2, 0);
        TrainedModel model = new TrainedModel(
                Models.catalogue().choose("logistic"),
                true,
                new double[] {0, 0, 1},
                Scaling.none(2),
                LabelScaling.NONE,
                schema,
                0.5);
        Case c = new Case(model, Samples.dataset(Seed.of(1), 30, 2));
        double plain = c.mean(c.losses(c.features()));
        for (double rho : new double[] {0, 1, 1e9}) {
            assertThat(c.curve(WeightedL2.EQUAL).at(rho).certified()).isCloseTo(plain, within(1e-12));
        }
    }

    @Test
    void resultsDoNotDependOnThreadsOrOrder() {
        for (String kind : List.of("logistic", "softmax", "poisson")) {
            Case c = ShiftCases.random(Seed.of(5), kind, 300, 3, true);
            double[] rhos = {0.01, 3};
            List<Point> one = c.curve(WeightedL2.EQUAL).points(rhos);
            try (Threads threads = Threads.of(3)) {
                assertThat(threads.call(() -> c.curve(WeightedL2.EQUAL).points(rhos)))
                        .isEqualTo(one);
            }
            ShiftCurve curve = c.curve(WeightedL2.EQUAL);
            assertThat(curve.points(3, 0.01)).containsExactly(one.get(1), one.get(0));
        }
    }

    @Test
    void sparseRowsNeedOnlyTheirScores() {
        TrainedModel model = new TrainedModel(
                Models.catalogue().choose("logistic"),
                true,
                Seed.of(4).random().gaussians(31),
                Scaling.none(30),
                LabelScaling.NONE,
                Samples.schema(30),
                0.5);
        Point sparse = ShiftCurve.of(model, Samples.sparse(Seed.of(9), 100, 30, 4), WeightedL2.EQUAL)
                .at(0.2);
        Point dense = ShiftCurve.of(model, Samples.dense(Seed.of(9), 100, 30, 4), WeightedL2.EQUAL)
                .at(0.2);
        assertThat(sparse.certified()).isCloseTo(dense.certified(), within(1e-12));
    }

    @Test
    void badInputIsRefused() {
        Case c = ShiftCases.random(Seed.of(1), "logistic", 5, 2, false);
        ShiftCurve curve = c.curve(WeightedL2.EQUAL);
        for (double bad : new double[] {-1, Double.NaN, Double.POSITIVE_INFINITY}) {
            refuses(() -> curve.at(bad), "rho must be finite and >= 0, got " + bad);
            refuses(() -> curve.worstRows(bad), "rho must be finite and >= 0, got " + bad);
        }
        refuses(() -> c.curve(WeightedL2.of(1, 1, 1)), "there must be one price for each of 2 features, got 3");
        for (double bad : new double[] {0, -1, Double.NaN}) {
            refuses(() -> WeightedL2.of(1, bad), "the price of feature 2 must be > 0, got " + bad);
        }
        refuses(
                () -> WeightedL2.of(Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY),
                "a cost that moves nothing: at least one of the 2 features must have a finite price");
        refuses(
                () -> c.with(Samples.dataset(Seed.of(1), 5, 3)).curve(WeightedL2.EQUAL),
                "data must have 2 feature columns, got 3");
        refuses(
                () -> ShiftCurve.of(c.model(), c.rows(), WeightedL2.EQUAL, new Box(1)),
                "model logistic: its certificate needs no box");
        refuses(
                () -> ShiftCurve.bySource(c.model(), c.rows(), WeightedL2.EQUAL, Box.NONE, 0),
                "memory: rows must name their sources");
        Dataset unlabelled = new DatasetBuilder(2)
                .add(new double[2], Double.NaN)
                .build(c.rows().schema(), DataSource.MEMORY);
        refuses(
                () -> c.with(unlabelled).curve(WeightedL2.EQUAL),
                "memory: row 1 of the 1 given must have a label of one of the 2 classes, got NaN");
        Case counts = ShiftCases.random(Seed.of(1), "poisson", 5, 2, false);
        refuses(
                () -> ShiftCurve.of(counts.model(), counts.rows(), WeightedL2.EQUAL),
                "model poisson: without a box every shift certificate is infinite; give a box");
    }

    private static void refuses(Runnable what, String message) {
        assertThatThrownBy(what::run).isInstanceOf(InputException.class).hasMessage(message);
    }
}
