package holdfast.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import holdfast.Randomness;
import holdfast.Seed;
import holdfast.aggregate.Mean;
import holdfast.certificate.ShiftCurve;
import holdfast.data.DataSource;
import holdfast.data.Dataset;
import holdfast.data.DatasetBuilder;
import holdfast.data.Schema;
import holdfast.objective.ObjectiveFamily;
import holdfast.objective.Wasserstein;
import holdfast.objective.WassersteinBall;
import holdfast.objective.WeightedL2;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.rounds.TrainingException;
import holdfast.testkit.Laws;
import holdfast.testkit.Samples;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;

/** Training for a radius finds theta and lambda together. */
class RadiusTrainingTest {
    private static final int ROWS = 400;

    private static Training training(Dataset rows, ObjectiveFamily objective, double tolerance) {
        return Training.on(rows)
                .workers(4)
                .rule(new Mean())
                .rounds(2000)
                .with(PlanKey.TEST_SHARE, 0.0)
                .with(PlanKey.TOLERANCE, tolerance)
                .objective(objective);
    }

    /** @param classes 0: numbers */
    private static Dataset rows(Seed seed, int classes) {
        Randomness random = seed.child("rows").random();
        double[][] truth = {random.gaussians(3), random.gaussians(3), random.gaussians(3)};
        DatasetBuilder builder = new DatasetBuilder(3);
        for (int r = 0; r < ROWS; r++) {
            double[] x = random.gaussians(3);
            double[] u = random.gaussians(3);
            for (int k = 0; k < 9; k++) {
                u[k / 3] += truth[k / 3][k % 3] * x[k % 3];
            }
            double best = u[0] > u[1] && u[0] > u[2] ? 0 : u[1] > u[2] ? 1 : 2;
            builder.add(x, classes == 0 ? 1000 * u[0] : classes == 2 ? (u[0] > 0 ? 1 : 0) : best);
        }
        List<String> names = List.of("p", "q", "r").subList(0, classes);
        return builder.build(new Schema(List.of("a", "b", "c"), "y", names, List.of()), DataSource.MEMORY);
    }

    /** min over lambda of lambda rho + what training at that price reaches, around the price that was found. */
    private static double bruteForce(Dataset rows, double rho, double lambda) {
        ToDoubleFunction<Double> at = price ->
                price * rho + training(rows, new Wasserstein(price), 1e-7).run().objective();
        double best = Double.POSITIVE_INFINITY;
        for (int k = -8; k <= 8; k++) {
            best = Math.min(best, at.applyAsDouble(lambda * Math.exp(k / 8.0)));
        }
        return best;
    }

    private static TrainingRun expectBest(Dataset rows, double rho) {
        TrainingRun run = training(rows, new WassersteinBall(rho), 1e-4).run();
        assertThat(run.converged()).isTrue();
        RadiusResult found = run.radius().orElseThrow();
        assertThat(found.robust()).isCloseTo(run.objective(), within(1e-12));
        assertThat(found.cost()).isCloseTo(rho, within(0.05 * rho));
        double best = bruteForce(rows, rho, found.lambda());
        assertThat(run.objective()).isBetween(best * (1 - 1e-6), best * (1 + 1e-3));
        return run;
    }

    @Test
    void logisticRegressionReachesTheBestOfAllPrices() {
        Laws.check(
                3, seed -> expectBest(rows(seed, 2), 0.005 + 0.1 * seed.random().nextDouble()));
    }

    @Test
    void softmaxReachesTheBestOfAllPrices() {
        Laws.check(
                2, seed -> expectBest(rows(seed, 3), 0.01 + 0.03 * seed.random().nextDouble()));
    }

    /** Also found by descent on the closed form (1/2)(sqrt(mean r^2) + sqrt(2 rho) ||theta||)^2. */
    @Test
    void linearRegressionReachesTheClosedForm() {
        Laws.check(5, seed -> {
            double rho = 0.001 + 0.05 * seed.random().nextDouble();
            Dataset rows = rows(seed, 0);
            TrainingRun run = training(rows, new WassersteinBall(rho), 1e-10).run();
            assertThat(run.converged()).isTrue();
            double[] theta = run.model().theta();
            double here = closedForm(run, rows, rho, theta);
            assertThat(run.objective()).isCloseTo(here, within(1e-8 * here));
            Randomness random = seed.child("around").random();
            for (int k = 0; k < 200; k++) {
                double[] other = theta.clone();
                double far = Math.pow(10, -4 * random.nextDouble());
                for (int i = 0; i < other.length; i++) {
                    other[i] += far * random.nextGaussian();
                }
                assertThat(closedForm(run, rows, rho, other)).isGreaterThan(here * (1 - 1e-9));
            }
        });
    }

    private static double closedForm(TrainingRun run, Dataset rows, double rho, double[] theta) {
        Dataset scaled = run.model().scaling().apply(rows);
        double squares = 0;
        double[] u = new double[ROWS];
        for (int r = 0; r < ROWS; r++) {
            double[] x = scaled.row(r);
            u[r] = theta[0] * x[0]
                    + theta[1] * x[1]
                    + theta[2] * x[2]
                    + theta[3]
                    - (rows.label(r) - run.model().labels().offset())
                            / run.model().labels().divisor();
            squares += u[r] * u[r] / ROWS;
        }
        double n = theta[0] * theta[0] + theta[1] * theta[1] + theta[2] * theta[2];
        double root = Math.sqrt(squares) + Math.sqrt(2 * rho * n);
        return root * root / 2;
    }

    /** With prices, linear regression reaches what the certificate finds, which has a closed form of its own. */
    @Test
    void pricesOfFeaturesChangeTheBall() {
        Laws.check(4, seed -> {
            Dataset rows = rows(seed, 0);
            double rho = 0.01 + 0.05 * seed.random().nextDouble();
            Plan plan = Plan.defaults()
                    .with("prices", "a=4,b=0.5")
                    .with("l2", "0.02")
                    .with("radius", Double.toString(rho))
                    .with("workers", "4")
                    .with("rule", "mean")
                    .with("tolerated", "0")
                    .with("test-share", "0")
                    .with("tolerance", "1e-10");
            TrainingRun run = Training.of(rows, plan).run();
            assertThat(run.converged()).isTrue();
            WeightedL2 prices = plan.prices(rows.schema());
            assertThat(prices).isEqualTo(WeightedL2.of(4, 0.5, 1));
            double certified = ShiftCurve.of(run.model(), rows, prices).at(rho).certified();
            RadiusResult found = run.radius().orElseThrow();
            assertThat(found.robust()).isCloseTo(certified, within(1e-6 * certified));
        });
    }

    /** The certificate is computed by another search, on all rows together. */
    @Test
    void theCertificateOfTheModelIsWhatTrainingReports() {
        Laws.check(5, seed -> {
            double rho = 0.005 + 0.1 * seed.random().nextDouble();
            Dataset rows = rows(seed, 2);
            TrainingRun run = training(rows, new WassersteinBall(rho), 1e-9).run();
            ShiftCurve.Point point =
                    ShiftCurve.of(run.model(), rows, WeightedL2.EQUAL).at(rho);
            RadiusResult found = run.radius().orElseThrow();
            assertThat(found.robust()).isCloseTo(point.certified(), within(1e-6 * point.certified()));
            assertThat(found.lambda()).isCloseTo(point.lambda(), within(0.01 * point.lambda()));
            double plain =
                    ShiftCurve.of(run.model(), rows, WeightedL2.EQUAL).at(0).certified();
            assertThat(found.loss()).isCloseTo(plain, within(1e-9));
        });
    }

    /** A radius so large that nothing can be learnt leads to weights near 0, whose robust loss is nearly the loss at the start. */
    @Test
    void aVeryLargeRadiusMakesEveryWeightUseless() {
        Laws.check(2, seed -> {
            for (double rho : new double[] {10, 1e3, 1e6}) {
                for (int classes : new int[] {0, 2, 3}) {
                    Dataset rows = rows(seed, classes);
                    TrainingRun run =
                            training(rows, new WassersteinBall(rho), 1e-4).run();
                    double start = classes == 0 ? 0.5 : Math.log(classes);
                    assertThat(run.objective()).isLessThan(3 * start);
                    double[] theta = run.model().theta();
                    int outputs = Math.max(1, classes == 3 ? 3 : 1);
                    for (int i = 0; i < 3 * outputs; i++) {
                        assertThat(theta[i]).isCloseTo(0, within(0.02));
                    }
                }
            }
        });
    }

    @Test
    void stepsThatCannotServeALargeRadiusAreRefused() {
        Dataset rows = rows(Seed.of(3), 3);
        for (double rho : new double[] {100, 1e6}) {
            assertThatThrownBy(() -> training(rows, new WassersteinBall(rho), 1e-4)
                            .with(PlanKey.UPDATE, PlanKey.UPDATE.parse("newton"))
                            .run())
                    .isInstanceOf(TrainingException.class)
                    .hasMessageContaining("a smaller --radius");
        }
    }

    @Test
    void plansSayARadiusInsteadOfAPrice() {
        Plan plan = Plan.of(Map.of("radius", "0.125"));
        assertThat(plan.objective()).isEqualTo(new WassersteinBall(0.125));
        assertThat(Plan.defaults().withObjective(new WassersteinBall(0.125))).isEqualTo(plan);
        assertThat(Plan.of(plan.settings())).isEqualTo(plan);
        assertThat(Plan.automatic().with("radius", "0.125").objective()).isEqualTo(plan.objective());
        assertThat(plan.withObjective(new Wasserstein(3)).objective()).isEqualTo(new Wasserstein(3));
        assertThat(plan.lambda()).isEmpty();
        assertThatThrownBy(() -> Plan.of(Map.of("radius", "0.1", "lambda", "4")).objective())
                .hasMessage("--radius finds the price of moving rows; leave out --lambda, got 4");
        assertThatThrownBy(() -> Plan.of(Map.of("radius", "0.1", "objective", "cvar(level=0.9)"))
                        .objective())
                .hasMessageStartingWith("--radius says how far rows may move in --objective wasserstein; leave it out");
        for (String rho : List.of("0", "-1", "NaN", "Infinity")) {
            assertThatThrownBy(() -> Plan.of(Map.of("radius", rho))).hasMessageStartingWith("--radius must be");
        }
        assertThatThrownBy(() -> training(Samples.dataset(Seed.of(1), 100, 2), new WassersteinBall(0.1), 0)
                        .with(PlanKey.VALIDATION, 0.2)
                        .run())
                .hasMessageStartingWith("--validation chooses among rounds");
    }
}
