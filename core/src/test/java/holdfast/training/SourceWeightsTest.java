package holdfast.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import holdfast.InputException;
import holdfast.Randomness;
import holdfast.Seed;
import holdfast.data.Dataset;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.testkit.Laws;
import holdfast.testkit.Samples;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What {@code --source-weights rows} makes of sources of different sizes. */
class SourceWeightsTest {
    private static final double L2 = 0.05;
    private static final Plan PLAN = Plan.of(Map.ofEntries(
            Map.entry("workers-by", "source"),
            Map.entry("source-weights", "rows"),
            Map.entry("rule", "mean"),
            Map.entry("tolerated", "0"),
            Map.entry("lambda", "none"),
            Map.entry("l2", Double.toString(L2)),
            Map.entry("scale", "none"),
            Map.entry("test-share", "0"),
            Map.entry("tolerance", "0"),
            Map.entry("rounds", "4000"),
            Map.entry("learning-rate", "0.5")));

    /** Rows of sources of these sizes, each about another plane, so that it matters how much each counts. */
    private static Dataset data(Seed seed, int... sizes) {
        int rows = Arrays.stream(sizes).sum();
        int[] source = new int[rows];
        int next = 0;
        for (int s = 0; s < sizes.length; s++) {
            Arrays.fill(source, next, next + sizes[s], s);
            next += sizes[s];
        }
        List<String> names =
                IntStream.range(0, sizes.length).mapToObj(s -> "s" + s).toList();
        Randomness random = seed.child("labels").random();
        Dataset data = Samples.dataset(seed, rows, 3);
        return data.relabel(r ->
                        random.nextDouble() < 1 / (1 + Math.exp(-2 * data.row(r)[source[r] % 3] - 0.3)) ? 1 : 0)
                .reweigh(r -> 1)
                .grouped(names, source);
    }

    /** The optimum of the weighted mean of the rows' logistic losses plus L2/2 ||w||^2, by Newton's method. */
    private static double[] optimum(Dataset data, double[] weights) {
        double total = Arrays.stream(weights).sum();
        double[] theta = new double[4];
        for (int step = 0; step < 30; step++) {
            double[][] system = new double[4][5];
            for (int r = 0; r < data.rows(); r++) {
                double[] x = Arrays.copyOf(data.row(r), 4);
                x[3] = 1;
                double u = 0;
                for (int i = 0; i < 4; i++) {
                    u += theta[i] * x[i];
                }
                double p = 1 / (1 + Math.exp(-u));
                for (int i = 0; i < 4; i++) {
                    for (int j = 0; j < 4; j++) {
                        system[i][j] += weights[r] / total * p * (1 - p) * x[i] * x[j];
                    }
                    system[i][4] += weights[r] / total * (p - data.label(r)) * x[i];
                }
            }
            for (int i = 0; i < 3; i++) {
                system[i][i] += L2;
                system[i][4] += L2 * theta[i];
            }
            double[] move = solved(system);
            for (int i = 0; i < 4; i++) {
                theta[i] -= move[i];
            }
        }
        return theta;
    }

    /** Gauss without pivots, which a positive definite matrix does not need. */
    private static double[] solved(double[][] a) {
        int n = a.length;
        for (int i = 0; i < n; i++) {
            for (int k = i + 1; k < n; k++) {
                double factor = a[k][i] / a[i][i];
                for (int j = i; j <= n; j++) {
                    a[k][j] -= factor * a[i][j];
                }
            }
        }
        double[] x = new double[n];
        for (int i = n - 1; i >= 0; i--) {
            x[i] = a[i][n];
            for (int j = i + 1; j < n; j++) {
                x[i] -= a[i][j] * x[j];
            }
            x[i] /= a[i][i];
        }
        return x;
    }

    private static double[] byRow(Dataset data, double... bySource) {
        return IntStream.range(0, data.rows())
                .mapToDouble(r -> bySource[data.group(r)])
                .toArray();
    }

    private static double[] trained(Dataset data, Plan plan) {
        return Training.of(data, plan).run().model().theta();
    }

    @Test
    void belowTheCapTheOptimumIsThatOfAllRowsTogether() {
        Laws.check(3, seed -> {
            Dataset data = data(seed, 10, 30);
            double[] pooled = optimum(data, byRow(data, 1, 1));
            assertThat(trained(data, PLAN)).containsExactly(pooled, within(1e-6));
            double[] equal = trained(data, PLAN.with("source-weights", "equal"));
            assertThat(equal).containsExactly(optimum(data, byRow(data, 1 / 10.0, 1 / 30.0)), within(1e-6));
            assertThat(Math.abs(equal[0] - pooled[0])).isGreaterThan(1e-3);
        });
    }

    /** The median of 10, 20, 30 and 400 is 25, so the last counts as 50 rows. */
    @Test
    void aboveTheCapManyRowsCountAsTwiceTheMedian() {
        Dataset data = data(Seed.of(4), 10, 400, 30, 20);
        assertThat(trained(data, PLAN)).containsExactly(optimum(data, byRow(data, 1, 50 / 400.0, 1, 1)), within(1e-6));
        assertThat(factors(data, PLAN))
                .containsExactly(new double[] {4 / 11.0, 20 / 11.0, 12 / 11.0, 8 / 11.0}, within(1e-15));
    }

    private static double[] factors(Dataset data, Plan plan) {
        Map<Integer, Double> given =
                PreparedData.of(data, plan).preparation().weighting().sources();
        return IntStream.range(0, data.schema().groups().size())
                .mapToDouble(s -> given.getOrDefault(s, 1.0))
                .toArray();
    }

    @Test
    void aLiarWithAHundredTimesTheRowsGainsTheCapAtMost() {
        Laws.check(30, seed -> {
            Randomness random = seed.random();
            int[] honest = IntStream.range(0, 4 + random.nextInt(4))
                    .map(s -> 2 + random.nextInt(30))
                    .toArray();
            int[] sizes = Arrays.copyOf(honest, honest.length + 1);
            sizes[honest.length] = 100 * Arrays.stream(honest).max().orElseThrow();
            double[] factors = factors(data(seed, sizes), PLAN);
            assertThat(Arrays.stream(factors).sum()).isCloseTo(sizes.length, within(1e-12));
            int[] sorted = Arrays.stream(sizes).sorted().toArray();
            double median = (sorted[(sizes.length - 1) / 2] + sorted[sizes.length / 2]) / 2.0;
            double all = Arrays.stream(sizes)
                    .mapToDouble(n -> Math.min(n, 2 * median))
                    .sum();
            for (int s = 0; s < sizes.length; s++) {
                assertThat(factors[s]).isCloseTo(sizes.length * Math.min(sizes[s], 2 * median) / all, within(1e-12));
            }
            // The honest sources are the majority, so the cap is at most twice the largest of them.
            assertThat(factors[honest.length]
                            / Arrays.stream(factors, 0, honest.length).max().orElseThrow())
                    .isLessThanOrEqualTo(2 + 1e-12);
        });
    }

    @Test
    void sourcesOfTheSameSizeTrainToTheSameBitsAsBefore() {
        Dataset data = data(Seed.of(5), 20, 20, 20);
        Plan plan = PLAN.with("rounds", "20").with("lambda", "3").with("learning-rate", "auto");
        assertThat(Laws.bits(trained(data, plan)))
                .isEqualTo(Laws.bits(trained(data, plan.with("source-weights", "equal"))));
    }

    /** A source's factor multiplies the weights that its rows have anyway, for every replica. */
    @Test
    void theFactorMultipliesOtherWeights() {
        Dataset data = data(Seed.of(6), 10, 30).reweigh(r -> 1 + r % 3);
        Plan plan = PLAN.with("class-weights", "1,3").with("replicas", "2");
        List<Dataset> equal =
                PreparedData.of(data, plan.with("source-weights", "equal")).shards();
        List<Dataset> byRows = PreparedData.of(data, plan).shards();
        double[] weigh = new double[2];
        IntStream.range(0, data.rows()).forEach(r -> weigh[data.group(r)] += data.weight(r));
        for (int w = 0; w < 4; w++) {
            double factor = 2 * weigh[w / 2] / (weigh[0] + weigh[1]);
            for (int r = 0; r < byRows.get(w).rows(); r++) {
                assertThat(byRows.get(w).weight(r))
                        .isCloseTo(factor * equal.get(w).weight(r), within(1e-12));
            }
        }
    }

    /** So the constants of the theorems hold for every worker, and for the mean of any of them. */
    @Test
    void theReachOfTheRowsIsThatOfTheHeaviest() {
        Dataset data = data(Seed.of(7), 10, 400, 30, 20).reweigh(r -> 1 + r % 3);
        PreparedData prepared = PreparedData.of(data, PLAN);
        double heaviest = 0;
        for (Dataset shard : prepared.shards()) {
            for (int r = 0; r < shard.rows(); r++) {
                heaviest = Math.max(heaviest, shard.weight(r));
            }
        }
        try (PreparedRun run = prepared.startWorkers(PLAN, 1)) {
            assertThat(run.reach().weight()).isBetween(heaviest * (1 - 1e-12), 1.1 * heaviest);
        }
        Plan proven = PLAN.with("learning-rate", "proven")
                .with("l2", "0")
                .with("lambda", "3")
                .with("workers-by", "source");
        Plan equal = proven.with("source-weights", "equal");
        double factor = weight(data, proven) / weight(data, equal);
        assertThat(factor).isGreaterThan(1.5);
        assertThat(rate(PreparedData.of(data, equal), equal) / rate(PreparedData.of(data, proven), proven))
                .isGreaterThanOrEqualTo(factor * (1 - 1e-12));
    }

    /** Statistics are pooled, so a heavy row of a light source counts for more at its worker than there. */
    @Test
    void theReachCoversAHeavyRowOfALightSource() {
        Dataset data = data(Seed.of(8), 30, 30).reweigh(r -> r == 0 ? 50 : r < 30 ? 1 : 60);
        double atItsWorker = 50 / (79 / 30.0);
        assertThat(weight(data, PLAN.with("source-weights", "equal")))
                .isBetween(atItsWorker * (1 - 1e-12), 1.3 * atItsWorker);
    }

    private static double weight(Dataset data, Plan plan) {
        try (PreparedRun run = PreparedData.of(data, plan).startWorkers(plan, 1)) {
            return run.reach().weight();
        }
    }

    private static double rate(PreparedData prepared, Plan plan) {
        return Double.parseDouble(prepared.resolve(plan).settings().get("learning-rate"));
    }

    @Test
    void aNewtonStepKnowsNoWeight() {
        assertThatThrownBy(() -> PreparedData.of(data(Seed.of(1), 10, 30), PLAN.with("update", "newton")))
                .isInstanceOf(InputException.class)
                .hasMessage(
                        "--source-weights rows needs --update gradient or delta: the length of a Newton step does not"
                                + " depend on how much rows weigh");
    }

    @Test
    void groupsAlreadySayHowMuchASourceCounts() {
        Plan plan = PLAN.without(PlanKey.LAMBDA).with("objective", "group(cap=1.5)");
        assertThatThrownBy(() -> PreparedData.of(data(Seed.of(1), 10, 30), plan))
                .isInstanceOf(InputException.class)
                .hasMessage("--source-weights rows and --objective group exclude each other: both say how much a source"
                        + " counts");
    }
}
