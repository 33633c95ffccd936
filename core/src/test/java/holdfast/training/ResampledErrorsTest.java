package holdfast.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import holdfast.InputException;
import holdfast.Randomness;
import holdfast.Seed;
import holdfast.data.DataSource;
import holdfast.data.Dataset;
import holdfast.data.DatasetBuilder;
import holdfast.data.Schema;
import holdfast.evaluation.CoefficientErrors;
import holdfast.evaluation.Coefficients;
import holdfast.evaluation.TrainedModel;
import holdfast.plan.Plan;
import holdfast.testkit.Laws;
import holdfast.testkit.Samples;
import java.util.List;
import java.util.stream.IntStream;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class ResampledErrorsTest {
    private static final Plan EXACT = Plan.defaults()
            .with("test-share", "0")
            .with("lambda", "none")
            .with("l2", "0.01")
            .with("rule", "mean")
            .with("tolerated", "0")
            .with("tolerance", "1e-12")
            .with("rounds", "5000");

    private static final Plan BY_SOURCE = EXACT.with("workers-by", "source");

    private static Schema schema(int sources) {
        return new Schema(
                List.of("x1", "x2"),
                "y",
                List.of("no", "yes"),
                IntStream.range(0, sources).mapToObj(s -> "s" + s).toList());
    }

    /** The 320 rows of the script below. */
    private static Dataset rows() {
        DatasetBuilder rows = new DatasetBuilder(2);
        for (int i = 0; i < 320; i++) {
            int source = i % 8;
            double[] x = {Math.sin(1.7 * i), Math.cos(0.9 * i + 1) + 0.3 * (source - 3.5) / 3.5};
            double score = 0.3 + 1.1 * x[0] - 0.8 * x[1] + 0.4 * Math.sin(2 * source);
            rows.add(x, i * 0.7548776662 % 1 < 1 / (1 + Math.exp(-score)) ? 1 : 0, source, 1);
        }
        return rows.build(schema(8), DataSource.MEMORY);
    }

    private static TrainedModel trained(Dataset rows, Plan plan) {
        return Training.of(rows, plan).run().model();
    }

    private static CoefficientErrors errors(Dataset rows, Plan plan) {
        return trained(rows, plan).errors().orElseThrow();
    }

    /*
     * import numpy as np
     * n, m = 320, 8
     * i = np.arange(n); source = i % m
     * x = np.c_[np.sin(1.7 * i), np.cos(0.9 * i + 1) + 0.3 * (source - 3.5) / 3.5]
     * p = 1 / (1 + np.exp(-(0.3 + 1.1 * x[:, 0] - 0.8 * x[:, 1] + 0.4 * np.sin(2 * source))))
     * y = (i * 0.7548776662 % 1 < p) * 1.0
     * sd, mean = x.std(0), x.mean(0)
     * z = np.c_[(x - mean) / sd, np.ones(n)]
     * pen = 0.01 * np.array([1, 1, 0])
     * def fit(z, y):
     *     t = np.zeros(3)
     *     for _ in range(30):
     *         q = 1 / (1 + np.exp(-z @ t))
     *         h = (z * (q * (1 - q))[:, None]).T @ z / len(y) + np.diag(pen)
     *         t = t - np.linalg.solve(h, z.T @ (q - y) / len(y) + pen * t)
     *     return t, h
     * raw = lambda t: np.r_[t[:2] / sd, t[2] - t[:2] @ (mean / sd)]
     * t, h = fit(z, y)
     * raw(t)                                        # the coefficients and the intercept
     * rng = np.random.default_rng(1)
     * np.std([raw(fit(z[k], y[k])[0]) for k in (rng.integers(0, n, n) for _ in range(4000))], 0, ddof=1)   # BOOTSTRAP
     * q = 1 / (1 + np.exp(-z @ t))
     * g = np.array([(z * (q - y)[:, None])[source == s].mean(0) + pen * t for s in range(m)])
     * v = np.linalg.inv(h) @ np.cov(g.T) @ np.linalg.inv(h) / m
     * a = np.array([[1 / sd[0], 0, 0], [0, 1 / sd[1], 0], [-mean[0] / sd[0], -mean[1] / sd[1], 1]])
     * np.sqrt(np.diag(a @ v @ a.T))                 # SANDWICH
     */
    private static final double[] COEFFICIENTS = {0.88645601, -0.76670376, 0.34300438};
    private static final double[] BOOTSTRAP = {0.16983586, 0.16354301, 0.1234005};
    private static final double[] SANDWICH = {0.16858184, 0.0672242, 0.21699763};

    /** The errors of one step are those of a bootstrap that fits anew each time. */
    @Test
    void errorsByRowsAreThoseOfABootstrap() {
        TrainedModel model = trained(rows(), EXACT.with("workers", "1").with("intervals", "2000"));
        Coefficients own = model.coefficients().get(0);
        CoefficientErrors errors = model.errors().orElseThrow();
        assertThat(errors.bySource()).isFalse();
        assertThat(errors.resamples()).isEqualTo(2000);
        assertThat(errors.degrees()).isEqualTo(255);
        for (int i = 0; i < 2; i++) {
            assertThat(own.values()[i]).isCloseTo(COEFFICIENTS[i], within(1e-5));
            assertThat(errors.values().get(0)[i]).isCloseTo(BOOTSTRAP[i], Percentage.withPercentage(7));
        }
        assertThat(own.intercept()).isCloseTo(COEFFICIENTS[2], within(1e-5));
        assertThat(errors.intercepts()[0]).isCloseTo(BOOTSTRAP[2], Percentage.withPercentage(7));
        // Rows dealt to several workers say the same.
        CoefficientErrors dealt = errors(rows(), EXACT.with("workers", "5").with("intervals", "2000"));
        for (int i = 0; i < 2; i++) {
            assertThat(dealt.values().get(0)[i]).isCloseTo(BOOTSTRAP[i], Percentage.withPercentage(7));
        }
    }

    @Test
    void errorsBySourceAreThoseOfTheSandwich() {
        CoefficientErrors errors = errors(rows(), BY_SOURCE.with("intervals", "5000"));
        assertThat(errors.bySource()).isTrue();
        assertThat(errors.degrees()).isEqualTo(7);
        for (int i = 0; i < 2; i++) {
            assertThat(errors.values().get(0)[i]).isCloseTo(SANDWICH[i], Percentage.withPercentage(3));
        }
        assertThat(errors.intercepts()[0]).isCloseTo(SANDWICH[2], Percentage.withPercentage(3));
    }

    @Test
    void theSeedDecidesAndNeitherThreadsNorTheNumberOfResamplesChangeTheModel() {
        for (Plan plan : List.of(
                Plan.defaults().with("intervals", "20"),
                Plan.defaults().with("intervals", "20").with("workers-by", "source"))) {
            Dataset rows = rows();
            TrainedModel one = trained(rows, plan);
            TrainedModel three = Training.of(rows, plan).threads(3).run().model();
            CoefficientErrors errors = one.errors().orElseThrow();
            assertThat(Laws.bits(three.errors().orElseThrow().values().get(0)))
                    .isEqualTo(Laws.bits(errors.values().get(0)));
            assertThat(three.errors().orElseThrow().intercepts()).isEqualTo(errors.intercepts());
            assertThat(Laws.bits(trained(rows, plan.with("intervals", "0")).theta()))
                    .isEqualTo(Laws.bits(one.theta()));
            assertThat(trained(rows, plan.with("intervals", "0")).errors()).isEmpty();
            assertThat(errors(rows, plan.with("seed", "2")).values().get(0))
                    .isNotEqualTo(errors.values().get(0));
        }
    }

    /** Columns that add up to the intercept make the Hessian singular; rows that do not move leave it so. */
    @Test
    void categoriesThatAddUpToOneHaveErrors() {
        Randomness random = Seed.of(3).random();
        DatasetBuilder rows = new DatasetBuilder(3);
        for (int i = 0; i < 400; i++) {
            int category = random.nextInt(3);
            double[] x = new double[3];
            x[category] = 1;
            rows.add(x, random.nextDouble() < 0.25 + 0.2 * category ? 1 : 0);
        }
        Dataset data = rows.build(
                new Schema(List.of("c=a", "c=b", "c=c"), "y", List.of("0", "1"), List.of()), DataSource.MEMORY);
        TrainedModel model =
                trained(data, EXACT.with("l2", "0").with("workers", "1").with("intervals", "1000"));
        double[] errors = model.errors().orElseThrow().values().get(0);
        for (double error : errors) {
            // The shortest solution: no direction that the rows do not show adds to the error.
            assertThat(error).isBetween(0.05, 0.3);
        }
    }

    /** Sources drawn with replacement would contain one liar twice and more, and it would decide the interval. */
    @Test
    void liarsDoNotMakeIntervalsWide() {
        Randomness random = Seed.of(4).random();
        DatasetBuilder honest = new DatasetBuilder(2);
        DatasetBuilder spoilt = new DatasetBuilder(2);
        for (int i = 0; i < 1500; i++) {
            double[] x = random.gaussians(2);
            int source = i % 15;
            double label = x[0] - x[1] / 2 + random.nextGaussian() > 0 ? 1 : 0;
            honest.add(x, label, source, 1);
            spoilt.add(source < 2 ? new double[] {100 * x[1], -100} : x, source < 2 ? 1 - label : label, source, 1);
        }
        Plan plan = Plan.defaults()
                .with("workers-by", "source")
                .with("tolerated", "2")
                .with("intervals", "200");
        double[] before = errors(honest.build(schema(15), DataSource.MEMORY), plan)
                .values()
                .get(0);
        double[] after = errors(spoilt.build(schema(15), DataSource.MEMORY), plan)
                .values()
                .get(0);
        for (int i = 0; i < 2; i++) {
            assertThat(after[i]).isBetween(before[i] / 3, before[i] * 3);
        }
    }

    /**
     * The share of intervals that contain what training on very many sources finds. For 200 coefficients and 95 %, its
     * standard deviation is about 0.02. Intervals half as wide would contain it in two of three cases.
     */
    @Test
    void intervalsContainTheTruthAboutAsOftenAsTheySay() {
        for (String rule : List.of("mean", "norm-screening")) {
            for (boolean bySource : new boolean[] {true, false}) {
                Plan plan = Plan.defaults()
                        .with("test-share", "0")
                        .with("rule", rule)
                        .with("tolerance", "1e-5")
                        .with("intervals", "50");
                Plan by = bySource ? plan.with("workers-by", "source") : plan.with("workers", "12");
                double spread = bySource ? 0.4 : 0;
                TrainedModel all = trained(sources(Seed.of(99), 300, spread), by.with("intervals", "0"));
                double[] truth = all.coefficients().get(0).values();
                int[] covered = new int[1];
                int runs = 100;
                Laws.check(runs, seed -> {
                    TrainedModel model = trained(sources(seed, 12, spread), by);
                    for (int i = 0; i < truth.length; i++) {
                        covered[0] += model.errors()
                                        .orElseThrow()
                                        .interval(
                                                0,
                                                i,
                                                model.coefficients().get(0).values()[i])
                                        .contains(truth[i])
                                ? 1
                                : 0;
                    }
                });
                double share = covered[0] / (double) (runs * truth.length);
                assertThat(share).as("%s, %s", rule, bySource).isBetween(0.88, 0.995);
            }
        }
    }

    /** @param spread of the sources' own coefficients */
    private static Dataset sources(Seed seed, int sources, double spread) {
        Randomness random = seed.child("sources").random();
        DatasetBuilder rows = new DatasetBuilder(2);
        for (int s = 0; s < sources; s++) {
            double[] own = random.gaussians(2);
            for (int r = 0; r < 50; r++) {
                double[] x = random.gaussians(2);
                double score = (1 + spread * own[0]) * x[0] + (-0.5 + spread * own[1]) * x[1];
                rows.add(x, random.nextDouble() < 1 / (1 + StrictMath.exp(-score)) ? 1 : 0, s, 1);
            }
        }
        return rows.build(schema(sources), DataSource.MEMORY);
    }

    @Test
    void everyRuleAndModelHasIntervalsOrSaysWhyNot() {
        Dataset rows = rows();
        for (String rule :
                List.of("mean", "median", "trimmed-mean", "norm-clipping", "geometric-median", "krum", "nnm + mean")) {
            assertThat(errors(
                                    rows,
                                    Plan.defaults()
                                            .with("rule", rule)
                                            .with("intervals", "5")
                                            .with("workers-by", "s"))
                            .values())
                    .as(rule)
                    .hasSize(1);
        }
        Plan three = Plan.defaults().with("intervals", "5");
        assertThat(errors(Samples.classes(Seed.of(1), 200, 2, 3, 0), three).values())
                .hasSize(3);
        assertThat(errors(Samples.numbers(Seed.of(1), 200, 2, 0), three.with("lambda", "50"))
                        .intercepts())
                .hasSize(1);
        assertThat(errors(Samples.counts(Seed.of(1), 200, 3), three.with("model", "poisson"))
                        .intercepts())
                .hasSize(1);
        assertThat(errors(rows, three.with("model", "svm")).intercepts()).hasSize(1);
    }

    private static void refused(String message, String... settings) {
        Plan plan = Plan.defaults().with("intervals", "5").with("rounds", "3");
        for (String setting : settings) {
            plan = plan.with(setting.substring(0, setting.indexOf('=')), setting.substring(setting.indexOf('=') + 1));
        }
        Plan refused = plan;
        assertThatThrownBy(() -> trained(rows(), refused))
                .isInstanceOf(InputException.class)
                .hasMessageContaining(message);
    }

    @Test
    void whatHasNoIntervalsIsRefusedBeforeTheRounds() {
        refused("--intervals needs --objective wasserstein or moments, got cvar", "objective=cvar(level=0.8)");
        refused("--intervals needs workers that send full gradients", "batch=5");
        refused("--intervals needs workers that send full gradients", "update=delta");
        refused("--intervals needs workers that send full gradients", "validation=0.2");
        refused("--intervals needs --replicas 1, got 2", "replicas=2");
        refused("what the server's own rows do to --rule fltrust", "rule=fltrust", "root=20");
        refused("--attack sign-flip forges them", "attack=sign-flip", "liars=1");
        refused(
                "--intervals leaves sources out, and 8 are too few with --tolerated 4: liars could be half of them",
                "workers-by=source",
                "tolerated=4");
    }

    @Test
    void attacksOnRowsAreUnderstood() {
        assertThat(errors(
                                rows(),
                                Plan.defaults()
                                        .with("attack", "label-flip")
                                        .with("liars", "1")
                                        .with("intervals", "5"))
                        .resamples())
                .isEqualTo(5);
    }
}
