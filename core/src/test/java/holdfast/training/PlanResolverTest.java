package holdfast.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import example.TanhNetwork;
import holdfast.InputException;
import holdfast.Randomness;
import holdfast.Seed;
import holdfast.data.DataSource;
import holdfast.data.Dataset;
import holdfast.data.DatasetBuilder;
import holdfast.data.Schema;
import holdfast.math.Vectors;
import holdfast.model.Target;
import holdfast.objective.Box;
import holdfast.objective.Iterate;
import holdfast.objective.Objective;
import holdfast.objective.ShardSums;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.plan.ResolvedPlan;
import holdfast.preparation.AcrossSources;
import holdfast.preparation.RowReach;
import holdfast.preparation.Weighting;
import holdfast.testkit.Samples;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The numbers that are found from the data, against the same worked out another way. */
class PlanResolverTest {
    private static final Plan POOLED = Plan.defaults().with("statistics", "pooled");

    private static Dataset rows(double[][] x, double[] labels, List<String> classes) {
        DatasetBuilder builder = new DatasetBuilder(x[0].length);
        for (int r = 0; r < x.length; r++) {
            builder.add(x[r], labels[r]);
        }
        return builder.build(
                new Schema(Samples.schema(x[0].length).features(), "y", classes, List.of()), DataSource.MEMORY);
    }

    @Test
    void theRateIsOneOverCurvaturePenaltyAndWhatMovesAdd() {
        Dataset data = Samples.dataset(Seed.of(1), 300, 3);
        for (String model : List.of("logistic", "svm")) {
            Plan plan = POOLED.with("model", model).with("l2", "0.3").with("lambda", "4");
            PlanResolver automatic = new PlanResolver(data);
            double curvature = automatic.curvature(plan);
            // |l'| is at most 1 for both.
            assertThat(automatic
                            .resolve(plan)
                            .get(PlanKey.LEARNING_RATE)
                            .first()
                            .orElseThrow())
                    .isCloseTo(1 / (curvature + 0.3 + 1 / 4.0), within(1e-12));
        }
    }

    /** Plain training has neither a radius nor a price of labels. */
    @Test
    void whatMovesDoesNotCountInTheCurvatureOfThePlainLoss() {
        PlanResolver counts = new PlanResolver(Samples.counts(Seed.of(2), 200, 2));
        Plan poisson = POOLED.with("model", "poisson").with("box", "5");
        assertThat(counts.curvature(poisson.with("radius", "0.1"))).isEqualTo(counts.curvature(poisson));
        PlanResolver classes = new PlanResolver(Samples.dataset(Seed.of(2), 200, 2));
        Plan network = POOLED.with("model", "mlp");
        assertThat(classes.curvature(network.with("label-price", "2"))).isEqualTo(classes.curvature(network));
    }

    /** One over the number of rows if there are fewer than ten for each weight; a given penalty stays. */
    @Test
    void fewRowsArePenalised() {
        Plan open = POOLED.with("l2", "auto");
        assertThat(new PlanResolver(Samples.dataset(Seed.of(1), 39, 4))
                        .resolve(open)
                        .l2())
                .isEqualTo(1 / 39.0);
        assertThat(new PlanResolver(Samples.dataset(Seed.of(1), 40, 4))
                        .resolve(open)
                        .l2())
                .isZero();
        // Softmax has weights for each class.
        Dataset classes = Samples.classes(Seed.of(1), 100, 4, 3, 0);
        assertThat(new PlanResolver(classes).resolve(open).l2()).isEqualTo(0.01);
        assertThat(new PlanResolver(Samples.dataset(Seed.of(1), 39, 4))
                        .resolve(POOLED.with("l2", "0"))
                        .l2())
                .isZero();
    }

    /** One of three sources brings a thousand rows, the others ten each. */
    @Test
    void oneLargeSourceDoesNotDecideAboutThePenalty() {
        int rows = 1020;
        Dataset data = Samples.dataset(Seed.of(1), rows, 4)
                .grouped(
                        List.of("a", "b", "c"),
                        IntStream.range(0, rows).map(r -> Math.min(2, r / 10)).toArray());
        Plan plan = Plan.defaults().with("l2", "auto");
        assertThat(new PlanResolver(data, new AcrossSources(1), Weighting.NONE, 3)
                        .penalised(plan)
                        .l2())
                .isEqualTo(1 / 30.0);
    }

    /** Sources of 10, 10, 10, 30 and 1000 rows: without the largest and the smallest, their mean is not the median. */
    @Test
    void theMedianSourceDecidesAboutThePenalty() {
        int rows = 1060;
        Dataset data = Samples.dataset(Seed.of(1), rows, 9)
                .grouped(
                        List.of("a", "b", "c", "d", "e"),
                        IntStream.range(0, rows)
                                .map(r -> r < 30 ? r / 10 : r < 60 ? 3 : 4)
                                .toArray());
        assertThat(new PlanResolver(data, new AcrossSources(1), Weighting.NONE, 5)
                        .penalised(Plan.defaults().with("l2", "auto"))
                        .l2())
                .isEqualTo(1 / 50.0);
    }

    /** One feature: (1/n) sum x_j^2/4. */
    @Test
    void theCurvatureOfOneFeatureIsItsMeanSquare() {
        double[][] x = {{1}, {-2}, {3}, {0}};
        Dataset data = rows(x, new double[] {0, 1, 0, 1}, List.of("no", "yes"));
        assertThat(new PlanResolver(data).curvature(POOLED.with("intercept", "false")))
                .isCloseTo(14 / 16.0, within(1e-9));
    }

    /** Counts 0, 3 and 9 of mean 4: l'' = e^u at most as large as the label and the mean together, and at least 1. */
    @Test
    void theCurvatureOfCountsIsThatAtScoresThatFitThem() {
        Dataset data = rows(new double[][] {{1}, {-2}, {3}}, new double[] {0, 3, 9}, List.of());
        assertThat(new PlanResolver(data)
                        .curvature(POOLED.with("model", "poisson").with("intercept", "false")))
                .isCloseTo((4 + 7 * 4 + 13 * 9) / 3.0, within(1e-9));
    }

    @Test
    void anAutomaticBoxHoldsAllRowsAndIsNeverEmpty() {
        Plan plan = Plan.defaults().with("model", "poisson").with("learning-rate", "0.1");
        Dataset data = rows(new double[][] {{1, 0}, {-2.5, 1}, {2, 2}}, new double[] {0, 3, 9}, List.of());
        assertThat(new PlanResolver(data).resolve(plan).get(PlanKey.BOX)).contains(new Box(2.5));
        Dataset zeros = rows(new double[3][2], new double[] {0, 3, 9}, List.of());
        assertThat(new PlanResolver(zeros).resolve(plan).get(PlanKey.BOX)).contains(new Box(1));
        assertThat(new PlanResolver(zeros).resolve(plan.with("lambda", "none")).get(PlanKey.BOX))
                .isEmpty();
    }

    /** Rows may jump to a corner of a wide box at little cost, so that the loss is steeper than the labels tell. */
    @Test
    void theRateOfAModelInABoxIsHalvedUntilTheObjectiveFalls() {
        Randomness random = Seed.of(3).random();
        double[][] x = new double[200][];
        double[] counts = new double[200];
        for (int r = 0; r < 200; r++) {
            x[r] = random.gaussians(4);
            counts[r] = Samples.count(Math.exp(0.5 * x[r][0]), random);
        }
        Dataset data = rows(x, counts, List.of());
        int halved = 0;
        for (String lambda : List.of("0.1", "0.5", "2", "8", "100")) {
            Plan plan = POOLED.with("model", "poisson").with("lambda", lambda);
            PlanResolver automatic = new PlanResolver(data);
            double curvature = automatic.curvature(plan);
            double slope = Arrays.stream(counts)
                            .map(y -> Math.max(1, y) * Math.max(1, y))
                            .sum()
                    / 200;
            double plain = 1 / (curvature + slope / plan.lambda().orElseThrow());
            Plan resolved = automatic.resolve(plan);
            double rate = resolved.get(PlanKey.LEARNING_RATE).first().orElseThrow();
            double halvings = Math.log(plain / rate) / Math.log(2);
            assertThat(halvings).isCloseTo(Math.rint(halvings), within(1e-9)).isBetween(-1e-9, 5 + 1e-9);
            halved += halvings > 0.5 ? 1 : 0;
            if (halvings < 4.5) {
                expectDescent(data, resolved, rate);
            }
        }
        assertThat(halved).as("rates that had to be halved").isPositive();
    }

    private static void expectDescent(Dataset data, Plan plan, double rate) {
        Objective loss = plan.loss(data.schema());
        double[] theta = ResolvedPlan.start(plan, loss.model(), 4);
        double before = loss.value(Iterate.of(theta), loss.sums(Iterate.of(theta), data, true), 4);
        double[] g = loss.gradient(Iterate.of(theta), loss.sums(Iterate.of(theta), data, true), 4);
        Vectors.addScaled(theta, -rate, g, 5);
        assertThat(loss.value(Iterate.of(theta), loss.sums(Iterate.of(theta), data, true), 4))
                .isLessThanOrEqualTo(before);
    }

    /** Rather than with a rate found by steps that no worker could take. */
    @Test
    void rowsThatTheObjectiveCannotServeAreRefusedBeforeTrialSteps() {
        Dataset sparse = Samples.sparse(Seed.of(14), 300, 40, 3);
        Plan plan = Plan.defaults()
                .withModel(new TanhNetwork(Target.TWO_CLASSES, 2))
                .with("ascent-steps", "1")
                .with("box", "1");
        assertThatThrownBy(() -> new PlanResolver(sparse).resolve(plan))
                .isInstanceOf(InputException.class)
                .hasMessage(
                        "rows that move in a box move in every feature, so they cannot be sparse; use --lambda none");
    }

    @Test
    void aPlanSaysWhetherItLeavesRatesOpen() {
        Plan plan = Plan.defaults();
        assertThat(PlanResolver.leavesRatesOpen(plan)).isTrue();
        assertThat(PlanResolver.leavesRatesOpen(plan.with("learning-rate", "1")))
                .isFalse();
        Plan deltas = plan.with("learning-rate", "1").with("update", "delta");
        assertThat(PlanResolver.leavesRatesOpen(deltas)).isTrue();
        assertThat(PlanResolver.leavesRatesOpen(deltas.with("local-rate", "0.1")))
                .isFalse();
    }

    /** Also where the longest row is in a later block, and for features that are zero and may move to the side. */
    @Test
    void theReachIsThatOfTheLongestRowOrOfWhatItCanBecome() {
        double[][] x = new double[600][2];
        double[] labels = new double[600];
        x[400] = new double[] {0, -3};
        labels[500] = -7;
        Dataset data = rows(x, labels, List.of());
        assertThat(RowReach.of(data, Box.NONE)).isEqualTo(new RowReach(3, 7, 1));
        assertThat(RowReach.of(data, new Box(2))).isEqualTo(new RowReach(Math.sqrt(4 + 9), 7, 1));
        assertThat(RowReach.of(data, new Box(5))).isEqualTo(new RowReach(Math.sqrt(50), 7, 1));
    }

    /** Nothing bounds a network: the rate is a power of 1/2 at which the objective falls. */
    @Test
    void theRateOfAModelThatBoundsNothingIsFoundByTrial() {
        Dataset data = Samples.dataset(Seed.of(7), 400, 3);
        TanhNetwork network = new TanhNetwork(Target.TWO_CLASSES, 5);
        for (double weight : new double[] {1, 1000}) {
            double[] weights = new double[256];
            Arrays.fill(weights, weight);
            Dataset heavy = data.map(block -> block.weighted(Arrays.copyOf(weights, block.rows())));
            Plan plan = POOLED.withModel(network)
                    .with("lambda", "50")
                    .with("ascent-steps", "2")
                    .with("l2", "0.01");
            double rate = new PlanResolver(heavy)
                    .resolve(plan)
                    .get(PlanKey.LEARNING_RATE)
                    .first()
                    .orElseThrow();
            Objective loss = plan.loss(heavy.schema());
            double halvings = -Math.log(rate) / Math.log(2);
            assertThat(halvings).isCloseTo(Math.rint(halvings), within(1e-9)).isBetween(-1e-9, 40.0);
            assertThat(weight == 1 || halvings > 5)
                    .as("heavier rows are steeper")
                    .isTrue();
            double[] theta = ResolvedPlan.start(plan, network, 3);
            double before = Double.POSITIVE_INFINITY;
            for (int step = 0; step < 20; step++) {
                Iterate at = Iterate.of(theta);
                ShardSums sums = loss.sums(at, heavy, true);
                assertThat(loss.value(at, sums, 3)).isLessThanOrEqualTo(before);
                before = loss.value(at, sums, 3);
                Vectors.addScaled(theta, -rate, loss.gradient(at, sums, 3), theta.length);
            }
        }
    }

    /** As jobs of another process carry it. */
    @Test
    void anObjectiveTravelsAsTextAndOneWithoutANameDoesNot() throws Exception {
        Dataset data = Samples.dataset(Seed.of(7), 300, 3);
        Plan plan = Plan.defaults().with("ascent-steps", "4").with("l2", "0.25");
        PortableObjective here = new PortableObjective(plan, data.schema());
        PortableObjective there = (PortableObjective) copy(here);
        double[] theta = Seed.of(1).random().gaussians(4);
        Iterate at = Iterate.of(theta);
        assertThat(there.get().gradient(at, there.get().sums(at, data, false), 3))
                .containsExactly(here.get().gradient(at, here.get().sums(at, data, false), 3));
        PortableObjective unnamed =
                new PortableObjective(Plan.defaults().withModel(new TanhNetwork(Target.TWO_CLASSES, 5)), data.schema());
        assertThatThrownBy(() -> copy(unnamed))
                .isInstanceOf(InputException.class)
                .hasMessageStartingWith("another process needs names for everything in the plan, but --model is");
    }

    private static Object copy(Object given) throws IOException, ClassNotFoundException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(given);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            return in.readObject();
        }
    }
}
