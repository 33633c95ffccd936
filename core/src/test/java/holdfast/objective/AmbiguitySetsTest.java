package holdfast.objective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import holdfast.InputException;
import holdfast.Randomness;
import holdfast.Seed;
import holdfast.aggregate.Mean;
import holdfast.data.DataSource;
import holdfast.data.Dataset;
import holdfast.data.DatasetBuilder;
import holdfast.data.Schema;
import holdfast.model.HuberRegression;
import holdfast.model.LinearModel;
import holdfast.model.LinearRegression;
import holdfast.model.LogisticRegression;
import holdfast.model.SoftmaxRegression;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.testkit.Laws;
import holdfast.testkit.Logged;
import holdfast.testkit.Samples;
import holdfast.training.Training;
import holdfast.training.TrainingRun;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The built-in objectives against the worst case found by other means: by trying the distributions of the set. */
class AmbiguitySetsTest {
    /** How far values may be above the worst case, and trained parameters above the best, relative to it. */
    private static final double CLOSE = 0.01;

    /** @param worst the worst case of losses, by a way of its own */
    private record Case(String name, ObjectiveFamily family, ToDoubleFunction<double[]> worst) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static List<Case> cases() {
        return List.of(
                new Case("cvar", new ConditionalValueAtRisk(0.7), losses -> capped(losses, 1 / 0.3)),
                new Case("cvar of all", new ConditionalValueAtRisk(0), losses -> capped(losses, 1)),
                new Case("chi-square", new ChiSquareBall(0.1), losses -> withinChiSquare(losses, 0.1)),
                new Case("wide chi-square", new ChiSquareBall(1.5), losses -> withinChiSquare(losses, 1.5)),
                new Case("kl", new KullbackLeiblerBall(0.05), losses -> tilted(losses, 0.05)),
                new Case("wide kl", new KullbackLeiblerBall(0.8), losses -> tilted(losses, 0.8)),
                new Case("group", new WorstSources(2.5), losses -> capped(losses, 2.5)));
    }

    /** The largest weights where the losses are largest, as far as the cap allows. */
    private static double capped(double[] losses, double cap) {
        double[] sorted = Arrays.stream(losses).sorted().toArray();
        double left = sorted.length / cap;
        double sum = 0;
        for (int j = sorted.length - 1; j >= 0 && left > 0; j--, left--) {
            sum += Math.min(left, 1) * sorted[j];
        }
        return sum * cap / sorted.length;
    }

    /** The best of all supports; on each, q maximises a linear function on a sphere around the uniform weights. */
    private static double withinChiSquare(double[] losses, double radius) {
        int n = losses.length;
        if (n > 12) {
            return sortedSupports(losses, radius);
        }
        double best = Double.NEGATIVE_INFINITY;
        for (int set = 1; set < 1 << n; set++) {
            int support = set;
            best = Math.max(
                    best,
                    onSupport(
                            losses,
                            IntStream.range(0, n)
                                    .filter(j -> (support >> j & 1) == 1)
                                    .toArray(),
                            radius));
        }
        return best;
    }

    /** Where rows are many: the support of the best weights is a set of the largest losses. */
    private static double sortedSupports(double[] losses, double radius) {
        double[] sorted = Arrays.stream(losses).sorted().toArray();
        return IntStream.range(0, sorted.length)
                .mapToDouble(from ->
                        onSupport(sorted, IntStream.range(from, sorted.length).toArray(), radius))
                .max()
                .orElseThrow();
    }

    /**
     * q_j = 1/k + e (l_j - mean) on k rows, e as large as (n sum q_j^2 - 1)/2 &lt;= radius allows; minus infinity if a
     * weight is negative or the k uniform weights are too far away.
     */
    private static double onSupport(double[] losses, int[] support, double radius) {
        int n = losses.length;
        int k = support.length;
        double mean =
                Arrays.stream(support).mapToDouble(j -> losses[j]).average().orElseThrow();
        double squares = Arrays.stream(support)
                .mapToDouble(j -> Math.pow(losses[j] - mean, 2))
                .sum();
        double left = (1 + 2 * radius) / n - 1.0 / k;
        if (left < 0) {
            return Double.NEGATIVE_INFINITY;
        }
        double e = squares == 0 ? 0 : Math.sqrt(left / squares);
        boolean legal = Arrays.stream(support).allMatch(j -> 1.0 / k + e * (losses[j] - mean) >= -1e-12);
        return legal ? mean + e * squares : Double.NEGATIVE_INFINITY;
    }

    /** Exponential weights of the radius, found by bisection; all weight on the worst rows if even that is within it. */
    private static double tilted(double[] losses, double radius) {
        double most = Arrays.stream(losses).max().orElseThrow();
        double spread = most - Arrays.stream(losses).min().orElseThrow();
        double[] range = {0, 1e4 / spread};
        double[] q = new double[losses.length];
        for (int i = 0; i < 70; i++) {
            double middle = (range[0] + range[1]) / 2;
            Arrays.setAll(q, j -> Math.exp(middle * (losses[j] - most)));
            double sum = Arrays.stream(q).sum();
            Arrays.setAll(q, j -> q[j] / sum);
            range[divergence(q) > radius ? 1 : 0] = middle;
        }
        return IntStream.range(0, q.length).mapToDouble(j -> q[j] * losses[j]).sum();
    }

    private static double divergence(double[] q) {
        return Arrays.stream(q)
                .filter(x -> x > 0)
                .map(x -> x * Math.log(x * q.length))
                .sum();
    }

    /** One row per loss: the label is sqrt(2 loss), and theta is 0. */
    private static Dataset rows(double[] losses) {
        DatasetBuilder builder = new DatasetBuilder(1);
        for (double loss : losses) {
            builder.add(new double[] {1}, Math.sqrt(2 * loss));
        }
        return builder.build(Samples.schema(1), DataSource.MEMORY);
    }

    /** The value when only the objective's own variables move; each row is a worker if workers are reweighted. */
    private static double leastOverDuals(ObjectiveFamily family, double[] losses, int rounds) {
        Objective objective = family.on(new LinearRegression(false), 0);
        Dataset all = rows(losses);
        List<Dataset> workers = family instanceof WorstSources
                ? IntStream.range(0, losses.length)
                        .mapToObj(j -> all.select(new int[] {j}))
                        .toList()
                : List.of(all);
        double[] duals = objective.startDuals();
        double value = Double.NaN;
        for (int round = 0; round < rounds; round++) {
            Iterate at = new Iterate(round, new double[1], duals);
            List<ShardSums> sums =
                    workers.stream().map(w -> objective.sums(at, w, true)).toList();
            value = sums.stream()
                    .mapToDouble(s -> objective.value(at, s, 1))
                    .average()
                    .orElseThrow();
            double[] reports = new double[duals.length];
            sums.forEach(s -> {
                double[] own = objective.dualGradient(at, s);
                Arrays.setAll(reports, k -> reports[k] + own[k] / sums.size());
            });
            duals = objective.nextDuals(duals, reports, 0.1);
        }
        return value;
    }

    /** Whatever the unit of the losses: the same steps lead there. */
    @ParameterizedTest
    @MethodSource("cases")
    void theLeastValueOverItsVariablesIsTheWorstCase(Case c) {
        Laws.check(100, seed -> {
            Randomness random = seed.random();
            double scale = Math.pow(10, random.nextInt(7) - 3);
            double[] losses = new double[9];
            Arrays.setAll(losses, j -> scale * -Math.log(1 - random.nextDouble()));
            double worst = c.worst.applyAsDouble(losses);
            assertThat(leastOverDuals(c.family, losses, 400 + random.nextInt(20)))
                    .isBetween(worst * (1 - 1e-9), worst * (1 + CLOSE));
        });
    }

    /** Any values of its variables bound the worst case from above. */
    @ParameterizedTest
    @MethodSource("cases")
    void noValueIsBelowTheWorstCase(Case c) {
        Laws.check(20, seed -> {
            Randomness random = seed.random();
            double[] losses = new double[9];
            Arrays.setAll(losses, j -> random.nextDouble());
            double worst = c.worst.applyAsDouble(losses);
            for (int rounds = 3; rounds < 30; rounds++) {
                assertThat(leastOverDuals(c.family, losses, rounds)).isGreaterThan(worst * (1 - 1e-9));
            }
        });
    }

    /** Exponential weights are the worst by the theory of the dual; here, random weights of the ball are no worse. */
    @Test
    void noWeightsOfADivergenceBallAreWorseThanTheTiltedOnes() {
        Laws.check(20, seed -> {
            Randomness random = seed.random();
            double[] losses = new double[5];
            Arrays.setAll(losses, j -> random.nextDouble());
            double worst = tilted(losses, 0.2);
            double closest = 0;
            for (int i = 0; i < 3000; i++) {
                double power = 3 * random.nextDouble();
                double[] q = new double[5];
                Arrays.setAll(q, j -> Math.exp(power * (losses[j] + random.nextDouble())));
                double sum = Arrays.stream(q).sum();
                Arrays.setAll(q, j -> q[j] / sum);
                if (divergence(q) <= 0.2) {
                    closest = Math.max(
                            closest,
                            IntStream.range(0, 5)
                                    .mapToDouble(j -> q[j] * losses[j])
                                    .sum());
                }
            }
            assertThat(closest).isLessThanOrEqualTo(worst + 1e-9).isGreaterThan(0.8 * worst);
        });
    }

    /** Squared losses of u = a x + b, by a formula of their own. */
    private static double[] losses(double[] line, Dataset rows) {
        double[] losses = new double[rows.rows()];
        Arrays.setAll(losses, r -> Math.pow(line[0] * rows.row(r)[0] + line[1] - rows.label(r), 2) / 2);
        return losses;
    }

    /** The smallest value of a function of two parameters, on grids that become finer. */
    private static double least(ToDoubleFunction<double[]> function) {
        double[] best = {0, 0};
        double least = function.applyAsDouble(best);
        for (double width = 3; width > 1e-3; width /= 2) {
            double[] middle = best;
            for (int i = -4; i <= 4; i++) {
                for (int j = -4; j <= 4; j++) {
                    double[] tried = {middle[0] + i * width / 4, middle[1] + j * width / 4};
                    double value = function.applyAsDouble(tried);
                    if (value < least) {
                        least = value;
                        best = tried;
                    }
                }
            }
        }
        return least;
    }

    private static Training training(Dataset data, ObjectiveFamily family) {
        return Training.of(data, Plan.defaults().with("partition", "in-turn"))
                .workers(6)
                .rule(new Mean())
                .with(PlanKey.TEST_SHARE, 0.0)
                .objective(family);
    }

    /** With the automatic learning rate and the standard number of rounds. */
    @ParameterizedTest
    @MethodSource("cases")
    void trainingArrivesAtTheBestOfAGrid(Case c) {
        Dataset data = Samples.numbers(Seed.of(5), 204, 1, 0);
        Training training = training(data, c.family);
        Dataset rows = training.prepare().training();
        TrainingRun run = training.run();
        ToDoubleFunction<double[]> worst = line -> {
            double[] losses = losses(line, rows);
            return c.worst.applyAsDouble(
                    c.family instanceof WorstSources
                            ? IntStream.range(0, 6)
                                    .mapToDouble(w -> IntStream.range(0, 204)
                                            .filter(r -> r % 6 == w)
                                            .mapToDouble(r -> losses[r])
                                            .average()
                                            .orElseThrow())
                                    .toArray()
                            : losses);
        };
        double best = least(worst);
        assertThat(worst.applyAsDouble(run.model().theta())).isBetween(best * (1 - 1e-6), best * (1 + CLOSE));
        assertThat(run.objective()).isBetween(best * (1 - 1e-6), best * (1 + 2 * CLOSE));
    }

    /** Random distributions of three scores with the moments of the set; the worst is at two scores of one length. */
    @Test
    void noScoresWithTheseMomentsHaveALargerMeanLoss() {
        for (LinearModel model : List.of(new LogisticRegression(false), new HuberRegression(false, 0.7))) {
            Laws.check(30, seed -> {
                Randomness random = seed.random();
                boolean isClass = model instanceof LogisticRegression;
                double factor = 1 + random.nextDouble();
                Dataset data = Samples.dataset(seed, 40, 1);
                double[] theta = {2 * random.nextDouble()};
                double[] scores = new double[40];
                Arrays.setAll(
                        scores,
                        r -> isClass
                                ? (2 * data.label(r) - 1) * theta[0] * data.row(r)[0]
                                : theta[0] * data.row(r)[0] - data.label(r));
                double mean = Arrays.stream(scores).average().orElseThrow();
                double second =
                        factor * Arrays.stream(scores).map(v -> v * v).average().orElseThrow();
                Objective objective = new MomentSet(factor).on(model, 0);
                Iterate first = new Iterate(0, theta, objective.startDuals());
                double[] duals = objective.nextDuals(
                        first.duals(), objective.dualGradient(first, objective.sums(first, data, false)), 0.1);
                Iterate at = new Iterate(1, theta, duals);
                double value = objective.value(at, objective.sums(at, data, true), 1);
                assertThat(duals[0]).isCloseTo(Math.sqrt(second), within(1e-12));
                double a = duals[0];
                double up = (1 + mean / a) / 2;
                assertThat(up * loss(model, a) + (1 - up) * loss(model, -a)).isCloseTo(value, within(1e-9));
                assertThat(objective.value(first, objective.sums(first, data, true), 1))
                        .isGreaterThan(value - 1e-12);
                for (int i = 0; i < 500; i++) {
                    double x = a * 3 * random.nextDouble();
                    double y = -a * 3 * random.nextDouble();
                    double z = a * (2 * random.nextDouble() - 1);
                    double share = random.nextDouble();
                    double p = ((mean - share * z) / (1 - share) - y) / (x - y);
                    double square = share * z * z + (1 - share) * (p * x * x + (1 - p) * y * y);
                    if (p >= 0 && p <= 1 && square <= second) {
                        double tried =
                                share * loss(model, z) + (1 - share) * (p * loss(model, x) + (1 - p) * loss(model, y));
                        assertThat(tried).isLessThanOrEqualTo(value + 1e-12);
                    }
                }
            });
        }
    }

    /** By formulas of their own: of a margin, and of a residual. */
    private static double loss(LinearModel model, double v) {
        return model instanceof LogisticRegression
                ? Math.log1p(Math.exp(-v))
                : Math.abs(v) <= 0.7 ? v * v / 2 : 0.7 * (Math.abs(v) - 0.35);
    }

    @Test
    void trainingForMomentsArrivesAtTheBestOfAGrid() {
        Dataset data = Samples.dataset(Seed.of(5), 204, 1);
        Training training = training(data, new MomentSet(1.4));
        Dataset rows = training.prepare().training();
        double best = least(line -> moments(line, rows));
        assertThat(moments(training.run().model().theta(), rows)).isBetween(best * (1 - 1e-6), best * 1.001);
    }

    private static double moments(double[] line, Dataset rows) {
        double[] v = new double[rows.rows()];
        Arrays.setAll(v, r -> (2 * rows.label(r) - 1) * (line[0] * rows.row(r)[0] + line[1]));
        double length =
                Math.sqrt(1.4 * Arrays.stream(v).map(x -> x * x).average().orElseThrow());
        return -Arrays.stream(v).average().orElseThrow() / 2 + Math.log(2 * Math.cosh(length / 2));
    }

    @Test
    void parametersAndModelsThatDoNotServeAreRefusedInOneLine() {
        expectRefusal(() -> new ConditionalValueAtRisk(1), "cvar: level must be at least 0 and below 1, got 1.0");
        expectRefusal(
                () -> new ConditionalValueAtRisk(Double.NaN), "cvar: level must be at least 0 and below 1, got NaN");
        expectRefusal(() -> new ChiSquareBall(0), "chi-square: radius must be finite and > 0, got 0.0");
        expectRefusal(() -> new KullbackLeiblerBall(Double.NaN), "kl: radius must be finite and > 0, got NaN");
        expectRefusal(() -> new MomentSet(0.9), "moments: factor must be finite and at least 1, got 0.9");
        expectRefusal(() -> new WorstSources(0.5), "group: cap must be finite and at least 1, got 0.5");
        expectRefusal(
                () -> new MomentSet(2).on(new SoftmaxRegression(3, true), 0),
                "--objective moments needs one linear score and its kind of loss: --model logistic, linear or huber, got softmax");
        expectRefusal(
                () -> Plan.defaults()
                        .with("objective", "cvar(level=0.8)")
                        .with("lambda", "3")
                        .objective(),
                "--lambda is the price of moving rows in --objective wasserstein; leave it out with --objective"
                        + " cvar(level=0.8), got 3");
    }

    private static void expectRefusal(ThrowingCallable made, String message) {
        assertThatThrownBy(made).isInstanceOf(InputException.class).hasMessage(message);
    }

    /** lambda none is plain training, which is what these objectives reweight. */
    @Test
    void theDefaultPriceAndNoneAreIgnored() {
        Plan plan = Plan.defaults().with("objective", "kl(radius=0.3)");
        assertThat(plan.objective()).isEqualTo(new KullbackLeiblerBall(0.3));
        assertThat(plan.with("lambda", "none").objective()).isEqualTo(new KullbackLeiblerBall(0.3));
        assertThat(plan.lambda()).isEmpty();
        assertThat(Plan.defaults().withObjective(new Wasserstein(3)).withObjective(new ChiSquareBall(0.2)))
                .isEqualTo(Plan.defaults().with("objective", "chi-square(radius=0.2)"));
    }

    @Test
    void screeningTheWorkersThatMatterIsWarnedOf() {
        Dataset data = Samples.dataset(Seed.of(2), 200, 2);
        String warning =
                "rule norm-screening drops the longest updates, and with --objective cvar these are the ones of"
                        + " the workers with the largest losses; --rule norm-clipping shortens them instead";
        assertThat(Logged.during(() -> rounds(data, "norm-screening", "cvar"))).contains(warning);
        List<String> others = new ArrayList<>();
        others.addAll(Logged.during(() -> rounds(data, "norm-clipping", "cvar")));
        others.addAll(Logged.during(() -> rounds(data, "norm-screening", "moments")));
        others.addAll(Logged.during(() -> rounds(data, "norm-screening", "wasserstein")));
        assertThat(others).noneMatch(line -> line.contains("drops the longest updates"));
    }

    private static void rounds(Dataset data, String rule, String objective) {
        Training.of(data, Plan.defaults().with("rule", rule).with("objective", objective))
                .rounds(2)
                .run();
    }

    /** Weights count in the objective, but in the steps of its variables only relative to their mean. */
    @Test
    void weightsOfAnyMeanLeadToTheSameVariables() {
        for (ObjectiveFamily family :
                List.of(new ConditionalValueAtRisk(0.8), new ChiSquareBall(0.5), new KullbackLeiblerBall(0.5))) {
            Laws.check(20, seed -> {
                Dataset rows = rows(Arrays.stream(seed.random().gaussians(30))
                        .map(Math::abs)
                        .toArray());
                Objective objective = family.on(new LinearRegression(false), 0);
                double[] once = objective.startDuals();
                double[] often = objective.startDuals();
                for (int round = 0; round < 60; round++) {
                    once = next(objective, once, rows);
                    often = next(objective, often, rows.reweigh(r -> 30));
                }
                assertThat(often).containsExactly(once, within(1e-9));
                Iterate at = new Iterate(1, new double[1], once);
                assertThat(objective.value(at, objective.sums(at, rows.reweigh(r -> 30), true), 1))
                        .isCloseTo(30 * objective.value(at, objective.sums(at, rows, true), 1), within(1e-9));
            });
        }
    }

    private static double[] next(Objective objective, double[] duals, Dataset rows) {
        Iterate at = new Iterate(0, new double[1], duals);
        return objective.nextDuals(duals, objective.dualGradient(at, objective.sums(at, rows, false)), 0.1);
    }

    /** The mean loss of the first round is no measure of the worst losses of later ones. */
    @Test
    void theFirstRoundIsComparedWithNoOther() {
        double[] losses = IntStream.range(0, 200)
                .mapToDouble(r -> r % 50 == 0 ? 5000 : 0.1)
                .toArray();
        Plan plan = Plan.defaults()
                .with("model", "linear")
                .with("workers", "2")
                .with("rule", "mean")
                .with("tolerated", "0")
                .with("scale", "none")
                .with("intercept", "false")
                .with("test-share", "0")
                .with("learning-rate", "1e-9")
                .with("rounds", "50")
                .withObjective(new ConditionalValueAtRisk(0.98));
        Dataset numbers = Dataset.of(
                new Schema(List.of("x"), "y", List.of(), List.of()),
                rows(losses).blocks(),
                DataSource.MEMORY);
        TrainingRun run = Training.of(numbers, plan).run();
        assertThat(run.state().round()).isEqualTo(50);
        assertThatThrownBy(() ->
                        Training.of(numbers, plan.with("validation", "0.2")).run())
                .isInstanceOf(InputException.class)
                .hasMessageStartingWith(
                        "--validation chooses among rounds by their losses, which --objective cvar(level=0.98)");
    }
}
