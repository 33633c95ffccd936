package holdfast.objective;

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
import holdfast.math.Vectors;
import holdfast.model.HuberRegression;
import holdfast.model.LinearModel;
import holdfast.model.LinearRegression;
import holdfast.model.LinearScores;
import holdfast.model.LogisticRegression;
import holdfast.model.PoissonRegression;
import holdfast.model.SmoothedHinge;
import holdfast.model.SoftmaxRegression;
import holdfast.testkit.Laws;
import holdfast.testkit.Samples;
import holdfast.testkit.TransportCostContract;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class WeightedL2Test {
    private static final Effort NONE = new Effort.Steps(0);

    @Nested
    class Contract extends TransportCostContract {
        @Override
        protected TransportCost cost(int columns, Randomness random) {
            double[] a = new double[columns];
            Arrays.setAll(a, i -> 0.1 + random.nextDouble());
            return WeightedL2.of(a);
        }
    }

    /** Prices between a tenth and ten, some infinite but the first. */
    private static double[] drawPrices(int d, Randomness random) {
        double[] a = new double[d];
        Arrays.setAll(
                a,
                i -> i > 0 && random.nextInt(4) == 0
                        ? Double.POSITIVE_INFINITY
                        : Math.pow(10, 2 * random.nextDouble() - 1));
        return a;
    }

    /** @param lambda least to most times L_zz in the norm of the cost */
    private record Problem(LinearScores model, Block block, double[] theta, double[] prices, double lambda) {
        static Problem draw(Seed seed, boolean softmax, int maxColumns, double least, double most) {
            Randomness random = seed.child("problem").random();
            int d = 1 + random.nextInt(maxColumns);
            boolean intercept = random.nextInt(2) == 0;
            LinearScores model = softmax
                    ? new SoftmaxRegression(2 + random.nextInt(3), intercept)
                    : switch (random.nextInt(least > 1 ? 4 : 3)) {
                        case 0 -> new LogisticRegression(intercept);
                        case 1 -> new SmoothedHinge(intercept, 0.2 + random.nextDouble());
                        case 2 -> new HuberRegression(intercept, 0.2 + random.nextDouble());
                        default -> new LinearRegression(intercept);
                    };
            double[] theta = Vectors.scaled(0.2 + random.nextDouble(), random.gaussians(model.parameters(d)));
            Block block = Samples.block(seed, 1 + random.nextInt(12), d, random.nextInt(2) == 0);
            double[] labels = Arrays.stream(block.labels())
                    .map(y -> softmax ? random.nextInt(model.scoresPerRow()) : y)
                    .toArray();
            double[] prices = drawPrices(d, random);
            double zz = WeightedL2.of(prices).zz(model, theta, d, 0, 0);
            double lambda = zz * (least + (most - least) * random.nextDouble());
            return new Problem(model, block.relabelled(labels), theta, prices, lambda);
        }

        WeightedL2 cost() {
            return WeightedL2.of(prices);
        }

        InnerMaximiser fast(double rate) {
            return model instanceof SoftmaxRegression softmax
                    ? new SubspaceRecurrence(softmax, lambda, rate, cost())
                    : new ScalarRecurrence((LinearModel) model, lambda, rate, cost());
        }

        InnerMaximiser slow(double rate) {
            return new GradientAscent(model, lambda, cost(), Optional.of(rate), Box.NONE);
        }

        /** f(theta; z) - lambda c(z, x_j), the cost added up here. */
        double gain(int j, double[] z) {
            double[] x = row(block, j);
            double cost = IntStream.range(0, x.length)
                    .filter(i -> z[i] != x[i])
                    .mapToDouble(i -> prices[i] * (z[i] - x[i]) * (z[i] - x[i]) / 2)
                    .sum();
            return model.loss(theta, new DenseBlock(z.length, z, new double[] {block.labels()[j]}, null))
                    - lambda * cost;
        }

        double[] gradient(WorstCase worst) {
            double[] gradient = new double[theta.length];
            model.addGradient(theta, worst.rows(), gradient);
            return gradient;
        }
    }

    private static double[] row(Block block, int j) {
        double[] x = new double[block.columns()];
        block.copyRow(j, x, 0);
        return x;
    }

    @Test
    void theRecurrencesMakeTheIteratesOfTheAscent() {
        Laws.check(400, seed -> {
            Problem p = Problem.draw(seed, seed.random().nextInt(2) == 0, 8, 0.5, 4);
            Randomness random = seed.child("effort").random();
            double rate = (0.05 + random.nextDouble()) / p.lambda;
            Effort effort = random.nextInt(3) == 0 ? new Effort.Precision(1e-3) : new Effort.Steps(random.nextInt(60));
            WorstCase slow = p.slow(rate).maximise(p.theta, p.block, effort);
            WorstCase fast = p.fast(rate).maximise(p.theta, p.block, effort);
            for (int j = 0; j < p.block.rows(); j++) {
                assertThat(row(fast.rows(), j)).containsExactly(row(slow.rows(), j), within(1e-9));
            }
            assertThat(fast.costs()).containsExactly(slow.costs(), within(1e-9));
            assertThat(p.gradient(fast)).containsExactly(p.gradient(slow), within(1e-8));
            if (Double.isInfinite(slow.precision())) {
                assertThat(fast.precision()).isInfinite();
            } else {
                assertThat(fast.precision()).isCloseTo(slow.precision(), within(1e-8));
            }
        });
    }

    /** The cost is the paper's for rows A^(1/2) x and weights A^(-1/2) theta. */
    @Test
    void pricesAreOtherUnitsOfTheFeatures() {
        Laws.check(300, seed -> {
            Problem p = Problem.draw(seed, seed.random().nextInt(2) == 0, 6, 0.5, 4);
            int d = p.prices.length;
            double[] root = Arrays.stream(p.prices)
                    .map(a -> Double.isInfinite(a) ? 1 : Math.sqrt(a))
                    .toArray();
            double[] x = new double[p.block.rows() * d];
            for (int j = 0; j < p.block.rows(); j++) {
                p.block.copyRow(j, x, j * d);
            }
            double[] theta = p.theta.clone();
            for (int i = 0; i < p.model.weights(d); i++) {
                theta[i] /= root[i % d];
            }
            Block other = new DenseBlock(d, x, p.block.labels(), p.block.weights());
            for (int at = 0; at < x.length; at++) {
                x[at] *= root[at % d];
            }
            // Features that never move: given to the plain ascent as fixed ones too, its only difference being the
            // units.
            double[] fixed = Arrays.stream(p.prices)
                    .map(a -> Double.isInfinite(a) ? a : 1)
                    .toArray();
            Effort steps = new Effort.Steps(20);
            WorstCase priced = p.fast(1 / p.lambda).maximise(p.theta, p.block, steps);
            WorstCase plain = new GradientAscent(
                            p.model, p.lambda, WeightedL2.of(fixed), Optional.of(1 / p.lambda), Box.NONE)
                    .maximise(theta, other, steps);
            assertThat(priced.costs()).containsExactly(plain.costs(), within(1e-9));
            for (int j = 0; j < p.block.rows(); j++) {
                double[] z = row(priced.rows(), j);
                Arrays.setAll(z, i -> z[i] * root[i]);
                assertThat(z).containsExactly(row(plain.rows(), j), within(1e-8));
            }
        });
    }

    @Test
    void noPointOfAGridIsWorseThanTheExactWorstCase() {
        Laws.check(150, seed -> {
            Problem p = Problem.draw(seed, false, 3, 0.2, 2);
            WorstCase worst =
                    new ExactMaximiser((LinearModel) p.model, p.lambda, p.cost()).maximise(p.theta, p.block, NONE);
            int d = p.prices.length;
            int points = d == 1 ? 2000 : d == 2 ? 60 : 16;
            for (int j = 0; j < Math.min(3, p.block.rows()); j++) {
                double[] z = row(worst.rows(), j);
                double[] x = row(p.block, j);
                double best = p.gain(j, z);
                for (int cell = 0; cell < Math.pow(points + 1, d); cell++) {
                    int rest = cell;
                    double[] rival = x.clone();
                    for (int i = 0; i < d; i++) {
                        double share = 6.0 * (rest % (points + 1)) / points - 3;
                        rival[i] += Double.isInfinite(p.prices[i]) ? 0 : share * (0.1 + Math.abs(z[i] - x[i]));
                        rest /= points + 1;
                    }
                    assertThat(p.gain(j, rival)).isLessThanOrEqualTo(best + 1e-9 * (1 + Math.abs(best)));
                }
            }
        });
    }

    @Test
    void whatIsCertainIsInEuclideanDistance() {
        Laws.check(300, seed -> {
            Problem p = Problem.draw(seed, false, 6, 1.05, 4);
            WorstCase exact =
                    new ExactMaximiser((LinearModel) p.model, p.lambda, p.cost()).maximise(p.theta, p.block, NONE);
            Effort effort = seed.random().nextInt(2) == 0 ? new Effort.Steps(3) : new Effort.Precision(0.05);
            for (InnerMaximiser near : List.of(p.fast(1 / p.lambda), p.slow(1 / p.lambda))) {
                WorstCase found = near.maximise(p.theta, p.block, effort);
                for (int j = 0; j < p.block.rows(); j++) {
                    double[] gap = row(exact.rows(), j);
                    Vectors.addScaled(gap, -1, row(found.rows(), j), gap.length);
                    assertThat(Vectors.norm(gap)).isLessThanOrEqualTo(found.precision() + exact.precision() + 1e-9);
                }
            }
        });
    }

    @Test
    void aFixedFeatureKeepsItsBits() {
        Laws.check(100, seed -> {
            Problem p = Problem.draw(seed, seed.random().nextInt(2) == 0, 6, 0.5, 4);
            for (InnerMaximiser any : List.of(p.fast(1 / p.lambda), p.slow(1 / p.lambda))) {
                WorstCase worst = any.maximise(p.theta, p.block, new Effort.Steps(5));
                for (int j = 0; j < p.block.rows(); j++) {
                    double[] x = row(p.block, j);
                    double[] z = row(worst.rows(), j);
                    for (int i = 0; i < x.length; i++) {
                        assertThat(Double.isInfinite(p.prices[i]) && x[i] != z[i])
                                .isFalse();
                    }
                }
                assertThat(Arrays.stream(worst.costs())).allMatch(Double::isFinite);
            }
        });
    }

    /** The gradients of one pass and of moved rows are the same bits, and those of finite differences of the objective. */
    @Test
    void theGradientIsThatOfTheObjective() {
        Laws.check(100, seed -> {
            Problem p = Problem.draw(seed, false, 8, 1.2, 4);
            LinearModel model = (LinearModel) p.model;
            RobustLoss loss =
                    new RobustLoss(model, new ExactMaximiser(model, p.lambda, p.cost()), Effort.always(NONE), 0);
            DatasetBuilder builder = new DatasetBuilder(p.prices.length);
            for (int j = 0; j < p.block.rows(); j++) {
                builder.add(row(p.block, j), p.block.labels()[j], 0, 1);
            }
            Dataset data = builder.build(Samples.schema(p.prices.length), DataSource.MEMORY);
            ShardSums pass = loss.sums(Iterate.of(p.theta), data, false);
            ShardSums moved = loss.sums(Iterate.of(p.theta), data, true);
            assertThat(Laws.bits(pass.gradient())).isEqualTo(Laws.bits(moved.gradient()));
            for (int i = 0; i < p.theta.length; i++) {
                double[] up = p.theta.clone();
                double[] down = p.theta.clone();
                up[i] += 1e-5;
                down[i] -= 1e-5;
                double slope = (loss.sums(Iterate.of(up), data, true).loss()
                                - loss.sums(Iterate.of(down), data, true).loss())
                        / 2e-5;
                assertThat(pass.gradient()[i]).isCloseTo(slope, within(1e-4 * (1 + Math.abs(slope))));
            }
        });
    }

    @Test
    void countsInABoxHaveNoWorseMoveOnAGrid() {
        Laws.check(150, seed -> {
            Randomness random = seed.random();
            int d = 1 + random.nextInt(3);
            PoissonRegression model = new PoissonRegression(random.nextInt(2) == 0);
            double[] theta = Vectors.scaled(random.nextDouble(), random.gaussians(model.parameters(d)));
            double[] x = random.gaussians(d);
            double[] a = drawPrices(d, random);
            Box box = new Box(0.2 + 2 * random.nextDouble());
            Block block = new DenseBlock(d, x, new double[] {random.nextInt(5)}, null);
            Problem p = new Problem(model, block, theta, a, Math.pow(10, 3 * random.nextDouble() - 2));
            WorstCase worst = new BoxMaximiser(model, p.lambda, box, p.cost()).maximise(theta, block, NONE);
            double best = p.gain(0, row(worst.rows(), 0));
            assertThat(worst.costs()[0]).isCloseTo(p.cost().cost(row(worst.rows(), 0), x), within(1e-12));
            int points = d == 1 ? 2000 : d == 2 ? 60 : 16;
            for (int cell = 0; cell < Math.pow(points + 1, d); cell++) {
                int rest = cell;
                double[] z = x.clone();
                for (int i = 0; i < d; i++) {
                    double share = (double) (rest % (points + 1)) / points;
                    if (Double.isFinite(a[i])) {
                        z[i] = box.low(x[i]) + share * (box.high(x[i]) - box.low(x[i]));
                    }
                    rest /= points + 1;
                }
                assertThat(p.gain(0, z)).isLessThanOrEqualTo(best + 1e-11 * (1 + Math.abs(best)));
            }
        });
    }

    @Test
    void pricesThatAllAreOneChangeNoBit() {
        Laws.check(60, seed -> {
            Problem p = Problem.draw(seed, seed.random().nextInt(2) == 0, 8, 0.5, 4);
            double[] ones = new double[p.prices.length];
            Arrays.fill(ones, 1);
            Problem priced = new Problem(p.model, p.block, p.theta, ones, p.lambda);
            InnerMaximiser plain = p.model instanceof SoftmaxRegression softmax
                    ? new SubspaceRecurrence(softmax, p.lambda, 1 / p.lambda)
                    : new ScalarRecurrence((LinearModel) p.model, p.lambda, 1 / p.lambda);
            Effort steps = new Effort.Steps(7);
            WorstCase one = plain.maximise(p.theta, p.block, steps);
            WorstCase other = priced.fast(1 / p.lambda).maximise(p.theta, p.block, steps);
            assertThat(Laws.bits(priced.gradient(other))).isEqualTo(Laws.bits(p.gradient(one)));
            assertThat(Laws.bits(other.costs())).isEqualTo(Laws.bits(one.costs()));
            assertThat(other.precision()).isEqualTo(one.precision());
        });
    }

    @Test
    void namesMakePrices() {
        List<String> features = List.of("age", "region=north", "region=south", "regional");
        WeightedL2 cost = Prices.parse("age=4, region=fixed").on(features).features();
        assertThat(IntStream.range(0, 4).mapToDouble(cost::price))
                .containsExactly(4.0, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY, 1.0);
        assertThat(Prices.parse("region=fixed,region=north=0.5")
                        .on(features)
                        .features()
                        .price(1))
                .isEqualTo(0.5);
        assertThat(Prices.EQUAL.on(features)).isSameAs(WeightedL2.EQUAL);
        for (String text : List.of("equal", "age=4.0,region=fixed", "region=north=0.5")) {
            assertThat(Prices.parse(Prices.parse(text).toString())).isEqualTo(Prices.parse(text));
        }
        refused(
                "--prices: 'income' is not a feature of the model; the closest: age, region, regional",
                () -> Prices.parse("income=2").on(features));
        refused("the price of age must be a number > 0, or fixed, got '0'", () -> Prices.parse("age=0"));
        refused("the price of age must be a number > 0, or fixed, got 'NaN'", () -> Prices.parse("age=NaN"));
        refused("the price of age must be a number > 0, or fixed, got 'Infinity'", () -> Prices.parse("age=Infinity"));
        refused("the price of age must be a number > 0, or fixed, got '-1'", () -> Prices.parse("age=-1"));
        refused("the price of age must be a number > 0, or fixed, got 'x'", () -> Prices.parse("age=x"));
        refused("must be equal, or such as age=4,sex=fixed, got 'age'", () -> Prices.parse("age"));
        refused("must be equal, or such as age=4,sex=fixed, got ''", () -> Prices.parse("age=1,"));
        refused("'age' is named twice", () -> Prices.parse("age=1,age=2"));
        refused(
                "--prices: a cost that moves nothing: at least one of the 1 features must have a finite price",
                () -> Prices.parse("age=fixed").on(List.of("age")));
    }

    @Test
    void theMarkOfAMissingCellHasThePriceOfItsColumn() {
        List<String> features = List.of("age", "age missing", "region=north", "region missing", "income");
        WeightedL2 cost = Prices.parse("age=4,region=fixed").on(features).features();
        double never = Double.POSITIVE_INFINITY;
        assertThat(IntStream.range(0, 5).mapToDouble(cost::price)).containsExactly(4.0, 4.0, never, never, 1.0);
        cost = Prices.parse("age missing=2,age=4").on(features).features();
        assertThat(IntStream.range(0, 5).mapToDouble(cost::price)).containsExactly(4.0, 2.0, 1.0, 1.0, 1.0);
    }

    @Test
    void textColumnsChangeAsAWhole() {
        List<String> features = List.of("age", "region=north", "region=south", "region missing", "income");
        CategoryColumn region =
                new CategoryColumn("region", 1, List.of(-0.5, -0.1, -0.2), List.of(1.5, 1.0 / 3, 4.0), true);
        Prices prices = Prices.parse("region=whole(2), age=4");
        assertThat(prices.toString()).isEqualTo("age=4,region=whole(2)");
        assertThat(Prices.parse(prices.toString())).isEqualTo(prices);
        Prices scaled = prices.scaled(List.of(region), features);
        assertThat(Prices.parse(scaled.toString())).isEqualTo(scaled);
        assertThat(scaled.scaled(List.of(region), features)).isEqualTo(scaled);
        PricedCost cost = scaled.on(features);
        double never = Double.POSITIVE_INFINITY;
        WeightedL2 others =
                MixedCost.of(new double[] {4, 1, 1, 1, 1}, cost.changes()).features();
        assertThat(cost.features()).isEqualTo(others);
        assertThat(IntStream.range(0, 5).mapToDouble(others::price)).containsExactly(4.0, never, never, never, 1.0);
        assertThat(cost.changes()).containsExactly(new MixedCost.Change(region, 2));
        List<String> numbers = List.of("0", "1", "2", "3", "4");
        assertThat(Prices.parse(scaled.numbered(features).toString()).on(numbers))
                .isEqualTo(cost);
        assertThat(prices.byAnyAmount(features)).isEqualTo(others);
        // Nothing else has to move.
        List<String> alone = features.subList(0, 4);
        assertThat(Prices.parse("age=fixed,region=whole(1)")
                        .scaled(List.of(region), alone)
                        .on(alone)
                        .changes())
                .hasSize(1);
        for (String bad : List.of("0", "-1", "x", "", "Infinity", "2;1", "2;1;0;1")) {
            refusedWith(
                    "the price of changing region must be a number > 0, as in whole(2), got",
                    () -> Prices.parse("region=whole(" + bad + ")"));
        }
        refused("'region' is named twice", () -> Prices.parse("region=whole(1),region=2"));
        refused(
                "--prices: 'age' is no column of text, so it cannot change as a whole; leave out whole(...)",
                () -> Prices.parse("age=whole(1)").scaled(List.of(region), features));
        refused(
                "--prices: 'zone' is not a feature of the model; the closest: age, income, region",
                () -> Prices.parse("zone=whole(1)").scaled(List.of(region), features));
        for (String own : List.of("region=north", "region missing")) {
            refused(
                    "--prices: '" + own + "' is of a column that changes as a whole, so it has no price of its own",
                    () -> Prices.parse("region=whole(1)," + own + "=2")
                            .scaled(List.of(region), features)
                            .on(features));
        }
    }

    private static void refusedWith(String message, Runnable choice) {
        assertThatThrownBy(choice::run).isInstanceOf(InputException.class).hasMessageStartingWith(message);
    }

    private static void refused(String message, Runnable choice) {
        assertThatThrownBy(choice::run).isInstanceOf(InputException.class).hasMessage(message);
    }
}
