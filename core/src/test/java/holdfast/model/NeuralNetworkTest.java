package holdfast.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.sun.management.ThreadMXBean;
import holdfast.InputException;
import holdfast.Randomness;
import holdfast.Seed;
import holdfast.data.Block;
import holdfast.data.Dataset;
import holdfast.data.DenseBlock;
import holdfast.data.Schema;
import holdfast.math.SymmetricEigen;
import holdfast.math.Threads;
import holdfast.objective.Effort;
import holdfast.objective.GradientAscent;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.testkit.Laws;
import holdfast.testkit.Samples;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class NeuralNetworkTest {
    private static final Schema NUMBERS = new Schema(List.of("a", "b"), "y", List.of(), List.of());
    private static final Schema THREE = new Schema(List.of("a", "b"), "y", List.of("p", "q", "r"), List.of());

    static List<String> golden() throws IOException {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                NeuralNetworkTest.class.getResourceAsStream("/holdfast/network-golden.txt"), StandardCharsets.UTF_8))) {
            return lines.lines().toList();
        }
    }

    /** Against network-golden.py, beside the values: numpy, with complex steps for the gradients. */
    @ParameterizedTest
    @MethodSource("golden")
    void lossAndGradientsAreThoseOfNumpy(String line) {
        String[] parts = line.split(" ");
        LinearScores top = switch (parts[2]) {
            case "logistic" -> new LogisticRegression(true);
            case "softmax" -> new SoftmaxRegression(3, true);
            default -> new LinearRegression(true);
        };
        NeuralNetwork model = new NeuralNetwork(
                parts[0].equals("one") ? HiddenLayers.of(4) : HiddenLayers.of(4, 2),
                Activation.valueOf(parts[1].toUpperCase(Locale.ROOT)),
                top);
        double[] theta = new double[model.parameters(3)];
        Arrays.setAll(theta, i -> 1.5 * StrictMath.sin(2 + 7 * i));
        double[] x = new double[6];
        Arrays.setAll(x, i -> StrictMath.sin(1.0 + 3 * (i / 3) + i % 3));
        double[] labels = switch (parts[2]) {
            case "logistic" -> new double[] {0, 1};
            case "softmax" -> new double[] {0, 2};
            default -> new double[] {0.5, 1.5};
        };
        Block block = new DenseBlock(3, x, labels, null);
        double[] gradient = new double[theta.length];
        model.addGradient(theta, block, gradient);
        double[] inRows = new double[6];
        model.gradientInRows(theta, block, inRows);
        assertThat(model.loss(theta, block)).isCloseTo(Double.parseDouble(parts[3]), within(1e-12));
        assertThat(alongCosines(gradient)).isCloseTo(Double.parseDouble(parts[4]), within(1e-12));
        assertThat(alongCosines(inRows)).isCloseTo(Double.parseDouble(parts[5]), within(1e-12));
    }

    private static double alongCosines(double[] a) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += a[i] * StrictMath.cos(i);
        }
        return sum;
    }

    /** J by differences of the scores, l'' by differences of the slopes of the loss on top. */
    @Test
    void theCurvatureIsThatOfGaussAndNewton() {
        Laws.check(40, seed -> {
            Randomness random = seed.random();
            SoftmaxRegression top = new SoftmaxRegression(3, true);
            NeuralNetwork model = new NeuralNetwork(HiddenLayers.of(3, 4), Activation.TANH, top);
            int d = 2;
            double[] theta = random.gaussians(model.parameters(d));
            Block block = new DenseBlock(d, random.gaussians(d), new double[] {1}, new double[] {2.5});
            double[] v = random.gaussians(theta.length);
            double step = 1e-5;
            double[][] jacobian = new double[theta.length][];
            for (int i = 0; i < theta.length; i++) {
                jacobian[i] = scores(model, theta, i, step, block);
                double[] below = scores(model, theta, i, -step, block);
                for (int c = 0; c < 3; c++) {
                    jacobian[i][c] = (jacobian[i][c] - below[c]) / (2 * step);
                }
            }
            double[] along = new double[3];
            for (int i = 0; i < theta.length; i++) {
                for (int c = 0; c < 3; c++) {
                    along[c] += jacobian[i][c] * v[i];
                }
            }
            top.bend(scores(model, theta, 0, 0, block), block.labels(), along, 1);
            double[] expected = new double[theta.length];
            for (int i = 0; i < theta.length; i++) {
                for (int c = 0; c < 3; c++) {
                    expected[i] += 2.5 * jacobian[i][c] * along[c];
                }
            }
            double[] made = new double[theta.length];
            model.curvature(theta, block).addTimes(v, made);
            assertThat(made).containsExactly(expected, within(1e-7));
        });
    }

    private static double[] scores(Model model, double[] theta, int i, double step, Block block) {
        double[] moved = theta.clone();
        moved[i] += step;
        double[] out = new double[3];
        model.scores(moved, block, out);
        return out;
    }

    @Test
    void sparseRowsHaveTheBitsOfTheSameRowsWithTheirZeros() {
        Laws.check(20, seed -> {
            Dataset sparse = Samples.sparse(seed, 300, 40, 4);
            Dataset dense = Samples.dense(seed, 300, 40, 4);
            NeuralNetwork model =
                    new NeuralNetwork(HiddenLayers.of(9, 5), Activation.SOFTPLUS, new LogisticRegression(true));
            double[] theta = seed.random().gaussians(model.parameters(40));
            for (int b = 0; b < dense.blocks().size(); b++) {
                Block rows = dense.blocks().get(b);
                Block thin = sparse.blocks().get(b);
                assertThat(thin.sparse()).isTrue();
                assertThat(Laws.bits(gradient(model, theta, thin))).isEqualTo(Laws.bits(gradient(model, theta, rows)));
                assertThat(model.loss(theta, thin)).isEqualTo(model.loss(theta, rows));
            }
        });
    }

    private static double[] gradient(Model model, double[] theta, Block block) {
        double[] gradient = new double[theta.length];
        model.addGradient(theta, block, gradient);
        return gradient;
    }

    /** Against the sum of the gradients of single rows, none of which is sliced or shared. */
    @Test
    void threadsShareABatchAndChangeNoBit() {
        NeuralNetwork model = new NeuralNetwork(HiddenLayers.of(64), Activation.SOFTPLUS, new LogisticRegression(true));
        int d = 20;
        Block block = Samples.block(Seed.of(3), 256, d, true);
        double[] theta = model.start(d, Seed.of(1));
        double[] alone = gradient(model, theta, block);
        double[] expected = new double[theta.length];
        block.slices(1).forEach(row -> model.addGradient(theta, row, expected));
        assertThat(alone).containsExactly(expected, within(1e-11));
        GradientAscent ascent = new GradientAscent(model, 3, 1.0 / 6);
        double[] moved =
                ascent.maximise(theta, block, new Effort.Steps(4)).rows().filled("");
        try (Threads threads = Threads.of(3)) {
            for (int repeat = 0; repeat < 20; repeat++) {
                assertThat(Laws.bits(threads.call(() -> gradient(model, theta, block))))
                        .isEqualTo(Laws.bits(alone));
                assertThat(Laws.bits(threads.call(() -> ascent.maximise(theta, block, new Effort.Steps(4))
                                .rows()
                                .filled(""))))
                        .isEqualTo(Laws.bits(moved));
            }
        }
    }

    /** 20 passes over these rows would need 2 MB in each of their arrays if they made them anew. */
    @Test
    void theStepsOfAnAscentAllocateNoRows() {
        NeuralNetwork model = new NeuralNetwork(HiddenLayers.of(32), Activation.SOFTPLUS, new LogisticRegression(true));
        int d = 50;
        Block block = Samples.block(Seed.of(3), 256, d, false);
        double[] theta = model.start(d, Seed.of(1));
        GradientAscent ascent = new GradientAscent(model, 0.1, 1);
        long few = Long.MAX_VALUE;
        long many = Long.MAX_VALUE;
        // Until the JVM has compiled the Vector API, it makes an object of every vector.
        for (int repeat = 0; repeat == 0 || repeat < 3000 && many - few >= 20 * 256 * d; repeat++) {
            few = Math.min(few, allocated(() -> ascent.maximise(theta, block, new Effort.Steps(10))));
            many = Math.min(many, allocated(() -> ascent.maximise(theta, block, new Effort.Steps(30))));
        }
        assertThat(few).isGreaterThan(256 * d * 8);
        assertThat(many - few).isLessThan(20 * 256 * d);
    }

    /** Arrays that are too large for a thread to keep are kept by the gradient itself. Anew they would need 27 MB; compiling takes some. */
    @Test
    void oneGradientMakesLargeArraysOnce() {
        NeuralNetwork model = new NeuralNetwork(HiddenLayers.of(1100), Activation.TANH, new LogisticRegression(true));
        Block block = Samples.block(Seed.of(3), 1024, 2, false);
        Model.RowGradient gradient = model.rowGradient(model.start(2, Seed.of(1)), 2);
        double[] out = new double[2048];
        long least = Long.MAX_VALUE;
        for (int repeat = 0; repeat < 2 || repeat < 100 && least > 1 << 22; repeat++) {
            least = Math.min(least, allocated(() -> gradient.at(block, out)));
        }
        assertThat(least).isLessThan(1 << 22);
    }

    private static long allocated(Runnable work) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long id = Thread.currentThread().getId();
        long before = threads.getThreadAllocatedBytes(id);
        work.run();
        return threads.getThreadAllocatedBytes(id) - before;
    }

    /** Blocks of other sizes in between leave nothing behind. */
    @Test
    void oneGradientServesBlocksOfAllSizes() {
        NeuralNetwork model = new NeuralNetwork(HiddenLayers.of(7), Activation.GELU, new SoftmaxRegression(3, true));
        double[] theta = model.start(4, Seed.of(1));
        Model.RowGradient kept = model.rowGradient(theta, 4);
        for (int rows : new int[] {5, 1, 20, 3, 20}) {
            Block block = Samples.block(Seed.of(rows), rows, 4, false);
            double[] expected = new double[rows * 4];
            model.gradientInRows(theta, block, expected);
            double[] made = new double[rows * 4];
            kept.at(block, made);
            assertThat(Laws.bits(made)).isEqualTo(Laws.bits(expected));
        }
    }

    /** The Hessian in the row by differences of the gradient, at random networks and rows, against the bound for all rows. */
    @ParameterizedTest
    @ValueSource(strings = {"softplus", "tanh", "gelu", "elu"})
    void theBoundOnLzzIsAboveTheNormOfEveryHessian(String activation) {
        double[] closest = new double[1];
        Laws.check(300, seed -> {
            Randomness random = seed.random();
            int d = 1 + random.nextInt(5);
            LinearScores top = List.of(
                            new LogisticRegression(true),
                            new SoftmaxRegression(3, true),
                            new HuberRegression(true, 0.8))
                    .get(random.nextInt(3));
            HiddenLayers hidden = random.nextInt(2) == 0 ? HiddenLayers.of(4) : HiddenLayers.of(3, 4);
            NeuralNetwork model =
                    new NeuralNetwork(hidden, Activation.valueOf(activation.toUpperCase(Locale.ROOT)), top);
            double[] theta = random.gaussians(model.parameters(d));
            double label = random.nextInt(top.scoresPerRow() + 1) % Math.max(2, top.scoresPerRow());
            double[] x = random.gaussians(d);
            double step = 1e-5;
            double[][] hessian = new double[d][d];
            for (int i = 0; i < d; i++) {
                double[] above = inRow(model, theta, x, i, step, label);
                double[] below = inRow(model, theta, x, i, -step, label);
                for (int k = 0; k < d; k++) {
                    hessian[i][k] += (above[k] - below[k]) / (4 * step);
                    hessian[k][i] += (above[k] - below[k]) / (4 * step);
                }
            }
            double[] values = SymmetricEigen.of(hessian).values();
            double norm = Math.max(Math.abs(values[0]), Math.abs(values[d - 1]));
            double bound =
                    model.smoothness(theta, d, Double.POSITIVE_INFINITY, 1).zz();
            assertThat(bound).isFinite().isGreaterThanOrEqualTo(norm - 1e-6);
            closest[0] = Math.max(closest[0], norm / bound);
        });
        assertThat(closest[0]).isGreaterThan(0.05);
    }

    private static double[] inRow(Model model, double[] theta, double[] x, int i, double step, double label) {
        double[] moved = x.clone();
        moved[i] += step;
        double[] out = new double[x.length];
        model.gradientInRows(theta, new DenseBlock(x.length, moved, new double[] {label}, null), out);
        return out;
    }

    @Test
    void nothingBoundsLzzOfAKinkOrOfScoresWithoutBoundUnderTheSquaredLoss() {
        double inf = Double.POSITIVE_INFINITY;
        for (Activation activation : Activation.values()) {
            NeuralNetwork squared = new NeuralNetwork(HiddenLayers.of(3), activation, new LinearRegression(true));
            double[] theta = squared.start(2, Seed.of(1));
            assertThat(squared.smoothness(theta, 2, inf, 1).zz() < inf).isEqualTo(activation == Activation.TANH);
            assertThat(squared.smoothness(theta, 2, 10, 1).zz() < inf).isEqualTo(activation.smooth());
            assertThat(squared.smoothness(theta, 2, 10, 1).zz()
                            < squared.smoothness(theta, 2, 10, 2).zz())
                    .isEqualTo(activation.smooth());
        }
    }

    /** One unit bends, the others make the score large, each in its own way: the slope of the squared loss is large there. */
    @Test
    void theBoundOnLzzKnowsHowLargeScoresBecome() {
        // By their biases.
        largeScores(Activation.SOFTPLUS, 1, 100, 1, 1, 0.1);
        // By what softplus is at 0.
        largeScores(Activation.SOFTPLUS, 400, 0, 20, 1, 0);
        // By their number, up to the bound of tanh.
        largeScores(Activation.TANH, 50, 20, 2, 1, Double.POSITIVE_INFINITY);
        // By the bias on top.
        largeScores(Activation.SOFTPLUS, 1, 0, 1, 100, 0);
    }

    /**
     * @param units that the row does not reach, with output weight 1
     * @param bias of them
     * @param out the output weight of the unit that the row reaches
     * @param top the bias on top
     */
    private static void largeScores(
            Activation activation, int units, double bias, double out, double top, double radius) {
        NeuralNetwork model = new NeuralNetwork(HiddenLayers.of(units + 1), activation, new LinearRegression(true));
        double[] theta = new double[model.parameters(1)];
        theta[0] = 1;
        Arrays.fill(theta, units + 1, 2 * (units + 1), 1);
        theta[units + 1] = out;
        Arrays.fill(theta, 2 * (units + 1), 3 * (units + 1), bias);
        theta[2 * (units + 1)] = activation == Activation.TANH ? -0.6585 : 0;
        theta[theta.length - 1] = top;
        double step = 1e-4;
        double[] above = inRow(model, theta, new double[] {0}, 0, step, 0);
        double[] below = inRow(model, theta, new double[] {0}, 0, -step, 0);
        double curvature = Math.abs(above[0] - below[0]) / (2 * step);
        assertThat(model.smoothness(theta, 1, radius, 0).zz()).isBetween(curvature, 10 * curvature);
    }

    /** Two classes are equally likely where units with elu are as good as linear: l'' has the eigenvalue 1/2. */
    @Test
    void theBoundOnLzzHoldsWhereTheSoftmaxLossBendsMost() {
        NeuralNetwork model = new NeuralNetwork(HiddenLayers.of(1), Activation.ELU, new SoftmaxRegression(3, true));
        double[] theta = {1, 100, -100, 0, 10, -1000, 1000, -1000};
        double step = 1e-5;
        double[] above = inRow(model, theta, new double[] {0}, 0, step, 0);
        double[] below = inRow(model, theta, new double[] {0}, 0, -step, 0);
        double curvature = (above[0] - below[0]) / (2 * step);
        assertThat(curvature).isCloseTo(10_000, within(1.0));
        assertThat(model.smoothness(theta, 1, Double.POSITIVE_INFINITY, 1).zz()).isBetween(curvature, 1.1 * curvature);
    }

    /** 0 times infinity is 0 there: what has no weights does not change with the row. */
    @Test
    void theBoundOnLzzOfANetworkWithoutWeightsIsZeroAlsoWithAKink() {
        NeuralNetwork model =
                new NeuralNetwork(HiddenLayers.of(2, 2, 2), Activation.RELU, new LogisticRegression(true));
        double[] theta = model.start(2, Seed.of(1));
        Arrays.fill(theta, 4, 8, 0);
        assertThat(model.smoothness(theta, 2, 1, 1).zz()).isZero();
    }

    @Test
    void theStartIsGlorotsWithBiasesAtZero() {
        NeuralNetwork model =
                new NeuralNetwork(HiddenLayers.of(60, 40), Activation.TANH, new SoftmaxRegression(5, true));
        double[] theta = model.start(100, Seed.of(3));
        assertThat(model.penalised(100)).isEqualTo(100 * 60 + 60 * 40 + 40 * 5);
        assertThat(theta).hasSize(model.penalised(100) + 60 + 40 + 5);
        assertThat(variance(theta, 0, 6000)).isCloseTo(2.0 / 160, within(0.001));
        assertThat(variance(theta, 6000, 8400)).isCloseTo(2.0 / 100, within(0.002));
        assertThat(variance(theta, 8400, 8600)).isCloseTo(2.0 / 45, within(0.01));
        assertThat(Arrays.copyOfRange(theta, 8600, theta.length)).containsOnly(0);
        assertThat(theta).isNotEqualTo(model.start(100, Seed.of(4)));
        assertThat(theta[6000] / Math.sqrt(2.0 / 100)).isNotCloseTo(theta[0] / Math.sqrt(2.0 / 160), within(1e-9));
    }

    private static double variance(double[] a, int from, int to) {
        double squares = 0;
        for (int i = from; i < to; i++) {
            squares += a[i] * a[i];
        }
        return squares / (to - from);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "mlp",
                "mlp(hidden=64-32)",
                "mlp(activation=gelu, hidden=5)",
                "mlp(loss=softmax)",
                "mlp(delta=0.5, loss=huber)"
            })
    void aNetworkIsWrittenAsItIsRead(String text) {
        Schema schema = text.contains("huber") ? NUMBERS : Samples.TWO_CLASSES;
        Model model = Plan.defaults().with("model", text).model(schema);
        assertThat(model).isInstanceOf(NeuralNetwork.class);
        assertThat(Plan.defaults().withModel(model).get(PlanKey.MODEL).name()).contains(text);
    }

    static Stream<List<Object>> losses() {
        return Stream.of(
                List.of("mlp", NUMBERS, 1, Target.NUMBER, LabelUnit.STANDARD),
                List.of("mlp", Samples.TWO_CLASSES, 1, Target.TWO_CLASSES, LabelUnit.NONE),
                List.of("mlp", THREE, 3, Target.CLASSES, LabelUnit.NONE),
                List.of("mlp(loss=huber)", NUMBERS, 1, Target.NUMBER, LabelUnit.ROBUST));
    }

    @ParameterizedTest
    @MethodSource("losses")
    void theLossFitsTheLabel(List<Object> expected) {
        Model model = Plan.defaults().with("model", (String) expected.get(0)).model((Schema) expected.get(1));
        assertThat(List.of(model.scoresPerRow(), model.target(), model.labelUnit()))
                .isEqualTo(expected.subList(2, 5));
        assertThat(model.givesProbabilities()).isEqualTo(model.target().isClass());
        assertThat(model.convexInRows()).isFalse();
        assertThat(model.leastLoss(1)).isZero();
        assertThat(model.expected(2))
                .isCloseTo(model.target() == Target.TWO_CLASSES ? 1 / (1 + Math.exp(-2)) : 2, within(1e-15));
    }

    @Test
    void wrongParametersAreRefusedInOneLine() {
        refuses("mlp(hidden=)", THREE, "mlp: hidden must be sizes of layers such as 32 or 64-32, got ''");
        refuses("mlp(hidden=64-)", THREE, "mlp: hidden must be sizes of layers such as 32 or 64-32, got '64-'");
        assertThatThrownBy(() -> Plan.defaults()
                        .with("model", "mlp(hidden=100000-100000)")
                        .model(THREE)
                        .parameters(2))
                .isInstanceOf(InputException.class)
                .hasMessage(
                        "mlp: layers of 2-100000-100000-3 numbers have 1.00e+10 parameters together, more than one model can have");
        refuses("mlp(hidden=8-0)", THREE, "mlp: a hidden layer has 1 to 100000 units, got 0");
        refuses(
                "mlp(activation=swish)",
                THREE,
                "mlp: activation must be one of softplus, tanh, gelu, elu, relu, got 'swish'");
        refuses("mlp(delta=2)", NUMBERS, "mlp: delta is for loss=huber");
        refuses("mlp(loss=huber, delta=0)", NUMBERS, "huber: delta must be finite and > 0, got 0.0");
        refuses("mlp(loss=huber)", THREE, "model mlp with loss=huber predicts numbers, but y has 3 classes");
        refuses("mlp(loss=logistic)", THREE, "model mlp with loss=logistic predicts two classes, but y has 3 classes");
        assertThatThrownBy(() -> Plan.defaults()
                        .with("model", "mlp")
                        .with("intercept", "false")
                        .model(THREE))
                .isInstanceOf(InputException.class)
                .hasMessage("--no-intercept is for linear models: the units of model mlp always have biases");
    }

    private static void refuses(String model, Schema schema, String message) {
        assertThatThrownBy(() -> Plan.defaults().with("model", model).model(schema))
                .isInstanceOf(InputException.class)
                .hasMessageContaining(message);
    }
}
