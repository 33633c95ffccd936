package holdfast.objective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import example.TanhNetwork;
import holdfast.InputException;
import holdfast.Randomness;
import holdfast.data.Block;
import holdfast.data.DenseBlock;
import holdfast.math.Vectors;
import holdfast.model.LinearRegression;
import holdfast.model.LogisticRegression;
import holdfast.model.Model;
import holdfast.model.PoissonRegression;
import holdfast.model.SoftmaxRegression;
import holdfast.model.Target;
import holdfast.objective.Wasserstein.Maximisation;
import holdfast.testkit.Laws;
import holdfast.testkit.TransportCostContract;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class WassersteinTest {
    private static final Wasserstein PRICE = new Wasserstein(8);
    private static final Model LOGISTIC = new LogisticRegression(true);
    private static final Model SOFTMAX = new SoftmaxRegression(3, true);
    private static final Model POISSON = new PoissonRegression(true);
    private static final Model NETWORK = new TanhNetwork(Target.TWO_CLASSES, 2);

    /** c(z, x) = sum a_i (z_i - x_i)^2 / 2. */
    record OtherCost(double[] a) implements TransportCost {
        @Override
        public double cost(double[] z, double[] x, int from, int columns) {
            double sum = 0;
            for (int i = 0; i < columns; i++) {
                double gap = z[from + i] - x[from + i];
                sum += a[i] * gap * gap / 2;
            }
            return sum;
        }

        @Override
        public void gradient(double[] z, double[] x, int from, int columns, double[] out) {
            for (int i = 0; i < columns; i++) {
                out[from + i] = a[i] * (z[from + i] - x[from + i]);
            }
        }

        @Override
        public double strongConvexity() {
            return Arrays.stream(a).min().orElseThrow();
        }

        @Override
        public double smoothness() {
            return Arrays.stream(a).max().orElseThrow();
        }

        @Override
        public String description() {
            return "(1/2)||z - x||^2, weighted";
        }
    }

    @Nested
    class Squared extends TransportCostContract {
        @Override
        protected TransportCost cost(int columns, Randomness random) {
            return new SquaredL2();
        }
    }

    @Nested
    class Weighted extends TransportCostContract {
        @Override
        protected TransportCost cost(int columns, Randomness random) {
            double[] a = new double[columns];
            Arrays.setAll(a, i -> 0.1 + random.nextDouble());
            return new OtherCost(a);
        }
    }

    private static Class<?> chosen(Wasserstein how, Model model) {
        return how.on(model, 0).maximiser().getClass();
    }

    @Test
    void theMaximiserFollowsFromModelAndCost() {
        Wasserstein steps = PRICE.withAscentSteps(3);
        Wasserstein precise = PRICE.withPrecision(0.1);
        Wasserstein boxed = PRICE.withBox(new Box(2));
        Wasserstein other = PRICE.withCost(new OtherCost(new double[] {1, 2}));
        assertThat(chosen(PRICE, LOGISTIC)).isEqualTo(ExactMaximiser.class);
        assertThat(chosen(steps, LOGISTIC)).isEqualTo(ScalarRecurrence.class);
        assertThat(chosen(precise, LOGISTIC)).isEqualTo(ScalarRecurrence.class);
        assertThat(chosen(precise.withMaximisation(Maximisation.EXACT), LOGISTIC))
                .isEqualTo(ExactMaximiser.class);
        assertThat(chosen(steps.withMaximisation(Maximisation.ASCENT), LOGISTIC))
                .isEqualTo(GradientAscent.class);
        assertThat(chosen(PRICE, SOFTMAX)).isEqualTo(SubspaceRecurrence.class);
        assertThat(chosen(boxed, POISSON)).isEqualTo(BoxMaximiser.class);
        assertThat(chosen(boxed.withAscentSteps(1), POISSON)).isEqualTo(GradientAscent.class);
        for (Wasserstein how : List.of(PRICE, steps, boxed, other)) {
            assertThat(chosen(how, NETWORK)).isEqualTo(GradientAscent.class);
        }
        for (Model model : List.of(LOGISTIC, SOFTMAX, NETWORK)) {
            assertThat(chosen(other, model)).isEqualTo(GradientAscent.class);
            assertThat(other.on(model, 0).effort().at(false))
                    .isEqualTo(model == NETWORK ? new Effort.Steps(10) : new Effort.Precision(1e-4));
            assertThat(Wasserstein.none().on(model, 0).maximiser().lambda()).isInfinite();
        }
    }

    private static void refused(String message, Runnable choice) {
        assertThatThrownBy(choice::run).isInstanceOf(InputException.class).hasMessage(message);
    }

    @Test
    void whatDoesNotGoTogetherIsRefused() {
        Wasserstein other = PRICE.withCost(new OtherCost(new double[] {1}));
        for (Maximisation fast : List.of(Maximisation.EXACT, Maximisation.RECURRENCE)) {
            refused(
                    "--maximiser " + fast
                            + ": there is none for model logistic under the cost (1/2)||z - x||^2, weighted;"
                            + " use auto or ascent",
                    () -> other.withMaximisation(fast).on(LOGISTIC, 0));
        }
        refused("--lambda must be finite and > 0, got 0.0", () -> new Wasserstein(0));
        refused("--lambda must be finite and > 0, got NaN", () -> new Wasserstein(Double.NaN));
        refused("--lambda must be finite and > 0, got Infinity", () -> new Wasserstein(Double.POSITIVE_INFINITY));
        refused("--precision must be finite and > 0, got NaN", () -> PRICE.withPrecision(Double.NaN));
        refused("--ascent-rate must be finite and > 0, got -1.0", () -> PRICE.withAscentRate(-1));
        refused("--ascent-steps must be >= 0, got -1", () -> PRICE.withAscentSteps(-1));
        refused(
                "--early-rounds must be auto or >= 1, got 0",
                () -> new FirstStage(new Effort.Precision(1), Optional.of(0)));
        FirstStage coarse = new FirstStage(new Effort.Steps(2));
        String both =
                "--early-precision needs --precision, and --early-steps needs --ascent-steps: those of the later rounds";
        refused(both, () -> PRICE.withFirstStage(coarse));
        refused(both, () -> PRICE.withPrecision(1).withFirstStage(coarse));
        refused(
                "--early-steps must be below --ascent-steps, got 2 and 2",
                () -> PRICE.withAscentSteps(2).withFirstStage(coarse));
        refused(
                "--early-precision must be above --precision, got 0.1 and 0.1",
                () -> PRICE.withPrecision(0.1).withFirstStage(new FirstStage(new Effort.Precision(0.1))));
        refused(
                "a first stage (--early-steps, --early-precision) needs worst cases that are found by ascent: --lambda above 0"
                        + " and no --maximiser exact",
                () -> PRICE.withAscentSteps(3).withFirstStage(coarse).withMaximisation(Maximisation.EXACT));
        refused(
                "--ascent-rate must be below 2/(2.0 lambda) = 0.125, or the ascent diverges; got 0.125",
                () -> PRICE.withCost(new OtherCost(new double[] {1, 2}))
                        .withAscentRate(0.125)
                        .on(LOGISTIC, 0));
        refused(
                "model poisson needs --box or --lambda none: without a box its worst case is infinite for every lambda",
                () -> PRICE.withBox(Box.NONE).on(POISSON, 0));
        assertThat(Wasserstein.none().boxFor(POISSON)).isEqualTo(Box.NONE);
    }

    @Test
    void choicesAreValues() {
        Wasserstein full = PRICE.withPrecision(0.01)
                .withFirstStage(new FirstStage(new Effort.Precision(0.1), Optional.of(5)))
                .withAscentRate(0.1)
                .withBox(new Box(1))
                .withMaximisation(Maximisation.ASCENT);
        assertThat(full)
                .isEqualTo(new Wasserstein(
                        Optional.of(8.0),
                        new SquaredL2(),
                        Maximisation.ASCENT,
                        Optional.of(new Effort.Precision(0.01)),
                        Optional.of(0.1),
                        Optional.of(new FirstStage(new Effort.Precision(0.1), Optional.of(5))),
                        Optional.of(new Box(1))));
        assertThat(full.on(LOGISTIC, 0.5).l2()).isEqualTo(0.5);
        assertThat(full.on(LOGISTIC, 0).effort().at(true)).isEqualTo(new Effort.Precision(0.1));
        assertThat(full.on(LOGISTIC, 0).effort().at(false)).isEqualTo(new Effort.Precision(0.01));
    }

    /**
     * Least squares in one feature under the cost a (z - x)^2/2: g is a parabola of curvature lambda a - theta^2, so that
     * the bound on the distance is the distance. a is m, the convexity of the cost.
     */
    @Test
    void theCertifiedDistanceCountsTheConvexityOfTheCost() {
        Laws.check(50, seed -> {
            Randomness random = seed.random();
            double a = 0.3 + 2 * random.nextDouble();
            double theta = random.nextGaussian();
            double x = random.nextGaussian();
            double label = random.nextGaussian();
            double lambda = (1.5 + random.nextDouble()) * theta * theta / Math.min(a, 1) + 0.1;
            double worst = x + (theta * x - label) * theta / (lambda * a - theta * theta);
            InnerMaximiser ascent = new Wasserstein(lambda)
                    .withCost(new OtherCost(new double[] {a}))
                    .on(new LinearRegression(false), 0)
                    .maximiser();
            Block block = new DenseBlock(1, new double[] {x}, new double[] {label}, null);
            for (Effort effort : List.of(new Effort.Steps(0), new Effort.Steps(2), new Effort.Precision(0.01))) {
                WorstCase made = ascent.maximise(new double[] {theta}, block, effort);
                double[] z = new double[1];
                made.rows().copyRow(0, z, 0);
                double distance = Math.abs(z[0] - worst);
                assertThat(made.precision()).isCloseTo(distance, within(1e-12 * (1 + Math.abs(worst))));
                assertThat(effort instanceof Effort.Steps || distance <= 0.01).isTrue();
            }
        });
    }

    /** Nothing bounds L_zz of a network, so it counts as lambda M: the first step is grad f(x)/(2 lambda M). */
    @Test
    void theAutomaticRateHalvesWhereTheCurvatureInRowsIsUnknown() {
        Laws.check(20, seed -> {
            Randomness random = seed.random();
            double[] theta = random.gaussians(NETWORK.parameters(2));
            double[] x = random.gaussians(2);
            Block block = new DenseBlock(2, x, new double[] {1}, null);
            double[] slope = new double[2];
            NETWORK.gradientInRows(theta, block, slope);
            WorstCase made = PRICE.withCost(new OtherCost(new double[] {1, 3}))
                    .on(NETWORK, 0)
                    .maximiser()
                    .maximise(theta, block, new Effort.Steps(1));
            double[] z = new double[2];
            made.rows().copyRow(0, z, 0);
            double[] expected = {x[0] + slope[0] / (2 * 8 * 3), x[1] + slope[1] / (2 * 8 * 3)};
            assertThat(z).containsExactly(expected, within(1e-15));
            assertThat(made.precision()).isInfinite();
        });
    }

    /** Least squares under a weighted cost: z - x = r / (lambda - n) A^-1 theta with n = theta . A^-1 theta, r = u - y. */
    @Test
    void theAscentFindsTheWorstCaseUnderAnotherCost() {
        Laws.check(50, seed -> {
            Randomness random = seed.random();
            int d = 1 + random.nextInt(4);
            double[] a = new double[d];
            Arrays.setAll(a, i -> 0.5 + random.nextDouble());
            double[] theta = random.gaussians(d);
            double[] x = random.gaussians(d);
            double label = random.nextGaussian();
            double n = 0;
            for (int i = 0; i < d; i++) {
                n += theta[i] * theta[i] / a[i];
            }
            double lambda = 4 * Vectors.dot(theta, theta, d) + 0.1;
            Block block = new DenseBlock(d, x, new double[] {label}, null);
            InnerMaximiser ascent = new Wasserstein(lambda)
                    .withCost(new OtherCost(a))
                    .on(new LinearRegression(false), 0)
                    .maximiser();
            WorstCase worst = ascent.maximise(theta, block, new Effort.Precision(1e-10));
            double[] z = new double[d];
            worst.rows().copyRow(0, z, 0);
            double r = Vectors.dot(theta, x, d) - label;
            for (int i = 0; i < d; i++) {
                assertThat(z[i] - x[i]).isCloseTo(r / (lambda - n) * theta[i] / a[i], within(1e-9));
            }
            assertThat(worst.precision()).isLessThanOrEqualTo(1e-10);
        });
    }
}
