package holdfast.certificate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import holdfast.InputException;
import holdfast.Randomness;
import holdfast.Seed;
import holdfast.data.Dataset;
import holdfast.math.Vectors;
import holdfast.plan.Plan;
import holdfast.rounds.InProcessPool;
import holdfast.rounds.RoundRequest;
import holdfast.rounds.WorkerPool;
import holdfast.rounds.WorkerReply;
import holdfast.testkit.Laws;
import holdfast.testkit.Samples;
import holdfast.training.PreparedRun;
import holdfast.training.Training;
import holdfast.training.TrainingRun;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OptimumGapTest {
    private static final Plan PLAN = Plan.defaults()
            .with("workers-by", "source")
            .with("tolerated", "2")
            .with("lambda", "none")
            .with("intercept", "false")
            .with("l2", "0.05")
            .with("test-share", "0")
            .with("rounds", "60");

    /** F(theta) = (1/2) theta^T A theta - b^T theta + (mu/2)||theta||^2. */
    private record Quadratic(double[][] a, double[] b, double mu) {
        static Quadratic random(int d, double mu, Randomness random) {
            double[][] a = new double[d][d];
            for (int k = random.nextInt(d + 1); k > 0; k--) {
                double[] x = random.gaussians(d);
                for (int i = 0; i < d; i++) {
                    Vectors.addScaled(a[i], x[i], x, d);
                }
            }
            return new Quadratic(a, Vectors.scaled(3, random.gaussians(d)), mu);
        }

        static Quadratic mean(List<Quadratic> all) {
            int d = all.get(0).b.length;
            double[][] a = new double[d][d];
            double[] b = new double[d];
            for (Quadratic one : all) {
                IntStream.range(0, d).forEach(i -> Vectors.addScaled(a[i], 1.0 / all.size(), one.a[i], d));
                Vectors.addScaled(b, 1.0 / all.size(), one.b, d);
            }
            return new Quadratic(a, b, all.get(0).mu);
        }

        double[] gradient(double[] theta) {
            double[] g = Vectors.scaled(mu, theta);
            for (int i = 0; i < g.length; i++) {
                g[i] += Vectors.dot(a[i], theta, g.length) - b[i];
            }
            return g;
        }

        double value(double[] theta) {
            double sum = mu / 2 * Vectors.dot(theta, theta, theta.length);
            for (int i = 0; i < b.length; i++) {
                sum += theta[i] * (Vectors.dot(a[i], theta, b.length) / 2 - b[i]);
            }
            return sum;
        }

        double[] minimiser() {
            double[][] system = new double[b.length][];
            for (int i = 0; i < b.length; i++) {
                system[i] = Arrays.copyOf(a[i], b.length + 1);
                system[i][i] += mu;
                system[i][b.length] = b[i];
            }
            return solved(system);
        }
    }

    /** Solves linear equations by elimination with pivots; the last column is the right side. */
    private static double[] solved(double[][] rows) {
        int n = rows.length;
        for (int k = 0; k < n; k++) {
            int from = k;
            int pivot = IntStream.range(k, n)
                    .boxed()
                    .max((x, y) -> Double.compare(Math.abs(rows[x][from]), Math.abs(rows[y][from])))
                    .orElseThrow();
            double[] swap = rows[k];
            rows[k] = rows[pivot];
            rows[pivot] = swap;
            for (int i = 0; i < n; i++) {
                if (i != k) {
                    Vectors.addScaled(rows[i], -rows[i][k] / rows[k][k], rows[k], n + 1);
                }
            }
        }
        return IntStream.range(0, n).mapToDouble(i -> rows[i][n] / rows[i][i]).toArray();
    }

    /** What liars send to make the others look balanced: nothing, the opposite, a copy, anything long. */
    private static double[] lie(List<double[]> honest, int liars, Randomness random) {
        int d = honest.get(0).length;
        double[] sum = new double[d];
        honest.forEach(g -> Vectors.add(sum, g));
        return switch (random.nextInt(6)) {
            case 0 -> new double[d];
            case 1 -> Vectors.scaled(-1.0 / liars, sum);
            case 2 -> Vectors.scaled(-1.0 / honest.size(), sum);
            case 3 -> honest.get(random.nextInt(honest.size())).clone();
            case 4 -> Vectors.scaled(1e9, random.gaussians(d));
            default -> random.gaussians(d);
        };
    }

    @Test
    void noLieHidesTheHonestGap() {
        Laws.check(1500, seed -> {
            Randomness random = seed.random();
            int d = 1 + random.nextInt(5);
            int m = 2 + random.nextInt(9);
            int f = random.nextInt(m);
            int liars = random.nextInt(f + 1);
            double mu = StrictMath.exp(3 * random.nextGaussian() - 2);
            List<Quadratic> honest = IntStream.range(0, m - liars)
                    .mapToObj(i -> Quadratic.random(d, mu, random))
                    .toList();
            Quadratic mean = Quadratic.mean(honest);
            double[] best = mean.minimiser();
            double[] theta = best.clone();
            Vectors.addScaled(theta, StrictMath.exp(-8 * random.nextDouble()), random.gaussians(d), d);
            List<double[]> sent = new ArrayList<>();
            honest.forEach(own -> sent.add(own.gradient(theta)));
            for (int k = 0; k < liars; k++) {
                sent.add(lie(sent.subList(0, honest.size()), liars, random));
            }
            double gap = mean.value(theta) - mean.value(best);
            // Near the optimum the difference of two values is mostly rounding.
            double rounding = 1e-13 * (1 + Math.abs(mean.value(best)));
            int limit = random.nextInt(3) == 0 ? 1 : 1000;
            OptimumGap bound = OptimumGap.of(sent, new double[sent.size()], m, f, mu, limit);
            assertThat(bound.bound()).isGreaterThanOrEqualTo(gap - rounding);
        });
    }

    /** With F_i = (mu/2)||theta - a_i||^2 the gap is epsilon^2/(2 mu) if the worst set is the honest one. */
    @Test
    void isReached() {
        double mu = 0.25;
        // Five honest minima, then two lies at the farthest: gradients mu (theta - a).
        List<double[]> sent = minima(mu, -8, -7, -6, -7, -7, 1, 1);
        OptimumGap found = OptimumGap.of(sent, 2, mu);
        // F_H(0) - min = (mu/2) (mean a)^2 with the mean of the five, -7.
        assertThat(found.bound()).isCloseTo(mu / 2 * 49, within(1e-7)).isGreaterThanOrEqualTo(mu / 2 * 49);
        assertThat(found.epsilon()).isCloseTo(mu * 7, within(1e-8));
        assertThat(found.exact()).isTrue();
        // Whoever tolerates one liar fewer counts a lie among the honest, and is wrong.
        assertThat(OptimumGap.of(sent, 1, mu).bound()).isLessThan(mu / 2 * 49);
    }

    private static List<double[]> minima(double mu, double... all) {
        return Arrays.stream(all).mapToObj(a -> new double[] {-mu * a}).toList();
    }

    @Test
    void workersThatSendNothingCountAsLiars() {
        List<double[]> sent = minima(1, 3, 1, 2, -1);
        OptimumGap absent = OptimumGap.of(sent, new double[4], 5, 2, 1, 1000);
        assertThat(absent.epsilon()).isEqualTo(OptimumGap.of(sent, 1, 1).epsilon());
        assertThat(absent.workers()).isEqualTo(5);
        assertThatThrownBy(() -> OptimumGap.of(sent, new double[4], 7, 2, 1, 1000))
                .isInstanceOf(InputException.class)
                .hasMessage(
                        "the gap to the honest optimum counts workers without a gradient among the liars: 3 sent none, and"
                                + " --tolerated is 2");
    }

    @Test
    void errorsOfGradientsAddTheirLargestMean() {
        List<double[]> sent = minima(1, 3, 1, 2, -1);
        double exact = OptimumGap.of(sent, 1, 1).epsilon();
        // The three largest of the four.
        assertThat(OptimumGap.of(sent, new double[] {0.5, 0.1, 0.3, 0.4}, 4, 1, 1, 1000)
                        .epsilon())
                .isCloseTo(exact + 0.4, within(1e-9));
    }

    /** Spoils the first sources: their labels are swapped. */
    private static Dataset flipped(Dataset rows, int liars) {
        return rows.relabel(r -> rows.group(r) < liars ? 1 - rows.label(r) : rows.label(r));
    }

    /** Minimises the mean over shards of their mean logistic loss, and a penalty, with formulas of its own. */
    static double[] newton(List<Dataset> shards, double mu) {
        int d = shards.get(0).columns();
        double[] theta = new double[d];
        for (int step = 0; step < 50; step++) {
            double[][] system = new double[d][d + 1];
            for (int i = 0; i < d; i++) {
                system[i][i] = mu;
                system[i][d] = mu * theta[i];
            }
            for (Dataset shard : shards) {
                for (int r = 0; r < shard.rows(); r++) {
                    double[] x = shard.row(r);
                    double p = 1 / (1 + Math.exp(-dot(x, theta)));
                    double share = 1.0 / shard.rows() / shards.size();
                    for (int i = 0; i < d; i++) {
                        for (int k = 0; k < d; k++) {
                            system[i][k] += share * p * (1 - p) * x[i] * x[k];
                        }
                        system[i][d] += share * (p - shard.label(r)) * x[i];
                    }
                }
            }
            Vectors.addScaled(theta, -1, solved(system), d);
        }
        return theta;
    }

    static double value(List<Dataset> shards, double mu, double[] theta) {
        double sum = 0;
        for (Dataset shard : shards) {
            for (int r = 0; r < shard.rows(); r++) {
                double u = dot(shard.row(r), theta);
                sum += (Math.log1p(Math.exp(u)) - shard.label(r) * u) / shard.rows() / shards.size();
            }
        }
        return sum + mu / 2 * dot(theta, theta);
    }

    private static double dot(double[] a, double[] b) {
        return IntStream.range(0, b.length).mapToDouble(i -> a[i] * b[i]).sum();
    }

    @ParameterizedTest
    @CsvSource({"norm-screening, 2", "mean, 2", "median, 1", "norm-clipping, 0"})
    void aRunIsNoFartherFromTheHonestOptimum(String rule, int liars) {
        Plan plan = PLAN.with("rule", rule);
        Dataset rows = flipped(Samples.dataset(Seed.of(3), 1200, 4, 10), liars);
        Training training = Training.of(rows, plan);
        try (PreparedRun prepared = training.prepare().startWorkers(plan, 1)) {
            TrainingRun run = training.run(prepared);
            OptimumGap gap = OptimumGap.of(run, prepared);
            List<Dataset> honest = ((InProcessPool) prepared.pool())
                    .members().stream()
                            .skip(liars)
                            .map(worker -> worker.shard())
                            .toList();
            double[] best = newton(honest, 0.05);
            double exact = value(honest, 0.05, run.model().theta()) - value(honest, 0.05, best);
            assertThat(gap.tolerated()).isEqualTo(2);
            assertThat(exact).isBetween(0.0, gap.bound());
            assertThat(gap.mu()).isEqualTo(0.05);
            assertThat(gap.workers()).isEqualTo(10);
        }
    }

    /** Worst cases by ascent are off by an epsilon, for which the bound allows. */
    @ParameterizedTest
    @ValueSource(strings = {"1e-2", "1e-6"})
    void worstCasesMayBeInexact(String precision) {
        Dataset rows = Samples.dataset(Seed.of(3), 300, 4, 10);
        Plan exact = PLAN.with("lambda", "30").with("rounds", "20");
        double best = gap(rows, exact).epsilon();
        double rough = gap(rows, exact.with("maximiser", "ascent").with("precision", precision))
                .epsilon();
        double allowed = Double.parseDouble(precision);
        assertThat(rough).isGreaterThan(best - 1e-9).isLessThan(best + 20 * allowed + 1e-6);
        assertThatThrownBy(() -> gap(
                        rows,
                        exact.with("lambda", "0.2")
                                .with("init", "normal")
                                .with("rounds", "1")
                                .with("learning-rate", "1e-6")
                                .with("maximiser", "ascent")
                                .with("ascent-steps", "1")))
                .isInstanceOf(InputException.class)
                .hasMessage("the gap to the honest optimum needs worst cases of known precision: use --lambda none,"
                        + " --maximiser exact, or a larger --lambda");
    }

    /** A gradient is off by precision L_theta,z, and L_theta,z = 1 + |theta| (R + move + precision)/4 for the logistic loss. */
    @Test
    void pricesSayHowFarRowsMoveAndSoHowFarGradientsAreOff() {
        Dataset rows = Samples.dataset(Seed.of(3), 300, 2, 10);
        String first = rows.schema().features().get(0);
        String second = rows.schema().features().get(1);
        Plan plan = PLAN.with("tolerated", "0")
                .with("lambda", "30")
                .with("rounds", "20")
                .with("maximiser", "ascent")
                .with("precision", "1e-2")
                .with("prices", first + "=0.25," + second + "=4");
        Training training = Training.of(rows, plan);
        try (PreparedRun prepared = training.prepare().startWorkers(plan, 1)) {
            TrainingRun run = training.run(prepared);
            OptimumGap gap = OptimumGap.of(run, prepared);
            double[] theta = run.model().theta();
            double length = Math.hypot(theta[0], theta[1]);
            // A row moves by A^-1 theta times at most 1/lambda, in Euclidean units at most 1/sqrt(0.25) of its length.
            double move = Math.hypot(theta[0] / 0.5, theta[1] / 2) / 30 / 0.5;
            double expected = prepared.pool().ask(new RoundRequest(0, theta, false)).stream()
                    .mapToDouble(reply -> ((WorkerReply.Update) reply).precision())
                    .peek(precision -> assertThat(precision).isPositive())
                    .map(precision ->
                            precision * (1 + length / 4 * (prepared.reach().radius() + move + precision)))
                    .average()
                    .orElseThrow();
            assertThat(move).isGreaterThan(0.01);
            assertThat(prepared.reach().weight()).isEqualTo(1);
            assertThat(gap.epsilon() - gap.lower()).isCloseTo(expected, within(1e-6 * expected));
        }
    }

    /** The same workers, of which the first say something else about their precision. */
    private static PreparedRun withPrecision(PreparedRun own, int liars, double precision) {
        WorkerPool pool = new WorkerPool() {
            @Override
            public int workers() {
                return own.pool().workers();
            }

            @Override
            public List<WorkerReply> ask(RoundRequest request) {
                return own.pool().ask(request).stream()
                        .map(reply -> reply.worker() < liars ? lie((WorkerReply.Update) reply) : reply)
                        .toList();
            }

            private WorkerReply lie(WorkerReply.Update update) {
                return precision < 0
                        ? new WorkerReply.Fault(update.worker(), "late")
                        : new WorkerReply.Update(update.worker(), update.vector(), update.loss(), precision);
            }

            @Override
            public void close() {}
        };
        return new PreparedRun(
                own.plan(),
                pool,
                own.names(),
                own.sizes(),
                own.source(),
                own.schema(),
                own.rows(),
                own.reach(),
                own.preparation(),
                own.root(),
                own.unusable(),
                own.heldOut(),
                own.price(),
                own.probe());
    }

    @Test
    void workersOfUnknownPrecisionCountAsLiars() {
        Plan plan = PLAN.with("lambda", "30").with("rounds", "5");
        Training training = Training.of(Samples.dataset(Seed.of(3), 300, 4, 10), plan);
        try (PreparedRun prepared = training.prepare().startWorkers(plan, 1)) {
            TrainingRun run = training.run(prepared);
            OptimumGap absent = OptimumGap.of(run, withPrecision(prepared, 2, -1));
            assertThat(absent.bound()).isPositive();
            for (double precision : new double[] {Double.POSITIVE_INFINITY, Double.NaN, Double.MAX_VALUE}) {
                assertThat(OptimumGap.of(run, withPrecision(prepared, 2, precision)))
                        .isEqualTo(absent);
            }
            assertThatThrownBy(() -> OptimumGap.of(run, withPrecision(prepared, 3, Double.POSITIVE_INFINITY)))
                    .isInstanceOf(InputException.class)
                    .hasMessageStartingWith("the gap to the honest optimum needs worst cases of known precision");
            assertThatThrownBy(() -> OptimumGap.of(run, withPrecision(prepared, 3, -1)))
                    .isInstanceOf(InputException.class)
                    .hasMessageContaining("3 sent none");
            assertThatThrownBy(() -> OptimumGap.of(run, withPrecision(prepared, 3, 1e78)))
                    .isInstanceOf(InputException.class)
                    .hasMessageStartingWith("the gap to the honest optimum is too large for a number");
        }
    }

    private static OptimumGap gap(Dataset rows, Plan plan) {
        Training training = Training.of(rows, plan);
        try (PreparedRun prepared = training.prepare().startWorkers(plan, 1)) {
            return OptimumGap.of(training.run(prepared), prepared);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "intercept=true | the gap to the honest optimum needs --no-intercept: the penalty does not cover the"
                        + " intercept, so the objective is not strongly convex in it",
                "l2=0 | the gap to the honest optimum needs a penalty: --l2 must be above 0, got 0.0",
                "objective=cvar | the gap to the honest optimum needs a convex objective: a model linear in its scores and"
                        + " --objective wasserstein, got logistic and cvar",
                "batch=5 | the gap to the honest optimum needs workers that each send the full gradient on their own rows;"
                        + " leave out --update, --local-steps, --batch and --replicas"
            })
    void refuses(String setting, String message) {
        String[] pair = setting.split("=");
        assertThatThrownBy(() -> gap(
                        Samples.dataset(Seed.of(3), 300, 4, 10),
                        PLAN.with("rounds", "2").with(pair[0], pair[1])))
                .isInstanceOf(InputException.class)
                .hasMessage(message);
    }

    /** With rows dealt at random, the search halves the simple bound: workers' gradients point everywhere. */
    @Test
    void theSearchHalvesTheSimpleBound() {
        Dataset rows = Samples.dataset(Seed.of(8), 4000, 57, 20);
        Plan plan = PLAN.with("tolerated", "3").with("l2", "0.01");
        Training training = Training.of(rows, plan);
        try (PreparedRun prepared = training.prepare().startWorkers(plan, 1)) {
            TrainingRun run = training.run(prepared);
            OptimumGap gap = OptimumGap.of(run, prepared);
            double[][] gradients = prepared
                    .pool()
                    .ask(new RoundRequest(0, run.model().theta(), false))
                    .stream()
                    .map(reply -> ((WorkerReply.Update) reply).vector())
                    .toArray(double[][]::new);
            double simple = LargestMean.simpleBound(gradients, 3);
            assertThat(gap.exact()).isTrue();
            assertThat(gap.epsilon()).isBetween(0.4 * simple, 0.7 * simple);
        }
    }
}
