package holdfast.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import holdfast.Randomness;
import holdfast.Seed;
import holdfast.data.DataSource;
import holdfast.data.Dataset;
import holdfast.data.DatasetBuilder;
import holdfast.data.Schema;
import holdfast.math.Vectors;
import holdfast.model.LinearRegression;
import holdfast.objective.Effort;
import holdfast.objective.ExactMaximiser;
import holdfast.objective.Iterate;
import holdfast.objective.Objective;
import holdfast.objective.RobustLoss;
import holdfast.objective.ShardSums;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.testkit.Laws;
import holdfast.testkit.Samples;
import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleBinaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Training finds the optimum that another method finds on the same rows. */
class OptimaTest {
    private static final Plan PLAN = Plan.defaults()
            .with("workers", "4")
            .with("rule", "mean")
            .with("screened", "0")
            .with("lambda", "none")
            .with("test-share", "0")
            .with("tolerance", "0")
            .with("rounds", "3000");

    /** 400 rows of 3 features, not centred, of different spread and correlated; labels by the model, outliers and all. */
    private static Dataset data(String model, Seed seed) {
        Randomness random = seed.child("optima").random();
        boolean classes = model.equals("logistic");
        DatasetBuilder rows = new DatasetBuilder(3);
        for (int r = 0; r < 400; r++) {
            double[] x = random.gaussians(3);
            x[1] = 2 * x[1] + x[0] + 5;
            double u = 0.4 + 0.5 * x[0] - 0.2 * (x[1] - 5) + 0.1 * x[2];
            double noise = random.nextGaussian();
            double y = switch (model) {
                case "logistic" -> u + noise > 0 ? 1 : 0;
                case "poisson" -> Samples.count(Math.exp(u), random);
                default -> 100 + 30 * (u + (r % 10 == 0 ? 20 : 0.5) * noise);
            };
            rows.add(x, y);
        }
        List<String> names = classes ? List.of("no", "yes") : List.of();
        return rows.build(new Schema(List.of("a", "b", "c"), "y", names, List.of()), DataSource.MEMORY);
    }

    @ParameterizedTest
    @CsvSource({
        "logistic, 0",
        "logistic, 0.1",
        "linear, 0",
        "linear, 0.3",
        "huber(delta=0.5), 0",
        "huber(delta=0.5), 0.2",
        "poisson, 0",
        "poisson, 0.05"
    })
    void trainingArrivesWhereNewtonsMethodDoes(String model, String l2) {
        String name = model.replaceAll("\\(.*", "");
        Plan plan = PLAN.with("model", model).with("l2", l2);
        PreparedData prepared = PreparedData.of(data(name, Seed.of(4)), plan);
        assertThat(prepared.shards()).extracting(Dataset::rows).containsOnly(100);
        double[] learnt = prepared.train(plan);
        assertThat(learnt).containsExactly(newton(name, prepared.training(), Double.parseDouble(l2)), within(1e-6));
    }

    /** Minimises (1/n) sum l(u_j; y_j) + (l2/2)||w||^2 with formulas of its own; Huber's, of delta = 0.5, by weighted least squares. */
    private static double[] newton(String model, Dataset rows, double l2) {
        DoubleBinaryOperator slope = switch (model) {
            case "logistic" -> (u, y) -> 1 / (1 + Math.exp(-u)) - y;
            case "poisson" -> (u, y) -> Math.exp(u) - y;
            case "linear" -> (u, y) -> u - y;
            default -> (u, y) -> Math.abs(u - y) <= 0.5 ? u - y : 0.5 * Math.signum(u - y);
        };
        DoubleBinaryOperator curvature = switch (model) {
            case "logistic" -> (u, y) -> 1 / (2 + Math.exp(u) + Math.exp(-u));
            case "poisson" -> (u, y) -> Math.exp(u);
            case "linear" -> (u, y) -> 1;
            default -> (u, y) -> Math.min(1, 0.5 / Math.abs(u - y));
        };
        int d = rows.columns();
        double[] theta = new double[d + 1];
        for (int step = 0; step < 500; step++) {
            double[][] system = new double[d + 1][d + 2];
            for (int i = 0; i < d; i++) {
                system[i][i] = l2;
                system[i][d + 1] = l2 * theta[i];
            }
            for (int r = 0; r < rows.rows(); r++) {
                double[] x = Arrays.copyOf(rows.row(r), d + 1);
                x[d] = 1;
                double u = 0;
                for (int i = 0; i <= d; i++) {
                    u += x[i] * theta[i];
                }
                double first = slope.applyAsDouble(u, rows.label(r)) / rows.rows();
                double second = curvature.applyAsDouble(u, rows.label(r)) / rows.rows();
                for (int i = 0; i <= d; i++) {
                    for (int k = 0; k <= d; k++) {
                        system[i][k] += second * x[i] * x[k];
                    }
                    system[i][d + 1] += first * x[i];
                }
            }
            double[] move = solved(system);
            Vectors.addScaled(theta, -1, move, d + 1);
        }
        return theta;
    }

    /** Gauss's elimination of a positive definite matrix with the right side as its last column. */
    private static double[] solved(double[][] a) {
        int n = a.length;
        for (int p = 0; p < n; p++) {
            for (int i = 0; i < n; i++) {
                double factor = i == p ? 0 : a[i][p] / a[p][p];
                for (int k = p; k <= n; k++) {
                    a[i][k] -= factor * a[p][k];
                }
            }
        }
        double[] x = new double[n];
        for (int i = 0; i < n; i++) {
            x[i] = a[i][n] / a[i][i];
        }
        return x;
    }

    /** F = (1/2n) sum r^2 lambda/(lambda - ||w||^2) */
    private static double closedForm(double[] theta, Dataset rows, double lambda) {
        int d = rows.columns();
        double squares = 0;
        for (int r = 0; r < rows.rows(); r++) {
            double gap = theta[d] - rows.label(r);
            for (int i = 0; i < d; i++) {
                gap += theta[i] * rows.row(r)[i];
            }
            squares += gap * gap;
        }
        return squares / (2 * rows.rows()) * lambda / (lambda - Vectors.dot(theta, theta, d));
    }

    private static double[] closedFormGradient(double[] theta, Dataset rows, double lambda) {
        double[] slope = new double[theta.length];
        for (int i = 0; i < slope.length; i++) {
            double[] up = theta.clone();
            double[] down = theta.clone();
            up[i] += 1e-5;
            down[i] -= 1e-5;
            slope[i] = (closedForm(up, rows, lambda) - closedForm(down, rows, lambda)) / 2e-5;
        }
        return slope;
    }

    @Test
    void robustLeastSquaresHaveTheirClosedForm() {
        Dataset rows = PreparedData.of(data("linear", Seed.of(5)), PLAN.with("model", "linear"))
                .training();
        LinearRegression model = new LinearRegression(true);
        Laws.check(30, seed -> {
            double[] theta = seed.random().gaussians(4);
            double lambda =
                    Vectors.dot(theta, theta, 3) + 0.5 + 5 * seed.random().nextDouble();
            RobustLoss loss =
                    new RobustLoss(model, new ExactMaximiser(model, lambda), Effort.always(new Effort.Steps(0)), 0);
            ShardSums sums = loss.sums(Iterate.of(theta), rows, true);
            double expected = closedForm(theta, rows, lambda);
            assertThat(loss.value(Iterate.of(theta), sums, 3)).isCloseTo(expected, within(1e-12 * (1 + expected)));
            double[] slope = closedFormGradient(theta, rows, lambda);
            assertThat(loss.gradient(Iterate.of(theta), sums, 3))
                    .containsExactly(slope, within(1e-7 * (1 + Vectors.norm(slope))));
        });
    }

    @Test
    void robustTrainingOfLeastSquaresArrivesAtTheMinimumOfTheClosedForm() {
        for (String lambda : new String[] {"0.5", "2", "8"}) {
            Plan plan = PLAN.with("model", "linear").with("lambda", lambda);
            PreparedData prepared = PreparedData.of(data("linear", Seed.of(6)), plan);
            double[] learnt = prepared.train(plan);
            assertThat(Vectors.norm(learnt, 3)).isGreaterThan(0.01);
            assertThat(closedFormGradient(learnt, prepared.training(), Double.parseDouble(lambda)))
                    .containsExactly(new double[4], within(1e-9));
        }
    }

    /** The objective is convex: nothing near is lower. */
    @Test
    void robustPoissonTrainingEndsWhereTheObjectiveIsLeast() {
        Plan plan = PLAN.with("model", "poisson").with("lambda", "30").with("rounds", "2000");
        PreparedData prepared = PreparedData.of(data("poisson", Seed.of(7)), plan);
        Plan resolved = prepared.resolve(plan);
        assertThat(resolved.get(PlanKey.BOX).orElseThrow().side()).isBetween(2.0, 5.0);
        double[] learnt = prepared.train(plan);
        Objective loss = resolved.loss(prepared.training().schema());
        double least = loss.value(Iterate.of(learnt), loss.sums(Iterate.of(learnt), prepared.training(), true), 3);
        Laws.check(50, seed -> {
            double[] other = learnt.clone();
            Vectors.addScaled(
                    other,
                    Math.pow(10, -3 * seed.random().nextDouble()),
                    seed.child("d").random().gaussians(4),
                    4);
            assertThat(loss.value(Iterate.of(other), loss.sums(Iterate.of(other), prepared.training(), true), 3))
                    .isGreaterThanOrEqualTo(least - 1e-9);
        });
    }
}
